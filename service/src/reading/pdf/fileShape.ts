import { UnreadableDocumentError } from '../../extraction/unreadable.ts';

const HEAD_BYTES = 1024;
const TAIL_BYTES = 4096;

/**
 * Looks at both ends of the file before a parser does. A PDF without its end was cut off in
 * transit; a tolerant parser would read what is there and lose rows in silence.
 *
 * @throws UnreadableDocumentError `empty_file`, `type_mismatch` or `damaged_file`
 */
export function assertWholePdf(bytes: Uint8Array): void {
	if (bytes.length === 0) {
		throw new UnreadableDocumentError(
			'empty_file',
			'The file is empty (0 bytes). Upload it again; check that the download before it had finished.',
		);
	}
	const head = latin1(bytes.subarray(0, HEAD_BYTES));
	if (!head.includes('%PDF-')) {
		throw new UnreadableDocumentError(
			'type_mismatch',
			`The file was sent as a PDF, but it does not begin like one${looksLike(bytes, head)}. ` +
				'Upload the PDF itself, or name the type that the file really has.',
		);
	}
	let end = bytes.length;
	while (end > 0 && isFiller(bytes[end - 1])) end--;
	const tail = latin1(bytes.subarray(Math.max(0, end - TAIL_BYTES), end));
	if (!tail.includes('%%EOF') || !tail.includes('startxref')) {
		throw new UnreadableDocumentError(
			'damaged_file',
			'The PDF is incomplete: its end is missing, as after a download or an upload that broke off. ' +
				'Get the file again from its source and upload it once more.',
		);
	}
}

function isFiller(byte: number | undefined): boolean {
	return byte === 0 || byte === 9 || byte === 10 || byte === 13 || byte === 32;
}

function latin1(bytes: Uint8Array): string {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function looksLike(bytes: Uint8Array, head: string): string {
	if (head.startsWith('\x89PNG')) return ' (it looks like a PNG picture)';
	if (bytes[0] === 0xff && bytes[1] === 0xd8) return ' (it looks like a JPEG picture)';
	if (head.startsWith('II*\0') || head.startsWith('MM\0*'))
		return ' (it looks like a TIFF picture)';
	if (head.startsWith('PK')) return ' (it looks like a ZIP archive or an Office file)';
	if (/^\s*<(!doctype html|html)/i.test(head)) return ' (it looks like a web page)';
	return '';
}
