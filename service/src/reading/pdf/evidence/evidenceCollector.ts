import type { PDFDocumentProxy } from 'pdfjs-dist';
import { wordsOfRuns } from '../textRuns.ts';
import type { TextRun } from '../textRuns.ts';
import { contentMarks } from './contentMarks.ts';
import { coversOf, withPaintOrder } from './coveredText.ts';
import type { PlacedArea, PlacedText } from './coveredText.ts';
import { fileRevisions, PAINTED_ANNOTATIONS } from './fileRevisions.ts';
import type { FileRevision } from './fileRevisions.ts';
import { pageContent } from './pageContent.ts';
import { isoFromPdfDate } from './pdfDates.ts';
import type {
	PageAnnotation,
	PageEvidence,
	PdfEvidence,
	PdfMetadata,
	PdfRevision,
	TextPiece,
} from './pdfEvidence.ts';
import { ObjectView, pdfObjects } from './pdfObjects.ts';
import type { PageNode, PdfObjects } from './pdfObjects.ts';
import { nameOf, textOf } from './pdfSyntax.ts';
import { textDifferences } from './textDifferences.ts';

/** Pages whose content is looked at; further ones give their text runs only. */
const MOST_PAGES_OF_CONTENT = 2_000;
/** Runs of text that are kept over all pages. */
const MOST_RUNS = 400_000;
const MOST_RUNS_A_PAGE = 20_000;
/** Pages of which the text of an earlier revision is read. */
const MOST_COMPARED_PAGES = 12;
/** Files with more bytes are not gone through for their objects. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads the runs of one page of an earlier writing of the file. */
export type EarlierPages = (
	bytes: Uint8Array,
	pageNumbers: readonly number[],
) => Promise<Map<number, TextRun[]>>;

/**
 * Collects, while a PDF is read, what its file tells about changes. It takes part in `readPdf`, which
 * calls `page` for each page and `finish` at the end; `evidence` gives the result. It never throws:
 * what cannot be looked at is named in `notLookedAt`.
 */
export class EvidenceCollector {
	readonly #bytes: Uint8Array;
	readonly #pages: PageEvidence[] = [];
	readonly #words = new Map<number, TextRun[]>();
	readonly #notLookedAt = new Set<string>();
	#objects: PdfObjects | null = null;
	#view: ObjectView | null = null;
	#nodes: PageNode[] = [];
	#revisions: FileRevision[] = [];
	#runs = 0;
	#begun = false;
	#result: PdfEvidence | null = null;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
	}

	/** Null before `finish`. */
	get evidence(): PdfEvidence | null {
		return this.#result;
	}

	/** `transform` leads from the page's own coordinates to those of the runs. */
	page(
		page: { number: number; width: number; height: number; transform: readonly number[] },
		runs: readonly TextRun[],
	): void {
		const found: PageEvidence = {
			number: page.number,
			width: page.width,
			height: page.height,
			runs: [],
			covers: [],
			annotations: [],
			isScan: false,
		};
		this.#pages.push(found);
		this.#attempt(`the content of page ${page.number}`, () => {
			this.#begin();
			const upright = runs.filter(
				(run) => run.directionX === 1 && run.text.trim() !== '' && run.width > 0,
			);
			this.#runs += upright.length;
			if (this.#runs > MOST_RUNS || upright.length > MOST_RUNS_A_PAGE) {
				this.#notLookedAt.add(`the fonts of page ${page.number}: too much text`);
				return;
			}
			if (
				this.#revisions.some(({ changedPages }) =>
					changedPages.some(({ pageNumber }) => pageNumber === page.number),
				)
			)
				this.#words.set(page.number, [...runs]);
			const marks = this.#marks(page);
			// Of a long statement there are many, so they are not copied; their font gets a better name.
			const pieces: TextPiece[] = upright;
			if (marks !== null) {
				const ordered = withPaintOrder(pieces, marks.texts);
				for (const [index, mark] of ordered.entries()) {
					const name = mark?.font.replace(/^[A-Z]{6}\+/, '');
					if (name && pieces[index]) pieces[index].font = name;
				}
				const area = page.width * page.height;
				found.isScan =
					marks.texts.length > 0 &&
					marks.areas.some(({ kind, bbox }) => kind === 'picture' && boxArea(bbox) > 0.7 * area) &&
					marks.texts.filter(({ invisible }) => invisible).length * 2 > marks.texts.length;
				found.covers = found.isScan ? [] : coversOf(pieces, ordered, marks.areas, area);
			}
			found.runs = pieces;
			found.annotations = this.#annotations(page);
		});
	}

	/** Reads the metadata, and of pages that an update changed what they held before. */
	async finish(document: PDFDocumentProxy, earlierPages: EarlierPages): Promise<void> {
		this.#attempt('the structure of the file', () => this.#begin());
		let info = this.#revisions.at(-1)?.info ?? NOTHING;
		let xmp: PdfMetadata | null = null;
		try {
			const metadata = await document.getMetadata();
			info = infoOf(metadata.info);
			xmp = xmpOf(metadata.metadata);
		} catch {
			this.#notLookedAt.add('the metadata: it cannot be read');
		}
		const revisions: PdfRevision[] = this.#revisions.map((revision) => ({
			...revision,
			changedPages: revision.changedPages.map((page) => ({ ...page, differences: null })),
		}));
		try {
			await this.#compare(revisions, earlierPages);
		} catch {
			this.#notLookedAt.add('the text of earlier versions of the file: it cannot be read');
		}
		this.#result = {
			info,
			xmp,
			revisions,
			pages: this.#pages,
			notLookedAt: [...this.#notLookedAt],
		};
	}

	#begin(): void {
		if (this.#begun) return;
		this.#begun = true;
		if (this.#bytes.length > MOST_BYTES) {
			this.#notLookedAt.add('the structure of the file: it is too large');
			return;
		}
		const objects = pdfObjects(this.#bytes);
		if (!objects.whole) this.#notLookedAt.add('parts of the structure of the file');
		this.#revisions = fileRevisions(this.#bytes, objects, MOST_PAGES_OF_CONTENT);
		if (objects.encrypted) {
			this.#notLookedAt.add('what is painted over text: the file is encrypted');
			return;
		}
		this.#objects = objects;
		this.#view = new ObjectView(objects);
		this.#nodes = this.#view.pages(MOST_PAGES_OF_CONTENT);
	}

	#marks(page: {
		number: number;
		transform: readonly number[];
	}): { texts: PlacedText[]; areas: PlacedArea[] } | null {
		const node = this.#nodes[page.number - 1];
		if (node === undefined || this.#view === null) {
			if (this.#objects !== null)
				this.#notLookedAt.add(`what is painted over text on page ${page.number}`);
			return null;
		}
		const content = pageContent(node, this.#view, this.#bytes);
		if (content === null) {
			this.#notLookedAt.add(`what is painted over text on page ${page.number}`);
			return null;
		}
		const marks = contentMarks(content.pieces, content.resources);
		if (!marks.whole) this.#notLookedAt.add(`parts of page ${page.number}: too much is painted`);
		return {
			texts: marks.texts.map((mark) => Object.assign(mark, placed(page.transform, mark.x, mark.y))),
			areas: marks.areas.map(({ x0, y0, x1, y1, ...mark }) => ({
				...mark,
				bbox: placedBox(page.transform, x0, y0, x1, y1),
			})),
		};
	}

	#annotations(page: { number: number; transform: readonly number[] }): PageAnnotation[] {
		const node = this.#nodes[page.number - 1];
		const list = this.#view?.value(node?.dict.entries.get('Annots'));
		if (!Array.isArray(list)) return [];
		return list.slice(0, 500).flatMap((entry): PageAnnotation[] => {
			const dict = this.#view?.dict(entry);
			const subtype = nameOf(dict?.entries.get('Subtype'));
			const rect = this.#view?.value(dict?.entries.get('Rect'));
			if (!dict || subtype === null || !PAINTED_ANNOTATIONS.has(subtype)) return [];
			if (!Array.isArray(rect) || rect.length !== 4) return [];
			const [x0, y0, x1, y1] = rect.map(Number);
			if (![x0, y0, x1, y1].every(Number.isFinite)) return [];
			return [
				{
					subtype,
					bbox: placedBox(page.transform, x0 ?? 0, y0 ?? 0, x1 ?? 0, y1 ?? 0),
					contents: (textOf(this.#view?.value(dict.entries.get('Contents'))) ?? '').slice(0, 200),
				},
			];
		});
	}

	async #compare(revisions: PdfRevision[], earlierPages: EarlierPages): Promise<void> {
		let room = MOST_COMPARED_PAGES;
		for (const [index, revision] of revisions.entries()) {
			const before = revisions[index - 1];
			if (before === undefined || revision.changedPages.length === 0) continue;
			const pages = revision.changedPages.slice(0, room);
			room -= pages.length;
			if (pages.length < revision.changedPages.length)
				this.#notLookedAt.add('the earlier text of some pages that an update changed');
			if (pages.length === 0) break;
			const numbers = pages.map(({ pageNumber }) => pageNumber);
			const was = await earlierPages(this.#bytes.subarray(0, before.length), numbers);
			const is =
				index === revisions.length - 1
					? this.#words
					: await earlierPages(this.#bytes.subarray(0, revision.length), numbers);
			for (const page of pages) {
				const [old, now] = [was.get(page.pageNumber), is.get(page.pageNumber)];
				if (old === undefined || now === undefined) continue;
				page.differences = textDifferences(wordsOfRuns(old), wordsOfRuns(now));
			}
		}
	}

	#attempt(what: string, look: () => void): void {
		try {
			look();
		} catch (error) {
			if (!(error instanceof Error)) throw error;
			this.#notLookedAt.add(`${what}: it is damaged or unusual`);
		}
	}
}

const NOTHING: PdfMetadata = { producer: null, creator: null, created: null, modified: null };

function boxArea({ x0, y0, x1, y1 }: { x0: number; y0: number; x1: number; y1: number }): number {
	return (x1 - x0) * (y1 - y0);
}

function placed(
	[a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[],
	x: number,
	y: number,
) {
	return { x: x * a + y * c + e, y: x * b + y * d + f };
}

function placedBox(transform: readonly number[], x0: number, y0: number, x1: number, y1: number) {
	const one = placed(transform, x0, y0);
	const other = placed(transform, x1, y1);
	return {
		x0: Math.min(one.x, other.x),
		y0: Math.min(one.y, other.y),
		x1: Math.max(one.x, other.x),
		y1: Math.max(one.y, other.y),
	};
}

function infoOf(info: unknown): PdfMetadata {
	const text = (name: string) => {
		const value: unknown =
			typeof info === 'object' && info !== null ? Reflect.get(info, name) : undefined;
		return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 200) : null;
	};
	return {
		producer: text('Producer'),
		creator: text('Creator'),
		created: isoFromPdfDate(text('CreationDate')),
		modified: isoFromPdfDate(text('ModDate')),
	};
}

function xmpOf(metadata: { get(name: string): unknown } | null): PdfMetadata | null {
	if (!metadata) return null;
	const text = (name: string) => {
		const value = metadata.get(name);
		return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 200) : null;
	};
	return {
		producer: text('pdf:producer'),
		creator: text('xmp:creatortool'),
		created: isoFromPdfDate(text('xmp:createdate')),
		modified: isoFromPdfDate(text('xmp:modifydate')),
	};
}
