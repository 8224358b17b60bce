import { isCurrencyMark } from '../money/currency.ts';
import type { CompleteRow } from './descriptionLines.ts';
import type { RowText } from './labels.ts';
import { textCells } from './tableItem.ts';
import type { ColumnRole } from './vocabulary/headings.ts';
import type { ReadLine } from './readLine.ts';

/** The text of a whole row: its lines as printed, and what stands in which column. */
export function rowTextOf(row: CompleteRow): RowText & { memo: string } {
	const byRole = new Map<ColumnRole, string>();
	const lines: string[] = [];
	for (const read of [...row.above, row.read, ...row.below]) {
		const cells = textCells(read, row.columns, takenOn(read, row));
		for (const { role, text } of cells) {
			const key = role ?? 'description';
			const before = byRole.get(key);
			byRole.set(key, before === undefined ? text : `${before} ${text}`);
		}
		// Columns such as Dr/Cr or a number of a row are no description.
		const words = cells
			.filter(
				({ role, text, x0 }) =>
					cells.length === 1 ||
					(role !== 'type' &&
						role !== 'checkNumber' &&
						!isCurrencyMark(text) &&
						!isMarkBeside(text, x0, row)),
			)
			.map(({ text }) => text);
		const line = words.join(' ').trim();
		if (line !== '') lines.push(line);
	}
	const memo = [...row.above, row.read, ...row.below].map((read) => read.line.text).join(' ');
	return { lines, byRole, memo };
}

/** A sign of its own right of all columns refers to a footnote. */
function isMarkBeside(text: string, x0: number, { columns }: CompleteRow): boolean {
	return x0 >= columns.right - 1 && !/[\p{L}\p{N}]/u.test(text);
}

/** The dates and amounts of a line that stand in columns of their own. */
function takenOn(read: ReadLine, row: CompleteRow): { from: number; to: number }[] {
	const dates = read.dates.filter((date) => row.columns.dateRoleOf(date) !== null);
	if (read !== row.read) return dates.filter((date) => date === row.day);
	const amounts = row.movements.map(({ token }) => token);
	const asides = read.amounts.filter((token) => row.columns.roleOf(token) === 'aside');
	return [...dates, ...amounts, ...asides, ...(row.balance ? [row.balance] : [])];
}
