import type { Page, Word } from '../../extraction/page.ts';

/**
 * Turns a page whose text runs mostly sideways (or upside down) without the file saying so, so that
 * the text is upright. Pages with upright text stay as they are.
 */
export function uprightPage(page: Page): Page {
	const lengths = new Map<number, number>();
	let total = 0;
	for (const word of page.words) {
		const quarter = ((Math.round(word.angle / 90) % 4) + 4) % 4;
		if (Math.abs(word.angle - Math.round(word.angle / 90) * 90) > 1) continue;
		lengths.set(quarter, (lengths.get(quarter) ?? 0) + word.text.length);
		total += word.text.length;
	}
	for (const quarter of [1, 2, 3]) {
		if ((lengths.get(quarter) ?? 0) > total * 0.7) return turned(page, quarter);
	}
	return page;
}

/** Turns the page clockwise by so many quarters. */
function turned(page: Page, quarters: number): Page {
	let { width, height, words } = page;
	for (let turn = 0; turn < quarters; turn++) {
		const tall = height;
		words = words.map((word) => turnedWord(word, tall));
		[width, height] = [height, width];
	}
	return { number: page.number, width, height, words };
}

function turnedWord(word: Word, height: number): Word {
	const degrees = word.angle - 90;
	return {
		...word,
		x0: height - word.y1,
		x1: height - word.y0,
		y0: word.x0,
		y1: word.x1,
		angle: degrees <= -180 ? degrees + 360 : degrees,
	};
}
