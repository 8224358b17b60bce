import type { Word } from '../page.ts';
import { parseDateAt } from './printedDate.ts';
import type { PrintedDate } from './printedDate.ts';

/** A date on a line, with its words and its place. */
export interface DateToken extends PrintedDate {
	from: number;
	to: number;
	x0: number;
	x1: number;
}

/** Finds all dates among the words of a line (from left to right). */
export function dateTokens(words: readonly Word[]): DateToken[] {
	const texts = words.map((word) => word.text);
	const tokens: DateToken[] = [];
	let index = 0;
	while (index < words.length) {
		const run = connectedWords(words, index);
		const date = mayBegin(texts, index) ? parseDateAt(texts.slice(index, run), 0) : null;
		const last = date ? words[index + date.wordCount - 1] : undefined;
		if (!date || !last) {
			index++;
			continue;
		}
		tokens.push({
			...date,
			from: index,
			to: index + date.wordCount,
			x0: (words[index] as Word).x0,
			x1: last.x1,
		});
		index += date.wordCount;
	}
	return tokens;
}

/** Most words hold no digit and stand before none: they are passed over at once. */
function mayBegin(texts: readonly string[], index: number): boolean {
	const text = texts[index] ?? '';
	if (/\d/.test(text)) return /^[(\p{L}\d]/u.test(text);
	return /^\p{L}{2,12}[.,]?$/u.test(text) && /^\d/.test(texts[index + 1] ?? '');
}

/** Most words that a date takes, with a weekday and a time. */
const LONGEST = 8;

/** Index after the words that follow each other closely from here: a date ends before a gap. */
function connectedWords(words: readonly Word[], from: number): number {
	let index = from + 1;
	for (; index < words.length && index < from + LONGEST; index++) {
		const left = words[index - 1] as Word;
		const right = words[index] as Word;
		if (right.x0 - left.x1 > 1.6 * left.fontSize) break;
	}
	return index;
}
