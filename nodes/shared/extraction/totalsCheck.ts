import {
	absoluteDecimal,
	equalDecimals,
	formatDecimal,
	parseDecimal,
	type Decimal,
} from './decimal';
import { shortText, type JsonObject } from './model';
import type { RowSums } from './rowSums';

export interface TotalsCheck {
	/** What the totals and counts say against the rows: a row is missing, or one too many. */
	mismatches: string[];
	/** Totals and counts that cannot be read, and so prove nothing. */
	unreadable: string[];
}

/**
 * Compares totalCredits, totalDebits, numCredits and numDebits of `bankMode` (section 2.8) with
 * the rows, exactly. What the service leaves out is not compared.
 */
export function checkTotals(bankMode: JsonObject, sums: RowSums): TotalsCheck {
	const check: TotalsCheck = { mismatches: [], unreadable: [] };
	const stated = (name: string): Decimal | null => {
		const value = bankMode[name];
		if (value === undefined || value === null || value === '') return null;
		const parsed = parseDecimal(value);
		if (parsed === null) {
			check.unreadable.push(`${name} "${shortText(value)}" cannot be read as a number.`);
		}
		return parsed;
	};
	const compareTotal = (name: string, sum: Decimal): void => {
		const total = stated(name);
		// With an unreadable row the sum is not known.
		if (total === null || sums.unreadable > 0) return;
		// Whether a total of debits has a minus is not certain, so the sizes are compared.
		if (equalDecimals(absoluteDecimal(total), absoluteDecimal(sum))) return;
		check.mismatches.push(
			`${name} is ${formatDecimal(total)}, but the rows give ${formatDecimal(sum)}.`,
		);
	};
	const compareCount = (name: string, rows: number): void => {
		const count = stated(name);
		if (count === null) return;
		// A row of 0.00 or with an unreadable amount may have been counted on either side.
		const possible = rows + sums.numZero + sums.unreadable;
		const number = Number(formatDecimal(count));
		if (Number.isInteger(number) && number >= rows && number <= possible) return;
		check.mismatches.push(`${name} is ${formatDecimal(count)}, but the rows give ${rows}.`);
	};
	compareTotal('totalCredits', sums.credits);
	compareTotal('totalDebits', sums.debits);
	compareCount('numCredits', sums.numCredits);
	compareCount('numDebits', sums.numDebits);
	return check;
}
