import type { AmountToken } from '../money/amountTokens.ts';
import type { DateToken } from '../dates/dateTokens.ts';
import type { MoneyRole, TableColumns } from './columns.ts';
import type { ReadLine } from './readLine.ts';
import type { ColumnRole } from './vocabulary/headings.ts';
import type { SectionDirection } from './vocabulary/sections.ts';

/** A line with an amount that moves money, as far as the line alone tells. */
export interface RowItem {
	kind: 'row';
	read: ReadLine;
	columns: TableColumns;
	/** The date printed on the row's own line. */
	date: DateToken | null;
	/** Only the value date is printed there; the day may stand above. */
	isValueDate: boolean;
	movements: {
		role: Exclude<MoneyRole, 'balance' | 'foreignAmount' | 'aside'>;
		token: AmountToken;
	}[];
	balance: AmountToken | null;
	section: SectionDirection | null;
	/** Index of the table the row stands in; a new heading begins a new table. */
	table: number;
}

/** A line of text inside a table: more of a description, or the first line of a row. */
export interface TextItem {
	kind: 'text';
	read: ReadLine;
	columns: TableColumns;
	date: DateToken | null;
	table: number;
}

/** A line that is neither; descriptions do not go on beyond it. */
export interface BreakItem {
	kind: 'break';
	read: ReadLine;
}

/** A line with nothing but a date, for the rows under it. */
export interface DayItem {
	kind: 'day';
	read: ReadLine;
	date: DateToken;
}

export type TableItem = RowItem | TextItem | BreakItem | DayItem;

/** A piece of text on a line and the column it stands in. */
export interface TextCell {
	role: ColumnRole | null;
	text: string;
	x0: number;
}

/** The text of a line beside the given tokens, split where the columns are. */
export function textCells(
	read: ReadLine,
	columns: TableColumns,
	taken: readonly { from: number; to: number }[],
): TextCell[] {
	const skip = new Set<number>();
	for (const { from, to } of taken) for (let index = from; index < to; index++) skip.add(index);
	const cells: (TextCell & { x1: number })[] = [];
	let broken = true;
	for (const [index, word] of read.line.words.entries()) {
		if (skip.has(index)) {
			broken = true;
			continue;
		}
		const last = cells.at(-1);
		if (
			last &&
			!broken &&
			word.x0 - last.x1 <= 0.8 * word.fontSize &&
			!columns.beginsAt(word.x0, last.x1)
		) {
			last.text += ` ${word.text}`;
			last.x1 = word.x1;
		} else {
			cells.push({ role: null, text: word.text, x0: word.x0, x1: word.x1 });
		}
		broken = false;
	}
	return cells.map(({ text, x0, x1 }) => ({ role: columns.textRoleOf(x0, x1), text, x0 }));
}
