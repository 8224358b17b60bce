import type { StatementTransaction } from '../../extraction/statements/statement.ts';

/** The day of a row as YYYY-MM-DD. */
export function dayOf(row: StatementTransaction): string {
	return `${row.date.slice(0, 4)}-${row.date.slice(4, 6)}-${row.date.slice(6, 8)}`;
}

/** Whole days since 1970 of YYYY-MM-DD. */
export function daysOf(day: string): number {
	return Math.floor(Date.parse(`${day.slice(0, 10)}T00:00:00Z`) / 86_400_000);
}

/** A row in words, short enough for a sentence. */
export function rowInWords(row: StatementTransaction): string {
	const label = row.memo.length > 60 ? `${row.memo.slice(0, 57)}...` : row.memo;
	return `the row of ${dayOf(row)} on page ${row.pageNumber} ("${label}", ${row.amount})`;
}
