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
		const date = mayBegin(texts, index) ? parseDateAt(texts, index) : null;
		const last = date ? words[index + date.wordCount - 1] : undefined;
		if (!date || !last || !closeTogether(words, index, index + date.wordCount)) {
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

function closeTogether(words: readonly Word[], from: number, to: number): boolean {
	for (let index = from + 1; index < to; index++) {
		const left = words[index - 1] as Word;
		const right = words[index] as Word;
		if (right.x0 - left.x1 > 1.6 * left.fontSize) return false;
	}
	return true;
}
