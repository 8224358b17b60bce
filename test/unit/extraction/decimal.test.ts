import fc from 'fast-check';
import {
	addDecimals,
	equalDecimals,
	formatDecimal,
	parseDecimal,
	subtractDecimals,
	ZERO,
	type Decimal,
} from '../../../nodes/shared/extraction/decimal';

function read(value: unknown): Decimal {
	const parsed = parseDecimal(value);
	if (parsed === null) throw new Error(`${String(value)} was not read`);
	return parsed;
}

describe('parseDecimal', () => {
	it.each([
		[12.5, '12.50'],
		[-0.07, '-0.07'],
		[0, '0'],
		[1e21, '1000000000000000000000'],
		[1e-7, '0.0000001'],
		['12.50', '12.50'],
		['-12.50', '-12.50'],
		['+3', '3'],
		['1,234.50', '1234.50'],
		['1,234,567', '1234567'],
		['1.234,50', '1234.50'],
		['1.234.567', '1234567'],
		['1 234,50', '1234.50'],
		['1\u00a0234.50', '1234.50'],
		['1\u202f234,50', '1234.50'],
		["1'234.50", '1234.50'],
		['1\u2019234.50', '1234.50'],
		['1,23,456.00', '123456.00'],
		['12,34,567', '1234567'],
		['12,50', '12.50'],
		['1234,5', '1234.50'],
		['1.234', '1.234'],
		['.50', '0.50'],
		['$1,234.50', '1234.50'],
		['-$5.00', '-5.00'],
		['$-5.00', '-5.00'],
		['€ 12,50', '12.50'],
		['12.50 EUR', '12.50'],
		['USD 1,234.50', '1234.50'],
		['(1,234.50)', '-1234.50'],
		['1,234.50-', '-1234.50'],
		['\u22125.00', '-5.00'],
		['  7.00 ', '7.00'],
		['12345678901234567.89', '12345678901234567.89'],
		['1.5e3', '1500'],
		[12n, '12'],
	])('reads %p as %s', (value, expected) => {
		expect(formatDecimal(read(value))).toBe(expected);
	});

	it.each([
		['one group after a comma may be thousands or decimals', '1,234'],
		['a digit split off by a space', '1,719.3 3'],
		['groups of the wrong length', '1,2345.00'],
		['groups of the wrong length', '12,34.00'],
		['two decimal points', '1.2.3'],
		['both signs', '-(5.00)'],
		['both signs', '-5.00-'],
		['debit and credit marks, whose sense differs between accounts', '5.00 DR'],
		['words', 'n/a'],
		['nothing', ''],
		['nothing', '   '],
		['no number', Number.NaN],
		['no number', Number.POSITIVE_INFINITY],
		['an exponent that would fill the memory', '1e999999999'],
		['text too long for an amount', '1'.repeat(1000)],
		['another type', null],
		['another type', undefined],
		['another type', true],
		['another type', ['12.50']],
		['another type', { toString: 'data' }],
	])('refuses %s: %p', (_reason, value) => {
		expect(parseDecimal(value)).toBeNull();
	});

	it('reads every number with a decimal point back to the same number', () => {
		fc.assert(
			fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
				expect(Number(formatDecimal(read(value)))).toBe(value === 0 ? 0 : value);
			}),
		);
	});

	it('reads grouped and plain text of the same amount alike', () => {
		const grouped = (whole: bigint, locale: string): string => whole.toLocaleString(locale);
		fc.assert(
			fc.property(
				fc.bigInt({ min: 0n, max: 10n ** 18n }),
				fc.integer({ min: 0, max: 99 }),
				(whole, cents) => {
					const fraction = String(cents).padStart(2, '0');
					const plain = `${whole}.${fraction}`;
					for (const [locale, point] of [
						['en-US', '.'],
						['en-IN', '.'],
						['de-DE', ','],
						['fr-FR', ','],
						['de-CH', '.'],
					] as const) {
						const text = `${grouped(whole, locale)}${point}${fraction}`;
						expect([text, formatDecimal(read(text))]).toEqual([text, plain]);
					}
				},
			),
		);
	});

	it('never throws and never reads a number into text that has none', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				const parsed = parseDecimal(text);
				if (!/\d/.test(text)) expect(parsed).toBeNull();
			}),
		);
	});
});

describe('sums', () => {
	const cents = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
	const scale = fc.integer({ min: 0, max: 6 });

	it('are those of integers, whatever the number of decimal places', () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(cents, scale)), (amounts) => {
				const sum = amounts
					.map(([units, places]): Decimal => ({ units, scale: places }))
					.reduce(addDecimals, ZERO);
				const expected = amounts.reduce(
					(total, [units, places]) => total + units * 10n ** BigInt(6 - places),
					0n,
				);
				expect(equalDecimals(sum, { units: expected, scale: 6 })).toBe(true);
			}),
		);
	});

	it('do not drift as floats do', () => {
		const sum = [0.1, 0.2, 0.3, -0.6].map(read).reduce(addDecimals, ZERO);
		expect(sum.units).toBe(0n);
		const manyDimes = Array.from({ length: 10_000 }, () => read(0.1)).reduce(addDecimals, ZERO);
		expect(formatDecimal(manyDimes)).toBe('1000.00');
	});

	it('are undone by subtraction', () => {
		fc.assert(
			fc.property(cents, scale, cents, scale, (a, aScale, b, bScale) => {
				const left = { units: a, scale: aScale };
				const right = { units: b, scale: bScale };
				expect(equalDecimals(subtractDecimals(addDecimals(left, right), right), left)).toBe(true);
			}),
		);
	});
});

describe('formatDecimal', () => {
	it.each([
		[{ units: 0n, scale: 2 }, '0.00'],
		[{ units: -5n, scale: 2 }, '-0.05'],
		[{ units: 125n, scale: 1 }, '12.50'],
		[{ units: 7n, scale: 0 }, '7'],
		[{ units: 1234567n, scale: 3 }, '1234.567'],
	])('writes %p as %s', (value, expected) => {
		expect(formatDecimal(value)).toBe(expected);
	});

	it('is read back as the same number', () => {
		fc.assert(
			fc.property(
				fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
				fc.integer({ min: 0, max: 12 }),
				(units, places) => {
					const value = { units, scale: places };
					expect(equalDecimals(read(formatDecimal(value)), value)).toBe(true);
				},
			),
		);
	});
});
