import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractStatement } from '../../src/extraction/statements/extractStatement.ts';
import { textPages } from './textPage.ts';

function rowsOf(text: string): { rows: string[]; reconciled: boolean[] } {
	const { accounts } = extractStatement(textPages(text));
	return {
		rows: accounts.flatMap(({ transactions }) =>
			transactions.map(
				({ date, amount, balance, descriptionLines }) =>
					`${date.slice(0, 8)} ${amount} (${balance}) ${descriptionLines.join(' / ')}`,
			),
		),
		reconciled: accounts.flatMap(({ periods }) => periods.map(({ isReconciled }) => isReconciled)),
	};
}

test('cells that are printed to be read aloud end with a full stop or say blank', () => {
	const { rows, reconciled } = rowsOf(`
Account Number 18834260
Balance on 01 February 2024     258.45
Balance on 29 February 2024     943.18

Date         Description            Type    Money In (£)   Money Out (£)   Balance (£)
03 Feb 24.   CORNER STORES 3341.    DEB.         blank.          15.27.       243.18.
05 Feb 24.   COUNCIL 9914.          DD.          blank.         100.00.       143.18.
07 Feb 24.   FERRY SALARY 100234.   BGC.        800.00.          blank.       943.18.
`);
	assert.deepEqual(rows, [
		'20240203 -15.27 (243.18) CORNER STORES 3341',
		'20240205 -100.00 (143.18) COUNCIL 9914',
		'20240207 800.00 (943.18) FERRY SALARY 100234',
	]);
	assert.deepEqual(reconciled, [true]);
});

test('two headings that touch are two columns', () => {
	const { rows } = rowsOf(`
Kontonummer 1044172209    vom 05.03.2024 bis 03.04.2024

Bu.Tag  Wert    Wir haben für Sie gebucht      Belastung in EURGutschrift in EUR
07.03.  08.03.  Kartenzahlung                             6,88
07.03.  08.03.  Gehalt                                                  1.565,79
08.03.  09.03.  Lastschrift                              88,16
`);
	assert.deepEqual(rows, [
		'20240307 -6.88 (null) Kartenzahlung',
		'20240307 1565.79 (null) Gehalt',
		'20240308 -88.16 (null) Lastschrift',
	]);
});

test('balances of a day and subtotals between the rows are neither rows nor descriptions', () => {
	const { rows, reconciled } = rowsOf(`
Account: 8812-004-331   From: 01-Jun-2024 To: 30-Jun-2024

Book Date    Particulars                    Amount   Ledger Balance   Available Balance
01-Jun-2024  Opening Ledger Balance                       (332.81)             667.19
03-Jun-2024  Customer receipts              859.60          526.79           1,526.79
03-Jun-2024  Supplier run                  (500.00)          26.79           1,026.79
03-Jun-2024  Sub Total for the day          359.60
04-Jun-2024  Payroll                        (20.00)           6.79           1,006.79
04-Jun-2024  End of day balance                               6.79           1,006.79
30-Jun-2024  Closing Ledger Balance                           6.79           1,006.79
`);
	assert.deepEqual(rows, [
		'20240603 859.60 (526.79) Customer receipts',
		'20240603 -500.00 (26.79) Supplier run',
		'20240604 -20.00 (6.79) Payroll',
	]);
	assert.deepEqual(reconciled, [true]);
});

test('sums with several words and spans of days under a table are no rows', () => {
	const { rows } = rowsOf(`
Account number 73310946     1 March 2024 to 31 March 2024

Date        Description                  Money out    Money in     Balance
01/03/2024  Start balance                                           100.00
02/03/2024  Card payment                     10.00                   90.00
03/03/2024  Total Tools                       5.00                   85.00
            Total Payments/Receipts          15.00        0.00
01/03/2024 - 31/03/2024  Service fee         10.00        0.00
`);
	assert.deepEqual(rows, [
		'20240302 -10.00 (90.00) Card payment',
		'20240303 -5.00 (85.00) Total Tools',
	]);
});

test('dates such as DEC 29/23 say the year of dates such as JAN03', () => {
	const { rows, reconciled } = rowsOf(`
Statement From - To    DEC 29/23 - JAN 31/24    Account No. 0410-6231187

Description               Withdrawals     Deposits   Date      Balance
STARTING BALANCE                                     DEC29       58.75
CORNER MART #114                34.39                DEC30       24.36
SEND MONEY                      26.13                DEC31        1.77OD
PAY                                         808.15   JAN03      806.38
CLOSING BALANCE                                      JAN31      806.38
`);
	assert.deepEqual(rows, [
		'20231230 -34.39 (24.36) CORNER MART #114',
		'20231231 -26.13 (-1.77) SEND MONEY',
		'20240103 808.15 (806.38) PAY',
	]);
	assert.deepEqual(reconciled, [true]);
});
