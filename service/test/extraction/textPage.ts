import type { Page, Word } from '../../src/extraction/page.ts';

const CHARACTER = 5;
const LINE = 12;

/**
 * A page set in a monospaced face: each line of the text is a line of the page, each character has
 * the same width, an empty line is a gap. Good for tables drawn in a test.
 */
export function textPage(text: string, number = 1): Page {
	const words: Word[] = [];
	const lines = text.replace(/^\n/, '').split('\n');
	for (const [row, line] of lines.entries()) {
		for (const match of line.matchAll(/\S+/gu)) {
			words.push(wordAt(match[0], 20 + match.index * CHARACTER, 40 + row * LINE));
		}
	}
	return { number, width: 900, height: 60 + lines.length * LINE, words };
}

export function wordAt(text: string, x0: number, y1: number, width?: number): Word {
	// As wide as the character cells, without the space between two of them.
	const wide = width ?? text.length * CHARACTER - 0.5;
	return { text, x0, x1: x0 + wide, y0: y1 - 8.4, y1, fontSize: 8.4, angle: 0 };
}

export function textPages(...texts: string[]): Page[] {
	return texts.map((text, index) => textPage(text, index + 1));
}
