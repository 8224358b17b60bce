import { UnreadableDocumentError } from '../extraction/unreadable.ts';

const NAMES: Record<string, string> = {
	'application/pdf': 'a PDF',
	'image/png': 'a PNG picture',
	'image/jpeg': 'a JPEG picture',
	'image/tiff': 'a TIFF picture',
};

/** How far into a file the mark of a PDF may come; readers accept some bytes before it. */
const PDF_MARK_WITHIN = 1024;

/** The mime type that the bytes themselves say; null for none that the service knows. */
export function typeOfContent(bytes: Uint8Array): string | null {
	if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
	if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg';
	if (startsWith(bytes, [0x49, 0x49, 0x2a, 0x00])) return 'image/tiff';
	if (startsWith(bytes, [0x4d, 0x4d, 0x00, 0x2a])) return 'image/tiff';
	const head = Buffer.from(bytes.subarray(0, PDF_MARK_WITHIN)).toString('latin1');
	return head.includes('%PDF-') ? 'application/pdf' : null;
}

/**
 * Checks that a file is what it was announced as, and that this version reads it.
 *
 * @throws UnreadableDocumentError `empty_file`, `type_mismatch`, `unsupported_type`
 */
export function assertReadableType(bytes: Uint8Array, declared: string): void {
	if (bytes.length === 0) {
		throw new UnreadableDocumentError('empty_file', 'The file is empty. Upload it again.');
	}
	const actual = typeOfContent(bytes);
	const announced = NAMES[declared] ?? declared;
	if (actual !== declared) {
		throw new UnreadableDocumentError(
			'type_mismatch',
			`The file was announced as ${announced}, but its content is ` +
				`${actual === null ? 'something else' : (NAMES[actual] ?? actual)}. ` +
				'Upload the original file with its own type.',
		);
	}
	if (declared !== 'application/pdf') {
		throw new UnreadableDocumentError(
			'unsupported_type',
			`The file is ${announced}. This version reads PDFs with a text layer only. Download the ` +
				'statement from the bank as a PDF instead.',
		);
	}
}

function startsWith(bytes: Uint8Array, mark: number[]): boolean {
	return mark.every((byte, index) => bytes[index] === byte);
}
