import type { Align, Sheet, TextStyle } from './sheet.ts';

export interface Column {
	heading: string;
	/** The left edge, the right edge or the middle, as `align` says. */
	x: number;
	align: Align;
}

export function drawHeadings(
	sheet: Sheet,
	columns: readonly Column[],
	y: number,
	style: TextStyle,
): void {
	for (const column of columns) {
		sheet.text(column.heading, column.x, y, { ...style, align: column.align });
	}
}

/** One row: a cell a column; a list is lines below each other, an empty text leaves the cell empty. */
export function drawCells(
	sheet: Sheet,
	columns: readonly Column[],
	cells: readonly (string | readonly string[])[],
	y: number,
	leading: number,
	style: TextStyle,
): void {
	for (const [index, column] of columns.entries()) {
		const cell = cells[index] ?? '';
		const lines = typeof cell === 'string' ? [cell] : cell;
		for (const [line, text] of lines.entries()) {
			if (text === '') continue;
			sheet.text(text, column.x, y + line * leading, { ...style, align: column.align });
		}
	}
}
