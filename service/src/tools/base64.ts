/** The text is no base64. The message says why, as the end of a sentence. */
export class Base64Error extends Error {
	constructor(message: string) {
		super(message);
		this.name = 'Base64Error';
	}
}

const CHARACTERS_AT_ONCE = 64 * 1024;
/** Codes of the characters at the end of a text. */
const PADDING = 0x3d;
const WHITE_SPACE = [0x20, 0x09, 0x0d, 0x0a];
const MOST_PADDING = 2;

/**
 * Decodes base64 (RFC 4648, section 4) in pieces, so that a file is never in memory a second time.
 * White space is skipped, because many programs break lines. Everything else is strict: the padding has
 * to be there, because a text that was cut off would otherwise pass for a whole one.
 *
 * @throws Base64Error
 */
export function* decodeBase64(text: string): Generator<Buffer> {
	let end = text.length;
	let signs = 0;
	for (; end > 0 && signs <= MOST_PADDING; end -= 1) {
		const code = text.charCodeAt(end - 1);
		if (code === PADDING) signs += 1;
		else if (!WHITE_SPACE.includes(code)) break;
	}
	const padding = '='.repeat(signs);
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
	if (foreign === '=') return 'it has a "=" that is no padding at its end';
	return 'it has characters that do not belong there';
}
