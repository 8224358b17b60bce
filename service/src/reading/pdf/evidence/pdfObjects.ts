import { inflateSync } from 'node:zlib';
import { isDict, isRef, latin1, nameOf, PdfParser } from './pdfSyntax.ts';
import type { PdfDict, PdfValue } from './pdfSyntax.ts';

/** One version of an object, as it stands in the file. */
export interface ObjectVersion {
	number: number;
	/** Where it begins in the file; of the stream that holds it for packed objects. */
	offset: number;
	value: PdfValue;
	/** The packed bytes of a stream. */
	stream: { start: number; end: number } | null;
}

export interface PdfObjects {
	/** Each object's versions in the order of the file. */
	versions: Map<number, ObjectVersion[]>;
	/** Trailers, and what stands for them, in the order of the file. */
	trailers: { offset: number; dict: PdfDict }[];
	encrypted: boolean;
	/** False where the file is so large or so odd that it was not looked at to its end. */
	whole: boolean;
}

const MOST_OBJECTS = 150_000;
/** Unpacked bytes of all streams that hold objects. */
const MOST_PACKED_OBJECTS = 48 * 1024 * 1024;

const OBJ = Buffer.from(' obj');
const ENDSTREAM = Buffer.from('endstream');
const TRAILER = Buffer.from('trailer');

/**
 * Finds every object of the file by going through its bytes, so that older versions of an object,
 * which readers no longer see, are found too. Never throws.
 */
export function pdfObjects(bytes: Uint8Array): PdfObjects {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const found: PdfObjects = { versions: new Map(), trailers: [], encrypted: false, whole: true };
	const packed: ObjectVersion[] = [];
	let count = 0;
	let position = 0;
	// Looked for in vain once, it is not looked for again: that would take the square of the time.
	let streamsEnd = true;
	for (;;) {
		const mark = buffer.indexOf(OBJ, position);
		addTrailers(found, buffer, position, mark < 0 ? buffer.length : mark);
		if (mark < 0) break;
		const head = /(\d{1,10})\s+\d{1,5}$/.exec(latin1(bytes, mark - 18, mark));
		if (!head) {
			position = mark + OBJ.length;
			continue;
		}
		if (++count > MOST_OBJECTS) {
			found.whole = false;
			break;
		}
		const parser = new PdfParser(bytes, mark + OBJ.length);
		const value = parser.value() ?? null;
		const object: ObjectVersion = {
			number: Number(head[1]),
			offset: mark - head[0].length,
			value,
			stream: null,
		};
		position = Math.max(parser.position, mark + OBJ.length);
		if (isDict(value) && parser.takes('stream')) {
			let start = parser.position;
			if (bytes[start] === 13) start++;
			if (bytes[start] === 10) start++;
			const length = value.entries.get('Length');
			const said = typeof length === 'number' && length >= 0 ? start + length : start;
			let end = streamsEnd ? buffer.indexOf(ENDSTREAM, start) : -1;
			if (end < 0) streamsEnd = false;
			// The word may stand inside the stream by chance; the length says so where it is right.
			if (end >= 0 && end < said && said < buffer.length) {
				const later = buffer.subarray(said, said + 16).indexOf(ENDSTREAM);
				if (later >= 0) end = said + later;
			}
			if (end < 0) end = buffer.length;
			object.stream = { start, end: said > start && said <= end ? said : end };
			position = end + ENDSTREAM.length;
			const type = nameOf(value.entries.get('Type'));
			if (type === 'ObjStm') packed.push(object);
			if (type === 'XRef') found.trailers.push({ offset: object.offset, dict: value });
		}
		add(found, object);
	}
	found.encrypted = found.trailers.some(({ dict }) => dict.entries.has('Encrypt'));
	if (!found.encrypted) unpack(found, bytes, packed);
	for (const versions of found.versions.values()) {
		versions.sort((left, right) => left.offset - right.offset);
	}
	found.trailers.sort((left, right) => left.offset - right.offset);
	return found;
}

function add(found: PdfObjects, object: ObjectVersion): void {
	const versions = found.versions.get(object.number);
	if (versions) versions.push(object);
	else found.versions.set(object.number, [object]);
}

function addTrailers(found: PdfObjects, buffer: Buffer, from: number, to: number): void {
	const between = buffer.subarray(from, to);
	for (let mark = between.indexOf(TRAILER); mark >= 0;) {
		const value = new PdfParser(buffer, from + mark + TRAILER.length).value();
		if (isDict(value)) found.trailers.push({ offset: from + mark, dict: value });
		mark = between.indexOf(TRAILER, mark + TRAILER.length);
	}
}

function unpack(found: PdfObjects, bytes: Uint8Array, streams: readonly ObjectVersion[]): void {
	let room = MOST_PACKED_OBJECTS;
	for (const stream of streams) {
		const content = streamBytes(stream, bytes, room);
		if (content === null) {
			found.whole = false;
			continue;
		}
		room -= content.length;
		const { entries } = stream.value as PdfDict;
		const [count, first] = [entries.get('N'), entries.get('First')];
		if (typeof count !== 'number' || typeof first !== 'number') continue;
		const head = new PdfParser(content, 0, first);
		for (let index = 0; index < Math.min(count, 10_000); index++) {
			const [number, offset] = [head.value(), head.value()];
			if (typeof number !== 'number' || typeof offset !== 'number') break;
			const value = new PdfParser(content, first + offset).value() ?? null;
			add(found, { number, offset: stream.offset, value, stream: null });
		}
	}
}

/** The unpacked bytes of a stream; null where it is packed in a way that is not read here, or too large. */
export function streamBytes(
	object: ObjectVersion,
	bytes: Uint8Array,
	most: number,
): Uint8Array | null {
	if (object.stream === null || !isDict(object.value) || most <= 0) return null;
	const packed = bytes.subarray(object.stream.start, object.stream.end);
	const { entries } = object.value;
	const filter = entries.get('Filter') ?? null;
	const names = (Array.isArray(filter) ? filter : filter === null ? [] : [filter]).map(nameOf);
	if (names.length === 0) return packed.length <= most ? packed : null;
	if (names.length !== 1 || (names[0] !== 'FlateDecode' && names[0] !== 'Fl')) return null;
	const parms = entries.get('DecodeParms');
	if (isDict(parms) && Number(parms.entries.get('Predictor') ?? 1) > 1) return null;
	try {
		return inflateSync(packed, { maxOutputLength: most });
	} catch {
		return null;
	}
}

/** The objects as a reader saw them when the file ended before `before`. */
export class ObjectView {
	readonly objects: PdfObjects;
	readonly before: number;

	constructor(objects: PdfObjects, before = Infinity) {
		this.objects = objects;
		this.before = before;
	}

	version(number: number): ObjectVersion | null {
		const versions = this.objects.versions.get(number);
		return versions?.findLast(({ offset }) => offset < this.before) ?? null;
	}

	/** The value behind references. */
	value(value: PdfValue | undefined): PdfValue | undefined {
		let current = value;
		for (let step = 0; step < 8 && isRef(current); step++) {
			current = this.version(current.number)?.value;
		}
		return isRef(current) ? undefined : current;
	}

	dict(value: PdfValue | undefined): PdfDict | null {
		const found = this.value(value);
		return isDict(found) ? found : null;
	}

	/** An entry of the newest trailer that has it. */
	trailerEntry(name: string): PdfValue | undefined {
		const trailer = this.objects.trailers.findLast(
			({ offset, dict }) => offset < this.before && dict.entries.has(name),
		);
		return trailer?.dict.entries.get(name);
	}

	/** The pages in order: each with its object number and what it inherits. */
	pages(most: number): PageNode[] {
		const root = this.dict(this.trailerEntry('Root'));
		const pages: PageNode[] = [];
		const onPath = new Set<number>();
		let steps = 0;
		const walk = (value: PdfValue | undefined, resources: PdfValue | undefined, depth: number) => {
			if (!isRef(value) || onPath.has(value.number) || depth > 40) return;
			if (pages.length >= most || ++steps > most * 4 + 100) return;
			const dict = this.dict(value);
			if (dict === null) return;
			const own = dict.entries.get('Resources') ?? resources;
			const kids = this.value(dict.entries.get('Kids'));
			if (!Array.isArray(kids)) {
				pages.push({ number: value.number, dict, resources: own });
				return;
			}
			onPath.add(value.number);
			for (const kid of kids) walk(kid, own, depth + 1);
			onPath.delete(value.number);
		};
		walk(root?.entries.get('Pages'), undefined, 0);
		return pages;
	}
}

export interface PageNode {
	/** Of the page's object. */
	number: number;
	dict: PdfDict;
	/** Its own, or those of a node above. */
	resources: PdfValue | undefined;
}
