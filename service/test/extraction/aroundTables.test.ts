import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractStatement } from '../../src/extraction/statements/extractStatement.ts';
import { textPages } from './textPage.ts';

function statement(text: string) {
	const { accounts } = extractStatement(textPages(text));
	return accounts.map(({ account, periods, transactions }) => ({
		account,
		verdicts: periods.map(
			({ startBalance, endBalance, isReconciled }) =>
				`${startBalance} to ${endBalance} ${isReconciled}`,
		),
		rows: transactions.map(
			({ date, amount, descriptionLines }) =>
				`${date.slice(0, 8)} ${amount} ${descriptionLines.join(' / ')}`,
		),
	}));
}

test('a box beside the table is no part of its rows', () => {
	const [account] = statement(`
Account No. 73310946      2 March 2024 to 28 March 2024

Date    Description                    Money out   Money in    Balance
2 Mar   Start balance                                           181.45         At a glance
3 Mar   Direct debit to grid              60.00                 121.45
        Ref: 0091184.50                                                        Money in £1,450.00
5 Mar   Received from partners                     1,450.00   1,571.45         End balance
        Ref: wages 1,400.00                                                    £1,571.45
28 Mar  Balance carried forward                               1,571.45
`);
	assert.deepEqual(account, {
		account: '73310946',
		verdicts: ['181.45 to 1571.45 true'],
		rows: [
			'20240303 -60.00 Direct debit to grid / Ref: 0091184.50',
			'20240305 1450.00 Received from partners / Ref: wages 1,400.00',
		],
	});
});

test("a counterparty's number within a row opens no account", () => {
	const [account, ...others] = statement(`
Kontoauszug  01.03.2024 bis 31.03.2024     Kontonummer 1044172209
Beschreibung                                   Verbuchungsdatum        Betrag
Hausverwaltung                                 01.03.2024            -500,00€
Lastschriften
IBAN: DE02120300000000202051 BIC: BYLADEM1001
Miete 03/2024
Muster GmbH                                    28.03.2024          +2.000,00€

Dein alter Kontostand                 +100,00€
Dein neuer Kontostand               +1.600,00€
`);
	assert.equal(others.length, 0);
	assert.deepEqual(account, {
		account: '1044172209',
		verdicts: ['100.00 to 1600.00 true'],
		rows: [
			'20240301 -500.00 Hausverwaltung / Lastschriften / IBAN: DE02120300000000202051 BIC: BYLADEM1001 / Miete 03/2024',
			'20240328 2000.00 Muster GmbH',
		],
	});
});

test('the date may stand below the amounts; an amount after money in and out is the balance', () => {
	const { accounts } = extractStatement(
		textPages(`
1 March 2024 [GMT] - 31 March 2024 [GMT]      Account number 21990417

Description                          Incoming     Outgoing      Amount
Card transaction of 42.50 EUR                       -22.36      177.64
28 March 2024 Card ending in 4417
Received money                         100.00                   200.00
27 March 2024 Reference: INV 1,200.00
Converted 100.00 GBP                               -100.00      100.00
26 March 2024
`),
	);
	const rows = accounts[0]?.transactions.map(
		({ date, amount, balance }) => `${date.slice(0, 8)} ${amount} ${balance}`,
	);
	assert.deepEqual(rows, [
		'20240328 -22.36 177.64',
		'20240327 100.00 200.00',
		'20240326 -100.00 100.00',
	]);
	assert.equal(accounts[0]?.periods[0]?.startDate, '2024-03-01');
});

test('accounts that a short number titles are kept apart', () => {
	const accounts = statement(`
Statement Period: 03/01/2024 - 03/31/2024
ID 0000 REGULAR SAVINGS
Post Date   Transaction Description        Amount    New Balance
03/01       Beginning Balance                             210.00
03/03       Deposit                         40.00         250.00
03/31       Ending Balance                                250.00
ID 0050 FREE CHECKING
Post Date   Transaction Description        Amount    New Balance
03/01       Beginning Balance                           2,000.00
03/13       Draft 001044                   -30.00       1,970.00
03/31       Ending Balance                              1,970.00
`);
	assert.deepEqual(
		accounts.map(({ account, verdicts }) => [account, ...verdicts]),
		[
			['0000', '210.00 to 250.00 true'],
			['0050', '2000.00 to 1970.00 true'],
		],
	);
});

test('a day with its year between the rows and a mark of a footnote are no text of a row', () => {
	const [account] = statement(`
Account Number 10447725     16 Nov 2023 - 15 Feb 2024

Date     Description                   Debit      Credit     Balance
30 Dec   Kiosk Melbourne               10.00                   90.00   ¨
01 Jan        2024
02 Jan   Rent                          20.00                   70.00   ¨
continued on the next page
`);
	assert.deepEqual(account?.rows, ['20231230 -10.00 Kiosk Melbourne', '20240102 -20.00 Rent']);
});
