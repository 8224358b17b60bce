import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideSigns } from '../../src/extraction/statements/signs.ts';
import type { SignContext, SignedRow } from '../../src/extraction/statements/signs.ts';

const BANK: SignContext = { isCard: false, opening: null, closing: null, newestFirst: false };
const CARD: SignContext = { ...BANK, isCard: true };

function row(value: string, more: Partial<SignedRow> = {}): SignedRow {
	return {
		role: 'amount',
		value,
		mark: 'none',
		type: '',
		section: null,
		balance: null,
		plain: '',
		...more,
	};
}

const amounts = (rows: SignedRow[], context = BANK) => decideSigns(rows, context).amounts;

test('columns decide: debit is outgoing, credit incoming', () => {
	const rows = [row('5.00', { role: 'debit' }), row('7.00', { role: 'credit' })];
	assert.deepEqual(amounts(rows), ['-5.00', '7.00']);
});

test('a minus in a debit column is a reversal, unless all are printed so', () => {
	const debit = (value: string, mark: SignedRow['mark']) => row(value, { role: 'debit', mark });
	assert.deepEqual(
		amounts([debit('5.00', 'none'), debit('6.00', 'none'), debit('1.00', 'minus')]),
		['-5.00', '-6.00', '1.00'],
	);
	assert.deepEqual(amounts([debit('5.00', 'minus'), debit('6.00', 'minus')]), ['-5.00', '-6.00']);
});

test('one column with signs, with CR alone, with plus alone', () => {
	assert.deepEqual(amounts([row('5.00', { mark: 'minus' }), row('7.00')]), ['-5.00', '7.00']);
	assert.deepEqual(amounts([row('5.00'), row('7.00', { mark: 'credit' })]), ['-5.00', '7.00']);
	assert.deepEqual(amounts([row('5.00'), row('7.00', { mark: 'debit' })]), ['5.00', '-7.00']);
	assert.deepEqual(amounts([row('5.00'), row('7.00', { mark: 'plus' })]), ['-5.00', '7.00']);
});

test('the running balance decides where nothing else is printed, in either order of rows', () => {
	const rows = [row('50.00', { balance: '950.00' }), row('700.00', { balance: '1650.00' })];
	assert.deepEqual(amounts(rows, { ...BANK, opening: '1000.00' }), ['-50.00', '700.00']);
	const reversed = { ...BANK, opening: '1000.00', newestFirst: true };
	assert.deepEqual(amounts([...rows].reverse(), reversed), ['700.00', '-50.00']);
});

test('a balance that is printed once a day decides if only one choice of signs explains it', () => {
	const rows = [row('10.00'), row('25.00'), row('3.00', { balance: '112.00' })];
	assert.deepEqual(amounts(rows, { ...BANK, opening: '100.00' }), ['-10.00', '25.00', '-3.00']);
	// Two equal amounts with opposite signs: no telling which is which.
	const twins = [row('10.00'), row('10.00', { balance: '100.00' })];
	assert.equal(decideSigns(twins, { ...BANK, opening: '100.00' }).notes.length, 1);
});

test('sections and type columns decide for amounts without sign', () => {
	const rows = [row('5.00', { section: 'out' }), row('7.00', { section: 'in' })];
	assert.deepEqual(amounts(rows), ['-5.00', '7.00']);
	assert.deepEqual(amounts([row('5.00', { type: 'Af' }), row('7.00', { type: 'Bij' })]), [
		'-5.00',
		'7.00',
	]);
	assert.deepEqual(amounts([row('5.00', { type: 'DR' }), row('7.00', { type: 'CR' })]), [
		'-5.00',
		'7.00',
	]);
});

test('a guess is reported', () => {
	const { amounts: guessed, notes } = decideSigns([row('5.00', { plain: 'salary march' })], BANK);
	assert.deepEqual(guessed, ['5.00']);
	assert.match(notes.join(' '), /check their signs/);
});

test('card purchases are outgoing though printed without sign', () => {
	const rows = [
		row('30.00'),
		row('20.00'),
		row('40.00', { mark: 'minus', plain: 'payment thank you' }),
	];
	const { amounts: signed, balancesOwed } = decideSigns(rows, {
		...CARD,
		opening: '40.00',
		closing: '50.00',
	});
	assert.deepEqual(signed, ['-30.00', '-20.00', '40.00']);
	assert.equal(balancesOwed, true);
	const marked = [row('30.00'), row('40.00', { mark: 'credit' })];
	assert.deepEqual(amounts(marked, CARD), ['-30.00', '40.00']);
});

test('a card that prints purchases as negative amounts is left as it is', () => {
	const rows = [
		row('25.00', { mark: 'minus' }),
		row('50.00', { mark: 'minus' }),
		row('150.00', { mark: 'plus' }),
	];
	const { amounts: signed, balancesOwed } = decideSigns(rows, {
		...CARD,
		opening: '-150.00',
		closing: '-75.00',
	});
	assert.deepEqual(signed, ['-25.00', '-50.00', '150.00']);
	assert.equal(balancesOwed, false);
});

test('signs are turned only where the running balance contradicts every one of them', () => {
	const flipped = [
		row('5.00', { role: 'credit', balance: '95.00' }),
		row('6.00', { role: 'credit', balance: '89.00' }),
		row('9.00', { role: 'debit', balance: '98.00' }),
	];
	const context = { ...BANK, opening: '100.00' };
	assert.deepEqual(amounts(flipped, context), ['-5.00', '-6.00', '9.00']);
	// One row agrees: the statement contradicts itself and is left alone.
	const mixed = [...flipped, row('2.00', { role: 'credit', balance: '100.00' })];
	assert.deepEqual(amounts(mixed, context), ['5.00', '6.00', '-9.00', '2.00']);
});

test('no amount is ever changed but for its sign', () => {
	const rows = [row('5.00', { balance: '94.99' })];
	assert.deepEqual(amounts(rows, { ...BANK, opening: '100.00', closing: '94.99' }), ['-5.00']);
});

test('one misprinted row of a card does not turn the signs of all others', () => {
	const rows = [
		row('500.00', { mark: 'minus', plain: 'autopay' }),
		row('120.00', { plain: 'credit check service' }),
		row('73.96', { plain: 'refund advisors' }),
	];
	// 500 - 500 + 120 + 63.96 = 183.96 is printed: the rows miss it by 10.
	const context = { ...CARD, opening: '500.00', closing: '183.96' };
	assert.deepEqual(amounts(rows, context), ['500.00', '-120.00', '-73.96']);
	// Without balances the larger group of rows is the purchases.
	const more = [...rows, row('5.00', { plain: 'cafe' })];
	assert.deepEqual(amounts(more, CARD), ['500.00', '-120.00', '-73.96', '-5.00']);
});

test('the cell of the type beats the words of the description', () => {
	const rows = [
		row('2.50', { type: 'Fee', plain: 'credit report' }),
		row('2.50', { type: 'Interest', plain: 'earned' }),
		row('9.00', { type: 'Withdrawal', plain: 'deposit road station' }),
	];
	assert.deepEqual(amounts(rows), ['-2.50', '2.50', '-9.00']);
});

test('where purchases alone explain the new balance of a card, all unsigned rows are purchases', () => {
	const rows = [row('18.68', { plain: 'payment processing supply co' }), row('5.00')];
	const context = { ...CARD, opening: '100.00', closing: '123.68' };
	assert.deepEqual(amounts(rows, context), ['-18.68', '-5.00']);
	assert.deepEqual(amounts(rows, { ...context, closing: '86.32' }), ['18.68', '-5.00']);
});
