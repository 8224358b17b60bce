import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences } from '../../../test/documents/differences.ts';
import { layoutNames, layouts } from '../../../test/documents/index.ts';
import { extractStatement } from '../../src/extraction/statements/extractStatement.ts';
import { readPdf } from '../../src/reading/pdf/readPdf.ts';

for (const name of layoutNames) {
	// Layouts with many pages are made once; the others with several sets of rows.
	const seeds = name === 'longLedger' ? [1] : [1, 2, 3, 4];
	for (const seed of seeds) {
		test(`${name}, seed ${seed}: every row, sign, date, balance and a true verdict`, async () => {
			const { pdf, truth } = await layouts[name]({ seed });
			const pages = await readPdf(new Uint8Array(pdf), { maxPages: 500 });
			assert.equal(pages.length, truth.pageCount);
			assert.deepEqual(differences(truth, extractStatement(pages).accounts), []);
		});
	}
}

test('a file extracted twice gives the same statement', async () => {
	const { pdf } = await layouts.usChecking({ seed: 7 });
	const once = extractStatement(await readPdf(new Uint8Array(pdf), { maxPages: 10 }));
	const twice = extractStatement(await readPdf(new Uint8Array(pdf), { maxPages: 10 }));
	assert.deepEqual(once, twice);
});

test('every row of every layout is linked to a printed line that holds its amount', async () => {
	const { pdf } = await layouts.germanGiro({ seed: 3 });
	const { accounts, printedRows } = extractStatement(
		await readPdf(new Uint8Array(pdf), { maxPages: 10 }),
	);
	for (const { account, transactions } of accounts) {
		for (const [index, { memo }] of transactions.entries()) {
			const lines = printedRows.filter(
				({ transaction }) => transaction?.account === account && transaction.index === index,
			);
			assert.equal(lines.map(({ text }) => text).join(' '), memo);
		}
	}
});
