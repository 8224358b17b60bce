import type { AccountFacts, PeriodFacts } from './accountMetadata';
import {
	absoluteDecimal,
	addDecimals,
	equalDecimals,
	formatDecimal,
	parseDecimal,
	subtractDecimals,
	ZERO,
	type Decimal,
} from './decimal';
import type { JsonObject } from './model';
import { isTransactionRow, rowAmount } from './rowFields';
import type { RowPeriod } from './rowPeriod';

/** Does opening balance plus rows give the closing balance? */
export type Verdict = 'reconciled' | 'not reconciled' | 'nothing to check against';

export interface VerdictResult {
	verdict: Verdict;
	/**
	 * End balance minus (start balance plus rows) as exact decimal text. Null where it cannot be
	 * computed.
	 */
	difference: string | null;
	/** Why the verdict is what it is, where the numbers alone do not say it. */
	verdictNote: string | null;
}

export interface PeriodVerdict extends VerdictResult {
	facts: PeriodFacts;
	transactionCount: number;
}

export interface AccountVerdict extends VerdictResult {
	periods: PeriodVerdict[];
	sums: RowSums;
}

/** Exact sums over rows; `unreadable` rows are in `count` and in nothing else. */
export interface RowSums {
	count: number;
	numCredits: number;
	numDebits: number;
	numZero: number;
	unreadable: number;
	credits: Decimal;
	debits: Decimal;
}

function noRows(): RowSums {
	return {
		count: 0,
		numCredits: 0,
		numDebits: 0,
		numZero: 0,
		unreadable: 0,
		credits: ZERO,
		debits: ZERO,
	};
}

function addRow(sums: RowSums, row: unknown): void {
	if (!isTransactionRow(row)) return;
	sums.count++;
	const amount = rowAmount(row);
	if (amount === null) sums.unreadable++;
	else if (amount.units > 0n) {
		sums.numCredits++;
		sums.credits = addDecimals(sums.credits, amount);
	} else if (amount.units < 0n) {
		sums.numDebits++;
		sums.debits = addDecimals(sums.debits, amount);
	} else {
		sums.numZero++;
		// Keeps the number of decimal places of a row of 0.00.
		sums.credits = addDecimals(sums.credits, amount);
	}
}

/** Exact sums and counts of the rows; lines that are no transactions are left out. */
export function sumRows(rows: readonly unknown[]): RowSums {
	const sums = noRows();
	for (const row of rows) addRow(sums, row);
	return sums;
}

/** What the service itself says: true, false, or undefined where it says nothing. */
function declared(value: unknown): boolean | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	const text = String(value).trim().toLowerCase();
	return text === '1' || text === 'true' || text === 'yes';
}

function rowsText(count: number): string {
	return count === 1 ? '1 row has' : `${count} rows have`;
}

interface Balance {
	value: Decimal | null;
	note: string | null;
}

function readBalance(facts: PeriodFacts, name: 'startBalance' | 'endBalance'): Balance {
	const given = facts[name];
	const label = name === 'startBalance' ? 'start balance' : 'end balance';
	if (given === undefined) return { value: null, note: `The ${label} is missing.` };
	if (facts.contradictions.includes(name)) {
		return { value: null, note: `The ${label} is given twice, with different values.` };
	}
	const value = parseDecimal(given);
	if (value !== null) return { value, note: null };
	return {
		value,
		note: `The ${label} "${String(given).slice(0, 40)}" cannot be read as an amount.`,
	};
}

const NOTHING: Verdict = 'nothing to check against';
const CLAIMED = 'The service reports it as reconciled, but that could not be checked.';

function nothing(notes: Array<string | null>, service: boolean | undefined): VerdictResult {
	const said = [...notes, service === true ? CLAIMED : null].filter((note) => note !== null);
	return {
		verdict: NOTHING,
		difference: null,
		verdictNote: said.length === 0 ? null : said.join(' '),
	};
}

/** The verdict on one stretch of rows between two balances. */
function judge(facts: PeriodFacts, sums: RowSums): VerdictResult {
	const service = declared(facts.isReconciled);
	const start = readBalance(facts, 'startBalance');
	const end = readBalance(facts, 'endBalance');
	if (start.value === null || end.value === null) return nothing([start.note, end.note], service);
	if (sums.unreadable > 0) {
		const note = `${rowsText(sums.unreadable)} an amount that cannot be read.`;
		return nothing([note], service);
	}
	const moved = addDecimals(sums.credits, sums.debits);
	const change = subtractDecimals(end.value, start.value);
	const gap = subtractDecimals(change, moved);
	const difference = formatDecimal(gap);
	if (gap.units !== 0n) {
		const notes: string[] = [];
		if (sums.count === 0) notes.push('The balance changes, but there is no row.');
		if (sums.count > 0 && addDecimals(change, moved).units === 0n) {
			notes.push(
				'It adds up with every sign turned round: either the amounts are reversed, or the balance is an amount owed, as on a credit card.',
			);
		}
		if (service === true) notes.push('The service reports it as reconciled; the numbers disagree.');
		return {
			verdict: 'not reconciled',
			difference,
			verdictNote: notes.length === 0 ? null : notes.join(' '),
		};
	}
	if (sums.count === 0)
		return nothing(['There is no row, and the balance stays the same.'], service);
	if (service === false) {
		return {
			verdict: 'not reconciled',
			difference,
			verdictNote:
				'The balances and the rows add up, but the service reports it as not reconciled.',
		};
	}
	return { verdict: 'reconciled', difference, verdictNote: null };
}

/** What disagrees between the totals of `bankMode` and the rows. */
function totalsMismatch(bankMode: JsonObject, sums: RowSums): string[] {
	const notes: string[] = [];
	const sides = [
		{ total: 'totalCredits', number: 'numCredits', sum: sums.credits, count: sums.numCredits },
		{ total: 'totalDebits', number: 'numDebits', sum: sums.debits, count: sums.numDebits },
	];
	for (const { total, number, sum, count } of sides) {
		const stated = parseDecimal(bankMode[total]);
		// The sign of a total of debits is not fixed, so the sizes are compared.
		const rows = absoluteDecimal(sum);
		if (stated !== null && sums.unreadable === 0 && !equalDecimals(absoluteDecimal(stated), rows)) {
			notes.push(`${total} is ${formatDecimal(stated)}, but the rows give ${formatDecimal(sum)}.`);
		}
		const statedCount = parseDecimal(bankMode[number]);
		if (statedCount === null) continue;
		// A row of 0.00 or with an unreadable amount may have been counted on either side.
		const most = count + sums.numZero + sums.unreadable;
		const given = Number(formatDecimal(statedCount));
		if (given < count || given > most) {
			notes.push(`${number} is ${formatDecimal(statedCount)}, but the rows give ${count}.`);
		}
	}
	return notes;
}

/** The facts of the account from its first to its last day. */
export function wholeFacts({ periods, whole }: AccountFacts): PeriodFacts {
	const first = periods[0];
	const last = periods[periods.length - 1];
	const declarations = periods.map((facts) => facts.isReconciled);
	const oneDeclaration = declarations.length === 1 ? declarations[0] : undefined;
	return {
		period: null,
		startBalance: whole?.startBalance ?? first?.startBalance,
		endBalance: whole?.endBalance ?? last?.endBalance,
		startDate: whole?.startDate ?? first?.startDate,
		endDate: whole?.endDate ?? last?.endDate,
		isReconciled: whole?.isReconciled ?? oneDeclaration,
		extras: { ...(periods.length === 1 ? first?.extras : {}), ...whole?.extras },
		contradictions: [
			...(whole?.contradictions ?? []),
			...(first?.contradictions.filter((name) => name.startsWith('start')) ?? []),
			...(last?.contradictions.filter((name) => name.startsWith('end')) ?? []),
		],
	};
}

function unclear(periods: readonly PeriodVerdict[], count: number): string | null {
	const placed = periods.reduce((sum, { transactionCount }) => sum + transactionCount, 0);
	if (placed === count) return null;
	return `${rowsText(count - placed)} no period that could be told; the periods leave them out.`;
}

/**
 * The verdict on an account: for each sub-period and for the account from first to last balance,
 * computed from the balances of its metadata and its rows on exact decimals.
 *
 * `reconciled` needs at least one row, both balances, start + rows = end to the last digit, every
 * sub-period that can be checked to add up as well, totals and counts of `bankMode` (where given)
 * that agree with the rows, and no word of the service against it. A missing or unreadable balance,
 * or no movement at all, is `nothing to check against`, whatever the service says. Pages of checks
 * have no balances, so the account `checks` is never judged.
 */
export function judgeAccount(
	rows: readonly unknown[],
	facts: AccountFacts,
	bankMode: JsonObject,
	periodOf: (row: unknown) => RowPeriod,
	isChecks: boolean,
): AccountVerdict {
	const sums = sumRows(rows);
	const mismatch = totalsMismatch(bankMode, sums);
	if (isChecks) {
		const result = nothing(['Checks have no balances.', ...mismatch], undefined);
		return { ...result, periods: [], sums };
	}
	const several = facts.periods.length > 1;
	const byPeriod = new Map(facts.periods.map((one) => [one.period, noRows()]));
	if (several) {
		for (const row of rows) {
			const inPeriod = byPeriod.get(periodOf(row).period);
			if (inPeriod !== undefined) addRow(inPeriod, row);
		}
	}
	const periods = facts.periods.map((one): PeriodVerdict => {
		const rowsOfPeriod = several ? (byPeriod.get(one.period) ?? noRows()) : sums;
		return { ...judge(one, rowsOfPeriod), facts: one, transactionCount: rowsOfPeriod.count };
	});
	const whole = judge(wholeFacts(facts), sums);
	const failed = periods.filter(({ verdict }) => verdict === 'not reconciled');
	const notes = [
		whole.verdictNote,
		several && failed.length > 0
			? `Not reconciled: period ${failed.map(({ facts: one }) => one.period).join(', ')}.`
			: null,
		several && failed.length === 0 && whole.verdict === 'not reconciled'
			? 'Each period adds up by itself, but they do not follow one another: a statement between them may be missing.'
			: null,
		several ? unclear(periods, sums.count) : null,
		...mismatch,
	].filter((note) => note !== null);
	const isWrong = whole.verdict === 'not reconciled' || failed.length > 0 || mismatch.length > 0;
	return {
		verdict: isWrong ? 'not reconciled' : whole.verdict,
		difference: whole.difference ?? sumOfDifferences(failed),
		verdictNote: notes.length === 0 ? null : notes.join(' '),
		periods,
		sums,
	};
}

function sumOfDifferences(failed: readonly PeriodVerdict[]): string | null {
	if (failed.length === 0) return null;
	const sum = failed
		.map(({ difference }) => parseDecimal(difference) ?? ZERO)
		.reduce(addDecimals, ZERO);
	return formatDecimal(sum);
}

/** The verdict on a document: the worst of its accounts. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
	if (verdicts.includes('not reconciled')) return 'not reconciled';
	if (verdicts.length === 0 || verdicts.includes(NOTHING)) return NOTHING;
	return 'reconciled';
}
