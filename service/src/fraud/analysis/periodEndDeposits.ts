import {
	absoluteDecimal,
	canonicalDecimal,
	isNegativeDecimal,
} from '../../extraction/money/decimal.ts';
import type { StatementTransaction } from '../../extraction/statements/statement.ts';
import { plainText } from '../../extraction/statements/vocabulary/plainText.ts';
import { hasPayrollMarks, REVERSAL, SALARY } from './counterparties.ts';
import type { FraudSignal } from './fraudSignal.ts';
import type { PeriodRows, StatementView } from './statementView.ts';
import { daysOf, dayOf, rowInWords } from './wording.ts';

/** So near the end of the period, and so soon after it. */
const LAST_DAYS = 4;
const LEAVES_WITHIN = 7;
const SMALLEST = 500;
/** The part of the balance at the end that is there because of the deposit. */
const LIFTS = 0.5;

/** Deposits right before the end of a period that lift its balance, and whether they leave again. */
export function periodEndDeposits(view: StatementView): FraudSignal[] {
	const signals: FraudSignal[] = [];
	for (const part of view.periods) {
		const end = part.period.endDate;
		const balance = part.period.endBalance;
		if (end === null || balance === null || !(Number(balance) > 0)) continue;
		for (const row of part.rows) {
			const amount = Number(row.amount);
			const left = daysOf(end) - daysOf(dayOf(row));
			if (amount < SMALLEST || !(left >= 0 && left < LAST_DAYS)) continue;
			const plain = plainText(row.memo);
			if (amount < LIFTS * Number(balance) || SALARY.test(plain) || REVERSAL.test(plain)) continue;
			const leaves = leavingRow(view, part, row);
			const isRound = Number.isInteger(amount) && amount % 100 === 0;
			const marked = hasPayrollMarks(row);
			const confidence = leaves
				? isRound || !marked
					? 0.75
					: 0.5
				: isRound && !marked
					? 0.35
					: marked
						? 0
						: 0.2;
			if (confidence === 0) continue;
			signals.push(
				view.rowSignal(row, {
					type: 'period_end_deposit',
					reasonCode: leaves ? 'deposit_leaves_after_period_end' : 'deposit_before_period_end',
					confidence,
					details:
						`${row.amount} came in ${left} day${left === 1 ? '' : 's'} before the end of the period and makes ` +
						`${Math.min(100, Math.round((100 * amount) / Number(balance)))} % of the balance of ${balance} at its end: ${rowInWords(row)}.` +
						(leaves ? ` It left again: ${rowInWords(leaves)}.` : ''),
					metadata: {
						amount: row.amount,
						endBalance: balance,
						daysBeforeEnd: left,
						leftOn: leaves ? dayOf(leaves) : null,
					},
				}),
			);
		}
	}
	return signals.slice(0, 10);
}

/** A debit of the same amount soon after the deposit, in this period or the next one of the account. */
function leavingRow(
	view: StatementView,
	part: PeriodRows,
	deposit: StatementTransaction,
): StatementTransaction | null {
	const value = canonicalDecimal(deposit.amount);
	const day = daysOf(dayOf(deposit));
	const later = view.periods
		.filter(({ account }) => account === part.account)
		.flatMap(({ rows }) => rows);
	return (
		later.find((row) => {
			const after = daysOf(dayOf(row)) - day;
			return (
				isNegativeDecimal(row.amount) &&
				canonicalDecimal(absoluteDecimal(row.amount)) === value &&
				after >= 0 &&
				after <= LEAVES_WITHIN
			);
		}) ?? null
	);
}
