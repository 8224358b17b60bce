import type { Page, Word } from '../page.ts';

/** How many times larger than the page's usual text a watermark is at least. */
const LARGE = 2.5;

/**
 * Removes upright watermarks: text far larger than the rest that lies over other words. Slanted
 * ones are removed where lines are made.
 */
export function withoutWatermarks(page: Page): Page {
	const sizes = page.words.map((word) => word.fontSize).sort((left, right) => left - right);
	const usual = sizes[Math.floor(sizes.length / 2)];
	if (usual === undefined) return page;
	const large = page.words.filter((word) => word.fontSize > LARGE * usual);
	if (large.length === 0 || large.length > 40) return page;
	const small = page.words.filter((word) => word.fontSize <= LARGE * usual);
	const covering = new Set(large.filter((word) => small.some((other) => overlaps(word, other))));
	return { ...page, words: page.words.filter((word) => !covering.has(word)) };
}

function overlaps(left: Word, right: Word): boolean {
	const wide = Math.min(left.x1, right.x1) - Math.max(left.x0, right.x0);
	const high = Math.min(left.y1, right.y1) - Math.max(left.y0, right.y0);
	return wide > 1 && high > 0.3 * right.fontSize;
}
