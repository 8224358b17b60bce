import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractStatement } from '../../src/extraction/statements/extractStatement.ts';
import { textPages } from './textPage.ts';

function rows(text: string) {
	const { accounts } = extractStatement(textPages(text));
	return accounts.flatMap(({ periods, transactions }) => [
		...transactions.map(({ date, amount, checkNumber }) =>
			`${date.slice(0, 8)} ${amount} ${checkNumber}`.trim(),
		),
		periods.map(({ isReconciled }) => isReconciled).join(),
	]);
}

test('a shop whose name begins like a balance is a row, with and without a date or balance of its own', () => {
	const found = rows(`
Statement period 1 March 2024 to 31 March 2024        Account number 61209477

Date      Details                         Paid out      Paid in       Balance
          Balance brought forward                                      100.00
02 Mar    BALANCE PHYSIO                     19.70
          GROCER                             10.00                      70.30
03 Mar    GROCER                             20.00
          BALANCE PHYSIO                     19.70                      30.60
04 Mar    TO SAVINGS                         30.60                       0.00
05 Mar    PAY                                             28.49         28.49
06 Mar    TO SAVINGS                         28.49                       0.00
07 Mar    BALANCE PHYSIO                                  28.49         28.49
          Balance carried forward                                       28.49
`);
	assert.deepEqual(found, [
		'20240302 -19.70',
		'20240302 -10.00',
		'20240303 -20.00',
		'20240303 -19.70',
		'20240304 -30.60',
		'20240305 28.49',
		'20240306 -28.49',
		'20240307 28.49',
		'true',
	]);
});

test('a long reference after the letters for a check is no check number', () => {
	const found = rows(`
Statement period 1 March 2024 to 31 March 2024        Account number 61209477

Date      Details                         Paid out      Paid in       Balance
          Balance brought forward                                      100.00
02 Mar    PAYMENT REF CK8894891753           19.70                      80.30
03 Mar    CHECK 1044                         10.00                      70.30
          Balance carried forward                                       70.30
`);
	assert.deepEqual(found, ['20240302 -19.70', '20240303 -10.00 1044', 'true']);
});

test('a purchase with two dates is a row, though the shop is called like a closing balance', () => {
	const found = rows(`
Credit card statement      Account number 5702 1234 1234 5702
Statement period 06/01/2024 to 06/30/2024
Previous Balance    $100.00
New Balance         $150.00

Trans Date   Post Date   Description                     Amount
06/05        06/06       GROCER                           30.00
06/23        06/24       NEW BALANCE SEATTLE WA           20.00
`);
	assert.deepEqual(found, ['20240605 -30.00', '20240623 -20.00', 'true']);
});
