import { addDecimals, ZERO, type Decimal } from './decimal';
import { isTransactionRow, rowAmount } from './rowFields';

/** Exact sums over rows; `unreadable` rows are in `count` and in nothing else. */
export interface RowSums {
	count: number;
	numCredits: number;
	numDebits: number;
	/** Rows of 0.00, which are neither. */
	numZero: number;
	/** Rows whose amount is missing or no amount. */
	unreadable: number;
	/** Sum of the positive amounts. */
	credits: Decimal;
	/** Sum of the negative amounts; negative or zero. */
	debits: Decimal;
}

export function noRows(): RowSums {
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

/** Counts one row in. A line that is no transaction is left out. */
export function addRow(sums: RowSums, row: unknown): void {
	if (!isTransactionRow(row)) return;
	sums.count++;
	const amount = rowAmount(row);
	if (amount === null) {
		sums.unreadable++;
	} else if (amount.units > 0n) {
		sums.numCredits++;
		sums.credits = addDecimals(sums.credits, amount);
	} else if (amount.units < 0n) {
		sums.numDebits++;
		sums.debits = addDecimals(sums.debits, amount);
	} else {
		sums.numZero++;
	}
}

/** Exact sums and counts of rows, in one pass. */
export function sumRows(rows: readonly unknown[]): RowSums {
	const sums = noRows();
	for (const row of rows) addRow(sums, row);
	return sums;
}
