import type { Word } from '../page.ts';

/** Words of one printed line, from left to right. */
export interface Line {
	pageNumber: number;
	/** Baseline, in points from the top of the page. */
	y: number;
	x0: number;
	x1: number;
	/** Font size of most of its characters. */
	fontSize: number;
	words: Word[];
	text: string;
}

export function lineOf(pageNumber: number, words: Word[]): Line {
	const sorted = [...words].sort((left, right) => left.x0 - right.x0);
	const sizes = new Map<number, number>();
	let x0 = Infinity;
	let x1 = -Infinity;
	for (const word of sorted) {
		x0 = Math.min(x0, word.x0);
		x1 = Math.max(x1, word.x1);
		const size = Math.round(word.fontSize * 2) / 2;
		sizes.set(size, (sizes.get(size) ?? 0) + word.text.length);
	}
	let fontSize = 0;
	let most = -1;
	for (const [size, count] of sizes) if (count > most) [fontSize, most] = [size, count];
	return {
		pageNumber,
		y: sorted[0]?.y1 ?? 0,
		x0,
		x1,
		fontSize,
		words: sorted,
		text: sorted.map((word) => word.text).join(' '),
	};
}
