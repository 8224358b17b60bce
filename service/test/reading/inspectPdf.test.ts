import assert from 'node:assert/strict';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { generateStatement } from '../../../test/documents/index.ts';
import {
	blankPages,
	circularPageTreePdf,
	emptyFile,
	encryptedPdf,
	headerOnlyPdf,
	noiseNamedPdf,
	plainTextNamedPdf,
	pngNamedPdf,
	scanOnlyPdf,
	truncatedPdf,
} from '../../../test/documents/hostile.ts';
import { UnreadableDocumentError } from '../../src/extraction/unreadable.ts';
import { inspectPdf } from '../../src/reading/pdf/inspectPdf.ts';
import { largePdf } from '../largePdf.ts';

describe('looking into a PDF', () => {
	let folder: string;
	let path: string;
	before(async () => {
		folder = await mkdtemp(join(tmpdir(), 'inspect-pdf-'));
		path = join(folder, 'file.pdf');
	});
	after(() => rm(folder, { recursive: true }));

	it('counts pages', async () => {
		for (const pages of [1, 2, 7, 40]) {
			const { pdf } = await generateStatement('longLedger', { seed: 3, pages });
			await writeFile(path, pdf);
			assert.equal((await inspectPdf(path)).pageCount, pages);
		}
		await writeFile(path, (await blankPages(120)).bytes);
		assert.equal((await inspectPdf(path)).pageCount, 120);
		await writeFile(path, (await scanOnlyPdf()).bytes);
		assert.equal((await inspectPdf(path)).pageCount, 1);
	});

	it('reads what the file says of itself', async () => {
		const { pdf } = await generateStatement('usChecking', { seed: 1, transactions: 3 });
		await writeFile(path, pdf);
		assert.deepEqual((await inspectPdf(path)).metadata, {
			pdfVersion: '1.4',
			title: 'Account statement',
			author: 'Cascadia Harbor Bank',
			creator: 'PDFKit',
			producer: 'Statement Composition 7.2',
			creationDate: '2026-01-15T09:30:00.000Z',
			modificationDate: '2026-01-15T09:30:00.000Z',
		});
	});

	it('says of other files why they cannot be opened', async () => {
		for (const [file, code] of [
			[emptyFile(), 'empty_file'],
			[headerOnlyPdf(), 'damaged_file'],
			[await truncatedPdf(), 'damaged_file'],
			[noiseNamedPdf(), 'damaged_file'],
			[plainTextNamedPdf(), 'type_mismatch'],
			[pngNamedPdf(), 'type_mismatch'],
			[await encryptedPdf(), 'password_required'],
		] as const) {
			await writeFile(path, file.bytes);
			await assert.rejects(
				inspectPdf(path),
				(error) => error instanceof UnreadableDocumentError && error.code === code,
				file.name,
			);
		}
	});

	it('ends on a page tree that has no end', async () => {
		await writeFile(path, circularPageTreePdf().bytes);
		assert.ok((await inspectPdf(path)).pageCount >= 1);
	});

	it('reads little of a large file', async () => {
		const file = await open(path, 'w');
		for await (const chunk of largePdf(200_000_000)) await file.write(chunk);
		await file.close();
		const before = process.resourceUsage().fsRead;
		const begun = performance.now();
		assert.equal((await inspectPdf(path)).pageCount, 2);
		assert.ok(performance.now() - begun < 5000);
		assert.ok(process.memoryUsage().arrayBuffers < 300_000_000);
		// Blocks of 512 bytes; nothing at all where the file is still in the system's memory.
		assert.ok((process.resourceUsage().fsRead - before) * 512 < 64 * 1024 * 1024);
	});

	it('gives up on a large file without an index instead of reading all of it', async () => {
		const file = await open(path, 'w');
		for await (const chunk of largePdf(200_000_000, { index: false })) await file.write(chunk);
		await file.close();
		await assert.rejects(inspectPdf(path), UnreadableDocumentError);
	});
});
