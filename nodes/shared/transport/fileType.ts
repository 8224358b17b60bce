/** The types that the service reads, with the extensions that stand for them. */
const READABLE = new Map<string, readonly string[]>([
	['application/pdf', ['pdf']],
	['image/png', ['png']],
	['image/jpeg', ['jpg', 'jpeg', 'jpe', 'jfif']],
	['image/tiff', ['tif', 'tiff']],
]);

/** Other names under which the same types come. */
const ALIASES = new Map([
	['application/x-pdf', 'application/pdf'],
	['application/acrobat', 'application/pdf'],
	['image/jpg', 'image/jpeg'],
	['image/pjpeg', 'image/jpeg'],
	['image/x-png', 'image/png'],
	['image/tif', 'image/tiff'],
	['image/x-tiff', 'image/tiff'],
]);

/** Types that say nothing about the content. */
const MEANINGLESS = new Set([
	'',
	'application/octet-stream',
	'binary/octet-stream',
	'application/force-download',
	'application/download',
	'application/x-download',
]);

export const READABLE_TYPES = 'PDF, PNG, JPEG and TIFF';

function extensionOf(fileName: string | undefined): string {
	return /\.([A-Za-z0-9]{1,8})$/.exec(fileName?.trim() ?? '')?.[1]?.toLowerCase() ?? '';
}

/** The usual extension of a readable type, without a dot. */
export function extensionFor(mimeType: string): string {
	return READABLE.get(mimeType)?.[0] ?? 'bin';
}

/**
 * The type to declare: the given one where the service reads it, or the one that the extension of
 * the file's name stands for where the given one says nothing. Undefined where neither is a type
 * that the service reads.
 */
export function readableType(
	given: string | undefined,
	fileName: string | undefined,
): string | undefined {
	const plain = (given ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
	const type = ALIASES.get(plain) ?? plain;
	if (READABLE.has(type)) return type;
	if (!MEANINGLESS.has(type)) return undefined;
	const extension = extensionOf(fileName);
	return [...READABLE.keys()].find((key) => READABLE.get(key)?.includes(extension));
}
