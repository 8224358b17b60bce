import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
	absoluteDecimal,
	canonicalDecimal,
	compareDecimals,
	decimalPlaces,
	equalDecimals,
	isNegativeDecimal,
	isZeroDecimal,
	negateDecimal,
	subtractDecimals,
	sumDecimals,
} from '../../src/extraction/money/decimal.ts';

/** Units and decimals, and the text that says the same. */
const decimals = fc
	.record({ units: fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), places: fc.nat(4) })
	.map(({ units, places }) => ({ units, places, text: textOf(units, places) }));

function textOf(units: bigint, places: number): string {
	const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
	const cut = digits.length - places;
	const text = places === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
	return units < 0n ? `-${text}` : text;
}

const at4 = ({ units, places }: { units: bigint; places: number }) =>
	units * 10n ** BigInt(4 - places);

test('sums are exact where floats are not', () => {
	assert.equal(sumDecimals(['0.1', '0.2']), '0.3');
	assert.equal(sumDecimals(['9007199254740993.01', '0.01']), '9007199254740993.02');
	assert.equal(sumDecimals([]), '0');
	assert.equal(sumDecimals(['5', '-5.00']), '0.00');
	assert.equal(subtractDecimals('1.00', '2.5'), '-1.50');
});

test('signs, zero and places', () => {
	assert.equal(negateDecimal('-0.05'), '0.05');
	assert.equal(absoluteDecimal('-12.30'), '12.30');
	assert.equal(isNegativeDecimal('-0.00'), false);
	assert.equal(isZeroDecimal('-0.000'), true);
	assert.equal(decimalPlaces('12.345'), 3);
	assert.equal(canonicalDecimal('-0.50'), '-0.5');
	assert.equal(canonicalDecimal('100'), '100');
	assert.throws(() => sumDecimals(['1,5']), RangeError);
});

test('sum, difference and order are those of integers', () => {
	fc.assert(
		fc.property(fc.array(decimals, { maxLength: 12 }), (values) => {
			const places = Math.max(0, ...values.map((value) => value.places));
			const expected = values.reduce((sum, value) => sum + at4(value), 0n);
			const sum = sumDecimals(values.map(({ text }) => text));
			assert.equal(sum, textOf(expected / 10n ** BigInt(4 - places), places));
		}),
	);
	fc.assert(
		fc.property(decimals, decimals, (left, right) => {
			const difference = at4(left) - at4(right);
			const expected = difference < 0n ? -1 : difference > 0n ? 1 : 0;
			assert.equal(compareDecimals(left.text, right.text), expected);
			assert.equal(equalDecimals(left.text, right.text), difference === 0n);
			assert.equal(
				equalDecimals(subtractDecimals(left.text, right.text), textOf(difference, 4)),
				true,
			);
		}),
	);
});

test('equal values have one canonical text', () => {
	fc.assert(
		fc.property(decimals, fc.nat(5), ({ text, places }, zeros) => {
			const longer = (places === 0 && zeros > 0 ? `${text}.` : text) + '0'.repeat(zeros);
			assert.equal(canonicalDecimal(longer), canonicalDecimal(text));
		}),
	);
});
