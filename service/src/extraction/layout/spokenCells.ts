import type { Word } from '../page.ts';
import { lineOf } from './line.ts';
import type { Line } from './line.ts';

/** Words further apart than this part of the font size stand in two cells. */
const CELL_GAP = 0.9;
/** So many cells at least say that they are empty; otherwise it is a word like others. */
const FEWEST = 3;

/**
 * Some banks print tables to be read aloud: empty cells hold the word "blank", and each cell ends
 * with a full stop. Takes both away, so that the cells hold what they say.
 */
export function withoutSpokenMarks(pages: readonly (readonly Line[])[]): Line[][] {
	const empty = new Map<Line, Set<Word>>();
	let count = 0;
	for (const lines of pages) {
		for (const line of lines) {
			const found = line.words.filter(
				(word, index) => /^blank\.?$/i.test(word.text) && standsAlone(line.words, index),
			);
			if (found.length > 0) empty.set(line, new Set(found));
			count += found.length;
		}
	}
	if (count < FEWEST) return pages.map((lines) => [...lines]);
	return pages.map((lines) =>
		lines.flatMap((line) => {
			const dropped = empty.get(line);
			if (!dropped) return [line];
			const stops = [...dropped].some(({ text }) => text.endsWith('.'));
			const words = line.words.flatMap((word, index) => {
				if (dropped.has(word)) return [];
				const text =
					stops && endsCell(line.words, index) ? word.text.replace(/\.$/, '') : word.text;
				return text === '' ? [] : [text === word.text ? word : { ...word, text }];
			});
			return words.length === 0 ? [] : [{ ...lineOf(line.pageNumber, words), y: line.y }];
		}),
	);
}

function endsCell(words: readonly Word[], index: number): boolean {
	const word = words[index];
	const next = words[index + 1];
	return !word || !next || next.x0 - word.x1 > CELL_GAP * word.fontSize;
}

function standsAlone(words: readonly Word[], index: number): boolean {
	return endsCell(words, index) && (index === 0 || endsCell(words, index - 1));
}
