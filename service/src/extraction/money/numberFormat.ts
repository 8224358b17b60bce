import type { DecimalMark } from './printedAmount.ts';

/** How a document writes its numbers. */
export interface NumberFormat {
	decimal: DecimalMark;
	/** Thousands may be set apart by a space. */
	spaceGroups: boolean;
}

/**
 * Decides how the document writes numbers. Where thousands carry a mark, or none at all, two numbers
 * side by side are never one number with a space in it.
 *
 * @param lines the words of each line, from left to right
 */
export function decideNumberFormat(lines: readonly (readonly string[])[]): NumberFormat {
	const decimal = decideDecimalMark(lines);
	const otherwise =
		decimal === '.'
			? /(?:^|[^\d.,])(?:\d{1,3}(?:[,'’]\d{2,3})*[,'’]\d{3}|\d{4,9})\.\d{2}(?:\D|$)/
			: /(?:^|[^\d.,])(?:\d{1,3}(?:[.'’]\d{3})+|\d{4,9}),\d{2}(?:\D|$)/;
	let marked = 0;
	for (const words of lines) for (const word of words) if (otherwise.test(word)) marked++;
	return { decimal, spaceGroups: marked === 0 };
}

/**
 * Decides over the whole document which mark stands before the decimals. Numbers that hold both
 * marks count most; the last number of a line counts more than others, since dates such as `02.10`
 * stand further left.
 *
 * @param lines the words of each line, from left to right
 */
function decideDecimalMark(lines: Iterable<readonly string[]>): DecimalMark {
	let point = 0;
	let comma = 0;
	const vote = (mark: string, weight: number) => {
		if (mark === '.') point += weight;
		else comma += weight;
	};
	for (const words of lines) {
		let lastSeen = false;
		for (let index = words.length - 1; index >= 0; index--) {
			const found = /\d[\d.,'’]*[.,]\d+|[.,]\d{2}/.exec(words[index] ?? '')?.[0];
			if (!found) continue;
			const weight = lastSeen ? 0.2 : 1;
			lastSeen = true;
			const both = /([.,])\d{2,3}.*([.,])\d{1,4}$/.exec(found);
			if (both && both[1] !== both[2]) {
				vote(both[2] ?? '', 5);
			} else if (both) {
				// The same mark twice groups thousands: 1.234.567 or 1,24,350. Dates look alike.
				if (/^\d{1,3}([.,]\d{2,3})*[.,]\d{3}$/.test(found)) vote(both[2] === '.' ? ',' : '.', 2);
			} else if (/^\d*[.,]\d{2}$/.test(found)) {
				vote(found.at(-3) ?? '', weight);
			} else if (/^\d{1,3}[.,]\d{3}$/.test(found)) {
				vote(found.at(-4) === '.' ? ',' : '.', weight * 0.5);
			} else if (/^\d{1,3}['’]\d{3}([.,])\d{2}$/.test(found)) {
				vote(found.at(-3) ?? '', 5);
			}
		}
	}
	return comma > point ? ',' : '.';
}
