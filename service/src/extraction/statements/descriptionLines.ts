import type { ReadLine } from './readLine.ts';
import type { RowItem, TableItem, TextItem } from './tableItem.ts';
import type { DateToken } from '../dates/dateTokens.ts';

/** A row with the lines of text above and below that belong to it, and the date that counts. */
export interface CompleteRow extends RowItem {
	above: ReadLine[];
	below: ReadLine[];
	/** The row's own date, or that of a line above, or that of its day. */
	day: DateToken | null;
}

/** Lines further apart than this (in font sizes) do not belong to one row. */
const PITCH_LIMIT = 2.4;
/** The widest gap has to exceed the narrowest so many times to count as the gap between two rows. */
const CLEAR = 1.22;

interface Run {
	rows: RowItem[];
	/** The lines of text before the first row, between rows, and after the last. */
	texts: TextItem[][];
	day: DateToken | null;
}

/**
 * Gives every line of text to the row it belongs to. Descriptions may go on below the line of the
 * amount, begin above it, or stand around it; the gaps between lines tell, and where they do not,
 * what most rows of the document do.
 */
export function completeRows(items: readonly TableItem[]): CompleteRow[] {
	const runs = runsOf(items);
	const rowCount = runs.reduce((count, run) => count + run.rows.length, 0);
	const amountsLast =
		runs.reduce((count, run) => count + rowsThatEndWithAmount(run), 0) * 8 > rowCount;
	const around = textStandsAround(runs);
	const complete: CompleteRow[] = [];
	let current: DateToken | null = null;
	for (const run of runs) {
		if (run.day) current = run.day;
		const above: ReadLine[][] = run.rows.map(() => []);
		const below: ReadLine[][] = run.rows.map(() => []);
		const dates: (DateToken | null)[] = run.rows.map((row) => row.date);
		for (const [index, texts] of run.texts.entries()) {
			const upper = run.rows[index - 1] ?? null;
			const lower = run.rows[index] ?? null;
			// Above the first row there is no other row that the text could belong to.
			const split =
				!upper && around && lower?.date ? 0 : splitTexts(upper, texts, lower, amountsLast);
			if (upper?.columns.datesBelow) {
				dates[index - 1] ??= texts.find(({ date }) => date !== null)?.date ?? null;
			}
			if (upper) {
				// What stands above the headings of the next page is no part of a row.
				const own = texts
					.slice(0, split)
					.filter(
						({ read }) => lower !== null || read.line.pageNumber === upper.read.line.pageNumber,
					);
				below[index - 1] = connected(upper.read, own, 'down');
			} else if (split > 0 && complete.length > 0 && !amountsLast) {
				// The rest of a description after the break of a page.
				const last = complete.at(-1) as CompleteRow;
				const rest = texts.slice(0, split);
				const nextPage = rest[0]?.read.line.pageNumber === last.read.line.pageNumber + 1;
				if (nextPage && last.columns === rest[0]?.columns && lower !== null) {
					last.below.push(...rest.filter(({ date }) => date === null).map(({ read }) => read));
				}
			}
			if (lower) {
				const own = texts.slice(split);
				above[index] = connected(lower.read, own, 'up');
				const dated = own.find(({ date }) => date !== null);
				if (!lower.date && dated) dates[index] = dated.date;
			}
		}
		for (const [index, row] of run.rows.entries()) {
			const ownDay = run.day && row.isValueDate ? null : dates[index];
			current = ownDay ?? current;
			complete.push({ ...row, above: above[index] ?? [], below: below[index] ?? [], day: current });
		}
	}
	return complete;
}

function runsOf(items: readonly TableItem[]): Run[] {
	const runs: Run[] = [];
	let run: Run = { rows: [], texts: [[]], day: null };
	let table = -1;
	const next = (day: DateToken | null) => {
		if (run.rows.length > 0 || run.day || (run.texts[0]?.length ?? 0) > 0) runs.push(run);
		run = { rows: [], texts: [[]], day };
	};
	for (const item of items) {
		if (item.kind === 'break') next(null);
		else if (item.kind === 'day') next(item.date);
		else {
			if (item.table !== table && run.rows.length > 0) next(null);
			table = item.table;
			if (item.kind === 'text') {
				run.texts.at(-1)?.push(item);
			} else {
				run.rows.push(item);
				run.texts.push([]);
			}
		}
	}
	next(null);
	return runs;
}

/** Rows that begin with a dated line and end with the amount; there are none in other layouts. */
function rowsThatEndWithAmount(run: Run): number {
	return run.rows.filter(
		(row, index) => !row.date && (run.texts[index] ?? []).some(({ date }) => date !== null),
	).length;
}

/** True where text above the line of date and amount often belongs to it (rows centred in height). */
function textStandsAround(runs: readonly Run[]): boolean {
	let around = 0;
	let decided = 0;
	for (const { rows, texts } of runs) {
		for (const [index, row] of rows.entries()) {
			const between = texts[index] ?? [];
			const split =
				index > 0 && row.date && between.length > 0
					? widestGap(rows[index - 1] ?? null, between, row)
					: null;
			if (split === null) continue;
			decided++;
			if (split < between.length) around++;
		}
	}
	return around * 3 > decided;
}

function splitTexts(
	upper: RowItem | null,
	texts: readonly TextItem[],
	lower: RowItem | null,
	amountsLast: boolean,
): number {
	if (texts.length === 0 || !lower || upper?.columns.datesBelow) return texts.length;
	if (!lower.date) {
		const dated = texts.findIndex(({ date }) => date !== null);
		if (dated >= 0) return dated;
	}
	const byGap = widestGap(upper, texts, lower);
	if (byGap !== null) return byGap;
	if (lower.date) return texts.length;
	return amountsLast ? 0 : texts.length;
}

/** Where the widest gap lies, if it is clear; else null. */
function widestGap(
	upper: RowItem | null,
	texts: readonly TextItem[],
	lower: RowItem,
): number | null {
	const lines = [...texts.map(({ read }) => read.line), lower.read.line];
	if (upper) lines.unshift(upper.read.line);
	const offset = upper ? 0 : 1;
	let widest = -1;
	let wide = 0;
	let narrow = Infinity;
	for (let index = 1; index < lines.length; index++) {
		const before = lines[index - 1];
		const after = lines[index];
		if (!before || !after || before.pageNumber !== after.pageNumber) return null;
		const gap = after.y - before.y;
		if (gap > wide + 0.01) [widest, wide] = [index - 1 + offset, gap];
		narrow = Math.min(narrow, gap);
	}
	if (!upper) {
		// Without a row above, lines close over the row belong to it, if it says nothing itself.
		return null;
	}
	return wide > narrow * CLEAR ? widest : null;
}

/** Only lines that follow closely, in letters of the same size, are parts of the row. */
function connected(anchor: ReadLine, texts: readonly TextItem[], way: 'up' | 'down'): ReadLine[] {
	const ordered = way === 'down' ? texts : [...texts].reverse();
	const kept: ReadLine[] = [];
	let last = anchor;
	for (const { read, columns } of ordered) {
		const { line } = read;
		const size = anchor.line.fontSize;
		const gap = Math.abs(line.y - last.line.y);
		const samePage = line.pageNumber === last.line.pageNumber;
		if (samePage && gap > PITCH_LIMIT * Math.max(size, line.fontSize)) break;
		if (line.fontSize > size * 1.2 || line.fontSize < size * 0.6) break;
		const leading = columns.leadingDateColumn;
		const beginsUnderDate =
			leading !== null && line.x0 < leading.x1 && !read.dates.some(({ from }) => from === 0);
		if (beginsUnderDate && (!samePage || gap > 1.5 * size)) break;
		kept.push(read);
		last = read;
	}
	return way === 'down' ? kept : kept.reverse();
}
