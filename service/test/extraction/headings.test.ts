import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOfPage } from '../../src/extraction/layout/lines.ts';
import { headingAt } from '../../src/extraction/statements/headings.ts';
import { readLine } from '../../src/extraction/statements/readLine.ts';
import { textPage } from './textPage.ts';

function headingOf(text: string): { height: number; roles: string[] } | null {
	const lines = linesOfPage(textPage(text)).map((line) =>
		readLine(line, { decimal: '.', spaceGroups: false }),
	);
	const heading = headingAt(lines, 0);
	return heading && { height: heading.height, roles: heading.columns.map(({ role }) => role) };
}

const single: [string, string[]][] = [
	[
		'Date       Description            Withdrawal (-)   Deposit (+)   Balance',
		['date', 'description', 'debit', 'credit', 'balance'],
	],
	[
		'Datum      Omschrijving           Af       Bij      Saldo',
		['date', 'description', 'debit', 'credit', 'balance'],
	],
	[
		'Buchung    Valuta    Verwendungszweck         Betrag EUR',
		['postingDate', 'valueDate', 'description', 'amount'],
	],
	[
		'Date    Valeur    Nature des opérations      Débit     Crédit',
		['date', 'valueDate', 'description', 'debit', 'credit'],
	],
	['Fecha    Concepto      Importe     Saldo', ['date', 'description', 'amount', 'balance']],
	[
		'Data    Valuta    Descrizione     Dare    Avere',
		['date', 'valueDate', 'description', 'debit', 'credit'],
	],
	[
		'Date       Type     Details    Paid out (£)    Paid in (£)    Balance (£)',
		['date', 'type', 'description', 'debit', 'credit', 'balance'],
	],
	['Check #    Date      Amount', ['checkNumber', 'date', 'amount']],
];

for (const [text, roles] of single) {
	test(`headings: ${text.replaceAll(/ +/g, ' ')}`, () => {
		assert.deepEqual(headingOf(text), { height: 1, roles });
	});
}

test('headings over two lines are joined by what stands above what', () => {
	const heading = headingOf(`
Trans     Posting                         Running
Date      Date       Description   Amount  Balance`);
	assert.deepEqual(heading, {
		height: 2,
		roles: ['date', 'postingDate', 'description', 'amount', 'balance'],
	});
});

for (const text of [
	'The date and the amount of your payment are shown on the front page of this statement',
	'Account       Account number       Balance',
	'01/02/2025    Description           12.00',
	'Deposits and other credits',
	'Total         12.00        14.00',
]) {
	test(`no headings: ${text}`, () => assert.equal(headingOf(text), null));
}
