declare global {
	interface JSON {
		/** ES2026; the compiler's library does not know it yet. */
		rawJSON(text: string): unknown;
	}
}

/**
 * A number in JSON with exactly these digits: `12.50` stays `12.50`, and an amount with more digits
 * than a float holds arrives whole. The value can only be given to `JSON.stringify`.
 *
 * @param decimal exact decimal such as `-1234.50`
 */
export function exactNumber(decimal: string): unknown {
	return JSON.rawJSON(decimal);
}
