import { groupedDataToItems } from '../../../nodes/shared/extraction';
import { account, entries, grouped, row } from './statements';

function accounts(accountsByName: Record<string, unknown>): Array<Record<string, unknown>> {
	return groupedDataToItems(
		{ body: grouped(accountsByName) },
		{ output: 'accounts', pairedItem: 1 },
	).map(({ json }) => json);
}

describe('an account item', () => {
	it('has totals, counts, balances, dates and the verdict, and no rows', () => {
		const facts = {
			startDate: '2024-01-01',
			endDate: '2024-01-31',
			startBalance: '100.00',
			endBalance: '200.25',
			isReconciled: '1',
		};
		const totals = { totalCredits: '112.75', totalDebits: '-12.50', numCredits: 1, numDebits: 1 };
		const verdict = { verdict: 'reconciled', difference: '0.00', verdictNote: null };
		expect(accounts({ a: account({ bankMode: totals, metadata: entries(facts) }) })).toEqual([
			{
				documentId: '7',
				account: 'a',
				...verdict,
				...facts,
				...totals,
				transactionCount: 2,
				periods: [{ period: '0', ...verdict, ...facts, transactionCount: 2 }],
			},
		]);
	});

	it('computes totals and counts that the service leaves out', () => {
		const rows = [row(0.1), row(0.2), row('-1,000.005'), row(0)];
		expect(accounts({ a: account({ rows }) })[0]).toMatchObject({
			totalCredits: '0.30',
			totalDebits: '-1000.005',
			numCredits: 2,
			numDebits: 1,
			transactionCount: 4,
		});
	});

	it('computes no total over an amount it cannot read', () => {
		expect(accounts({ a: account({ rows: [row(1), row('n/a')] }) })[0]).toMatchObject({
			totalCredits: null,
			totalDebits: null,
			numCredits: null,
			numDebits: null,
			transactionCount: 2,
		});
	});

	it('keeps further fields of every level', () => {
		const [json] = accounts({
			a: account({
				bankMode: { currency: 'EUR', verdict: 'fine', error: 'none' },
				extras: { currency: 'USD', holder: { name: 'A. Person' } },
				metadata: [
					...entries({ startBalance: '100.00', endBalance: '200.25', iban: 'NL00' }),
					...entries({ iban: 'NL01' }),
					'a note',
				],
			}),
		});
		expect(json).toMatchObject({
			verdict: 'reconciled',
			serviceVerdict: 'fine',
			serviceError: 'none',
			currency: 'USD',
			serviceCurrency: 'EUR',
			holder: { name: 'A. Person' },
			iban: 'NL00',
			otherMetadata: [{ name: 'iban', value: 'NL01', period: '0' }, 'a note'],
		});
		expect(json).not.toHaveProperty('error');
	});

	it('keeps further facts of a period with the period', () => {
		const metadata = [...entries({ branch: 'North' }, '0'), ...entries({ branch: 'South' }, '1')];
		const [json] = accounts({ a: account({ metadata }) });
		expect(json).not.toHaveProperty('branch');
		expect(json?.periods).toMatchObject([
			{ period: '0', branch: 'North' },
			{ period: '1', branch: 'South' },
		]);
	});

	it('gives dates as ISO, and those it cannot read as they came', () => {
		const metadata = entries({ startDate: '20240101000000', endDate: 'end of January' });
		expect(accounts({ a: account({ metadata }) })[0]).toMatchObject({
			startDate: '2024-01-01',
			endDate: 'end of January',
		});
	});

	it.each([
		['an object', { startBalance: '100.00', endBalance: '200.25' }],
		['a list of objects', [{ period: '0', startBalance: '100.00', endBalance: '200.25' }]],
		['entries without a period', entries({ startBalance: 100, endBalance: 200.25 }, undefined)],
		[
			'entries of the account beside those of a period',
			[
				...entries({ startBalance: '100.00', endBalance: '200.25' }, null),
				...entries({ startDate: '2024-01-01' }, '0'),
			],
		],
	])('reads metadata that is %s', (_what, metadata) => {
		expect(accounts({ a: account({ metadata }) })[0]).toMatchObject({ verdict: 'reconciled' });
	});

	it('is one for each account of each document', () => {
		const result = accounts({ a: account(), b: account({ rows: [] }), checks: account() });
		expect(result.map((json) => [json.account, json.verdict])).toEqual([
			['a', 'reconciled'],
			['b', 'not reconciled'],
			['checks', 'nothing to check against'],
		]);
	});
});

describe('a document item', () => {
	function documents(body: unknown): Array<Record<string, unknown>> {
		return groupedDataToItems({ body }, { output: 'documents', pairedItem: 1 }).map(
			({ json }) => json,
		);
	}

	it('has its accounts, the worst of their verdicts and what else is known of it', () => {
		const body = {
			'7': {
				a: account(),
				b: account({ rows: [] }),
				metadata: [{ name: 'pages', value: '2' }],
				bank: 'A Bank',
				error: 'page 3 was blank',
			},
		};
		const [json, ...others] = documents(body);
		expect(others).toEqual([]);
		expect(json).toMatchObject({
			documentId: '7',
			verdict: 'not reconciled',
			transactionCount: 2,
			accounts: [
				{ account: 'a', verdict: 'reconciled', transactionCount: 2 },
				{ account: 'b', verdict: 'not reconciled', transactionCount: 0 },
			],
			metadata: [{ name: 'pages', value: '2' }],
			bank: 'A Bank',
			serviceError: 'page 3 was blank',
		});
	});

	it.each([
		[['reconciled', 'reconciled'], 'reconciled'],
		[['reconciled', 'nothing'], 'nothing to check against'],
		[['nothing', 'wrong'], 'not reconciled'],
		[['reconciled', 'wrong'], 'not reconciled'],
		[[], 'nothing to check against'],
	])('with accounts that are %p is %s', (kinds, verdict) => {
		const kind: Record<string, unknown> = {
			reconciled: account(),
			nothing: account({ metadata: [] }),
			wrong: account({ rows: [] }),
		};
		const accountsByName = Object.fromEntries(
			kinds.map((name, index) => [`a${index}`, kind[name]]),
		);
		expect(documents(grouped(accountsByName))).toMatchObject([{ verdict }]);
	});
});
