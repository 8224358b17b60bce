import { isDelimiter } from './pdfSyntax.ts';

/**
 * What a page's content paints, in the order in which it paints it: where texts begin, and which
 * areas are filled. Positions are in the page's own coordinates, as the content is written.
 */
export interface ContentMarks {
	texts: TextMark[];
	areas: AreaMark[];
	/** False where there was more than is looked at. */
	whole: boolean;
}

export interface TextMark {
	order: number;
	/** Start of the baseline. */
	x: number;
	y: number;
	/** Name of the font program, as the file has it. */
	font: string;
	/** Text that is not painted, as text recognition puts it behind a scan. */
	invisible: boolean;
	/** Of the pieces of content that the page lists, the one it stands in. */
	piece: number;
}

export interface AreaMark {
	order: number;
	x0: number;
	y0: number;
	x1: number;
	y1: number;
	/** 0 to 1 each; null for pictures and patterns. */
	color: [number, number, number] | null;
	kind: 'fill' | 'picture';
	piece: number;
}

/** What the names in a content stream stand for. */
export interface ContentResources {
	font(name: string): string;
	/** True where what is painted lets through what is below it. */
	transparent(name: string): boolean | null;
	object(name: string): { kind: 'picture' } | FormContent | null;
}

export interface FormContent {
	kind: 'form';
	bytes: Uint8Array;
	matrix: readonly number[];
	resources: ContentResources;
}

type Matrix = [number, number, number, number, number, number];

interface GraphicsState {
	ctm: Matrix;
	color: [number, number, number] | null;
	transparent: boolean;
	clip: [number, number, number, number];
	font: string;
	leading: number;
	rise: number;
	render: number;
}

const MOST_OPERATIONS = 120_000;
const MOST_MARKS = 20_000;
const DEEPEST_FORM = 5;
const MOST_STATES = 64;
const MOST_OPERANDS = 64;

function times(left: Matrix, right: Matrix): Matrix {
	const [a, b, c, d, e, f] = left;
	const [g, h, i, j, k, l] = right;
	return [
		a * g + b * i,
		a * h + b * j,
		c * g + d * i,
		c * h + d * j,
		e * g + f * i + k,
		e * h + f * j + l,
	];
}

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Reads the marks of a page's content. Never throws; what it does not understand it passes over. */
export function contentMarks(
	pieces: readonly Uint8Array[],
	resources: ContentResources,
): ContentMarks {
	const reader = new ContentReader();
	for (const [piece, bytes] of pieces.entries()) {
		reader.piece = piece;
		reader.read(bytes, resources, 0);
	}
	return { texts: reader.texts, areas: reader.areas, whole: reader.whole };
}

class ContentReader {
	readonly texts: TextMark[] = [];
	readonly areas: AreaMark[] = [];
	whole = true;
	piece = 0;
	#operations = 0;
	#state: GraphicsState = {
		ctm: IDENTITY,
		color: [0, 0, 0],
		transparent: false,
		clip: [-Infinity, -Infinity, Infinity, Infinity],
		font: '',
		leading: 0,
		rise: 0,
		render: 0,
	};
	readonly #states: GraphicsState[] = [];
	#line: Matrix = IDENTITY;
	#fresh = false;
	#path: [number, number, number, number][] = [];
	/** True where the path is made of rectangles only. */
	#rectangles = true;
	#corners: [number, number][] = [];
	#clipNext = false;

	read(bytes: Uint8Array, resources: ContentResources, depth: number): void {
		const operands: number[] = [];
		let name = '';
		let position = 0;
		const end = bytes.length;
		while (position < end) {
			const byte = bytes[position] as number;
			// Space
			if (byte <= 32) {
				position++;
			} else if ((byte >= 48 && byte <= 57) || byte === 45 || byte === 46 || byte === 43) {
				let sign = 1;
				let value = 0;
				let scale = 0;
				for (; position < end; position++) {
					const digit = bytes[position] as number;
					if (digit >= 48 && digit <= 57) {
						value = value * 10 + digit - 48;
						if (scale > 0) scale *= 10;
					} else if (digit === 46 && scale === 0) scale = 1;
					else if (digit === 45) sign = -1;
					else if (digit !== 43) break;
				}
				if (operands.length < MOST_OPERANDS) operands.push((sign * value) / (scale || 1));
			} else if (byte === 40) {
				position = endOfLiteral(bytes, position);
			} else if (byte === 60) {
				if (bytes[position + 1] === 60) position += 2;
				else {
					const close = bytes.indexOf(62, position);
					position = close < 0 ? end : close + 1;
				}
			} else if (byte === 47) {
				const start = ++position;
				while (position < end && !endsWord(bytes[position] as number)) position++;
				name = text(bytes, start, position);
			} else if (byte === 37) {
				while (position < end && bytes[position] !== 10 && bytes[position] !== 13) position++;
			} else if (endsWord(byte)) {
				position++;
			} else {
				const start = position;
				while (position < end && !endsWord(bytes[position] as number)) position++;
				if (++this.#operations > MOST_OPERATIONS) {
					this.whole = false;
					return;
				}
				const operator = text(bytes, start, position);
				if (operator === 'BI') position = endOfInlineImage(bytes, position, this);
				else this.#apply(operator, operands, name, resources, depth);
				operands.length = 0;
				name = '';
			}
		}
	}

	picture(): void {
		this.#area([0, 0, 1, 1], 'picture');
	}

	#apply(
		operator: string,
		n: readonly number[],
		name: string,
		resources: ContentResources,
		depth: number,
	): void {
		const state = this.#state;
		switch (operator) {
			case 'q':
				if (this.#states.length < MOST_STATES) this.#states.push({ ...state });
				return;
			case 'Q':
				this.#state = this.#states.pop() ?? state;
				return;
			case 'cm':
				if (n.length === 6) state.ctm = times(n as unknown as Matrix, state.ctm);
				return;
			case 'gs':
				state.transparent = resources.transparent(name) ?? state.transparent;
				return;
			case 'g':
			case 'rg':
			case 'k':
			case 'sc':
			case 'scn':
				state.color = colorOf(n);
				return;
			case 'cs':
				state.color = [0, 0, 0];
				return;
			case 'BT':
				this.#line = IDENTITY;
				this.#fresh = true;
				return;
			case 'Tf':
				state.font = resources.font(name);
				return;
			case 'TL':
				state.leading = n[0] ?? 0;
				return;
			case 'Ts':
				state.rise = n[0] ?? 0;
				return;
			case 'Tr':
				state.render = n[0] ?? 0;
				return;
			case 'Tm':
				if (n.length === 6) this.#line = [...n] as Matrix;
				this.#fresh = true;
				return;
			case 'Td':
			case 'TD':
				if (operator === 'TD') state.leading = -(n[1] ?? 0);
				this.#move(n[0] ?? 0, n[1] ?? 0);
				return;
			case 'T*':
				this.#move(0, -state.leading);
				return;
			case "'":
			case '"':
				this.#move(0, -state.leading);
				this.#text();
				return;
			case 'Tj':
			case 'TJ':
				this.#text();
				return;
			case 're': {
				const [x = 0, y = 0, w = 0, h = 0] = n;
				if (this.#path.length < 256)
					this.#path.push([
						Math.min(x, x + w),
						Math.min(y, y + h),
						Math.max(x, x + w),
						Math.max(y, y + h),
					]);
				return;
			}
			case 'm':
			case 'l':
				if (operator === 'm' && this.#corners.length > 0) this.#closeCorners();
				if (this.#corners.length < 16) this.#corners.push([n[0] ?? 0, n[1] ?? 0]);
				else this.#rectangles = false;
				return;
			case 'c':
			case 'v':
			case 'y':
				this.#rectangles = false;
				return;
			case 'W':
			case 'W*':
				this.#clipNext = true;
				return;
			case 'f':
			case 'F':
			case 'f*':
			case 'B':
			case 'B*':
			case 'b':
			case 'b*':
				this.#closeCorners();
				for (const box of this.#path) this.#area(box, 'fill');
				this.#endPath();
				return;
			case 'n':
			case 'S':
			case 's':
				this.#closeCorners();
				this.#endPath();
				return;
			case 'Do':
				this.#object(name, resources, depth);
				return;
		}
	}

	#move(x: number, y: number): void {
		const [a, b, c, d, e, f] = this.#line;
		this.#line = [a, b, c, d, x * a + y * c + e, x * b + y * d + f];
		this.#fresh = true;
	}

	/** Where text goes on after other text, its place is not known here and it is left out. */
	#text(): void {
		if (!this.#fresh) return;
		this.#fresh = false;
		if (this.texts.length >= MOST_MARKS) {
			this.whole = false;
			return;
		}
		const { ctm, rise, font, render } = this.#state;
		const [, , c, d, e, f] = this.#line;
		const [x, y] = [e + c * rise, f + d * rise];
		this.texts.push({
			order: this.#operations,
			x: x * ctm[0] + y * ctm[2] + ctm[4],
			y: x * ctm[1] + y * ctm[3] + ctm[5],
			font,
			invisible: render === 3 || render === 7,
			piece: this.piece,
		});
	}

	/** Four corners along the axes are a rectangle, however they are written. */
	#closeCorners(): void {
		const corners = this.#corners;
		this.#corners = [];
		if (corners.length === 0) return;
		const xs = new Set(corners.map(([x]) => Math.round(x * 20)));
		const ys = new Set(corners.map(([, y]) => Math.round(y * 20)));
		if ((corners.length !== 4 && corners.length !== 5) || xs.size !== 2 || ys.size !== 2) {
			this.#rectangles = false;
			return;
		}
		const x = corners.map(([value]) => value);
		const y = corners.map(([, value]) => value);
		if (this.#path.length < 256)
			this.#path.push([Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)]);
	}

	#endPath(): void {
		if (this.#clipNext && this.#path.length > 0 && this.#rectangles) {
			const clips = this.#path.map((box) => this.#placed(box));
			const union: [number, number, number, number] = [
				Math.min(...clips.map((box) => box[0])),
				Math.min(...clips.map((box) => box[1])),
				Math.max(...clips.map((box) => box[2])),
				Math.max(...clips.map((box) => box[3])),
			];
			this.#state.clip = overlap(this.#state.clip, union);
		}
		this.#clipNext = false;
		this.#path = [];
		this.#rectangles = true;
	}

	#placed([x0, y0, x1, y1]: [number, number, number, number]): [number, number, number, number] {
		const [a, b, c, d, e, f] = this.#state.ctm;
		const xs = [x0 * a + y0 * c + e, x1 * a + y0 * c + e, x0 * a + y1 * c + e, x1 * a + y1 * c + e];
		const ys = [x0 * b + y0 * d + f, x1 * b + y0 * d + f, x0 * b + y1 * d + f, x1 * b + y1 * d + f];
		return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
	}

	#area(box: [number, number, number, number], kind: AreaMark['kind']): void {
		if (this.#state.transparent) return;
		// A path with curves is not known to cover its box.
		if (kind === 'fill' && !this.#rectangles) return;
		const [x0, y0, x1, y1] = overlap(this.#state.clip, this.#placed(box));
		if (!(x1 - x0 > 1.5 && y1 - y0 > 1.5)) return;
		if (this.areas.length >= MOST_MARKS) {
			this.whole = false;
			return;
		}
		this.areas.push({
			order: this.#operations,
			x0,
			y0,
			x1,
			y1,
			color: kind === 'fill' ? this.#state.color : null,
			kind,
			piece: this.piece,
		});
	}

	#object(name: string, resources: ContentResources, depth: number): void {
		const object = resources.object(name);
		if (object === null) return;
		if (object.kind === 'picture') {
			this.picture();
			return;
		}
		if (depth >= DEEPEST_FORM) {
			this.whole = false;
			return;
		}
		const before = { ...this.#state };
		const states = this.#states.length;
		if (object.matrix.length === 6)
			this.#state.ctm = times(object.matrix as unknown as Matrix, this.#state.ctm);
		this.read(object.bytes, object.resources, depth + 1);
		this.#states.length = Math.min(states, this.#states.length);
		this.#state = before;
	}
}

function overlap(
	a: readonly [number, number, number, number],
	b: readonly [number, number, number, number],
): [number, number, number, number] {
	return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
}

function colorOf(n: readonly number[]): [number, number, number] | null {
	const [a = 0, b = 0, c = 0, d = 0] = n;
	if (n.length === 1) return [a, a, a];
	if (n.length === 3) return [a, b, c];
	if (n.length === 4) return [(1 - a) * (1 - d), (1 - b) * (1 - d), (1 - c) * (1 - d)];
	return null;
}

function endsWord(byte: number): boolean {
	return byte <= 32 || isDelimiter(byte);
}

function endOfLiteral(bytes: Uint8Array, start: number): number {
	let depth = 0;
	for (let position = start; position < bytes.length; position++) {
		const byte = bytes[position];
		if (byte === 92) position++;
		else if (byte === 40) depth++;
		else if (byte === 41 && --depth === 0) return position + 1;
	}
	return bytes.length;
}

/** Past `EI`; the picture itself may hold any bytes. */
function endOfInlineImage(bytes: Uint8Array, start: number, reader: ContentReader): number {
	reader.picture();
	for (let position = start; position + 3 < bytes.length; position++) {
		if (
			(bytes[position] as number) <= 32 &&
			bytes[position + 1] === 69 &&
			bytes[position + 2] === 73 &&
			(bytes[position + 3] as number) <= 32
		)
			return position + 3;
	}
	return bytes.length;
}

function text(bytes: Uint8Array, start: number, end: number): string {
	let word = '';
	for (let index = start; index < Math.min(end, start + 128); index++)
		word += String.fromCharCode(bytes[index] as number);
	return word;
}
