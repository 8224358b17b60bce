import type { Line } from './line.ts';

/** A line that stands on this part of all pages (and on two at least) belongs to the page, not the table. */
const SHARE_OF_PAGES = 0.6;

/**
 * Finds page headers and footers: lines with the same text (numbers aside) at the same height on
 * most pages, in the top or bottom part of the page. Lines that begin a row of amounts are never
 * taken, since rows may repeat; the caller says which those are.
 */
export function pageFurniture(
	pages: readonly { height: number; lines: readonly Line[] }[],
	mayBeRow: (line: Line) => boolean,
): Set<Line> {
	const places = new Map<string, Line[]>();
	for (const { height, lines } of pages) {
		const rows = rowRange(lines, mayBeRow);
		for (const [index, line] of lines.entries()) {
			const inMargin = line.y < height * 0.25 || line.y > height * 0.85;
			if (!inMargin || mayBeRow(line)) continue;
			const inside = line.y >= rows.top && line.y <= rows.bottom;
			// Between rows only a sentence that is the same on all pages is no description.
			const follows = line.y - (lines[index - 1]?.y ?? -Infinity) < 1.6 * line.fontSize;
			if (inside && (follows || line.words.length < 3)) continue;
			const text = inside ? line.text : line.text.replaceAll(/\b\d{1,4}\b/g, '#');
			const key = `${Math.round(line.y / 3)} ${text}`;
			const list = places.get(key);
			if (list) list.push(line);
			else places.set(key, [line]);
		}
	}
	const needed = Math.max(2, Math.ceil(pages.length * SHARE_OF_PAGES));
	const found = new Set<Line>();
	for (const list of places.values()) {
		if (new Set(list.map((line) => line.pageNumber)).size >= needed) {
			for (const line of list) found.add(line);
		}
	}
	return found;
}

/** From the first row of a page to the last, with the text that follows it closely. */
function rowRange(
	lines: readonly Line[],
	mayBeRow: (line: Line) => boolean,
): { top: number; bottom: number } {
	let top = Infinity;
	let bottom = -Infinity;
	for (const line of lines) {
		const follows = line.y - bottom < 1.6 * line.fontSize;
		if (!mayBeRow(line) && !follows) continue;
		top = Math.min(top, line.y);
		bottom = Math.max(bottom, line.y);
	}
	return { top, bottom };
}
