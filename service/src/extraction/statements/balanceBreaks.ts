import { equalDecimals, subtractDecimals, sumDecimals } from '../money/decimal.ts';
import type { DecimalText, StatementTransaction } from './statement.ts';

/** A row whose printed balance does not follow from the one before it. */
export interface BalanceBreak {
	row: StatementTransaction;
	/** Printed balance minus expected balance. */
	difference: DecimalText;
}

/**
 * Follows the running balance from row to row. Rows without a printed balance are summed up until
 * the next one. It changes nothing; it tells a person where to look.
 */
export function balanceBreaks(
	rows: readonly StatementTransaction[],
	start: DecimalText | null,
	newestFirst: boolean,
): BalanceBreak[] {
	const ordered = newestFirst ? [...rows].reverse() : rows;
	const breaks: BalanceBreak[] = [];
	let before = start;
	let moved: DecimalText[] = [];
	for (const row of ordered) {
		moved.push(row.amount);
		if (row.balance === null) continue;
		if (before !== null) {
			const expected = sumDecimals([before, ...moved]);
			if (!equalDecimals(expected, row.balance)) {
				breaks.push({ row, difference: subtractDecimals(row.balance, expected) });
			}
		}
		before = row.balance;
		moved = [];
	}
	return breaks;
}
