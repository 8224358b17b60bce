import type { Page, Word } from '../page.ts';
import { lineOf } from './line.ts';
import type { Line } from './line.ts';

/** Baselines further apart than this part of the font size are two lines. */
const BASELINE_TOLERANCE = 0.35;

/**
 * Groups the upright words of a page into lines, from top to bottom. Slanted text (watermarks,
 * imprints along the margin) is left out, and so is text printed twice at the same place. Words
 * that overlap each other sideways are never put into one line, so that a footer which touches the
 * table stays apart from the row.
 */
export function linesOfPage(page: Page): Line[] {
	const words = withoutCopies(page.words.filter(isReadable)).sort(
		(left, right) => left.y1 - right.y1 || left.x0 - right.x0,
	);
	const bands: Word[][] = [];
	let band: Word[] = [];
	let baseline = -Infinity;
	// First the words on exactly one baseline, then neighbouring baselines where nothing collides.
	for (const word of words) {
		if (band.length > 0 && word.y1 - baseline > 0.6) {
			bands.push(band);
			band = [];
		}
		if (band.length === 0) baseline = word.y1;
		band.push(word);
	}
	if (band.length > 0) bands.push(band);
	const merged: Word[][] = [];
	for (const next of bands) {
		const previous = merged.at(-1);
		if (previous && belongTogether(previous, next)) previous.push(...next);
		else merged.push([...next]);
	}
	return merged.map((group) => lineOf(page.number, group));
}

function isReadable(word: Word): boolean {
	if (word.text.trim() === '') return false;
	if (![word.x0, word.x1, word.y0, word.y1, word.fontSize].every(Number.isFinite)) return false;
	return Math.abs(word.angle) < 3 && word.fontSize > 0.5;
}

function belongTogether(upper: Word[], lower: Word[]): boolean {
	const first = upper[0];
	const second = lower[0];
	if (!first || !second) return false;
	const size = Math.min(smallestFont(upper), smallestFont(lower));
	if (second.y1 - first.y1 > BASELINE_TOLERANCE * size) return false;
	return !collide(upper, lower);
}

function smallestFont(words: Word[]): number {
	return words.reduce((size, word) => Math.min(size, word.fontSize), Infinity);
}

/** True where a word of one list stands over a word of the other. */
function collide(left: Word[], right: Word[]): boolean {
	const a = [...left].sort((one, other) => one.x0 - other.x0);
	const b = [...right].sort((one, other) => one.x0 - other.x0);
	let i = 0;
	let j = 0;
	while (i < a.length && j < b.length) {
		const one = a[i] as Word;
		const other = b[j] as Word;
		const overlap = Math.min(one.x1, other.x1) - Math.max(one.x0, other.x0);
		if (overlap > 0.15 * Math.min(one.fontSize, other.fontSize)) return true;
		if (one.x1 < other.x1) i++;
		else j++;
	}
	return false;
}

/** Size of the squares, in points, in which copies are looked for. */
const SQUARE = 8;

/** Bold text is often the same text drawn twice, a fraction of a point apart. */
function withoutCopies(words: Word[]): Word[] {
	const seen = new Map<number, Map<string, Word[]>>();
	const square = (x: number, y: number) =>
		Math.floor(y / SQUARE) * 100_003 + Math.floor(x / SQUARE);
	return words.filter((word) => {
		const { text, x0, y1 } = word;
		const tolerance = 0.12 * word.fontSize;
		// A copy lies in the same square or, near its edge, in a neighbouring one.
		const near = new Set([
			square(x0 - tolerance, y1 - tolerance),
			square(x0 + tolerance, y1 - tolerance),
			square(x0 - tolerance, y1 + tolerance),
			square(x0 + tolerance, y1 + tolerance),
		]);
		for (const key of near) {
			const others = seen.get(key)?.get(text);
			const copy = others?.some(
				(other) => Math.abs(other.x0 - x0) < tolerance && Math.abs(other.y1 - y1) < tolerance,
			);
			if (copy) return false;
		}
		const own = square(x0, y1);
		let texts = seen.get(own);
		if (!texts) seen.set(own, (texts = new Map<string, Word[]>()));
		const list = texts.get(text);
		if (list) list.push(word);
		else texts.set(text, [word]);
		return true;
	});
}
