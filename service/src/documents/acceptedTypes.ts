/** Mime types that may be uploaded, and the ending of the stored file. */
const ENDINGS = new Map([
	['application/pdf', 'pdf'],
	['image/png', 'png'],
	['image/jpeg', 'jpg'],
	['image/tiff', 'tiff'],
]);

export const ACCEPTED_TYPES: readonly string[] = [...ENDINGS.keys()];

/** The ending for an accepted mime type; null for one that the service does not read. */
export function endingOf(mimetype: string): string | null {
	return ENDINGS.get(mimetype) ?? null;
}
