/**
 * JSON text to values without losing digits of numbers.
 *
 * A JSON number with more than 15 significant digits may not fit a double:
 * `12345678901234567.89` becomes 12345678901234568. Such a literal is kept as text, exactly as it
 * was written. Every other number stays a number.
 */

// A literal with at most 15 digits and no exponent always survives as a double. Whatever may be
// longer, or may have an exponent, is looked at closely; a hit inside a string only costs that look.
const MAYBE_LOSSY = /[:,[]\s*-?\d(?:[\d.]{15}|[\d.]*[eE][+-]?\d+\s*[,}\]])/;
const MAYBE_EXPONENT = /\d[eE][+-]?\d+\s*[,}\]]/;
const SHORTEST_LONG = 16;
const SHORTEST_EXPONENT = 3;
const NUMBER_LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const LITERAL_PARTS = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Significant digits and decimal exponent, so that 1.50, 1.5 and 15e-1 compare as equal. */
function significand(literal: string): string {
	const parts = LITERAL_PARTS.exec(literal);
	if (parts === null) return literal;
	const whole = parts[1] ?? '';
	const fraction = parts[2] ?? '';
	const digits = (whole + fraction).replace(/^0+/, '');
	const trimmed = trimTrailingZeros(digits);
	if (trimmed === '') return '0';
	const exponent = Number(parts[3] ?? '0') - fraction.length + (digits.length - trimmed.length);
	return `${trimmed}e${exponent}`;
}

/** Without a regular expression: `/0+$/` takes quadratic time on long runs of zeros. */
function trimTrailingZeros(digits: string): string {
	let end = digits.length;
	while (end > 0 && digits[end - 1] === '0') end--;
	return digits.slice(0, end);
}

/** True where reading the JSON number literal as a double gives another number. */
export function losesDigits(literal: string): boolean {
	if (literal.length < SHORTEST_LONG && !/[eE]/.test(literal)) return false;
	const asNumber = Number(literal);
	if (!Number.isFinite(asNumber)) return true;
	return significand(literal) !== significand(String(asNumber));
}

function closingQuote(text: string, openingQuote: number): number {
	let at = openingQuote;
	for (;;) {
		at = text.indexOf('"', at + 1);
		if (at === -1) return text.length;
		let backslashes = 0;
		while (text[at - 1 - backslashes] === '\\') backslashes++;
		if (backslashes % 2 === 0) return at;
	}
}

/**
 * Puts quotes around the number literals that a double cannot hold. Goes from string to string;
 * the stretches between them are short, and most are too short for a long literal.
 */
function quoteLossyNumbers(text: string, shortest: number): string {
	const pieces: string[] = [];
	let copied = 0;
	let at = 0;
	while (at < text.length) {
		const quote = text.indexOf('"', at);
		const end = quote === -1 ? text.length : quote;
		if (end - at >= shortest) {
			const between = text.slice(at, end);
			const quoted = between.replace(NUMBER_LITERAL, (literal) =>
				losesDigits(literal) ? `"${literal}"` : literal,
			);
			if (quoted !== between) {
				pieces.push(text.slice(copied, at), quoted);
				copied = end;
			}
		}
		if (quote === -1) break;
		at = closingQuote(text, quote) + 1;
	}
	pieces.push(text.slice(copied));
	return pieces.join('');
}

/**
 * Parses JSON text. A number that a double would change is returned as text with the digits of the
 * source; all other values are those of `JSON.parse`. A byte order mark is skipped.
 * Throws SyntaxError where the text is no JSON.
 */
export function parseJsonExactly(text: string): unknown {
	const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
	// Parsed first, so that text which is no JSON is refused and never repaired by the rewriting.
	const parsed: unknown = JSON.parse(source);
	if (typeof parsed === 'number') return losesDigits(source.trim()) ? source.trim() : parsed;
	if (!MAYBE_LOSSY.test(source)) return parsed;
	const shortest = MAYBE_EXPONENT.test(source) ? SHORTEST_EXPONENT : SHORTEST_LONG;
	const quoted = quoteLossyNumbers(source, shortest);
	return quoted === source ? parsed : (JSON.parse(quoted) as unknown);
}
