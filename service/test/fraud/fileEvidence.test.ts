import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateStatement } from '../../../test/documents/index.ts';
import { hostileFiles } from '../../../test/documents/hostile.ts';
import { cleanKinds } from '../../../test/fraud/cleanStatements.ts';
import { amountChanged, whiteBox } from '../../../test/fraud/tamperedRows.ts';
import { tamperedKinds } from '../../../test/fraud/tamperedStatements.ts';
import { UnreadableDocumentError } from '../../src/extraction/unreadable.ts';
import { EvidenceCollector } from '../../src/reading/pdf/evidence/evidenceCollector.ts';
import { isoFromPdfDate } from '../../src/reading/pdf/evidence/pdfDates.ts';
import type { PdfEvidence } from '../../src/reading/pdf/evidence/pdfEvidence.ts';
import { pdfObjects } from '../../src/reading/pdf/evidence/pdfObjects.ts';
import { readPdf } from '../../src/reading/pdf/readPdf.ts';

async function evidenceOf(pdf: Uint8Array): Promise<PdfEvidence> {
	const bytes = new Uint8Array(pdf);
	const collector = new EvidenceCollector(bytes);
	await readPdf(bytes, { maxPages: 50, evidence: collector });
	assert.ok(collector.evidence);
	return collector.evidence;
}

async function made(
	kinds: Record<string, (seed: number) => Promise<{ pdf: Buffer }>>,
	kind: string,
	seed: number,
): Promise<PdfEvidence> {
	const make = kinds[kind];
	assert.ok(make, kind);
	return await evidenceOf((await make(seed)).pdf);
}

test('a file that was written once has one revision, its fonts by name, and nothing covered', async () => {
	const { pdf } = await generateStatement('usChecking', { seed: 3 });
	const evidence = await evidenceOf(pdf);
	assert.equal(evidence.revisions.length, 1);
	assert.equal(evidence.info.producer, 'Statement Composition 7.2');
	assert.equal(evidence.xmp?.producer, 'Statement Composition 7.2');
	assert.equal(evidence.info.created, '2026-01-15T09:30:00.000Z');
	assert.deepEqual(evidence.notLookedAt, []);
	assert.deepEqual(
		evidence.pages.flatMap(({ covers }) => covers),
		[],
	);
	const fonts = new Set(evidence.pages.flatMap(({ runs }) => runs.map(({ font }) => font)));
	assert.ok(fonts.has('Helvetica') && fonts.has('Times-Bold'));
});

test('order for the web, packed objects and a second end are no updates', async () => {
	assert.equal((await made(cleanKinds, 'linearized', 4)).revisions.length, 1);
	const packed = await made(cleanKinds, 'resavedByLibrary', 4);
	assert.equal(packed.revisions.length, 1);
	assert.deepEqual(packed.notLookedAt, []);
});

test('an update that signs, one that stamps and one that replaces are told apart', async () => {
	const signed = (await made(cleanKinds, 'signedByUpdate', 17)).revisions;
	assert.deepEqual(
		signed.map(({ signs, changedPages }) => [signs, changedPages.length]),
		[
			[false, 0],
			[true, 0],
		],
	);
	const [, stamped] = (await made(cleanKinds, 'stampedByUpdate', 17)).revisions;
	assert.deepEqual(
		stamped?.changedPages.map(({ kind, pageNumber }) => [kind, pageNumber]),
		[['added', 1]],
	);
	assert.ok(stamped.changedPages[0]?.differences?.every(({ before }) => before === ''));
});

test('what a page printed before an update is read from the file', async () => {
	const { changed } = await amountChanged(36);
	const [, update] = (await made(tamperedKinds, 'contentReplacedByUpdate', 36)).revisions;
	assert.equal(update?.changedPages[0]?.kind, 'replaced');
	assert.deepEqual(
		update.changedPages[0]?.differences?.map(({ before, after }) => [before, after]),
		[[changed?.call.text, changed?.text]],
	);
});

test('a box over an amount is found, with what it hides and what is written over it', async () => {
	const { after, changed } = await whiteBox(36);
	const { pages } = await evidenceOf(after.pdf);
	const covers = pages.flatMap((page) =>
		page.covers.map((cover) => ({ ...cover, page: page.number })),
	);
	assert.deepEqual(
		covers.map(({ hidden, over, shade, page }) => [hidden, over, shade, page]),
		[[changed?.call.text, changed?.text, 'white', changed?.call.page]],
	);
});

test('hostile files never make the collection throw, and are refused as before', async () => {
	for (const [name, make] of Object.entries(hostileFiles)) {
		// The memory of a reading thread ends this one; here it would only take long.
		if (name === 'deflateBombPdf' || name === 'manyWordsPdf') continue;
		const { bytes } = await make();
		const collector = new EvidenceCollector(new Uint8Array(bytes));
		try {
			await readPdf(new Uint8Array(bytes), { maxPages: 50, evidence: collector });
		} catch (error) {
			assert.ok(error instanceof UnreadableDocumentError, `${name}: ${String(error)}`);
		}
		pdfObjects(new Uint8Array(bytes));
	}
});

test('bytes of a PDF that were changed at random never make the collection throw', async () => {
	const { pdf } = await generateStatement('usChecking', { seed: 9, transactions: 8 });
	const page = { number: 1, width: 612, height: 792, transform: [1, 0, 0, -1, 0, 792] };
	let state = 12_345;
	const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0);
	for (let time = 0; time < 150; time++) {
		const bytes = new Uint8Array(pdf);
		for (let change = 0; change < 40; change++) bytes[next() % bytes.length] = next() & 255;
		const collector = new EvidenceCollector(bytes);
		collector.page(page, []);
		assert.equal(collector.evidence, null);
	}
});

test('a bomb is not unpacked beyond what a page may hold', async () => {
	const bomb = await hostileFiles.deflateBombPdf?.();
	assert.ok(bomb);
	const collector = new EvidenceCollector(new Uint8Array(bomb.bytes));
	const before = process.memoryUsage().rss;
	collector.page({ number: 1, width: 612, height: 792, transform: [1, 0, 0, -1, 0, 792] }, []);
	assert.ok(process.memoryUsage().rss - before < 60 * 1024 * 1024);
});

test('dates of PDF and XMP become ISO dates in UTC', () => {
	assert.equal(isoFromPdfDate("D:20250304093000+02'00'"), '2025-03-04T07:30:00.000Z');
	assert.equal(isoFromPdfDate("D:20250304093000-05'00"), '2025-03-04T14:30:00.000Z');
	assert.equal(isoFromPdfDate('D:20250304'), '2025-03-04T00:00:00.000Z');
	assert.equal(isoFromPdfDate('2025-03-04T09:30:00+01:00'), '2025-03-04T08:30:00.000Z');
	assert.equal(isoFromPdfDate('yesterday'), null);
	assert.equal(isoFromPdfDate('D:20259904'), null);
});
