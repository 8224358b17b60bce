import type { Box, Cover, TextPiece } from './pdfEvidence.ts';

/** Where the content begins a text, in the coordinates of the runs. */
export interface PlacedText {
	order: number;
	x: number;
	y: number;
	font: string;
	invisible: boolean;
}

export interface PlacedArea {
	order: number;
	bbox: Box;
	color: [number, number, number] | null;
	kind: 'fill' | 'picture';
}

/** How far a run may begin from where the content begins it, in points. */
const SAME_PLACE = 0.8;
/** How many texts are passed over in search of a run's own. */
const LOOK_AHEAD = 60;
const MOST_AREAS = 1_000;
const MOST_COVERS = 50;

/**
 * The content's text for each run; both are in the order in which the page paints them. A run that
 * begins in the middle of a text belongs to the same one as the run before it. Null where none fits.
 */
export function withPaintOrder(
	pieces: readonly TextPiece[],
	texts: readonly PlacedText[],
): (PlacedText | null)[] {
	let next = 0;
	let current: PlacedText | null = null;
	return pieces.map((piece) => {
		const last = Math.min(texts.length, next + LOOK_AHEAD);
		for (let index = next; index < last; index++) {
			const text = texts[index] as PlacedText;
			if (Math.abs(text.x - piece.x) < SAME_PLACE && Math.abs(text.y - piece.y) < SAME_PLACE) {
				next = index + 1;
				current = text;
				return text;
			}
		}
		return current !== null && Math.abs(current.y - piece.y) < SAME_PLACE ? current : null;
	});
}

/** Areas that hide text which was painted before them. */
export function coversOf(
	pieces: readonly TextPiece[],
	ordered: readonly (PlacedText | null)[],
	areas: readonly PlacedArea[],
	pageArea: number,
): Cover[] {
	const covers: Cover[] = [];
	const firstText = ordered.reduce(
		(least, text) => Math.min(least, text?.order ?? Infinity),
		Infinity,
	);
	for (const area of areas.filter(({ order }) => order > firstText).slice(0, MOST_AREAS)) {
		const { bbox, order } = area;
		const size = (bbox.x1 - bbox.x0) * (bbox.y1 - bbox.y0);
		if (area.kind === 'picture' && size > 0.5 * pageArea) continue;
		const hidden: { x: number; y: number; text: string }[] = [];
		const over: { x: number; y: number; text: string }[] = [];
		for (const [index, piece] of pieces.entries()) {
			const text = ordered[index];
			if (!text) continue;
			const part = partInside(piece, bbox);
			if (part.trim() === '') continue;
			const place = { x: piece.x, y: piece.y, text: part.trim() };
			if (text.order > order) over.push(place);
			else if (text.order < order && !text.invisible) hidden.push(place);
		}
		if (hidden.length === 0) continue;
		covers.push({
			bbox,
			kind: area.kind,
			shade: shadeOf(area.color),
			hidden: joined(hidden),
			over: joined(over),
		});
		if (covers.length >= MOST_COVERS) break;
	}
	return covers;
}

/** The characters of a run that lie inside a box, by their share of its width. */
function partInside(piece: TextPiece, box: Box): string {
	const top = piece.y - 0.7 * piece.fontSize;
	const high = Math.min(box.y1, piece.y) - Math.max(box.y0, top);
	if (high < 0.6 * (piece.y - top)) return '';
	const characters = [...piece.text];
	const unit = piece.width / characters.length;
	return characters
		.filter((_, index) => {
			const middle = piece.x + (index + 0.5) * unit;
			return middle > box.x0 && middle < box.x1;
		})
		.join('');
}

function joined(places: { x: number; y: number; text: string }[]): string {
	return places
		.sort((left, right) => left.y - right.y || left.x - right.x)
		.map(({ text }) => text)
		.join(' ')
		.slice(0, 200);
}

function shadeOf(color: [number, number, number] | null): Cover['shade'] {
	if (color === null) return 'unknown';
	return color.every((part) => part > 0.93) ? 'white' : 'other';
}
