import type { Word } from '../../../extraction/page.ts';
import type { Box, TextDifference } from './pdfEvidence.ts';

const MOST_DIFFERENCES = 40;

/**
 * What differs between the words of a page before and after: words that stand at one place, one of
 * them gone and the other new, make one difference.
 */
export function textDifferences(before: readonly Word[], after: readonly Word[]): TextDifference[] {
	const key = ({ text, x0, y1 }: Word) => `${Math.round(x0)} ${Math.round(y1)} ${text}`;
	const gone = without(before, after, key);
	const added = without(after, before, key);
	const taken = new Set<Word>();
	const differences: TextDifference[] = [];
	for (const word of gone) {
		const over = added.find((other) => !taken.has(other) && sharePlace(word, other));
		if (over) taken.add(over);
		// The same word moved a little is no difference in what the page says.
		if (over?.text === word.text) continue;
		differences.push({
			before: word.text,
			after: over?.text ?? '',
			bbox: over ? around(word, over) : boxOf(word),
		});
	}
	for (const word of added) {
		if (!taken.has(word)) differences.push({ before: '', after: word.text, bbox: boxOf(word) });
	}
	return differences.slice(0, MOST_DIFFERENCES);
}

function without(words: readonly Word[], others: readonly Word[], key: (word: Word) => string) {
	const counts = new Map<string, number>();
	for (const word of others) counts.set(key(word), (counts.get(key(word)) ?? 0) + 1);
	return words.filter((word) => {
		const left = counts.get(key(word)) ?? 0;
		if (left > 0) counts.set(key(word), left - 1);
		return left === 0;
	});
}

function sharePlace(one: Word, other: Word): boolean {
	const wide = Math.min(one.x1, other.x1) - Math.max(one.x0, other.x0);
	const high = Math.min(one.y1, other.y1) - Math.max(one.y0, other.y0);
	return wide > 0.3 * Math.min(one.x1 - one.x0, other.x1 - other.x0) && high > 0.5 * one.fontSize;
}

function boxOf({ x0, y0, x1, y1 }: Word): Box {
	return { x0, y0, x1, y1 };
}

function around(one: Word, other: Word): Box {
	return {
		x0: Math.min(one.x0, other.x0),
		y0: Math.min(one.y0, other.y0),
		x1: Math.max(one.x1, other.x1),
		y1: Math.max(one.y1, other.y1),
	};
}
