import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractStatement } from '../../src/extraction/statements/extractStatement.ts';
import { textPage } from './textPage.ts';

const statement = (rows: string) =>
	extractStatement([
		textPage(`
Account number 12345678     Period 01/02/2025 to 28/02/2025
Date          Description          Debit      Credit      Balance
01/02/2025    Opening balance                              100.00
${rows}
28/02/2025    Closing balance                               85.00`),
	]);

test('a balance that does not follow is reported with its row, page and difference', () => {
	const { notes, accounts } = statement(`
03/02/2025    Shop                  5.00                    95.00
04/02/2025    Shop                 10.00                    84.00
05/02/2025    Refund                           1.00         85.00`);
	assert.equal(accounts[0]?.periods[0]?.isReconciled, false);
	assert.equal(notes.length, 1);
	assert.match(notes[0] ?? '', /2025-02-04 \(page 1, amount -10\.00\) differs by -1\.00/);
});

test('balances that follow, also with rows that print none, give no note', () => {
	const { notes, accounts } = statement(`
03/02/2025    Shop                  5.00
04/02/2025    Shop                 11.00                    84.00
05/02/2025    Refund                           1.00         85.00`);
	assert.equal(accounts[0]?.periods[0]?.isReconciled, true);
	assert.deepEqual(notes, []);
});

test('a row with two amounts is reported', () => {
	const { notes } = statement(`
03/02/2025    Shop                 15.00                    85.00
04/02/2025    Odd                   3.00       3.00         85.00`);
	assert.match(notes.join(' '), /1 row\(s\) of account 12345678 print more than one amount/);
});

test('a page without text is named', () => {
	const page = textPage(`
Account number 12345678    Opening balance 10.00    Closing balance 5.00
Date          Description       Amount
01/02/2025    Coffee             -5.00`);
	const { notes } = extractStatement([page, { number: 2, width: 600, height: 800, words: [] }]);
	assert.match(notes.join(' '), /Page 2 holds no text/);
});

test('balances that differ without any row are no empty statement', () => {
	assert.throws(
		() =>
			extractStatement([
				textPage('Account number 12345678\nOpening balance 10.00\nClosing balance 5.00'),
			]),
		/money moved/,
	);
});

test('equal balances and a table without rows are a statement without rows, and not reconciled', () => {
	const { accounts } = extractStatement([
		textPage(`
Account number 12345678
Date          Description       Debit     Credit     Balance
01/02/2025    Opening balance                         100.00
28/02/2025    Closing balance                         100.00`),
	]);
	assert.deepEqual(
		accounts.map(({ account, transactions, periods }) => [
			account,
			transactions.length,
			periods[0]?.isReconciled,
		]),
		[['12345678', 0, false]],
	);
});

test('rows that cannot be dated, since no year is printed, are refused and not dropped', () => {
	assert.throws(
		() =>
			extractStatement([
				textPage(`
Account number 12345678
Date          Description       Amount
02 Jan        Coffee             -5.00`),
			]),
		/no year is printed/,
	);
});
