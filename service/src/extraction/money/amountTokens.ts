import type { Word } from '../page.ts';
import { currencyOfMark, isCurrencyMark } from './currency.ts';
import { isMinus, parseAmount, signWord } from './printedAmount.ts';
import type { NumberFormat } from './numberFormat.ts';
import type { PrintedAmount } from './printedAmount.ts';

/** An amount on a line: which words make it up, and where its digits stand. */
export interface AmountToken extends PrintedAmount {
	/** Index of its first word, and of the word after its last. */
	from: number;
	to: number;
	/** Left and right edge of the digits alone, without currency and sign. */
	x0: number;
	x1: number;
	/** Free space on both sides, in font sizes: a number in a column stands alone. */
	isolated: boolean;
}

const DIGITS = /\d/;

/** Finds all amounts among the words of a line (from left to right). */
export function amountTokens(words: readonly Word[], format: NumberFormat): AmountToken[] {
	const tokens: AmountToken[] = [];
	let index = 0;
	while (index < words.length) {
		const token = DIGITS.test(words[index]?.text ?? '') ? tokenAt(words, index, format) : null;
		if (!token) {
			index++;
			continue;
		}
		const previous = tokens.at(-1);
		tokens.push(widened(words, token, previous ? previous.to : 0));
		index = (tokens.at(-1) as AmountToken).to;
	}
	return tokens;
}

function gapAfter(words: readonly Word[], index: number): number {
	const left = words[index];
	const right = words[index + 1];
	if (!left || !right) return Infinity;
	return (right.x0 - left.x1) / Math.max(left.fontSize, 1);
}

/** The widest space, in font sizes, inside a number: that of a monospaced face. */
const WORD_SPACE = 0.7;

interface Found {
	amount: PrintedAmount;
	from: number;
	to: number;
	x0: number;
	x1: number;
}

/** The digits at `index`, joined with following words where a space split one number. */
function tokenAt(words: readonly Word[], index: number, format: NumberFormat): Found | null {
	const { decimal } = format;
	const first = words[index] as Word;
	let best: Found | null = null;
	const alone = parseAmount(first.text, decimal);
	if (alone) best = { amount: alone, from: index, to: index + 1, ...coreEdges(first) };
	let text = first.text;
	for (let next = index + 1; next < Math.min(words.length, index + 5); next++) {
		const word = words[next] as Word;
		if (gapAfter(words, next - 1) > WORD_SPACE || !DIGITS.test(word.text)) break;
		const joined = joinedDigits(text, word.text, format);
		if (joined === null) break;
		text = joined;
		const amount = parseAmount(text, decimal);
		if (amount && amount.shape !== 'plain') {
			best = {
				amount,
				from: index,
				to: next + 1,
				x0: coreEdges(first).x0,
				x1: coreEdges(word).x1,
			};
		}
	}
	return best;
}

/** `1 234,56` is one number; so is `1,719.3 3`, where a stray space split the decimals. */
function joinedDigits(
	left: string,
	right: string,
	{ decimal, spaceGroups }: NumberFormat,
): string | null {
	const grouping = /(?:^|[^\d])\d{1,3}(?: \d{3})*$/.test(left);
	const follows = decimal === ',' ? /^\d{3}(?:,\d{1,4})?\D{0,4}$/ : /^\d{3}(?:\.\d{1,4})?\D{0,4}$/;
	if (spaceGroups && grouping && follows.test(right)) return `${left} ${right}`;
	const other = decimal === ',' ? '.' : ',';
	const splitDecimals =
		new RegExp(`\\${decimal}\\d$`).test(left) && /^\d(?!\d)\D{0,4}$/.test(right);
	const afterPoint = left.endsWith(decimal) && /^\d{2}(?!\d)\D{0,4}$/.test(right);
	const beforePoint = /\d$/.test(left) && new RegExp(`^\\${decimal}\\d{2}(?!\\d)`).test(right);
	const afterGroup =
		left.endsWith(other) && new RegExp(`^\\d{3}(?:\\${decimal}\\d{2})?(?!\\d)`).test(right);
	return splitDecimals || afterPoint || beforePoint || afterGroup ? left + right : null;
}

/** Edges of the digits inside a word, by share of its characters. */
function coreEdges(word: Word): { x0: number; x1: number } {
	const { text } = word;
	const first = text.search(/[\d.,]/);
	let last = text.length - 1;
	while (last > first && !DIGITS.test(text[last] ?? '')) last--;
	const unit = (word.x1 - word.x0) / text.length;
	return {
		x0: word.x0 + Math.max(0, first) * unit,
		x1: word.x1 - (text.length - 1 - last) * unit,
	};
}

/** Takes in the currency, the sign and the letters beside the digits. */
function widened(words: readonly Word[], found: Found, floor: number): AmountToken {
	let { from, to, amount } = found;
	let hasCurrency = amount.currency !== null;
	for (let step = 0; step < 2 && from > floor; step++) {
		const text = words[from - 1]?.text ?? '';
		const gap = gapAfter(words, from - 1);
		if (isCurrencyMark(text) && gap < 1.5 && !hasCurrency) {
			amount = { ...amount, currency: amount.currency ?? currencyOfMark(text) };
			hasCurrency = true;
		} else if (amount.mark === 'none' && (isMinus(text) || text === '+') && gap < 1) {
			// A dash between two things is no minus: it has to stand closer to the number.
			const before = from - 1 > 0 ? gapAfter(words, from - 2) : Infinity;
			if (before < 0.6 && before <= gap + 0.05) break;
			amount = { ...amount, mark: text === '+' ? 'plus' : 'minus' };
		} else break;
		from--;
	}
	for (let step = 0; step < 2 && to < words.length; step++) {
		const text = words[to]?.text ?? '';
		const gap = gapAfter(words, to - 1);
		const meaning = signWord(text);
		if (isCurrencyMark(text) && gap < 1 && !hasCurrency) {
			amount = { ...amount, currency: amount.currency ?? currencyOfMark(text) };
			hasCurrency = true;
		} else if (amount.mark === 'none' && (isMinus(text) || text === '+') && gap < 1) {
			const after = gapAfter(words, to);
			if (after < gap + 0.05 && DIGITS.test(words[to + 1]?.text ?? '')) break;
			amount = { ...amount, mark: text === '+' ? 'plus' : 'minus' };
		} else if (amount.mark === 'none' && meaning && gap < 1.5 && gapAfter(words, to) > 0.6) {
			amount = { ...amount, mark: meaning };
		} else break;
		to++;
	}
	const isolated = (from === 0 || gapAfter(words, from - 1) > 0.7) && gapAfter(words, to - 1) > 0.7;
	return { ...amount, from, to, x0: found.x0, x1: found.x1, isolated };
}
