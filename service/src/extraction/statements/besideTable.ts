import type { NumberFormat } from '../money/numberFormat.ts';
import { signWord } from '../money/printedAmount.ts';
import type { TableColumns } from './columns.ts';
import { isMoneyRole } from './headings.ts';
import { partOfLine } from './readLine.ts';
import type { ReadLine } from './readLine.ts';

/** A box stands this far (in font sizes) right of the table at least. */
const APART = 1.2;

/**
 * The part of a line that lies in the table. Boxes with totals or advice stand to the right of some
 * tables, on lines of their own or on those of the rows. Null where the whole line is such a box.
 */
export function insideTable(
	read: ReadLine,
	columns: TableColumns,
	format: NumberFormat,
): ReadLine | null {
	const last = columns.columns.at(-1);
	const { words } = read.line;
	const outermost = words.at(-1);
	if (!last || !isMoneyRole(last.role) || !outermost || outermost.x0 <= columns.right) return read;
	const beyond = words.findIndex((word, index) => {
		const end = Math.max(columns.right, words[index - 1]?.x1 ?? -Infinity);
		return word.x0 - end > APART * word.fontSize && signWord(word.text) === null;
	});
	if (beyond < 0) return read;
	return partOfLine(read, -Infinity, (words[beyond]?.x0 ?? Infinity) - 0.5, format);
}
