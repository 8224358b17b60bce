import type { Word } from '../../extraction/page.ts';
import { relativeGlyphWidth } from './glyphWidths.ts';

/** A run of text as the PDF draws it, already in the page's upright coordinates. */
export interface TextRun {
	text: string;
	/** Start of the baseline, in points from the top left corner. */
	x: number;
	y: number;
	/** Unit vector along the text; (1, 0) for upright text. */
	directionX: number;
	directionY: number;
	width: number;
	fontSize: number;
	monospaced: boolean;
	/** A name within the file. */
	font: string;
}

/** Runs closer than this part of the font size are parts of one word. */
const TOUCHING = 0.12;

interface OpenWord {
	text: string;
	run: TextRun;
	/** Distances along the direction of the run in which the word began. */
	from: number;
	to: number;
}

/**
 * Splits runs at white space into words and gives each word its place. The width of a run is exact;
 * it is shared among the characters by their usual widths. Runs that touch (a change of font in the
 * middle of a word) are joined.
 */
export function wordsOfRuns(runs: TextRun[]): Word[] {
	const words: Word[] = [];
	let open: OpenWord | null = null;
	const close = () => {
		if (open) words.push(boxed(open));
		open = null;
	};
	for (const run of runs) {
		const characters = [...run.text];
		const relative = characters.map((character) => relativeGlyphWidth(character, run.monospaced));
		const total = relative.reduce((sum, width) => sum + width, 0);
		const unit = total > 0 ? run.width / total : 0;
		const previous = open as OpenWord | null;
		let current: OpenWord | null = null;
		if (previous && !touches(previous, run)) close();
		else if (previous) current = previous;
		const offset = current ? along(current.run, run.x, run.y) : 0;
		let position = 0;
		for (const [index, character] of characters.entries()) {
			const next = position + (relative[index] ?? 0) * unit;
			if (/\s/u.test(character)) {
				close();
				current = null;
			} else if (current) {
				current.text += character;
				current.to = (current.run === run ? 0 : offset) + next;
			} else {
				current = { text: character, run, from: position, to: next };
				open = current;
			}
			position = next;
		}
	}
	close();
	return words;
}

function along(run: TextRun, x: number, y: number): number {
	return (x - run.x) * run.directionX + (y - run.y) * run.directionY;
}

function touches(word: OpenWord, run: TextRun): boolean {
	const { run: first } = word;
	if (Math.abs(first.fontSize - run.fontSize) > 0.5) return false;
	const dot = first.directionX * run.directionX + first.directionY * run.directionY;
	if (dot < 0.999) return false;
	const gap = along(first, run.x, run.y) - word.to;
	const across = Math.abs(
		(run.x - first.x) * -first.directionY + (run.y - first.y) * first.directionX,
	);
	const size = first.fontSize;
	return across < 0.1 * size && gap > -TOUCHING * size && gap < TOUCHING * size;
}

function boxed({ text, run, from, to }: OpenWord): Word {
	const { x, y, directionX, directionY, fontSize } = run;
	if (directionX === 1) {
		return { text, x0: x + from, y0: y - fontSize, x1: x + to, y1: y, fontSize, angle: 0 };
	}
	// The corners: both ends of the baseline, and the same lifted by the font size.
	const upX = directionY * fontSize;
	const upY = -directionX * fontSize;
	const xs = [x + directionX * from, x + directionX * to];
	const ys = [y + directionY * from, y + directionY * to];
	const allX = [...xs, ...xs.map((value) => value + upX)];
	const allY = [...ys, ...ys.map((value) => value + upY)];
	const degrees = (Math.atan2(-directionY, directionX) * 180) / Math.PI;
	const angle = Math.abs(degrees) < 0.01 ? 0 : Math.round(degrees * 100) / 100;
	return {
		text,
		x0: Math.min(...allX),
		y0: Math.min(...allY),
		x1: Math.max(...allX),
		y1: Math.max(...allY),
		fontSize,
		angle,
	};
}
