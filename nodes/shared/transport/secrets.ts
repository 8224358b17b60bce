/** What looks like a credential: bearer tokens, personal access tokens, JWTs, signed addresses. */
const SECRETS: Array<[RegExp, string]> = [
	[/\bBearer\s+[\w.~+/=-]+/gi, 'Bearer ***'],
	[/\b[a-z]{2,12}_pat_[\w-]{8,}/gi, '***'],
	[/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '***'],
	[/([?&][\w.-]*(?:signature|token|credential|secret|key)[\w.-]*=)[^&\s"'<>]+/gi, '$1***'],
];

/** The text without anything in it that looks like a credential. */
export function withoutSecrets(text: string): string {
	return SECRETS.reduce(
		(result, [pattern, replacement]) => result.replace(pattern, replacement),
		text,
	);
}

/** The text without this very secret, however it is written there. */
export function withoutSecret(text: string, secret: string): string {
	if (secret === '') return text;
	const encoded = encodeURIComponent(Buffer.from(secret).toString());
	const written = [secret, JSON.stringify(secret).slice(1, -1), encoded];
	return written.reduce((result, one) => result.replaceAll(one, '***'), text);
}
