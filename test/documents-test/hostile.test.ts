import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inflateSync } from 'node:zlib';
import { getDocument, OPS, PasswordException } from 'pdfjs-dist/legacy/build/pdf.mjs';
import {
	blankPages,
	circularPageTreePdf,
	deflateBombPdf,
	emptyFile,
	encryptedPdf,
	hostileFiles,
	hostilePassword,
	hugePageCountPdf,
	letterPdf,
	manyWordsPdf,
	plainTextNamedPdf,
	pngNamedPdf,
	scanOnlyPdf,
	selfDrawingFormPdf,
	truncatedPdf,
} from '../documents/hostile.ts';
import { readTextLayer } from './textLayer.ts';

it('gives the same bytes each time, under the name of a PDF', async () => {
	for (const [name, make] of Object.entries(hostileFiles)) {
		if (name === 'deflateBombPdf') continue;
		const [once, again] = [await make(), await make()];
		assert.ok(once.bytes.equals(again.bytes), name);
		assert.match(once.name, /\.pdf$/);
	}
});

it('is not a PDF where the name says PDF', () => {
	assert.equal(emptyFile().bytes.length, 0);
	assert.ok(!plainTextNamedPdf().bytes.includes('%PDF'));
	assert.deepEqual([...pngNamedPdf().bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
});

it('is cut off before the end of the file', async () => {
	const { bytes } = await truncatedPdf();
	assert.ok(bytes.subarray(0, 5).toString() === '%PDF-');
	assert.ok(!bytes.includes('%%EOF'));
});

it('opens with its password only', async () => {
	const { bytes } = await encryptedPdf();
	await assert.rejects(readTextLayer(bytes), PasswordException);
	await assert.rejects(readTextLayer(bytes, 'wrong'), PasswordException);
	const { pages } = await readTextLayer(bytes, hostilePassword);
	assert.match(pages.flat().join(' '), /Ending balance 125\.00/);
});

it('has blank pages, as many as asked', async () => {
	const { bytes } = await blankPages(7);
	assert.deepEqual((await readTextLayer(bytes)).pages, [[], [], [], [], [], [], []]);
});

it('has a picture and no text when it is a scan', async () => {
	const { bytes } = await scanOnlyPdf();
	const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
	const page = await (await task.promise).getPage(1);
	assert.equal((await page.getTextContent()).items.length, 0);
	const { fnArray } = await page.getOperatorList();
	assert.ok(fnArray.includes(OPS.paintImageXObject));
	await task.destroy();
});

it('is a readable letter without any table', async () => {
	const { pages } = await readTextLayer((await letterPdf()).bytes);
	assert.match(pages.flat().join(' '), /Dear Ms Adeyemi/);
});

it('says that it has a million pages in very few bytes', async () => {
	const { bytes } = hugePageCountPdf(1_000_000);
	assert.ok(bytes.length < 5_000);
	const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
	assert.equal((await task.promise).numPages, 1_000_000);
	await task.destroy();
});

it('refers to itself', () => {
	assert.match(circularPageTreePdf().bytes.toString(), /2 0 obj\n<< \/Type \/Pages \/Kids \[3 0 R/);
	assert.match(selfDrawingFormPdf().bytes.toString(), /\/XObject << \/F 5 0 R >> >> \/Length/);
});

it('unpacks to the size asked for, from very few bytes', async () => {
	const { bytes } = await deflateBombPdf(5);
	assert.ok(bytes.length < 5_000);
	const start = bytes.indexOf('stream\n') + 'stream\n'.length;
	const packed = bytes.subarray(start, bytes.lastIndexOf('\nendstream'));
	assert.equal(inflateSync(inflateSync(packed)).length, 5 * 1024 * 1024);
});

it('holds as many words as asked on one page', async () => {
	const { pages } = await readTextLayer(manyWordsPdf(1_000).bytes);
	assert.equal(pages.length, 1);
	const words =
		pages
			.flat()
			.join(' ')
			.match(/\d+\.00/g) ?? [];
	assert.equal(words.length, 1_000);
});
