import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractStatement } from '../../src/extraction/statements/extractStatement.ts';
import { textPages } from './textPage.ts';

function statement(text: string) {
	const { accounts } = extractStatement(textPages(text));
	return accounts.map(({ account, periods, transactions }) => ({
		account,
		periods: periods.map(
			({ startDate, endDate, isReconciled }) => `${startDate} ${endDate} ${isReconciled}`,
		),
		rows: transactions.map(({ date, amount }) => `${date.slice(0, 8)} ${amount}`),
	}));
}

test('a list of checks that repeats rows of the history adds nothing', () => {
	const history = `
Beginning balance on 3/1   100.00      Account number: 6120947735
Statement period 3/1/2024 to 3/29/2024
Ending balance on 3/29      60.00

Date     Number  Description        Deposits   Withdrawals    Balance
3/2      1344    Check                               10.00      90.00
3/5      1345    Check                               30.00      60.00
Ending balance on 3/29                                          60.00

Number       Date       Amount           Number       Date       Amount
`;
	const [account] = statement(
		`${history}1344         3/2         10.00           1345         3/5         30.00`,
	);
	assert.deepEqual(account?.rows, ['20240302 -10.00', '20240305 -30.00']);
	assert.deepEqual(account?.periods, ['2024-03-01 2024-03-29 true']);
	// A check that stands only in the list is kept.
	const [other] = statement(
		`${history}1344         3/2         10.00           1399         3/9         30.00`,
	);
	assert.equal(other?.rows.length, 4);
});

test('pending and reverted rows are not booked; a foreign amount below a row is no row', () => {
	const [account] = statement(`
IBAN IE54 REVO 9903 6012 3456 78
Opening balance   Closing balance
€100.00           €40.00
Pending from March 1, 2024 to March 31, 2024
Start date     Description             Money out   Money in
Mar 31, 2024   Fuel stop                 €102.40
Transactions from March 1, 2024 to March 31, 2024
Date           Description             Money out   Money in     Balance
Mar 25, 2024   Ticket office              €40.00                 €40.00
               Rate €1.00 = $1.09         $43.60
Mar 25, 2024   Coffee                     €30.00                 €80.00
Mar 24, 2024   Top-up                                  €10.00   €110.00
Reverted from March 1, 2024 to March 31, 2024
Start date     Description             Money out   Money in
Mar 12, 2024   Hotel                     €250.00
`);
	assert.deepEqual(account?.rows, ['20240325 -40.00', '20240325 -30.00', '20240324 10.00']);
	assert.deepEqual(account?.periods, ['2024-03-01 2024-03-31 true']);
});

test('a card of a bank account is no account; a period may stand on lines of its own', () => {
	const accounts = statement(`
Account Number 1 047 7129 4417
Statement Period:
Mar 1, 2024
through
Mar 29, 2024

Beginning Balance on Mar 1              100.00
Ending Balance on Mar 29, 2024          140.00
Customer Deposits
Date      Description             Ref Number       Amount
Mar 10    Electronic deposit                        90.00
Card Withdrawals
Card Number: xxxx-xxxx-xxxx-2209
Date      Description             Ref Number       Amount
Mar 3     Debit purchase          6513009001        20.00-
Mar 3     Debit purchase          6513009002        30.00-
          Card 2209 Withdrawals Subtotal            50.00-
`);
	assert.deepEqual(accounts, [
		{
			account: '104771294417',
			periods: ['2024-03-01 2024-03-29 true'],
			rows: ['20240310 90.00', '20240303 -20.00', '20240303 -30.00'],
		},
	]);
});

test('text that begins where dates should stand is no row; the date of the statement ends it', () => {
	const [account] = statement(`
Statement date 10 January 2024     Card number 5477 **** **** 2209
Balance from last statement   £10.00      Minimum payment   £5.00
Your new balance              £14.42      Credit limit    £5,000

Transaction date   Posted    Description                 Amount
11 Dec             12 Dec    Yoga                         £4.42
Summary of interest
Balance transfer until 01 Mar 2025           0.00%        £0.00
`);
	assert.deepEqual(account?.rows, ['20231211 -4.42']);
	assert.deepEqual(account?.periods, ['null 2024-01-10 true']);
});

test('a sentence that speaks of a balance prints none', () => {
	const [account] = statement(`
Account no 18820417     Sort code 07-04-36
Statement date 31 March 2024

Date     Description                                 Out        In      Balance
29 Feb   Balance from statement 43 dated 29/02/2024                       10.00
01 Mar   Card purchase                              4.00                   6.00
         Balance at 31 March 2024                                          6.00
Summary: End balance after interest due on 12 April 2024 of 1.22
`);
	assert.deepEqual(account?.rows, ['20240301 -4.00']);
	assert.deepEqual(account?.periods, ['2024-02-29 2024-03-31 true']);
});
