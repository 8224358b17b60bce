/** Lower case, without accents; full stops, colons and brackets become spaces. Slashes and signs stay. */
export function plainText(text: string): string {
	return isAscii(text) ? asciiText(text) : asciiText(withoutAccents(text));
}

function isAscii(text: string): boolean {
	for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
	return true;
}

function asciiText(text: string): string {
	const plain = text
		.toLowerCase()
		.replaceAll(/[\s.,:;()[\]*"#]+/g, ' ')
		.trim();
	return plain.includes('/') ? plain.replaceAll(/ ?\/ ?/g, '/') : plain;
}

function withoutAccents(text: string): string {
	return text
		.normalize('NFD')
		.replaceAll(/\p{M}/gu, '')
		.toLowerCase()
		.replaceAll('ß', 'ss')
		.replaceAll('ł', 'l')
		.replaceAll('ø', 'o')
		.replaceAll('æ', 'ae')
		.replaceAll(/[º°]/g, ' ')
		.replaceAll(/[’`]/g, "'");
}

/** True where one of the phrases stands in the plain text as whole words. */
export function containsPhrase(plain: string, phrases: readonly string[]): boolean {
	const padded = ` ${plain} `;
	return phrases.some((phrase) => padded.includes(` ${phrase} `));
}

/** True where the plain text begins with one of the phrases as whole words. */
export function beginsWithPhrase(plain: string, phrases: readonly string[]): boolean {
	const padded = `${plain} `;
	return phrases.some((phrase) => padded.startsWith(`${phrase} `));
}

/** Splits a list written with commas. */
export function phrases(list: string): string[] {
	return list
		.split(',')
		.map((phrase) =>
			phrase
				.replaceAll(/\s+/g, ' ')
				.replaceAll(/\s*\/\s*/g, '/')
				.trim(),
		)
		.filter((phrase) => phrase !== '');
}
