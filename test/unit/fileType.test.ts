import { extensionFor, readableType } from '../../nodes/shared/transport/fileType';

describe('type of a file', () => {
	it.each([
		['application/pdf', 'a.pdf', 'application/pdf'],
		['Application/PDF; charset=binary', 'a', 'application/pdf'],
		['application/x-pdf', 'a', 'application/pdf'],
		['image/jpg', 'a', 'image/jpeg'],
		['image/tiff', 'a.pdf', 'image/tiff'],
		['application/octet-stream', 'a.PDF', 'application/pdf'],
		['application/octet-stream', 'a.b.jpeg', 'image/jpeg'],
		['', 'scan.tif', 'image/tiff'],
		[undefined, 'scan.png', 'image/png'],
		['application/octet-stream', 'a.docx', undefined],
		['application/octet-stream', 'pdf', undefined],
		['application/octet-stream', undefined, undefined],
		['text/html', 'a.pdf', undefined],
		['image/gif', 'a.gif', undefined],
		['constructor', 'a.pdf', undefined],
	])('%s of "%s" is %s', (given, fileName, expected) => {
		expect(readableType(given, fileName)).toBe(expected);
	});

	it('has an extension for each readable type', () => {
		expect(extensionFor('image/jpeg')).toBe('jpg');
		expect(extensionFor('text/plain')).toBe('bin');
	});
});
