/**
 * A file name as it is shown and stored: characters that cannot be shown or stored are not part of it.
 * Empty where nothing is left.
 */
export function displayName(filename: string): string {
	return filename
		.toWellFormed()
		.replaceAll(/\p{Cc}/gu, ' ')
		.trim();
}
