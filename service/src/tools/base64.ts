/** The text is no base64. The message says why, as the end of a sentence. */
export class Base64Error extends Error {
	constructor(message: string) {
		super(message);
		this.name = 'Base64Error';
	}
}

const CHARACTERS_AT_ONCE = 64 * 1024;
const AT_THE_END = '= \t\r\n';

/**
 * Decodes base64 (RFC 4648, section 4) in pieces, so that a file is never in memory a second time.
 * White space is skipped, because many programs break lines. Everything else is strict: the padding has
 * to be there, because a text that was cut off would otherwise pass for a whole one.
 *
 * @throws Base64Error
 */
export function* decodeBase64(text: string): Generator<Buffer> {
	let end = text.length;
	let padding = '';
	while (end > 0 && AT_THE_END.includes(text.charAt(end - 1))) {
		end -= 1;
		if (text.charAt(end) === '=') padding += '=';
	}
	let rest = '';
	for (let start = 0; start < end; start += CHARACTERS_AT_ONCE) {
		const characters = text.slice(start, Math.min(end, start + CHARACTERS_AT_ONCE));
		const foreign = /[^A-Za-z0-9+/ \t\r\n]/.exec(characters);
		if (foreign !== null) throw new Base64Error(reasonOf(foreign[0], text));
		const digits = rest + characters.replaceAll(/[ \t\r\n]+/g, '');
		const whole = digits.length - (digits.length % 4);
		rest = digits.slice(whole);
		if (whole > 0) yield Buffer.from(digits.slice(0, whole), 'base64');
	}
	const last = rest + padding;
	if (last === '') return;
	const bytes = Buffer.from(last, 'base64');
	// Comparing also finds digits whose last bits are lost.
	if (rest === '' || bytes.toString('base64') !== last) {
		throw new Base64Error('its end is cut off, or the padding with "=" is missing or wrong');
	}
	yield bytes;
}

function reasonOf(foreign: string, text: string): string {
	if (/^data:/i.test(text)) return 'it is a data: address. Leave out everything up to the comma';
	if (foreign === '-' || foreign === '_') return 'it is base64url. Use "+" and "/"';
	if (foreign === '=') return 'something comes after the padding';
	return 'it has characters that do not belong there';
}
