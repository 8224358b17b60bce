import { contentNumbers } from './pageContent.ts';
import { isoFromPdfDate } from './pdfDates.ts';
import type { PdfMetadata } from './pdfEvidence.ts';
import { ObjectView, streamBytes } from './pdfObjects.ts';
import type { ObjectVersion, PageNode, PdfObjects } from './pdfObjects.ts';
import { isDict, isRef, latin1, nameOf, textOf } from './pdfSyntax.ts';
import type { PdfDict, PdfValue } from './pdfSyntax.ts';

export interface FileRevision {
	length: number;
	info: PdfMetadata;
	changedPages: { pageNumber: number; kind: 'added' | 'replaced' }[];
	signs: boolean;
	annotates: boolean;
}

const UNREAD: PdfMetadata = { producer: null, creator: null, created: null, modified: null };

const MOST_REVISIONS = 40;
const MOST_COMPARED_BYTES = 4 * 1024 * 1024;
/** Kinds of annotation that paint over the page. */
export const PAINTED_ANNOTATIONS = new Set([
	'FreeText',
	'Stamp',
	'Square',
	'Circle',
	'Polygon',
	'Redact',
	'Ink',
]);

/**
 * The writings of a file, oldest first. A part that defines no object (some programs end a file
 * twice) and the first part of a file that is ordered for the web are no writings of their own.
 */
export function fileRevisions(
	bytes: Uint8Array,
	objects: PdfObjects,
	maxPages: number,
): FileRevision[] {
	const ends = revisionEnds(bytes, objects).slice(-MOST_REVISIONS);
	const revisions: FileRevision[] = [];
	let before: ObjectView | null = null;
	let pagesBefore: PageNode[] = [];
	for (const [index, length] of ends.entries()) {
		const view = new ObjectView(objects, index === ends.length - 1 ? Infinity : length);
		const from = index === 0 ? 0 : (ends[index - 1] ?? 0);
		const pages = ends.length > 1 ? view.pages(maxPages) : [];
		const written =
			before === null
				? []
				: [...objects.versions.values()].flatMap((list) =>
						list.filter(({ offset }) => offset >= from && offset < view.before),
					);
		revisions.push({
			length,
			// Texts of an encrypted file are not readable here.
			info: objects.encrypted ? UNREAD : infoOf(view),
			changedPages: before === null ? [] : changedPages(before, pagesBefore, view, pages, bytes),
			signs: written.some(isSignature),
			annotates: written.some(isPaintedAnnotation),
		});
		before = view;
		pagesBefore = pages;
	}
	return revisions;
}

/** Where each writing ends; the last one at the end of the file. */
function revisionEnds(bytes: Uint8Array, objects: PdfObjects): number[] {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const marks: number[] = [];
	for (let mark = buffer.indexOf('%%EOF'); mark >= 0; mark = buffer.indexOf('%%EOF', mark + 5)) {
		// The mark of an end may stand in a picture by chance.
		if (/startxref\s+\d+\s+$/.test(latin1(bytes, mark - 40, mark))) marks.push(mark + 5);
		if (marks.length > 400) break;
	}
	const offsets = [...objects.versions.values()].flatMap((versions) =>
		versions.flatMap(({ offset, value }) => (isCrossReference(value) ? [] : [offset])),
	);
	offsets.sort((left, right) => left - right);
	const last = offsets.at(-1) ?? 0;
	const linearized = linearizedLength(bytes);
	const ends: number[] = [];
	let reached = 0;
	for (const end of marks) {
		if (linearized !== null && end < Math.min(linearized, bytes.length) - 32) continue;
		const holds = offsets.some((offset) => offset >= reached && offset < end);
		if (holds) {
			ends.push(end);
			reached = end;
		}
	}
	if (ends.length === 0 || last >= reached) ends.push(bytes.length);
	ends[ends.length - 1] = bytes.length;
	return ends;
}

/** The length that a file ordered for the web had when it was written; null for others. */
function linearizedLength(bytes: Uint8Array): number | null {
	const head = latin1(bytes, 0, 1400);
	if (!/\/Linearized\s/.test(head)) return null;
	const length = /\/L\s+(\d+)/.exec(head)?.[1];
	return length === undefined ? null : Number(length);
}

function isCrossReference(value: PdfValue): boolean {
	return isDict(value) && nameOf(value.entries.get('Type')) === 'XRef';
}

function isSignature({ value }: ObjectVersion): boolean {
	if (!isDict(value)) return false;
	const type = nameOf(value.entries.get('Type'));
	return (
		type === 'Sig' || type === 'DocTimeStamp' || type === 'DSS' || value.entries.has('ByteRange')
	);
}

function isPaintedAnnotation({ value }: ObjectVersion): boolean {
	return (
		isDict(value) &&
		value.entries.has('Rect') &&
		PAINTED_ANNOTATIONS.has(nameOf(value.entries.get('Subtype')) ?? '')
	);
}

function infoOf(view: ObjectView): PdfMetadata {
	const info = view.dict(view.trailerEntry('Info'));
	const text = (name: string) => readable(textOf(view.value(info?.entries.get(name))));
	return {
		producer: text('Producer'),
		creator: text('Creator'),
		created: isoFromPdfDate(text('CreationDate')),
		modified: isoFromPdfDate(text('ModDate')),
	};
}

/** Texts are Latin 1 or UTF-16 with a mark in front. */
function readable(text: string | null): string | null {
	if (text === null) return null;
	if (!text.startsWith('\xfe\xff')) return text.trim() === '' ? null : text;
	const bytes = Buffer.from(text.slice(2, text.length - (text.length % 2)), 'latin1');
	const decoded = bytes.swap16().toString('utf16le');
	return decoded.trim() === '' ? null : decoded;
}

function changedPages(
	before: ObjectView,
	pagesBefore: readonly PageNode[],
	view: ObjectView,
	pages: readonly PageNode[],
	bytes: Uint8Array,
): FileRevision['changedPages'] {
	const earlier = new Map(pagesBefore.map((page) => [page.number, page]));
	const changed: FileRevision['changedPages'] = [];
	for (const [index, page] of pages.entries()) {
		const old = earlier.get(page.number);
		// A page that is new as an object took the place of another, or was added at the end.
		const put = pagesBefore[index] === undefined ? 'added' : 'replaced';
		const kind = old === undefined ? put : contentChange(before, old, view, page, bytes);
		if (kind !== null) changed.push({ pageNumber: index + 1, kind });
	}
	return changed;
}

function contentChange(
	before: ObjectView,
	old: PageNode,
	view: ObjectView,
	page: PageNode,
	bytes: Uint8Array,
): 'added' | 'replaced' | null {
	const was = contentNumbers(old, before);
	const is = contentNumbers(page, view);
	if (was === null || is === null) return was === is ? null : 'replaced';
	const same = (number: number) => sameStream(before.version(number), view.version(number), bytes);
	if (
		was.length === is.length &&
		was.every((number, index) => number === is[index] && same(number))
	)
		return formsChanged(before, old, view, page, bytes) ? 'replaced' : null;
	// Programs put content before and after the old one, to save and restore its state.
	const kept = was.every((number) => is.includes(number) && same(number));
	return kept ? 'added' : 'replaced';
}

/** Whether what the page draws by name was written anew with other content. */
function formsChanged(
	before: ObjectView,
	old: PageNode,
	view: ObjectView,
	page: PageNode,
	bytes: Uint8Array,
): boolean {
	const was = xObjects(before, old);
	const is = xObjects(view, page);
	for (const [name, ref] of is) {
		const earlier = was.get(name);
		if (!isRef(ref) || !isRef(earlier)) continue;
		if (!sameStream(before.version(earlier.number), view.version(ref.number), bytes)) return true;
	}
	return false;
}

function xObjects(view: ObjectView, page: PageNode): Map<string, PdfValue> {
	const resources: PdfDict | null = view.dict(page.resources);
	return view.dict(resources?.entries.get('XObject'))?.entries ?? new Map<string, PdfValue>();
}

function sameStream(
	one: ObjectVersion | null,
	other: ObjectVersion | null,
	bytes: Uint8Array,
): boolean {
	if (one === other) return true;
	if (one === null || other === null) return false;
	const left = streamBytes(one, bytes, MOST_COMPARED_BYTES);
	const right = streamBytes(other, bytes, MOST_COMPARED_BYTES);
	if (left !== null && right !== null) return Buffer.compare(left, right) === 0;
	if (one.stream === null || other.stream === null) return false;
	// Packed in another way than is read here: the packed bytes are compared.
	return (
		Buffer.compare(
			bytes.subarray(one.stream.start, one.stream.end),
			bytes.subarray(other.stream.start, other.stream.end),
		) === 0
	);
}
