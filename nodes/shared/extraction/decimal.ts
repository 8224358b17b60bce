/**
 * Exact decimal numbers for money: an integer of the smallest unit and the number of decimal
 * places. No value ever goes through a float calculation.
 */
export interface Decimal {
	/** The number without its decimal point. */
	units: bigint;
	/** Digits after the decimal point. */
	scale: number;
}

export const ZERO: Decimal = { units: 0n, scale: 0 };

// Longer text is no amount, and a BigInt of a million digits would take long to build.
const LONGEST_AMOUNT = 120;
const PLAIN = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Reads a number or the text of an amount.
 *
 * Numbers are read by their shortest decimal text, which is what the service wrote. Text is read
 * strictly: plain decimals (`-12.50`), grouped digits (`1,234.50`, `1.234,50`, `1 234,50`,
 * `1'234.50`, `1,23,456.00`), decimal commas with one or two places (`12,50`), a sign before or
 * after, parentheses for a negative amount, a currency symbol or three-letter code. Null for
 * everything else, and for text with two readings such as `1,234`.
 */
export function parseDecimal(value: unknown): Decimal | null {
	if (typeof value === 'number') {
		return Number.isFinite(value) ? parsePlain(String(value)) : null;
	}
	if (typeof value === 'bigint') return { units: value, scale: 0 };
	if (typeof value !== 'string' || value.length > LONGEST_AMOUNT) return null;
	return parsePlain(value) ?? parsePrinted(value);
}

function parsePlain(text: string): Decimal | null {
	const parts = PLAIN.exec(text);
	if (parts === null) return null;
	const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
	const magnitude = BigInt(whole + fraction);
	const units = sign === '-' ? -magnitude : magnitude;
	const scale = fraction.length - Number(exponent);
	return scale < 0 ? { units: units * powerOfTen(-scale), scale: 0 } : { units, scale };
}

const CURRENCY = '(?:\\p{Sc}|[A-Z]{3})';
const AROUND_AMOUNT = new RegExp(
	`^([+-]?) ?${CURRENCY}? ?([+-]?) ?([0-9.][0-9., ']*?)([+-]?)(?: ?${CURRENCY})?$`,
	'u',
);

function parsePrinted(text: string): Decimal | null {
	const normal = text
		.trim()
		.replace(/[\u00a0\u2009\u202f]/g, ' ')
		.replace(/[\u2212\u2013]/g, '-')
		.replace(/\u2019/g, "'");
	const inParentheses = /^\((.+)\)$/.exec(normal);
	const parts = AROUND_AMOUNT.exec(inParentheses?.[1] ?? normal);
	if (parts === null) return null;
	const [, before = '', inner = '', digits = '', after = ''] = parts;
	const signs = before + inner + after;
	if (signs.length > 1 || (signs !== '' && inParentheses !== null)) return null;
	const plain = plainDigits(digits);
	if (plain === null) return null;
	return parsePlain((signs === '-' || inParentheses !== null ? '-' : '') + plain);
}

const DECIMAL_COMMA = /^\d+,\d{1,2}$/;
const LEADING_POINT = /^\.\d+$/;
const PLAIN_DIGITS = /^\d+(?:\.\d+)?$/;
/** Group separator, and the pattern of digits grouped with it. */
const GROUPINGS: Array<[string, RegExp]> = [
	// One comma group without a decimal point is left out: 1,234 may be 1234 or 1.234.
	[',', /^\d{1,3}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/],
	[',', /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/],
	['.', /^\d{1,3}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/],
	[' ', /^\d{1,3}(?: \d{3})+(?:[.,]\d+)?$/],
	["'", /^\d{1,3}(?:'\d{3})+(?:[.,]\d+)?$/],
];

function plainDigits(digits: string): string | null {
	if (PLAIN_DIGITS.test(digits)) return digits;
	if (LEADING_POINT.test(digits)) return `0${digits}`;
	if (DECIMAL_COMMA.test(digits)) return digits.replace(',', '.');
	for (const [separator, pattern] of GROUPINGS) {
		if (pattern.test(digits)) return digits.replaceAll(separator, '').replace(',', '.');
	}
	return null;
}

const POWERS = Array.from({ length: 32 }, (_, exponent) => 10n ** BigInt(exponent));

function powerOfTen(exponent: number): bigint {
	return POWERS[exponent] ?? 10n ** BigInt(exponent);
}

function unitsAt(value: Decimal, scale: number): bigint {
	return value.scale === scale ? value.units : value.units * powerOfTen(scale - value.scale);
}

/** The exact sum; it has as many decimal places as the more precise of the two. */
export function addDecimals(left: Decimal, right: Decimal): Decimal {
	const scale = Math.max(left.scale, right.scale);
	return { units: unitsAt(left, scale) + unitsAt(right, scale), scale };
}

/** The exact difference `left - right`. */
export function subtractDecimals(left: Decimal, right: Decimal): Decimal {
	return addDecimals(left, { units: -right.units, scale: right.scale });
}

/** The value without its sign. */
export function absoluteDecimal(value: Decimal): Decimal {
	return value.units < 0n ? { units: -value.units, scale: value.scale } : value;
}

/** True where both are the same number; 1.5 equals 1.50. */
export function equalDecimals(left: Decimal, right: Decimal): boolean {
	return subtractDecimals(left, right).units === 0n;
}

/**
 * Plain decimal text: no grouping, a decimal point, a leading minus. One decimal place is written
 * as two (`12.50`), since a JSON number has lost the zero that the statement prints.
 */
export function formatDecimal(value: Decimal): string {
	const scale = value.scale === 1 ? 2 : value.scale;
	const units = unitsAt(value, scale);
	const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
	const sign = units < 0n ? '-' : '';
	if (scale === 0) return sign + digits;
	return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
