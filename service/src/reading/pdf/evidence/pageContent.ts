import type { ContentResources, FormContent } from './contentMarks.ts';
import { streamBytes } from './pdfObjects.ts';
import type { ObjectView, PageNode } from './pdfObjects.ts';
import { isDict, isRef, nameOf } from './pdfSyntax.ts';
import type { PdfValue } from './pdfSyntax.ts';

/** Unpacked bytes of one page's content, its forms included. */
const MOST_PAGE_BYTES = 4 * 1024 * 1024;

/** The object numbers of a page's content streams, in their order; null where it is not made of such. */
export function contentNumbers(page: PageNode, view: ObjectView): number[] | null {
	const contents = page.dict.entries.get('Contents');
	if (contents === undefined) return [];
	const direct = isRef(contents) ? view.value(contents) : contents;
	if (isRef(contents) && !Array.isArray(direct)) return [contents.number];
	if (!Array.isArray(direct)) return null;
	return direct.every(isRef) ? direct.map(({ number }) => number) : null;
}

export interface PageContent {
	pieces: Uint8Array[];
	resources: ContentResources;
}

/** The unpacked content of a page; null where it is packed in a way that is not read, or is too large. */
export function pageContent(
	page: PageNode,
	view: ObjectView,
	bytes: Uint8Array,
): PageContent | null {
	const numbers = contentNumbers(page, view);
	if (numbers === null || numbers.length > 200) return null;
	const budget = { room: MOST_PAGE_BYTES };
	const pieces: Uint8Array[] = [];
	for (const number of numbers) {
		const piece = unpacked(number, view, bytes, budget);
		if (piece === null) return null;
		pieces.push(piece);
	}
	return { pieces, resources: resourcesOf(page.resources, view, bytes, budget) };
}

function unpacked(
	number: number,
	view: ObjectView,
	bytes: Uint8Array,
	budget: { room: number },
): Uint8Array | null {
	const version = view.version(number);
	const content = version && streamBytes(version, bytes, budget.room);
	if (content) budget.room -= content.length;
	return content;
}

function resourcesOf(
	value: PdfValue | undefined,
	view: ObjectView,
	bytes: Uint8Array,
	budget: { room: number },
): ContentResources {
	const resources = view.dict(value);
	const part = (name: string) => view.dict(resources?.entries.get(name));
	const fonts = new Map<string, string>();
	const objects = new Map<string, ReturnType<ContentResources['object']>>();
	return {
		font(name) {
			let font = fonts.get(name);
			if (font === undefined) {
				const dict = view.dict(part('Font')?.entries.get(name));
				font = nameOf(view.value(dict?.entries.get('BaseFont'))) ?? '';
				fonts.set(name, font);
			}
			return font;
		},
		transparent(name) {
			const state = view.dict(part('ExtGState')?.entries.get(name));
			if (state === null) return null;
			const alpha = view.value(state.entries.get('ca'));
			const blend = nameOf(view.value(state.entries.get('BM')));
			if (alpha === undefined && blend === null) return null;
			return (
				(typeof alpha === 'number' && alpha < 0.9) ||
				(blend !== null && blend !== 'Normal' && blend !== 'Compatible')
			);
		},
		object(name) {
			const known = objects.get(name);
			if (known !== undefined) return known;
			const ref = part('XObject')?.entries.get(name);
			const object = isRef(ref) ? view.version(ref.number) : null;
			let found: ReturnType<ContentResources['object']> = null;
			if (object !== null && isDict(object.value)) {
				const { entries } = object.value;
				const subtype = nameOf(entries.get('Subtype'));
				// A picture with a mask lets through what is below it.
				if (subtype === 'Image' && !entries.has('SMask') && !entries.has('Mask'))
					found = entries.get('ImageMask') === true ? null : { kind: 'picture' };
				if (subtype === 'Form') found = form(object.number, entries, view, bytes, budget, value);
			}
			objects.set(name, found);
			return found;
		},
	};
}

function form(
	number: number,
	entries: Map<string, PdfValue>,
	view: ObjectView,
	bytes: Uint8Array,
	budget: { room: number },
	inherited: PdfValue | undefined,
): FormContent | null {
	const content = unpacked(number, view, bytes, budget);
	if (content === null) return null;
	const matrix = view.value(entries.get('Matrix'));
	return {
		kind: 'form',
		bytes: content,
		matrix: Array.isArray(matrix) ? matrix.filter((value) => typeof value === 'number') : [],
		resources: resourcesOf(entries.get('Resources') ?? inherited, view, bytes, budget),
	};
}
