import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amountTokens } from '../../src/extraction/money/amountTokens.ts';
import { decideNumberFormat } from '../../src/extraction/money/numberFormat.ts';
import type { NumberFormat } from '../../src/extraction/money/numberFormat.ts';
import { parseAmount } from '../../src/extraction/money/printedAmount.ts';
import type { DecimalMark, SignMark } from '../../src/extraction/money/printedAmount.ts';
import { textPage } from './textPage.ts';

const cases: [string, DecimalMark, string, SignMark, string | null][] = [
	['1,234.56', '.', '1234.56', 'none', null],
	['1.234,56', ',', '1234.56', 'none', null],
	['1 234,56', ',', '1234.56', 'none', null],
	['1\u202f234,56', ',', '1234.56', 'none', null],
	["1'234.56", '.', '1234.56', 'none', null],
	['1’234.56', '.', '1234.56', 'none', null],
	['1,24,350.00', '.', '124350.00', 'none', null],
	['12,34,56,789', '.', '123456789', 'none', null],
	['(12.00)', '.', '12.00', 'minus', null],
	['($12.00)', '.', '12.00', 'minus', null],
	['12.00-', '.', '12.00', 'minus', null],
	['-12.00', '.', '12.00', 'minus', null],
	['−12,00', ',', '12.00', 'minus', null],
	['-$1,234.56', '.', '1234.56', 'minus', null],
	['$-12.00', '.', '12.00', 'minus', null],
	['+12.00', '.', '12.00', 'plus', null],
	['12.00CR', '.', '12.00', 'credit', null],
	['12.00 DR', '.', '12.00', 'debit', null],
	['12,00 S', ',', '12.00', 'debit', null],
	['12,00 H', ',', '12.00', 'credit', null],
	['€12,50', ',', '12.50', 'none', 'EUR'],
	['12,50€', ',', '12.50', 'none', 'EUR'],
	['12,50-€', ',', '12.50', 'minus', 'EUR'],
	['£.50', '.', '0.50', 'none', 'GBP'],
	['Rs.1,24,350.00', '.', '124350.00', 'none', null],
	['USD12.00', '.', '12.00', 'none', 'USD'],
	['0.000', '.', '0.000', 'none', null],
];

for (const [text, decimal, value, mark, currency] of cases) {
	test(`${text} is ${value} (${mark})`, () => {
		const amount = parseAmount(text, decimal);
		assert.deepEqual(amount && [amount.value, amount.mark, amount.currency], [
			value,
			mark,
			currency,
		]);
	});
}

for (const text of [
	'12.34.56',
	'1,23',
	'1,2345.00',
	'A12',
	'12-',
	'12.00 EURO',
	'',
	'.',
	'--1.00',
	'(12.00',
]) {
	test(`"${text}" is no amount with decimals`, () => {
		const amount = parseAmount(text, '.');
		assert.notEqual(amount?.shape, 'decimal');
	});
}

function grouped(digits: string, mark: string): string {
	return digits.replaceAll(/\B(?=(\d{3})+$)/g, mark);
}

test('what is written in a usual way is read back exactly', () => {
	const styles: [DecimalMark, string][] = [
		['.', ','],
		['.', ''],
		['.', "'"],
		[',', '.'],
		[',', ' '],
		[',', ''],
	];
	fc.assert(
		fc.property(
			fc.bigInt({ min: 0n, max: 10n ** 15n }),
			fc.constantFrom(...styles),
			fc.constantFrom<[string, string, SignMark]>(
				['', '', 'none'],
				['-', '', 'minus'],
				['', '-', 'minus'],
				['(', ')', 'minus'],
				['', ' CR', 'credit'],
				['€', '', 'none'],
			),
			(cents, [decimal, mark], [before, after, expected]) => {
				const digits = cents.toString().padStart(3, '0');
				const [whole, fraction] = [digits.slice(0, -2), digits.slice(-2)];
				const amount = parseAmount(
					`${before}${grouped(whole, mark)}${decimal}${fraction}${after}`,
					decimal,
				);
				assert.deepEqual(amount && [amount.value, amount.mark, amount.shape], [
					`${whole}.${fraction}`,
					expected,
					'decimal',
				]);
			},
		),
	);
});

const POINT: NumberFormat = { decimal: '.', spaceGroups: false };
const SPACES: NumberFormat = { decimal: ',', spaceGroups: true };

function tokensOf(text: string, format: NumberFormat): string[] {
	return amountTokens(textPage(text).words, format).map(
		({ value, mark }) => (mark === 'none' ? '' : `${mark} `) + value,
	);
}

test('a space that splits decimals is repaired, and only that one', () => {
	assert.deepEqual(tokensOf('1,719.3 3', POINT), ['1719.33']);
	assert.deepEqual(tokensOf('1,719. 33', POINT), ['1719.33']);
	assert.deepEqual(tokensOf('12.50 3', POINT), ['12.50', '3']);
	assert.deepEqual(tokensOf('7 12.50', POINT), ['7', '12.50']);
});

test('spaces between thousands belong to the number only where the document writes so', () => {
	assert.deepEqual(tokensOf('1 234 567,89     2 000,00', SPACES), ['1234567.89', '2000.00']);
	assert.deepEqual(tokensOf('12 345,67', { decimal: ',', spaceGroups: false }), ['12', '345.67']);
});

test('currencies, signs and CR or DR beside the digits belong to the amount', () => {
	assert.deepEqual(tokensOf('SGD 15,450.75', POINT), ['15450.75']);
	assert.deepEqual(tokensOf('-19,25 €', SPACES), ['minus 19.25']);
	assert.deepEqual(tokensOf('$ - 12.00', POINT), ['minus 12.00']);
	assert.deepEqual(tokensOf('100.00 Cr     200.00 Dr', POINT), ['credit 100.00', 'debit 200.00']);
	assert.deepEqual(tokensOf('12.00 -', POINT), ['minus 12.00']);
});

test('the decimal mark is decided over the whole document', () => {
	assert.equal(decideNumberFormat([['1.234,56'], ['02.10', '12,00']]).decimal, ',');
	assert.equal(decideNumberFormat([['1,234.56'], ['12.00']]).decimal, '.');
	assert.equal(decideNumberFormat([['1,24,350'], ['85,000']]).decimal, '.');
	assert.equal(decideNumberFormat([]).decimal, '.');
	assert.equal(decideNumberFormat([['1.234,56']]).spaceGroups, false);
	assert.equal(decideNumberFormat([['1', '234,56']]).spaceGroups, true);
});
