import { extname } from 'node:path';
import { typeOfContent } from '../reading/fileType.ts';

const TYPES_OF_ENDINGS = new Map([
	['.pdf', 'application/pdf'],
	['.png', 'image/png'],
	['.jpg', 'image/jpeg'],
	['.jpeg', 'image/jpeg'],
	['.tif', 'image/tiff'],
	['.tiff', 'image/tiff'],
]);

/** How much of the beginning and of the end of a file these functions want to see, bytes. */
export const END_BYTES = 2048;

/**
 * The mime type of a file that is to be taken: what its content says, otherwise what its name says.
 * Null for a file that is not taken.
 */
export function typeOfFile(name: string, head: Uint8Array): string | null {
	return typeOfContent(head) ?? TYPES_OF_ENDINGS.get(extname(name).toLowerCase()) ?? null;
}

/**
 * Whether the end of a file has the mark that files of its type end with. False says that it may
 * still be written, or that it is damaged: TIFF has no such mark.
 */
export function endsAsComplete(mimetype: string, tail: Uint8Array): boolean {
	const bytes = Buffer.from(tail);
	switch (mimetype) {
		case 'application/pdf':
			return bytes.includes('%%EOF', 0, 'latin1');
		case 'image/png':
			return bytes.includes('IEND', 0, 'latin1');
		case 'image/jpeg': {
			// Cameras fill up with zeros.
			let end = bytes.length;
			while (end > 0 && bytes[end - 1] === 0) end--;
			return end >= 2 && bytes[end - 2] === 0xff && bytes[end - 1] === 0xd9;
		}
		default:
			return false;
	}
}
