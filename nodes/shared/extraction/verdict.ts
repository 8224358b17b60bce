import type { AccountFacts, PeriodFacts } from './accountMetadata';
import {
	checkBalances,
	joinNotes,
	nothingToCheck,
	rowsHave,
	serviceSays,
	type BalanceCheck,
	type Verdict,
	type VerdictResult,
} from './balanceCheck';
import { addDecimals, formatDecimal, parseDecimal, ZERO } from './decimal';
import type { ExtractedAccount } from './model';
import { rowPeriodFinder } from './rowPeriod';
import { addRow, noRows, sumRows, type RowSums } from './rowSums';
import { checkTotals } from './totalsCheck';

/** The fixed account key of check images (section 2.8). */
const CHECKS = 'checks';

export interface PeriodVerdict extends BalanceCheck {
	facts: PeriodFacts;
	transactionCount: number;
}

export interface AccountVerdict extends VerdictResult {
	/** The facts from the first to the last day of the account. */
	whole: PeriodFacts;
	periods: PeriodVerdict[];
	sums: RowSums;
}

/** What the metadata says of the account from its first to its last day. */
function wholeFacts({ periods, whole }: AccountFacts): PeriodFacts {
	const first = periods[0];
	const last = periods[periods.length - 1];
	const only = periods.length === 1 ? first : undefined;
	return {
		period: null,
		startBalance: whole?.startBalance ?? first?.startBalance,
		endBalance: whole?.endBalance ?? last?.endBalance,
		startDate: whole?.startDate ?? first?.startDate,
		endDate: whole?.endDate ?? last?.endDate,
		isReconciled: whole?.isReconciled ?? only?.isReconciled,
		extras: { ...only?.extras, ...whole?.extras },
		contradictions: [
			...(whole?.contradictions ?? []),
			...(only?.contradictions ?? []),
			...(first?.contradictions ?? []).filter((name) => name === 'startBalance'),
			...(last?.contradictions ?? []).filter((name) => name === 'endBalance'),
		],
	};
}

/** The sums of each period's rows, and the number of rows whose period is not known. */
function sumsByPeriod(
	rows: readonly unknown[],
	all: RowSums,
	periods: readonly PeriodFacts[],
): { sums: RowSums[]; unplaced: number } {
	if (periods.length === 1) return { sums: [all], unplaced: 0 };
	const byName = new Map(periods.map((facts) => [facts.period, noRows()]));
	const unplaced = noRows();
	const periodOf = rowPeriodFinder(periods);
	for (const row of rows) addRow(byName.get(periodOf(row).period) ?? unplaced, row);
	return {
		sums: periods.map((facts) => byName.get(facts.period) ?? noRows()),
		unplaced: unplaced.count,
	};
}

function periodNames(periods: readonly PeriodVerdict[]): string {
	return periods.map(({ facts }) => facts.period ?? 'without a name').join(', ');
}

/** The sum of the differences of some periods, as exact decimal text. */
function sumOfDifferences(periods: readonly PeriodVerdict[]): string | null {
	if (periods.length === 0) return null;
	const differences = periods.map(({ difference }) => parseDecimal(difference) ?? ZERO);
	return formatDecimal(differences.reduce(addDecimals, ZERO));
}

/**
 * The verdict on an account, for each sub-period and from the first balance to the last. It is
 * computed here, from the balances of the metadata and the rows.
 *
 * The account is `reconciled` where its first balance, all its rows and its last balance add up
 * (see balanceCheck.ts), and nothing speaks against it. It is `not reconciled` where they do not, or
 * a sub-period does not, or the totals or counts of `bankMode` disagree with the rows, or the
 * service reports a sub-period as not reconciled. A sub-period without a movement does no harm.
 * Check images have no balances, so the account `checks` is never judged.
 */
export function judgeAccount(account: ExtractedAccount, facts: AccountFacts): AccountVerdict {
	const { rows, bankMode } = account;
	const sums = sumRows(rows);
	const whole = wholeFacts(facts);
	const totals = checkTotals(bankMode, sums);
	const { sums: periodSums, unplaced } = sumsByPeriod(rows, sums, facts.periods);
	const isChecks = account.account === CHECKS;
	const judge = (one: PeriodFacts, oneSums: RowSums): BalanceCheck =>
		isChecks
			? nothingToCheck(['Checks have no balances.'], undefined)
			: checkBalances(one, oneSums);
	const periods = facts.periods.map((one, index): PeriodVerdict => {
		const oneSums = periodSums[index] ?? noRows();
		return { ...judge(one, oneSums), facts: one, transactionCount: oneSums.count };
	});
	const check = judge(whole, sums);
	const base = { whole, periods, sums };
	if (isChecks) {
		const verdictNote = joinNotes([check.verdictNote, ...totals.mismatches, ...totals.unreadable]);
		return { ...base, verdict: check.verdict, difference: null, verdictNote };
	}
	const several = periods.length > 1;
	const failed = periods.filter(({ verdict }) => verdict === 'not reconciled');
	const denied = periods.filter(
		(one) => one.verdict !== 'not reconciled' && !one.isIdle && serviceSays(one.facts) === false,
	);
	const isDenied = denied.length > 0 && check.verdict === 'reconciled';
	const isWrong =
		check.verdict === 'not reconciled' ||
		failed.length > 0 ||
		totals.mismatches.length > 0 ||
		isDenied;
	return {
		...base,
		verdict: isWrong ? 'not reconciled' : check.verdict,
		difference: check.difference ?? sumOfDifferences(failed),
		verdictNote: joinNotes([
			check.verdictNote,
			several && failed.length > 0 ? `Not reconciled: period ${periodNames(failed)}.` : null,
			isDenied ? `The service reports as not reconciled: period ${periodNames(denied)}.` : null,
			several && failed.length === 0 && check.verdict === 'not reconciled'
				? 'No single period is wrong, but they do not follow one another: a statement between them may be missing.'
				: null,
			unplaced > 0
				? `${rowsHave(unplaced)} no period that could be told; the periods leave them out.`
				: null,
			...totals.mismatches,
			...totals.unreadable,
		]),
	};
}

/** The verdict on a document: the worst of its accounts. Without one there is nothing to check. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
	if (verdicts.includes('not reconciled')) return 'not reconciled';
	const isReconciled = verdicts.length > 0 && verdicts.every((one) => one === 'reconciled');
	return isReconciled ? 'reconciled' : 'nothing to check against';
}
