import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateStatement, layoutNames } from '../documents/index.ts';
import type { StatementTruth, TruthAccount, TruthTransaction } from '../documents/index.ts';
import { readTextLayer } from './textLayer.ts';

const SEEDS = [1, 2, 3, 4];
/** 200 pages take long to read back, so the long layout is tested shorter, and once in full. */
const short = (name: string) => (name === 'longLedger' ? { pages: 4 } : {});

const minor = (text: string) => BigInt(text.replace('.', ''));
const digits = (text: string) => text.replaceAll(/\D/g, '').replace(/^0+(?=\d{3})/, '');
const solid = (text: string) => text.replaceAll(/\s/g, '');

for (const name of layoutNames) {
	describe(name, () => {
		it('gives the same bytes and the same truth for the same seed, others for another', async () => {
			const once = await generateStatement(name, { seed: 5, ...short(name) });
			const again = await generateStatement(name, { seed: 5, ...short(name) });
			const other = await generateStatement(name, { seed: 6, ...short(name) });
			assert.ok(once.pdf.equals(again.pdf));
			assert.deepEqual(once.truth, again.truth);
			assert.ok(!once.pdf.equals(other.pdf));
		});

		it('has a truth that adds up as it says', async () => {
			for (const seed of SEEDS) {
				const { truth } = await generateStatement(name, { seed, ...short(name) });
				for (const account of truth.accounts) {
					assertVerdict(account);
					if (name !== 'missingPage') assertRunningBalances(account, name);
					assertDates(account);
				}
			}
		});

		it('prints every row of the truth on the page that the truth names', async () => {
			for (const seed of SEEDS) {
				const { pdf, truth } = await generateStatement(name, { seed, ...short(name) });
				const { pages } = await readTextLayer(pdf);
				assert.equal(pages.length, truth.pageCount);
				assertRowsPrinted(truth, pages);
				assertAccountsPrinted(truth, pages);
			}
		});

		if (name !== 'noTransactions') {
			it('fills as many pages as asked', async () => {
				for (const pages of [2, 5]) {
					const { pdf, truth } = await generateStatement(name, { seed: 9, pages });
					assert.equal(truth.pageCount, pages);
					assert.equal((await readTextLayer(pdf)).pages.length, pages);
					for (const account of truth.accounts) assertVerdict(account);
				}
			});

			it('makes as many rows as asked, also very few', async () => {
				for (const transactions of [1, 7, 60]) {
					const { truth } = await generateStatement(name, { seed: 3, transactions });
					const most = Math.max(...truth.accounts.map((account) => account.transactions.length));
					// Where a page is missing, its rows are missing too.
					if (name === 'missingPage') assert.ok(most <= transactions);
					else assert.equal(most, transactions);
					for (const account of truth.accounts) assertVerdict(account);
				}
			});
		}

		// The twins of `missingPage` may have been on the page that is missing.
		if (name !== 'noTransactions' && name !== 'missingPage') {
			it('holds two equal purchases on one day', async () => {
				for (const seed of SEEDS) {
					const { truth } = await generateStatement(name, { seed, ...short(name) });
					const twins = truth.accounts.some((account) =>
						account.transactions.some((row, index) => {
							const next = account.transactions[index + 1];
							return (
								next?.date === row.date &&
								next.amount === row.amount &&
								next.descriptionLines.join() === row.descriptionLines.join() &&
								row.amount.startsWith('-')
							);
						}),
					);
					assert.ok(twins, `seed ${seed} has no twins`);
				}
			});
		}
	});
}

describe('special statements', () => {
	it('goes through zero, and below it where the layout has overdrafts', async () => {
		for (const name of ['usChecking', 'indianSavings', 'dutchStatement', 'newestFirst']) {
			for (const seed of SEEDS) {
				const { truth } = await generateStatement(name, { seed });
				const balances = truth.accounts[0]?.transactions.map((row) => row.balance) ?? [];
				assert.ok(balances.includes('0.00'), `${name} ${seed} never is at zero`);
				assert.ok(balances.some((balance) => balance?.startsWith('-')));
			}
		}
	});

	it('is off by the amount asked for, and by 10.00 unless told', async () => {
		const off = await generateStatement('doesNotAddUp', { seed: 2, difference: '-0.01' });
		assert.equal(off.truth.accounts[0]?.periods[0]?.difference, '-0.01');
		assert.equal(off.truth.accounts[0]?.periods[0]?.verdict, 'notReconciled');
		const usual = await generateStatement('doesNotAddUp', { seed: 2 });
		assert.equal(usual.truth.accounts[0]?.periods[0]?.difference, '10.00');
		await assert.rejects(
			generateStatement('doesNotAddUp', { seed: 2, difference: '0.00' }),
			/would add up/,
		);
	});

	it('has a gap where its second page was', async () => {
		const { pdf, truth } = await generateStatement('missingPage', { seed: 1 });
		const { pages } = await readTextLayer(pdf);
		const numbers = pages.map((pieces) => pieces.find((piece) => /^Page \d+ of \d+$/.test(piece)));
		assert.deepEqual(numbers, ['Page 1 of 3', 'Page 3 of 3']);
		const rows = truth.accounts[0]?.transactions ?? [];
		const gaps = rows.filter((row, index) => {
			const before = rows[index - 1]?.balance ?? truth.accounts[0]?.periods[0]?.startBalance;
			return minor(before ?? '0.00') + minor(row.amount) !== minor(row.balance ?? '0.00');
		});
		assert.equal(gaps.length, 1);
	});

	it('crosses the end of a year without printing the year in the rows', async () => {
		for (const name of ['germanGiro', 'dutchStatement']) {
			const { truth } = await generateStatement(name, { seed: 1 });
			const years = new Set(truth.accounts[0]?.transactions.map((row) => row.date.slice(0, 4)));
			assert.equal(years.size, 2);
		}
	});

	it('gives verdicts of all three kinds', async () => {
		const verdicts = new Map<string, string | undefined>();
		for (const name of layoutNames) {
			const { truth } = await generateStatement(name, { seed: 1, ...short(name) });
			verdicts.set(name, truth.accounts[0]?.periods[0]?.verdict);
		}
		for (const [name, verdict] of verdicts) {
			const expected =
				name === 'doesNotAddUp' || name === 'missingPage'
					? 'notReconciled'
					: name === 'noBalances' || name === 'noTransactions'
						? 'nothingToCheck'
						: 'reconciled';
			assert.equal(verdict, expected, name);
		}
	});

	it('has 200 pages and thousands of rows, with headings on the first page only', async () => {
		const { pdf, truth } = await generateStatement('longLedger', { seed: 1 });
		const { pages } = await readTextLayer(pdf);
		assert.equal(pages.length, 200);
		assert.ok((truth.accounts[0]?.transactions.length ?? 0) > 5000);
		const withHeadings = pages.filter((pieces) => pieces.includes('WITHDRAWAL'));
		assert.equal(withHeadings.length, 1);
		assertRowsPrinted(truth, pages);
	});

	it('names the layouts when it does not know one', async () => {
		await assert.rejects(generateStatement('nonesuch', { seed: 1 }), /Take one of: usChecking/);
	});
});

function assertVerdict(account: TruthAccount): void {
	assert.ok(account.periods.length > 0);
	for (const period of account.periods) {
		const rows = account.transactions.filter((row) => row.period === period.period);
		if (period.startBalance === null || period.endBalance === null || rows.length === 0) {
			assert.equal(period.verdict, 'nothingToCheck');
			continue;
		}
		let moved = 0n;
		for (const row of rows) moved += minor(row.amount);
		if (account.balanceMeans === 'owed') moved = -moved;
		const difference = minor(period.endBalance) - minor(period.startBalance) - moved;
		assert.equal(minor(period.difference ?? '0.01'), difference);
		assert.equal(period.verdict, difference === 0n ? 'reconciled' : 'notReconciled');
	}
}

/** Each printed balance follows from the one before it and the amounts between them. */
function assertRunningBalances(account: TruthAccount, name: string): void {
	const rows = name === 'newestFirst' ? account.transactions.toReversed() : account.transactions;
	const start = account.periods[0]?.startBalance ?? null;
	if (start === null || rows.every((row) => row.balance === null)) return;
	let balance = minor(start);
	for (const row of rows) {
		balance += minor(row.amount);
		if (row.balance !== null) assert.equal(minor(row.balance), balance);
	}
}

function assertDates(account: TruthAccount): void {
	for (const row of account.transactions) {
		const period = account.periods.find((candidate) => candidate.period === row.period);
		assert.ok(period, 'a row names a period that the account has');
		assert.match(row.date, /^\d{4}-\d\d-\d\d$/);
		assert.ok(period.startDate === null || row.date >= period.startDate);
		assert.ok(period.endDate === null || row.date <= period.endDate);
		assert.notEqual(minor(row.amount), 0n);
	}
}

function assertRowsPrinted(truth: StatementTruth, pages: string[][]): void {
	for (const [index, pieces] of pages.entries()) {
		const rows = truth.accounts
			.flatMap((account) => account.transactions)
			.filter((row) => row.pageNumber === index + 1);
		const text = solid(pieces.join(''));
		const amounts = new Map<string, number>();
		for (const piece of pieces) {
			const value = digits(piece);
			amounts.set(value, (amounts.get(value) ?? 0) + 1);
		}
		const take = (amount: string, row: TruthTransaction) => {
			const value = digits(amount);
			const left = amounts.get(value) ?? 0;
			assert.ok(left > 0, `page ${index + 1} lacks ${amount} of ${JSON.stringify(row)}`);
			amounts.set(value, left - 1);
		};
		for (const row of rows) {
			take(row.amount, row);
			if (row.balance !== null) take(row.balance, row);
			if (row.checkNumber !== '') assert.ok(text.includes(row.checkNumber));
			for (const line of row.descriptionLines) {
				for (const word of line.split(' ')) {
					assert.ok(text.includes(word), `page ${index + 1} lacks "${word}"`);
				}
			}
		}
	}
}

function assertAccountsPrinted(truth: StatementTruth, pages: string[][]): void {
	const text = solid(pages.flat().join(''));
	for (const account of truth.accounts) {
		assert.ok(text.includes(account.account), `${account.account} is not printed`);
		for (const period of account.periods) {
			for (const balance of [period.startBalance, period.endBalance]) {
				if (balance === null) continue;
				const printed = pages.flat().some((piece) => digits(piece).endsWith(digits(balance)));
				assert.ok(printed, `the balance ${balance} is not printed`);
			}
		}
	}
}
