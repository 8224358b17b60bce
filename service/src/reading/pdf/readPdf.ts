import { fileURLToPath } from 'node:url';
import { getDocument, PasswordException, Util } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import type { Page } from '../../extraction/page.ts';
import { UnreadableDocumentError } from '../../extraction/unreadable.ts';
import { assertWholePdf } from './fileShape.ts';
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

// Fonts and character maps come from the package's own folder: nothing is fetched.
const PACKAGE_FOLDER = fileURLToPath(
	new URL('../../', import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')),
);
const NEED_PASSWORD = 1;

/**
 * Reads the text layer of a PDF into positioned words, page by page. Rotation of pages is applied.
 * Positions are in points, as `Page` describes.
 *
 * @throws UnreadableDocumentError `empty_file`, `type_mismatch`, `damaged_file`,
 * `password_required`, `wrong_password`, `too_many_pages`, `no_text_layer`
 */
export async function readPdf(bytes: Uint8Array, options: ReadPdfOptions): Promise<Page[]> {
	assertWholePdf(bytes);
	const document = await opened(bytes, options.password);
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

async function opened(bytes: Uint8Array, password?: string): Promise<PDFDocumentProxy> {
	const task = getDocument({
		// pdf.js takes the buffer over; the caller keeps its own.
		data: new Uint8Array(bytes),
		...(password === undefined ? {} : { password }),
		cMapUrl: `${PACKAGE_FOLDER}cmaps/`,
		cMapPacked: true,
		standardFontDataUrl: `${PACKAGE_FOLDER}standard_fonts/`,
		useSystemFonts: false,
		disableFontFace: true,
		enableXfa: false,
		verbosity: 0,
	});
	try {
		return await task.promise;
	} catch (error) {
		await task.destroy();
		if (error instanceof PasswordException) {
			if (error.code === NEED_PASSWORD && !password) {
				throw new UnreadableDocumentError(
					'password_required',
					'The PDF is protected by a password. Send its password with the upload, or upload a copy ' +
						'without one.',
				);
			}
			throw new UnreadableDocumentError(
				'wrong_password',
				'The PDF is protected, and the password that was sent does not open it. Check the password: ' +
					'many banks use a date of birth or the last digits of the account.',
			);
		}
		throw damaged('its structure cannot be read');
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

function damaged(what: string): UnreadableDocumentError {
	return new UnreadableDocumentError(
		'damaged_file',
		`The PDF is damaged: ${what}. Get the file again from its source and upload it once more.`,
	);
}
