import { flatRowsToItems, type ExtractionOptions } from '../../../nodes/shared/extraction';
import { account, row } from './statements';

function json(
	body: unknown,
	options: Partial<ExtractionOptions> = {},
): Array<Record<string, unknown>> {
	return flatRowsToItems({ body }, { pairedItem: 2, ...options }).map((item) => item.json);
}

const flat = row(-12.5, { documentId: 7, account: '4400123', period: '0', rowNumber: 1 });
const expected = {
	...flat,
	documentId: '7',
	account: '4400123',
	period: '0',
	periodStart: null,
	periodEnd: null,
	dateIso: '2024-01-15',
};

describe('flat rows', () => {
	it.each([
		['a list', [flat]],
		['in transactions', { jobId: 1, count: 1, transactions: [flat] }],
		['in rows', { rows: [flat] }],
		['in data', { data: [flat], total: 1 }],
		['in items', { items: [flat] }],
		['in results', { results: [flat] }],
		['one level deeper', { status: 'ok', data: { count: 1, transactions: [flat] } }],
		['two levels deeper', { data: { result: null, data: { rows: [flat] } } }],
		['under another name', { jobId: 1, bankRows: [flat] }],
		['by document', { '7': [flat] }],
		['by document, inside', { transactions: { '7': [flat] } }],
	])('are found as %s', (_what, body) => {
		expect(json(body)).toEqual([expected]);
	});

	it.each([
		['an empty list', []],
		['an empty list inside', { jobId: 1, count: 0, transactions: [] }],
		['null inside', { jobId: 1, count: 0, transactions: null }],
		['nothing', undefined],
		['null', null],
		['an empty object', {}],
	])('are none in %s', (_what, body) => {
		expect(json(body)).toEqual([]);
	});

	it('keep their order and every field, whatever its name', () => {
		const rows = [{ Buchung: 'x', Betrag: '1,00' }, { a: null }, 'torn', [1], null];
		const nowhere = {
			documentId: '7',
			account: null,
			period: null,
			periodStart: null,
			periodEnd: null,
			dateIso: null,
		};
		expect(json({ documentId: 7, transactions: rows })).toEqual([
			{ ...nowhere, Buchung: 'x', Betrag: '1,00' },
			{ ...nowhere, a: null },
			{ ...nowhere, value: 'torn' },
			{ ...nowhere, value: [1] },
			{ ...nowhere, value: null },
		]);
	});

	it.each([
		[{ transactionDate: '2024-02-03' }, '2024-02-03'],
		[{ postedDate: '20240203000000' }, '2024-02-03'],
		[{ booking_date: '2024-02-03T10:00:00Z' }, '2024-02-03'],
		[{ date: '', valueDate: '2024-02-03' }, '2024-02-03'],
		[{ date: '2024-02-04', valueDate: '2024-02-03' }, '2024-02-04'],
	])('with %p have the ISO date %s', (fields, dateIso) => {
		expect(json([fields])).toMatchObject([{ ...fields, dateIso }]);
	});

	it.each([
		[{ document_id: 8 }, { documentId: '8' }],
		[{ document: { id: 8, name: 'x' } }, { documentId: '8' }],
		[{ accountNumber: '44' }, { account: '44' }],
		[{ account: { number: 44 } }, { account: '44', serviceAccount: { number: 44 } }],
	])('with %p belong to %p', (fields, place) => {
		expect(json([fields])).toMatchObject([place]);
	});

	it('that name no document get the one that was asked for', () => {
		expect(json([{ amount: 1 }], { documentId: 7 })).toMatchObject([{ documentId: '7' }]);
		expect(json({ documentId: 8, rows: [{ amount: 1 }] }, { documentId: 7 })).toMatchObject([
			{ documentId: '8' },
		]);
	});

	it('keep lines that are no transactions, with their fields', () => {
		const line = { documentId: 7, isTransaction: false, text: 'Opening balance', cells: ['x'] };
		expect(json([line, flat])).toMatchObject([{ ...line, documentId: '7' }, { amount: -12.5 }]);
	});

	it('may turn out to be grouped data', () => {
		expect(json({ '7': { a: account() } })).toHaveLength(2);
		expect(json({ data: { '7': { a: account() } } })).toHaveLength(2);
	});

	it('that are none are passed on', () => {
		expect(json({ note: 'see page 2' }, { documentId: 7 })).toEqual([
			{ documentId: '7', note: 'see page 2' },
		]);
	});

	it('have no error at the top', () => {
		expect(json([{ error: 'x' }])).toMatchObject([{ serviceError: 'x' }]);
		expect(json([{ error: 'x' }])[0]).not.toHaveProperty('error');
	});
});

describe('accounts and documents from flat rows', () => {
	const rows = [
		{ documentId: 7, account: 'a', amount: '10.10' },
		{ documentId: 7, account: 'b', credit: '5.00', debit: '' },
		{ documentId: 7, account: 'a', amount: -0.2 },
		{ documentId: 8, account: 'a', debit: '3.00' },
		{ documentId: 7, account: 'a', amount: 99, isTransaction: false },
	];

	it('are sorted, summed and not judged', () => {
		expect(json({ transactions: rows }, { output: 'accounts' })).toMatchObject([
			{
				documentId: '7',
				account: 'a',
				verdict: 'nothing to check against',
				difference: null,
				totalCredits: '10.10',
				totalDebits: '-0.20',
				numCredits: 1,
				numDebits: 1,
				transactionCount: 2,
			},
			{ documentId: '7', account: 'b', totalCredits: '5.00', transactionCount: 1 },
			{ documentId: '8', account: 'a', totalDebits: '-3.00', transactionCount: 1 },
		]);
	});

	it('are one item for each document', () => {
		expect(json({ transactions: rows }, { output: 'documents' })).toMatchObject([
			{ documentId: '7', transactionCount: 3, accounts: [{ account: 'a' }, { account: 'b' }] },
			{ documentId: '8', transactionCount: 1, verdict: 'nothing to check against' },
		]);
	});

	it('stay as they came for raw', () => {
		const body = { jobId: 1, transactions: rows };
		expect(json(body, { output: 'raw' })).toEqual([body]);
	});
});
