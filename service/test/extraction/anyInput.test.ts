import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Page, Word } from '../../src/extraction/page.ts';
import { sumDecimals } from '../../src/extraction/money/decimal.ts';
import { extractStatement } from '../../src/extraction/statements/extractStatement.ts';
import { toGroupedData } from '../../src/extraction/statements/groupedData.ts';
import type { Statement } from '../../src/extraction/statements/statement.ts';
import { UnreadableDocumentError } from '../../src/extraction/unreadable.ts';
import { textPage } from './textPage.ts';

const FRAGMENTS =
	`Date Datum Description Amount Betrag Debit Credit Soll Haben Balance Saldo Opening Closing
	balance Total Account number IBAN NL91ABNA0417164300 12345678 01/02/2025 13.01. 2 okt Jan 31, 2024-06-01
	1,234.56 1.234,56 12.00- (5.00) 0.00 45 CR DR S H - + $ € EUR Payments Deposits Withdrawals Check # 1001
	Page 1 of 3 from to bis ALBERT HEIJN transfer payment thank you credit card minimum due statement period
	\u202e ﷽ 😀 __proto__ constructor NaN Infinity 99999999999999999999 1e309 000,00 .`.split(/\s+/);

const words: fc.Arbitrary<Word> = fc
	.record({
		text: fc.oneof(
			{ weight: 9, arbitrary: fc.constantFrom(...FRAGMENTS.filter((text) => text !== '')) },
			{ weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 30, unit: 'binary' }) },
		),
		// A coarse grid, so that words meet in lines and columns.
		column: fc.nat(11),
		row: fc.nat(30),
		fontSize: fc.constantFrom(6, 8, 8, 8, 12, 40),
		angle: fc.constantFrom(0, 0, 0, 0, 0, 0, 45, 90),
		jitter: fc.double({ min: -1, max: 1, noNaN: true }),
	})
	.map(({ text, column, row, fontSize, angle, jitter }) => {
		const [x0, y1] = [20 + column * 45 + jitter, 40 + row * 11 + jitter];
		return {
			text,
			x0,
			x1: x0 + Math.min(200, text.length * 4),
			y0: y1 - fontSize,
			y1,
			fontSize,
			angle,
		};
	});

const pages: fc.Arbitrary<Page[]> = fc
	.array(fc.array(words, { maxLength: 160 }), { maxLength: 3 })
	.map((list) =>
		list.map((own, index) => ({ number: index + 1, width: 600, height: 400, words: own })),
	);

/** What has to be true of every statement, whatever it was made from. */
function assertSound(statement: Statement): void {
	const ids = new Set<string>();
	for (const { account, periods, transactions } of statement.accounts) {
		assert.notEqual(account, '');
		for (const row of transactions) {
			assert.match(row.date, /^(?:19|20)\d{12}$/);
			assert.match(row.amount, /^-?\d+(?:\.\d+)?$/);
			if (row.balance !== null) assert.match(row.balance, /^-?\d+(?:\.\d+)?$/);
			assert.ok(!ids.has(`${account} ${row.fitId}`), 'a fitId twice');
			ids.add(`${account} ${row.fitId}`);
			assert.ok(periods.some(({ period }) => period === row.period));
		}
		for (const { period, startBalance, endBalance, isReconciled } of periods) {
			const own = transactions.filter((row) => row.period === period);
			if (!isReconciled) continue;
			assert.ok(own.length > 0 && startBalance !== null && endBalance !== null);
			const sum = sumDecimals([startBalance, ...own.map(({ amount }) => amount)]);
			assert.equal(Number(sum), Number(endBalance));
		}
	}
	JSON.stringify(toGroupedData('1', statement), (_, value: unknown) => {
		if (typeof value === 'number') assert.ok(Number.isFinite(value));
		return value;
	});
}

test('any words on any pages: a sound statement or a clear refusal, never a crash', () => {
	fc.assert(
		fc.property(pages, (input) => {
			try {
				assertSound(extractStatement(input));
			} catch (error) {
				if (!(error instanceof UnreadableDocumentError)) throw error;
				assert.equal(error.code, 'no_transactions_found');
			}
		}),
		{ numRuns: 400 },
	);
});

test('positions that are no numbers do no harm', () => {
	const bad: Word = {
		text: '5.00',
		x0: Number.NaN,
		x1: Infinity,
		y0: 0,
		y1: Number.NaN,
		fontSize: 8,
		angle: 0,
	};
	const page = textPage(`
Account number 12345678     Opening balance 10.00
Date          Description       Amount
01/02/2025    Coffee             -5.00
Closing balance 5.00`);
	const statement = extractStatement([{ ...page, words: [bad, ...page.words, bad] }]);
	assert.equal(statement.accounts[0]?.periods[0]?.isReconciled, true);
});

test('time grows with the number of words, not faster', () => {
	const rows = (count: number) =>
		Array.from({ length: count }, (_, row) =>
			[`${String((row % 28) + 1).padStart(2, '0')}/02/2025`, 'SHOP 12 MAIN STREET', '-1.00'].join(
				'        ',
			),
		).join('\n');
	const seconds = (pageCount: number) => {
		const input = Array.from({ length: pageCount }, (_, index) =>
			textPage(`Date              Description                   Amount\n${rows(60)}`, index + 1),
		);
		const before = process.cpuUsage();
		assert.equal(extractStatement(input).accounts[0]?.transactions.length, 60 * pageCount);
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1e6;
	};
	seconds(20);
	const small = seconds(40);
	const large = seconds(160);
	assert.ok(large < Math.max(0.5, small * 10), `${small} s for 40 pages, ${large} s for 160`);
});

test('one line with very many words, and one very long word', () => {
	const many = Array.from({ length: 20_000 }, (_, index) => ({
		text: index % 3 ? '1.00' : 'Date',
		x0: index * 20,
		x1: index * 20 + 15,
		y0: 92,
		y1: 100,
		fontSize: 8,
		angle: 0,
	}));
	const long = {
		text: '1,'.repeat(50_000),
		x0: 0,
		x1: 500,
		y0: 192,
		y1: 200,
		fontSize: 8,
		angle: 0,
	};
	assert.throws(
		() => extractStatement([{ number: 1, width: 600, height: 800, words: [...many, long] }]),
		UnreadableDocumentError,
	);
});
