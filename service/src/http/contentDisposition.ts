/**
 * The header `Content-Disposition` for a file to be saved under a name (RFC 6266): the name in ASCII
 * for old clients, and in UTF-8 (RFC 8187) where ASCII does not hold it. The name may be anything.
 */
export function attachment(filename: string): string {
	const name = filename.toWellFormed().replaceAll(/[\p{Cc}/\\]/gu, '_');
	const ascii = name.replaceAll(/[^ -~]|["%]/gu, '_');
	const plain = `attachment; filename="${ascii}"`;
	return ascii === name ? plain : `${plain}; filename*=UTF-8''${percentEncoded(name)}`;
}

/** `encodeURIComponent` leaves four characters that RFC 8187 does not allow. */
function percentEncoded(text: string): string {
	return encodeURIComponent(text).replaceAll(
		/['()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}
