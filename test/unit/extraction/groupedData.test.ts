import {
	groupedDataToItems,
	type ExtractionOptions,
	type OutputMode,
} from '../../../nodes/shared/extraction';
import { account, grouped, row } from './statements';

function json(
	body: unknown,
	options: Partial<ExtractionOptions> = {},
): Array<Record<string, unknown>> {
	return groupedDataToItems({ body }, { pairedItem: 0, ...options }).map((item) => item.json);
}

function places(body: unknown, options: Partial<ExtractionOptions> = {}): unknown[] {
	return json(body, options).map(({ documentId, account: name }) => [documentId, name]);
}

const one = account({ rows: [row(1)] });
const ROWLESS: OutputMode[] = ['transactions', 'accounts'];

describe('grouped data', () => {
	it('is read by document and account, in the order given', () => {
		const body = {
			'12': { b: one, a: one, metadata: [] },
			doc_x: { checks: one, metadata: [] },
		};
		expect(places(body)).toEqual([
			['12', 'b'],
			['12', 'a'],
			['doc_x', 'checks'],
		]);
	});

	it('takes no metadata for an account', () => {
		expect(places({ '7': { a: one, metadata: [{ name: 'x' }] } })).toEqual([['7', 'a']]);
		expect(places({ '7': { a: one, metadata: one } })).toEqual([
			['7', 'a'],
			['7', 'metadata'],
		]);
	});

	it('may lack the level of the document', () => {
		expect(places({ a: one, b: one, metadata: [] }, { documentId: 7 })).toEqual([
			['7', 'a'],
			['7', 'b'],
		]);
		expect(places({ a: one })).toEqual([[null, 'a']]);
		expect(places({ documentId: 9, a: one }, { documentId: 7 })).toEqual([['9', 'a']]);
	});

	it('may be one account alone', () => {
		expect(places(one, { documentId: 7 })).toEqual([['7', null]]);
		expect(places({ ...one, account: 5, documentId: 9 })).toEqual([['9', '5']]);
	});

	it('may mix documents with accounts that name none', () => {
		expect(places({ a: one, '8': { b: one } }, { documentId: 7 })).toEqual(
			[
				['8', 'b'],
				['7', 'a'],
			].reverse(),
		);
	});

	it.each(['data', 'result', 'results', 'extractedData'])('may be inside %s', (name) => {
		expect(places({ jobId: 1, [name]: { '7': { a: one } } })).toEqual([['7', 'a']]);
		expect(places({ jobId: 1, [name]: { a: one } }, { documentId: 7 })).toEqual([['7', 'a']]);
		expect(places({ jobId: 1, extra: {}, [name]: [{ '7': { a: one } }] })).toEqual([['7', 'a']]);
	});

	it('may be a list of documents', () => {
		expect(places([{ '7': { a: one } }, { '8': { b: one } }, 'torn'])).toEqual([
			['7', 'a'],
			['8', 'b'],
			[null, undefined],
		]);
	});

	it.each([
		['a list by number', { transactions: { '0': row(1), '1': row(2) } }, 2],
		['one row alone', { transactions: row(1) }, 1],
		['null', { transactions: null }, 0],
		['left out', {}, 0],
		['text', { transactions: 'torn' }, 1],
		['an empty object', { transactions: {} }, 0],
	])('may have transactions that are %s', (_what, bankMode, count) => {
		expect(json({ '7': { a: { bankMode } } })).toHaveLength(count);
	});

	it('may have an account without bankMode beside one with it', () => {
		const body = { '7': { a: one, b: { metadata: [] }, c: { transactions: [row(1)] } } };
		expect(json(body, { output: 'accounts' })).toMatchObject([
			{ account: 'a', transactionCount: 1 },
			{ account: 'b', transactionCount: 0 },
			{ account: 'c', transactionCount: 1 },
		]);
		expect(places(body)).toEqual([
			['7', 'a'],
			['7', 'c'],
		]);
	});

	it.each([null, undefined, '', {}, [], { '7': {} }, { '7': { metadata: [] } }, { '7': null }])(
		'gives no rows for %p',
		(body) => {
			expect(json(body)).toEqual([]);
		},
	);

	it.each([{ '7': {} }, { '7': { metadata: [] } }, { '7': null }])(
		'gives a document without accounts for %p',
		(body) => {
			expect(json(body, { output: 'documents' })).toMatchObject([
				{ documentId: '7', accounts: [], transactionCount: 0 },
			]);
		},
	);

	it('may be one document without accounts and without its id', () => {
		expect(json({ metadata: [] }, { output: 'documents', documentId: 7 })).toMatchObject([
			{ documentId: '7', accounts: [], transactionCount: 0 },
		]);
	});

	it('may hold flat rows', () => {
		expect(places({ documentId: 7, transactions: [row(1, { account: 'a' })] })).toEqual([
			['7', 'a'],
		]);
	});
});

describe('invoices', () => {
	const invoice = { vendor: 'A Vendor', total: '12.50', lines: [{ text: 'x' }], error: 'blurred' };
	const { error, ...fields } = invoice;

	it.each(ROWLESS)('are one item each for %s', (output) => {
		expect(json({ '7': invoice, '8': { vendor: 'B' } }, { output })).toEqual([
			{ documentId: '7', ...fields, serviceError: error },
			{ documentId: '8', vendor: 'B' },
		]);
	});

	it('are one item each for documents', () => {
		expect(json({ '7': invoice }, { output: 'documents' })).toEqual([
			{ documentId: '7', ...fields, serviceError: error },
		]);
	});

	it('may come without the document id', () => {
		expect(json(invoice, { documentId: 7 })).toEqual([
			{ documentId: '7', ...fields, serviceError: error },
		]);
		const nested = { vendor: { name: 'A Vendor' }, lines: [{ text: 'x' }] };
		expect(json(nested, { documentId: 7 })).toEqual([{ documentId: '7', ...nested }]);
		expect(json({ '7': nested }, { documentId: 7 })).toEqual([{ documentId: '7', ...nested }]);
	});

	it('may be inside data', () => {
		const nested = { vendor: { name: 'A Vendor' }, total: '12.50' };
		const expected = [{ documentId: '7', ...nested }];
		expect(json({ data: nested }, { documentId: 7 })).toEqual(expected);
		expect(json({ jobId: 1, status: 'Succeeded', data: { '7': nested } })).toEqual(expected);
	});

	it('keep what stands beside their data', () => {
		const body = { documentId: 7, documentType: 'invoice', data: { vendor: 'A' } };
		expect(json(body, { documentId: 7 })).toEqual([{ ...body, documentId: '7' }]);
	});

	it('keep a payload that is no object', () => {
		expect(json('no JSON at all', { documentId: 7 })).toEqual([
			{ documentId: '7', value: 'no JSON at all' },
		]);
	});
});

describe('tax forms', () => {
	const form = (rowNumber: number): Record<string, unknown> => ({
		rowNumber,
		pageNumber: 1,
		form: { Wages: '1,000.00' },
	});

	it.each(ROWLESS)('are one item for each form for %s', (output) => {
		expect(json({ '7': [form(1), form(2)], '8': [form(1)] }, { output })).toEqual([
			{ documentId: '7', ...form(1) },
			{ documentId: '7', ...form(2) },
			{ documentId: '8', ...form(1) },
		]);
	});

	it('are one item for each document for documents', () => {
		expect(json({ '7': [form(1), form(2)] }, { output: 'documents' })).toEqual([
			{ documentId: '7', items: [form(1), form(2)] },
		]);
	});

	it('may come without the document id', () => {
		expect(json([form(1)], { documentId: 7 })).toEqual([{ documentId: '7', ...form(1) }]);
		expect(json({ documentId: 7, data: [form(1)] }, { documentId: 7 })).toEqual([
			{ documentId: '7', ...form(1) },
		]);
	});
});

describe('raw output', () => {
	it('is the body as it came', () => {
		const body = grouped();
		expect(json(body, { output: 'raw' })).toEqual([body]);
		expect(json([1, 2], { output: 'raw' })).toEqual([{ data: [1, 2] }]);
		expect(json(undefined, { output: 'raw' })).toEqual([{ data: null }]);
		expect(json({ error: 'x' }, { output: 'raw' })).toEqual([{ serviceError: 'x' }]);
	});

	it('keeps all digits where the text is given', () => {
		const [item] = groupedDataToItems(
			{ text: '{"n":12345678901234567890}' },
			{ output: 'raw', pairedItem: 0 },
		);
		expect(item?.json).toEqual({ n: '12345678901234567890' });
	});

	it('is the text where that is no JSON', () => {
		const [item] = groupedDataToItems({ text: '<html>' }, { output: 'raw', pairedItem: 0 });
		expect(item?.json).toEqual({ data: '<html>' });
	});
});
