import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutNames, layouts } from '../../../test/documents/index.ts';
import { extractStatement } from '../../src/extraction/statements/extractStatement.ts';
import type { Statement } from '../../src/extraction/statements/statement.ts';
import { balanceTampering } from '../../src/fraud/balanceTampering.ts';
import { readPdf } from '../../src/reading/pdf/readPdf.ts';
import { textPage } from '../extraction/textPage.ts';
import { withChangedFigure } from './changedFigure.ts';

const SEEDS = [1, 2, 3];

async function pagesOf(name: (typeof layoutNames)[number], seed: number) {
	// The long one with fewer pages: its rows are all of one kind.
	const { pdf } = await layouts[name](name === 'longLedger' ? { seed, pages: 20 } : { seed });
	return await readPdf(new Uint8Array(pdf), { maxPages: 500 });
}

for (const name of layoutNames) {
	test(`${name}: no clean statement is accused, and a changed figure is found at its row`, async (t) => {
		const changed = { balance: 0, amount: 0 };
		const found = { balance: 0, amount: 0 };
		// The long one only as a whole.
		for (const seed of name === 'longLedger' ? [1] : SEEDS) {
			const pages = await pagesOf(name, seed);
			const original = extractStatement(pages);
			assert.deepEqual(balanceTampering(original), []);
			if (name === 'longLedger') continue;
			for (const [place, { account, index, printsBalance }] of rowsOf(original).entries()) {
				// Every third row, and the other figure at the next one.
				if (place % 3 !== 0 || !printsBalance) continue;
				const figure = place % 2 === 0 ? 'balance' : 'amount';
				const edited = withChangedFigure(pages, original, account, index, figure);
				if (edited === null) continue;
				changed[figure]++;
				const signals = balanceTampering(edited.statement);
				if (signals.length === 0) continue;
				found[figure]++;
				// Nobody is sent to a row that is as it was.
				assert.deepEqual(
					signals.map(({ metadata, pageNumber }) => [metadata['rowNumber'], pageNumber]),
					[[place + 1, edited.row.pageNumber]],
				);
			}
		}
		t.diagnostic(
			`${found.balance} of ${changed.balance} changed balances, ` +
				`${found.amount} of ${changed.amount} changed amounts`,
		);
		assert.ok(found.balance >= changed.balance * 0.85);
		assert.ok(found.amount >= changed.amount * 0.5);
	});
}

/** All rows in the order in which they are numbered. */
function rowsOf({ accounts }: Statement) {
	return accounts.flatMap(({ account, transactions, periods }) =>
		transactions.map(({ balance }, index) => ({
			account,
			index,
			printsBalance: balance !== null && periods.length > 0,
		})),
	);
}

const statement = (rows: string) =>
	extractStatement([
		textPage(`
Account number 12345678     Period 01/02/2025 to 28/02/2025
Date          Description          Debit      Credit      Balance
01/02/2025    Opening balance                              100.00
${rows}`),
	]);

/** Rows that follow from each other, with a balance printed on each. */
const CLEAN = `
03/02/2025    Shop                  5.00                    95.00
04/02/2025    Shop                 10.00                    85.00
05/02/2025    Refund                           1.00         86.00
06/02/2025    Shop                  2.50                    83.50
07/02/2025    Shop                  3.25                    80.25
10/02/2025    Salary                         200.00        280.25
11/02/2025    Rent                 90.00                   190.25`;

function signalsWith(from: string, to: string) {
	assert.ok(CLEAN.includes(from));
	return balanceTampering(statement(CLEAN.replace(from, to)));
}

test('rows that follow give no signal', () => {
	assert.deepEqual(balanceTampering(statement(CLEAN)), []);
});

test('a changed balance is named with the row, the printed and the expected balance', () => {
	const [signal, ...more] = signalsWith(' 83.50', ' 93.50');
	assert.deepEqual(more, []);
	assert.equal(signal?.type, 'balance_tampering');
	assert.equal(signal.reasonCode, 'balance_fits_no_neighbour');
	assert.equal(signal.confidence, 0.9);
	assert.equal(signal.pageNumber, 1);
	assert.equal(signal.period, '0');
	assert.match(signal.text ?? '', /Shop/);
	assert.match(
		signal.details,
		/row 4 of 2025-02-06, page 1: the printed balance is 93\.50, but the balance before it \(86\.00, 2025-02-05\) and the amount -2\.50 give 83\.50/,
	);
	assert.deepEqual(signal.metadata, {
		account: '12345678',
		rowNumber: 4,
		amount: '-2.50',
		printedBalance: '93.50',
		expectedBalance: '83.50',
		difference: '10.00',
	});
});

test('a changed amount is found, since all balances after it are off by the same', () => {
	const [signal, ...more] = signalsWith('200.00        280.25', '900.00        280.25');
	assert.deepEqual(more, []);
	assert.equal(signal?.reasonCode, 'amount_does_not_fit_balance');
	assert.equal(signal.metadata['rowNumber'], 6);
	assert.equal(signal.metadata['expectedBalance'], '980.25');
});

test('the first row, and the last one', () => {
	assert.equal(signalsWith(' 95.00', ' 35.00')[0]?.metadata['rowNumber'], 1);
	const [last] = signalsWith('190.25', '790.25');
	assert.equal(last?.metadata['rowNumber'], 7);
	assert.equal(last.confidence, 0.6);
});

test('exact to the last digit', () => {
	assert.equal(signalsWith('280.25', '280.26')[0]?.metadata['difference'], '0.01');
});

for (const [harmless, from, to] of [
	[
		'a row whose sign was read wrongly',
		'5.00                    95.00',
		'5.00                   105.00',
	],
	['an amount that is booked with the next row', ' 83.50', ' 86.00'],
	['one balance for two rows of a day', ' 85.00', ' 86.00'],
	['a row that prints another amount', 'Shop                 10.00', 'Shop of 7.00         17.00'],
] as const) {
	test(`no signal for ${harmless}`, () => {
		// Makes the break first, so that the case is not empty.
		assert.notEqual(CLEAN.replace(from, to), CLEAN);
		assert.deepEqual(signalsWith(from, to), []);
	});
}

test('no signal where rows are in another order, or too many balances are off', () => {
	const rows = CLEAN.trim().split('\n');
	const swapped = rows.with(2, rows[3] ?? '').with(3, rows[2] ?? '');
	assert.deepEqual(balanceTampering(statement(swapped.join('\n'))), []);
	const off = rows.map((row) =>
		row.replace(/\d\.\d\d$/, (end) => `${(Number(end[0]) + 3) % 10}.11`),
	);
	assert.deepEqual(balanceTampering(statement(off.join('\n'))), []);
});

test('newest first is an order like any other', () => {
	const rows = CLEAN.trim().split('\n').toReversed().join('\n');
	const newestFirst = (text: string) =>
		extractStatement([
			textPage(`
Account number 12345678     Period 01/02/2025 to 28/02/2025
Opening balance 100.00
Date          Description          Debit      Credit      Balance
${text}`),
		]);
	assert.deepEqual(balanceTampering(newestFirst(rows)), []);
	const [signal] = balanceTampering(newestFirst(rows.replace(' 83.50', ' 93.50')));
	assert.equal(signal?.metadata['expectedBalance'], '83.50');
});

test('too few balances say nothing', () => {
	const rows = CLEAN.trim().split('\n').slice(0, 4).join('\n');
	assert.deepEqual(balanceTampering(statement(rows.replace('85.00', '25.00'))), []);
});

test('a page that is missing is no accusation', () => {
	const heading = 'Date          Description          Debit      Credit      Balance';
	const rows = CLEAN.trim().split('\n');
	const before = `Account number 12345678     Period 01/02/2025 to 28/02/2025\n${heading}\n`;
	const pages = (second: string[]) => [
		textPage(before + rows.slice(0, 4).join('\n')),
		{ ...textPage(`${heading}\n${second.join('\n')}`), number: 2 },
	];
	const whole = extractStatement(pages(rows.slice(4)));
	assert.equal(whole.accounts[0]?.transactions.length, 7);
	assert.deepEqual(balanceTampering(whole), []);
	assert.deepEqual(balanceTampering(extractStatement(pages(rows.slice(5)))), []);
});
