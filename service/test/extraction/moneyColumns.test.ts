import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractStatement } from '../../src/extraction/statements/extractStatement.ts';
import { textPages } from './textPage.ts';

function only(text: string) {
	const { accounts } = extractStatement(textPages(text));
	assert.equal(accounts.length, 1);
	const [account] = accounts;
	assert.ok(account);
	return { ...account, amounts: account.transactions.map(({ amount }) => amount) };
}

test('a charge that is noted beside the balance is no amount of the row', () => {
	const { amounts, periods, transactions } = only(`
Account number 62417730915    Currency ZAR
Statement period 1 February 2024 to 29 February 2024
Opening balance   1,000.00 Cr
                                                          Accrued Bank
Date    Description               Amount        Balance        Charges
01 Feb  Grocer                     88.00      912.00 Cr
02 Feb  App payment               389.00      523.00 Cr          9.50
03 Feb  Salary                 1,000.00 Cr  1,523.00 Cr
04 Feb  Cash deposit             500.00 Cr  2,023.00 Cr         31.20
Closing balance   2,023.00 Cr
`);
	assert.deepEqual(amounts, ['-88.00', '-389.00', '1000.00', '500.00']);
	assert.equal(periods[0]?.isReconciled, true);
	assert.deepEqual(transactions[1]?.descriptionLines, ['App payment']);
});

test('of gross, fee and net the net amount counts', () => {
	const { amounts, periods } = only(`
Merchant account ID: 7LK2M4417   Mar 1, 2024 - Mar 31, 2024
            Available beginning    Available ending
USD                      100.00              158.64

Date      Description            Currency    Gross      Fee       Net
3/3/24    Website payment         USD        71.00    -2.36     68.64
3/5/24    Hosting                 USD       -10.00     0.00    -10.00
`);
	assert.deepEqual(amounts, ['68.64', '-10.00']);
	assert.equal(periods[0]?.isReconciled, true);
});

test('interest in a column of its own, beside deposits and withdrawals, comes in', () => {
	const { amounts, periods } = only(`
Account number 118-44207-3    Statement from 1 January 2024 to 30 June 2024

Date       Details                          Interest    Deposits   Withdrawals     Balance
1 Jan 24   Balance from previous statement                                        1,000.00
16 Jan 24  Branch deposit                                 100.00                  1,100.00
22 Jan 24  Interest to date                     4.20                              1,104.20
24 Jan 24  Withdrawal branch                                            50.00     1,054.20
30 Jun 24  Balance at end of period                                               1,054.20
`);
	assert.deepEqual(amounts, ['100.00', '4.20', '-50.00']);
	assert.equal(periods[0]?.isReconciled, true);
});

test('of two amounts on a row the one that explains the balance is taken', () => {
	const { amounts, periods } = only(`
Account number 62417730915    1 February 2024 to 29 February 2024
Opening balance   1,000.00

Date    Description               Amount        Balance     Debit
01 Feb  Grocer                    -88.00         912.00
02 Feb  App payment              -389.00         523.00      9.50
03 Feb  Grocer                    -23.00         500.00
Closing balance   500.00
`);
	assert.deepEqual(amounts, ['-88.00', '-389.00', '-23.00']);
	assert.equal(periods[0]?.isReconciled, true);
});

test('a date or another label after an account number is no part of it', () => {
	const rows = `
Date        Description          Amount     Balance
01.03.2024  Grocer                -8.00      92.00
02.03.2024  Grocer                -2.00      90.00
`;
	assert.equal(only(`Account 5512-0417 1 Mar 2024 - 31 Mar 2024\n${rows}`).account, '5512-0417');
	assert.equal(
		only(`IBAN: DE12 5009 0500 0402 7719 00 BIC: GENODEF1XYZ\n${rows}`).account,
		'DE12500905000402771900',
	);
	assert.equal(only(`Account 6112 - 448 201 774\n${rows}`).account, '6112-448201774');
});
