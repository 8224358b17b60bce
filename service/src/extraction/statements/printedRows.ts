import type { Line } from '../layout/line.ts';
import type { CompleteRow } from './descriptionLines.ts';
import type { PrintedRow } from './statement.ts';
import type { TableReading } from './tableItems.ts';

type Place = { account: string; index: number };

/** Every printed line for the raw view, with the transaction it is part of. */
export function printedRows(
	pages: readonly (readonly Line[])[],
	rowOfTransaction: ReadonlyMap<CompleteRow, Place>,
	tables: TableReading,
): PrintedRow[] {
	const places = new Map<Line, Place>();
	for (const [row, place] of rowOfTransaction) {
		for (const read of [...row.above, row.read, ...row.below]) {
			const { line } = tables.wholeLine.get(read) ?? read;
			if (!places.has(line)) places.set(line, place);
		}
	}
	return pages.flatMap((lines) =>
		lines.map((line, index): PrintedRow => ({
			pageNumber: line.pageNumber,
			lineNumber: index + 1,
			text: line.text,
			cells: cellsOf(line),
			transaction: places.get(line) ?? null,
		})),
	);
}

/** Words further apart than this part of the font size stand in two cells. */
const CELL_GAP = 0.9;

function cellsOf(line: Line): string[] {
	const cells: string[] = [];
	let end = -Infinity;
	for (const word of line.words) {
		if (cells.length > 0 && word.x0 - end <= CELL_GAP * word.fontSize)
			cells[cells.length - 1] += ` ${word.text}`;
		else cells.push(word.text);
		end = word.x1;
	}
	return cells;
}
