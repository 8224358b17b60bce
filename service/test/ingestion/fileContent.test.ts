import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endsAsComplete, typeOfFile } from '../../src/ingestion/fileContent.ts';
import { isIgnoredFile, isIgnoredFolder } from '../../src/ingestion/ignoredNames.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

test('the content says what a file is, and the name where the content does not', () => {
	assert.equal(typeOfFile('a.txt', Buffer.from('%PDF-1.4')), 'application/pdf');
	assert.equal(typeOfFile('a.pdf', PNG), 'image/png');
	assert.equal(typeOfFile('a.PDF', Buffer.from('a letter')), 'application/pdf');
	assert.equal(typeOfFile('a.JPEG', Buffer.from('')), 'image/jpeg');
	assert.equal(typeOfFile('a.tif', Buffer.from('x')), 'image/tiff');
	assert.equal(typeOfFile('a.docx', Buffer.from('PK')), null);
	assert.equal(typeOfFile('pdf', Buffer.from('x')), null);
});

test('a file that is cut off does not end as a complete one', () => {
	const pdf = Buffer.from('%PDF-1.4\nstartxref\n12\n%%EOF\n');
	assert.equal(endsAsComplete('application/pdf', pdf), true);
	assert.equal(endsAsComplete('application/pdf', pdf.subarray(0, -4)), false);
	// Copied with its full size from the start.
	const filled = Buffer.concat([pdf.subarray(0, 10), Buffer.alloc(100)]);
	assert.equal(endsAsComplete('application/pdf', filled), false);
	assert.equal(endsAsComplete('image/png', Buffer.from('....IEND....')), true);
	assert.equal(endsAsComplete('image/png', PNG), false);
	assert.equal(endsAsComplete('image/jpeg', Buffer.from([1, 2, 0xff, 0xd9])), true);
	assert.equal(endsAsComplete('image/jpeg', Buffer.from([1, 2, 0xff, 0xd9, 0, 0])), true);
	assert.equal(endsAsComplete('image/jpeg', Buffer.from([0xff, 0xd9, 7])), false);
	assert.equal(endsAsComplete('image/jpeg', Buffer.alloc(3)), false);
	assert.equal(endsAsComplete('image/tiff', Buffer.from('II*')), false);
});

test('hidden and temporary names are left alone', () => {
	for (const name of [
		'.a.pdf',
		'~$a.pdf',
		'a.pdf~',
		'a.pdf.part',
		'a.pdf.PARTIAL',
		'a.crdownload',
		'a.pdf.tmp',
		'Thumbs.db',
		'desktop.ini',
	]) {
		assert.equal(isIgnoredFile(name), true, name);
	}
	for (const name of ['a.pdf', 'part.pdf', 'tmp', 'a~b.pdf', '$a.pdf', 'a.download.pdf']) {
		assert.equal(isIgnoredFile(name), false, name);
	}
	for (const name of ['.git', '@eaDir', '$RECYCLE.BIN', '#recycle']) {
		assert.equal(isIgnoredFolder(name), true, name);
	}
	assert.equal(isIgnoredFolder('2024'), false);
});
