import assert from 'node:assert/strict';
import { test } from 'node:test';
import PDFDocument from 'pdfkit';
import * as hostile from '../../../test/documents/hostile.ts';
import type { Page } from '../../src/extraction/page.ts';
import { UnreadableDocumentError } from '../../src/extraction/unreadable.ts';
import { readPdf } from '../../src/reading/pdf/readPdf.ts';

function pdfOf(
	draw: (document: PDFKit.PDFDocument) => void,
	options: PDFKit.PDFDocumentOptions = {},
): Promise<Uint8Array> {
	return new Promise((resolve, reject) => {
		const document = new PDFDocument({ size: 'A4', margin: 0, ...options });
		const chunks: Buffer[] = [];
		document.on('data', (chunk: Buffer) => chunks.push(chunk));
		document.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))));
		document.on('error', reject);
		draw(document);
		document.end();
	});
}

const at = (document: PDFKit.PDFDocument, text: string, x: number, y: number) =>
	document.text(text, x, y, { lineBreak: false });

function wordOf(page: Page | undefined, text: string) {
	const word = page?.words.find((candidate) => candidate.text === text);
	assert.ok(word, `"${text}" is not among ${page?.words.map((other) => other.text).join(' ')}`);
	return word;
}

const near = (actual: number, expected: number, tolerance: number) =>
	assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not near ${expected}`);

async function codeOf(bytes: Uint8Array, options = {}): Promise<string> {
	try {
		await readPdf(bytes, { maxPages: 10, ...options });
	} catch (error) {
		assert.ok(error instanceof UnreadableDocumentError, String(error));
		// A person has to learn what to do next, and never sees a stack or a path.
		assert.doesNotMatch(error.message, /node_modules|\bat \w+ \(/);
		assert.match(error.message, /\. \w/);
		return error.code;
	}
	return 'readable';
}

test('words have their text and their place, from the top left corner', async () => {
	const bytes = await pdfOf((document) => {
		document.font('Helvetica').fontSize(10);
		at(document, 'Opening balance', 50, 100);
		at(document, '1,234.56', 500 - document.widthOfString('1,234.56'), 100);
	});
	const [page] = await readPdf(bytes, { maxPages: 1 });
	assert.deepEqual(
		page?.words.map(({ text }) => text),
		['Opening', 'balance', '1,234.56'],
	);
	const opening = wordOf(page, 'Opening');
	near(opening.x0, 50, 0.2);
	near(opening.y1 - opening.y0, 10, 0.1);
	assert.ok(opening.y1 > 100 && opening.y1 < 112);
	near(wordOf(page, '1,234.56').x1, 500, 0.2);
	assert.equal(opening.angle, 0);
	assert.deepEqual(
		[page?.number, Math.round(page?.width ?? 0), Math.round(page?.height ?? 0)],
		[1, 595, 842],
	);
});

test('each word of a run has its own place, in proportional and in monospaced faces', async () => {
	for (const face of ['Helvetica', 'Times-Roman', 'Courier']) {
		const text =
			face === 'Courier'
				? 'PAYMENT        12.00       1,234.56'
				: 'SUPERMARKET will mix 12.00 iii WWW';
		const expected = new Map<string, number>();
		const bytes = await pdfOf((document) => {
			document.font(face).fontSize(9);
			for (const match of text.matchAll(/\S+/g)) {
				expected.set(match[0], 40 + document.widthOfString(text.slice(0, match.index)));
			}
			at(document, text, 40, 60);
		});
		const [page] = await readPdf(bytes, { maxPages: 1 });
		for (const [word, x0] of expected)
			near(wordOf(page, word).x0, x0, face === 'Courier' ? 0.5 : 3);
	}
});

test('a rotated page is read as a person sees it', async () => {
	const bytes = await pdfOf((document) => {
		document.font('Helvetica').fontSize(10);
		Object.assign(document.page.dictionary.data, { Rotate: 90 });
		// Along the left edge of the sheet, so that it is upright once the sheet is turned.
		document.rotate(-90, { origin: [100, 700] });
		at(document, 'Upright', 100, 700);
	});
	const [page] = await readPdf(bytes, { maxPages: 1 });
	const word = wordOf(page, 'Upright');
	assert.equal(word.angle, 0);
	assert.ok((page?.width ?? 0) > (page?.height ?? 0));
	near(word.x1 - word.x0, 35, 3);
});

test('a page whose text runs sideways is turned', async () => {
	const bytes = await pdfOf((document) => {
		document.font('Helvetica').fontSize(10);
		document.rotate(-90, { origin: [200, 600] });
		at(document, 'Date Description Amount', 200, 600);
	});
	const [page] = await readPdf(bytes, { maxPages: 1 });
	assert.equal(wordOf(page, 'Date').angle, 0);
	assert.ok(wordOf(page, 'Date').x1 < wordOf(page, 'Amount').x0);
	near(wordOf(page, 'Date').y1, wordOf(page, 'Amount').y1, 0.1);
});

test('a slanted watermark keeps its angle', async () => {
	const bytes = await pdfOf((document) => {
		document.font('Helvetica').fontSize(10);
		at(document, 'Statement of account number one', 50, 60);
		document.fontSize(40).rotate(-30, { origin: [200, 400] });
		at(document, 'COPY', 200, 400);
	});
	const [page] = await readPdf(bytes, { maxPages: 1 });
	near(wordOf(page, 'COPY').angle, 30, 0.5);
	assert.equal(wordOf(page, 'account').angle, 0);
});

test('files that are no readable PDF are told apart', async () => {
	assert.equal(await codeOf(hostile.emptyFile().bytes), 'empty_file');
	assert.equal(await codeOf((await hostile.truncatedPdf()).bytes), 'damaged_file');
	assert.equal(await codeOf(hostile.headerOnlyPdf().bytes), 'damaged_file');
	assert.equal(await codeOf(hostile.noiseNamedPdf().bytes), 'damaged_file');
	assert.equal(await codeOf(hostile.plainTextNamedPdf().bytes), 'type_mismatch');
	assert.equal(await codeOf(hostile.pngNamedPdf().bytes), 'type_mismatch');
	assert.equal(await codeOf((await hostile.blankPages(3)).bytes), 'no_text_layer');
	assert.equal(await codeOf((await hostile.blankPages(11)).bytes), 'too_many_pages');
});

test('a protected file needs its password', async () => {
	const { bytes } = await hostile.encryptedPdf();
	assert.equal(await codeOf(bytes), 'password_required');
	assert.equal(await codeOf(bytes, { password: 'wrong' }), 'wrong_password');
	const [page] = await readPdf(bytes, { maxPages: 1, password: hostile.hostilePassword });
	wordOf(page, '125.00');
});

test('a file that is cut anywhere is refused, never half read', async () => {
	const bytes = await pdfOf((document) => {
		for (let page = 0; page < 3; page++) {
			if (page > 0) document.addPage();
			at(document, `Page ${page} 01/02/2025 12.00`, 50, 60);
		}
	});
	for (let share = 0.05; share < 1; share += 0.05) {
		const cut = bytes.slice(0, Math.floor(bytes.length * share));
		assert.equal(await codeOf(cut), 'damaged_file', `cut at ${share}`);
	}
});

test('the bytes stay with the caller, and progress is told page by page', async () => {
	const bytes = await pdfOf((document) => {
		at(document, 'one', 50, 60);
		document.addPage();
		at(document, 'two', 50, 60);
	});
	const before = bytes.slice();
	const seen: number[][] = [];
	await readPdf(bytes, { maxPages: 2, onPage: (page, count) => void seen.push([page, count]) });
	assert.deepEqual(seen, [
		[1, 2],
		[2, 2],
	]);
	assert.deepEqual(bytes, before);
});
