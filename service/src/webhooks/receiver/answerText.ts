import { KEPT_BODY_BYTES } from './answerReader.ts';

/**
 * The start of an answer's body as text that can be stored: not more than 4096 bytes of UTF-8 and
 * without NUL, which the database does not take. What is no UTF-8 becomes U+FFFD.
 *
 * @param isCut the body goes on: a character that is cut off at the end is left out
 */
export function answerText(bodyStart: Uint8Array, isCut: boolean): string {
	const text = new TextDecoder('utf-8')
		.decode(bodyStart, { stream: isCut })
		.replaceAll('\0', '\uFFFD');
	// U+FFFD is three bytes where the page may have had one.
	const encoded = new Uint8Array(KEPT_BODY_BYTES);
	const { read } = new TextEncoder().encodeInto(text, encoded);
	return text.slice(0, read);
}
