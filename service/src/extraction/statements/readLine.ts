import type { Word } from '../page.ts';
import { dateTokens } from '../dates/dateTokens.ts';
import type { DateToken } from '../dates/dateTokens.ts';
import { amountTokens } from '../money/amountTokens.ts';
import type { AmountToken } from '../money/amountTokens.ts';
import type { NumberFormat } from '../money/numberFormat.ts';
import { lineOf } from '../layout/line.ts';
import type { Line } from '../layout/line.ts';
import { plainText } from './vocabulary/plainText.ts';

/** A line with the dates and amounts that stand on it. */
export interface ReadLine {
	line: Line;
	/** The whole text in plain form. */
	plain: string;
	dates: DateToken[];
	amounts: AmountToken[];
}

export function readLine(line: Line, format: NumberFormat): ReadLine {
	return {
		line,
		plain: plainText(line.text),
		dates: dateTokens(line.words),
		amounts: amountTokens(line.words, format),
	};
}

/** The part of a line between two places, for tables that stand side by side; null where it is empty. */
export function partOfLine(
	{ line }: ReadLine,
	left: number,
	right: number,
	format: NumberFormat,
): ReadLine | null {
	const words: Word[] = line.words.filter((word) => {
		const centre = (word.x0 + word.x1) / 2;
		return centre >= left && centre < right;
	});
	if (words.length === 0) return null;
	return readLine({ ...lineOf(line.pageNumber, words), y: line.y }, format);
}

/** The words that belong to none of the tokens, in plain form: what a line says in words. */
export function plainWithout(
	{ line }: ReadLine,
	tokens: readonly { from: number; to: number }[],
): string {
	const taken = new Set<number>();
	for (const { from, to } of tokens) for (let index = from; index < to; index++) taken.add(index);
	return plainText(
		line.words
			.filter((_, index) => !taken.has(index))
			.map((word) => word.text)
			.join(' '),
	);
}
