import type { DecimalText } from '../statements/statement.ts';

/** Exact arithmetic on decimal text. Nothing here goes through a float. */

interface Scaled {
	/** The value times ten to the power of `places`. */
	units: bigint;
	places: number;
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

function scaled(text: DecimalText): Scaled {
	if (!DECIMAL.test(text)) throw new RangeError(`Not a decimal: ${text}`);
	const point = text.indexOf('.');
	if (point < 0) return { units: BigInt(text), places: 0 };
	return {
		units: BigInt(text.slice(0, point) + text.slice(point + 1)),
		places: text.length - point - 1,
	};
}

function unitsAt({ units, places }: Scaled, wanted: number): bigint {
	return units * 10n ** BigInt(wanted - places);
}

function written(units: bigint, places: number): DecimalText {
	const negative = units < 0n;
	const digits = (negative ? -units : units).toString().padStart(places + 1, '0');
	const whole = digits.slice(0, digits.length - places);
	const text = places === 0 ? whole : `${whole}.${digits.slice(digits.length - places)}`;
	return negative ? `-${text}` : text;
}

/** Digits after the point, as written. */
export function decimalPlaces(text: DecimalText): number {
	return scaled(text).places;
}

/** The exact sum, with as many digits after the point as the longest addend; `0` for none. */
export function sumDecimals(values: readonly DecimalText[]): DecimalText {
	let units = 0n;
	let places = 0;
	for (const value of values) {
		const next = scaled(value);
		if (next.places > places) {
			units *= 10n ** BigInt(next.places - places);
			places = next.places;
		}
		units += unitsAt(next, places);
	}
	return written(units, places);
}

export function negateDecimal(text: DecimalText): DecimalText {
	const { units, places } = scaled(text);
	return written(-units, places);
}

export function subtractDecimals(from: DecimalText, value: DecimalText): DecimalText {
	return sumDecimals([from, negateDecimal(value)]);
}

export function absoluteDecimal(text: DecimalText): DecimalText {
	return isNegativeDecimal(text) ? negateDecimal(text) : text;
}

/** Below zero; `-0.00` is not. */
export function isNegativeDecimal(text: DecimalText): boolean {
	return scaled(text).units < 0n;
}

export function isZeroDecimal(text: DecimalText): boolean {
	return scaled(text).units === 0n;
}

/** By value: `1.5` equals `1.50`. */
export function equalDecimals(left: DecimalText, right: DecimalText): boolean {
	return compareDecimals(left, right) === 0;
}

export function compareDecimals(left: DecimalText, right: DecimalText): -1 | 0 | 1 {
	const a = scaled(left);
	const b = scaled(right);
	const places = Math.max(a.places, b.places);
	const difference = unitsAt(a, places) - unitsAt(b, places);
	return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** One text for each value: no trailing zeros after the point, no minus before zero. */
export function canonicalDecimal(text: DecimalText): DecimalText {
	const { units, places } = scaled(text);
	let value = units;
	let kept = places;
	while (kept > 0 && value % 10n === 0n) {
		value /= 10n;
		kept--;
	}
	return written(value, kept);
}
