import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import type { Page } from '../../extraction/page.ts';
import { UnreadableDocumentError } from '../../extraction/unreadable.ts';
import type { EvidenceCollector } from './evidence/evidenceCollector.ts';
import { assertWholePdf } from './fileShape.ts';
import { damaged, openPdf } from './openPdf.ts';
import { pageRuns } from './pageRuns.ts';
import { wordsOfRuns } from './textRuns.ts';
import type { TextRun } from './textRuns.ts';
import { uprightPage } from './uprightPage.ts';

export interface ReadPdfOptions {
	password?: string;
	/** Documents with more pages are refused before any page is read. */
	maxPages: number;
	/** Called after each page, for progress. */
	onPage?: (pageNumber: number, pageCount: number) => void;
	/** Looks on, and holds afterwards what the file tells about changes. */
	evidence?: EvidenceCollector;
}

/**
 * Reads the text layer of a PDF into positioned words, page by page. Rotation of pages is applied.
 * Positions are in points, as `Page` describes.
 *
 * @throws UnreadableDocumentError `empty_file`, `type_mismatch`, `damaged_file`,
 * `password_required`, `wrong_password`, `too_many_pages`, `no_text_layer`
 */
export async function readPdf(bytes: Uint8Array, options: ReadPdfOptions): Promise<Page[]> {
	assertWholePdf(bytes);
	const document = await openPdf({
		// pdf.js takes the buffer over; the caller keeps its own.
		data: new Uint8Array(bytes),
		...(options.password === undefined ? {} : { password: options.password }),
	});
	try {
		if (document.numPages > options.maxPages) {
			throw new UnreadableDocumentError(
				'too_many_pages',
				`The PDF has ${document.numPages} pages; at most ${options.maxPages} are read. ` +
					'Split it into smaller files and upload them one by one.',
			);
		}
		const pages: Page[] = [];
		for (let number = 1; number <= document.numPages; number++) {
			pages.push(await pageAt(document, number, options.evidence));
			options.onPage?.(number, document.numPages);
		}
		if (pages.every((page) => page.words.length === 0)) {
			throw new UnreadableDocumentError(
				'no_text_layer',
				'The PDF holds no text, only pictures of pages (a scan). This version reads PDFs with a ' +
					'text layer only. Download the statement from the bank as a PDF instead of scanning it, ' +
					'or run text recognition (OCR) over the scan first.',
			);
		}
		await options.evidence?.finish(document, async (earlier, numbers) =>
			runsOfPages(earlier, numbers, options.password),
		);
		return pages;
	} finally {
		await document.loadingTask.destroy();
	}
}

/** The runs of some pages of an earlier writing of the file; pages that it does not have are left out. */
async function runsOfPages(
	bytes: Uint8Array,
	numbers: readonly number[],
	password?: string,
): Promise<Map<number, TextRun[]>> {
	const document = await openPdf({
		data: new Uint8Array(bytes),
		...(password === undefined ? {} : { password }),
	});
	try {
		const found = new Map<number, TextRun[]>();
		for (const number of numbers) {
			if (number > document.numPages) continue;
			const page = await document.getPage(number);
			found.set(number, (await pageRuns(page)).runs);
			page.cleanup();
		}
		return found;
	} finally {
		await document.loadingTask.destroy();
	}
}

async function pageAt(
	document: PDFDocumentProxy,
	number: number,
	evidence?: EvidenceCollector,
): Promise<Page> {
	let page: PDFPageProxy;
	try {
		page = await document.getPage(number);
	} catch {
		throw damaged(`page ${number} cannot be read`);
	}
	try {
		const { runs, ...upright } = await pageRuns(page);
		evidence?.page({ number, ...upright }, runs);
		const { width, height } = upright;
		return uprightPage({ number, width, height, words: wordsOfRuns(runs) });
	} catch (error) {
		if (error instanceof UnreadableDocumentError) throw error;
		throw damaged(`the text of page ${number} cannot be read`);
	} finally {
		page.cleanup();
	}
}
