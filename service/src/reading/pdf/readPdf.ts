import { Util } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import type { Page } from '../../extraction/page.ts';
import { UnreadableDocumentError } from '../../extraction/unreadable.ts';
import { assertWholePdf } from './fileShape.ts';
import { damaged, openPdf } from './openPdf.ts';
import { wordsOfRuns } from './textRuns.ts';
import type { TextRun } from './textRuns.ts';
import { uprightPage } from './uprightPage.ts';

export interface ReadPdfOptions {
	password?: string;
	/** Documents with more pages are refused before any page is read. */
	maxPages: number;
	/** Called after each page, for progress. */
	onPage?: (pageNumber: number, pageCount: number) => void;
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
			pages.push(await pageAt(document, number));
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
		return pages;
	} finally {
		await document.loadingTask.destroy();
	}
}

async function pageAt(document: PDFDocumentProxy, number: number): Promise<Page> {
	let page: PDFPageProxy;
	try {
		page = await document.getPage(number);
	} catch {
		throw damaged(`page ${number} cannot be read`);
	}
	try {
		const viewport = page.getViewport({ scale: 1 });
		const scale = Math.hypot(viewport.transform[0] ?? 1, viewport.transform[1] ?? 0);
		const content = await page.getTextContent({ includeMarkedContent: false });
		const runs: TextRun[] = [];
		for (const item of content.items) {
			if (!('str' in item)) continue;
			const matrix = Util.transform(viewport.transform, item.transform);
			const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = matrix;
			const length = Math.hypot(a, b);
			const numbers = [length, x, y, item.width];
			if (length === 0 || !numbers.every(Number.isFinite)) continue;
			runs.push({
				text: item.str,
				x,
				y,
				directionX: a / length,
				directionY: b / length,
				width: item.width * scale,
				fontSize: Math.hypot(c, d) || length,
				monospaced: content.styles[item.fontName]?.fontFamily === 'monospace',
			});
			// The end of a line ends a word, whatever comes next.
			if (item.hasEOL) runs.push({ ...(runs.at(-1) as TextRun), text: ' ', width: 0 });
		}
		return uprightPage({
			number,
			width: viewport.width,
			height: viewport.height,
			words: wordsOfRuns(runs),
		});
	} catch (error) {
		if (error instanceof UnreadableDocumentError) throw error;
		throw damaged(`the text of page ${number} cannot be read`);
	} finally {
		page.cleanup();
	}
}
