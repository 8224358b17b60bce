import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractStatement } from '../../src/extraction/statements/extractStatement.ts';
import { textPages } from './textPage.ts';

const rowsOf = (statement: ReturnType<typeof extractStatement>) =>
	statement.accounts.flatMap(({ account, transactions }) =>
		transactions.map(({ amount, descriptionLines, pageNumber }) =>
			[account, pageNumber, amount, descriptionLines.join(' / ')].join(' '),
		),
	);

test('columns are carried on to pages without headings, and a description over the break', () => {
	const statement = extractStatement(
		textPages(
			`
Bank S      Account 99887766
Statement from 01/02/2024 to 29/02/2024
Date        Description              Money out    Money in      Balance
            Opening balance                                   1,000.00
05/02/2024  Shop                        200.00                  800.00`,
			`
            in town
10/02/2024  Customer                                 450.00   1,250.00
28/02/2024  Fee                           5.00                1,245.00
            Closing balance                                   1,245.00`,
		),
	);
	assert.deepEqual(rowsOf(statement), [
		'99887766 1 -200.00 Shop / in town',
		'99887766 2 450.00 Customer',
		'99887766 2 -5.00 Fee',
	]);
	assert.equal(statement.accounts[0]?.periods[0]?.isReconciled, true);
});

test('balances carried from page to page are neither rows nor periods', () => {
	const statement = extractStatement(
		textPages(
			`
Business Current   Account No. 87654321   Statement No. 5
Date        Description              Debit     Credit      Balance
03/02/2024  BALANCE B/F                                  1,000.00
05/02/2024  SUPPLIER LTD            200.00                 800.00
            INV 123
                           CARRIED FORWARD                 800.00`,
			`
Business Current   Account No. 87654321   Statement No. 5
Date        Description              Debit     Credit      Balance
            BROUGHT FORWARD                                800.00
10/02/2024  CUSTOMER PLC                       450.00    1,250.00
28/02/2024  BALANCE C/F                                  1,250.00`,
		),
	);
	assert.deepEqual(rowsOf(statement), [
		'87654321 1 -200.00 SUPPLIER LTD / INV 123',
		'87654321 2 450.00 CUSTOMER PLC',
	]);
	const [period, ...others] = statement.accounts[0]?.periods ?? [];
	assert.deepEqual(others, []);
	assert.deepEqual(
		[period?.startBalance, period?.endBalance, period?.isReconciled],
		['1000.00', '1250.00', true],
	);
});

test("the bank's own account number at the foot of the page is not that of the customer", () => {
	const foot = '\n\n\n\n\n\nBank X AG, Musterweg 1, IBAN DE89370400440532013000, BIC MUSTDEFF';
	const head = 'Kontoauszug   IBAN: DE02120300000000202051    01.03.2024 - 31.03.2024';
	const headings = 'Datum       Text                      Soll        Haben        Saldo';
	const statement = extractStatement(
		textPages(
			`
${head}
${headings}
01.03.2024  Anfangssaldo                                      100,00
05.03.2024  Miete                    50,00                     50,00${foot}`,
			`
${head}
${headings}
06.03.2024  Gehalt                               500,00       550,00
31.03.2024  Endsaldo                                          550,00${foot}`,
		),
	);
	assert.deepEqual(rowsOf(statement), [
		'DE02120300000000202051 1 -50.00 Miete',
		'DE02120300000000202051 2 500.00 Gehalt',
	]);
});

test('every printed line is kept, with its cells and the row it belongs to', () => {
	const { printedRows } = extractStatement(
		textPages(`
Account 99887766     Opening balance 10.00
Date        Description              Amount
05/02/2024  Shop                      -2.00
            in town
Closing balance 8.00`),
	);
	assert.deepEqual(
		printedRows.map(({ lineNumber, cells, transaction }) => [
			lineNumber,
			cells.join(' | '),
			transaction?.index ?? null,
		]),
		[
			[1, 'Account 99887766 | Opening balance 10.00', null],
			[2, 'Date | Description | Amount', null],
			[3, '05/02/2024 | Shop | -2.00', 0],
			[4, 'in town', 0],
			[5, 'Closing balance 8.00', null],
		],
	);
});

test('a title between two tables is no part of the row above it', () => {
	const statement = extractStatement(
		textPages(`
Card number 5555 XXXX XXXX 1234     Minimum payment 25.00     Credit limit 3,000.00
Trans Date   Post Date   Description            Amount
20 Dec       21 Dec      ONLINE PAYMENT        -150.00
J SMITH: New purchases
Trans Date   Post Date   Description            Amount
22 Dec       23 Dec      SHOP                    25.50



Statement date 11 Jan 2024`),
	);
	assert.deepEqual(rowsOf(statement), [
		'5555XXXXXXXX1234 1 150.00 ONLINE PAYMENT',
		'5555XXXXXXXX1234 1 -25.50 SHOP',
	]);
});
