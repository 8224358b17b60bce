import { groupedDataToItems } from '../../../nodes/shared/extraction';
import { account, entries, grouped, row } from './statements';

function items(body: unknown): Array<Record<string, unknown>> {
	return groupedDataToItems({ body }, { pairedItem: 3 }).map(({ json }) => json);
}

describe('a transaction item', () => {
	it('has the fields of the row as they came, and says where the row belongs', () => {
		const check = { confidence: 0.9, isMicrValid: true, handwrittenFields: ['payee'] };
		const given = row(-12.5, { metadata: check, somethingNew: { deep: [1] } });
		expect(items(grouped({ '4400123': account({ rows: [given] }) }))).toEqual([
			{
				documentId: '7',
				account: '4400123',
				verdict: 'not reconciled',
				period: '0',
				periodStart: '2024-01-01',
				periodEnd: '2024-01-31',
				dateIso: '2024-01-15',
				...given,
			},
		]);
	});

	it('begins with what it belongs to', () => {
		expect(Object.keys(items(grouped())[0] ?? {}).slice(0, 8)).toEqual([
			'documentId',
			'account',
			'verdict',
			'period',
			'periodStart',
			'periodEnd',
			'dateIso',
			'date',
		]);
	});

	it('carries the verdict of its own account', () => {
		const body = grouped({
			right: account({ rows: [row(100.25)] }),
			wrong: account({ rows: [row(100.24)] }),
		});
		expect(items(body).map(({ account: key, verdict }) => [key, verdict])).toEqual([
			['right', 'reconciled'],
			['wrong', 'not reconciled'],
		]);
	});

	it('keeps a text amount as text and a number as a number', () => {
		const rows = [row('12.50'), row(12.5), row('1,234.50')];
		expect(items(grouped({ a: account({ rows }) })).map((json) => json.amount)).toEqual([
			'12.50',
			12.5,
			'1,234.50',
		]);
	});

	it('keeps all digits of a number where the text of the response is given', () => {
		const text = JSON.stringify(grouped({ a: account({ rows: [row('AMOUNT')] }) }));
		const [item] = groupedDataToItems(
			{ text: text.replace('"AMOUNT"', '12345678901234567.89') },
			{ pairedItem: 0 },
		);
		expect(item?.json.amount).toBe('12345678901234567.89');
	});

	it('keeps a date it cannot read, with null beside it', () => {
		const rows = [row(1, { date: '20240231000000' }), row(1, { date: null })];
		expect(items(grouped({ a: account({ rows }) }))).toMatchObject([
			{ date: '20240231000000', dateIso: null },
			{ date: null, dateIso: null },
		]);
	});

	it('keeps what the service sends under a name of ours', () => {
		const given = row(1, {
			documentId: 'other',
			account: '****0123',
			dateIso: '2023-12-31',
			periodStart: null,
			error: 'smudged',
			serviceError: 'taken',
		});
		const [json] = items(grouped({ '4400123': account({ rows: [given] }) }));
		expect(json).toMatchObject({
			documentId: '7',
			serviceDocumentId: 'other',
			account: '4400123',
			serviceAccount: '****0123',
			dateIso: '2024-01-15',
			serviceDateIso: '2023-12-31',
			periodStart: '2024-01-01',
			serviceError: 'taken',
			serviceError2: 'smudged',
		});
		expect(json).not.toHaveProperty('error');
		expect(json).not.toHaveProperty('servicePeriodStart');
	});

	it('does not repeat an id that only has another type', () => {
		const [json] = items(
			grouped({ '123': account({ rows: [row(1, { documentId: 7, account: 123 })] }) }),
		);
		expect(json).toMatchObject({ documentId: '7', account: '123' });
		expect(Object.keys(json ?? {}).filter((name) => name.startsWith('service'))).toEqual([]);
	});

	it('is not touched by a prototype in the data', () => {
		const text = JSON.stringify(grouped({ a: account({ rows: [row(1, { x: 1 })] }) }))
			.replace('"x":1', '"__proto__":{"polluted":true}')
			.replace('"a":', '"__proto__":');
		const [item] = groupedDataToItems({ text }, { pairedItem: 0 });
		expect(item?.json.account).toBe('__proto__');
		expect(item?.json.polluted).toBeUndefined();
		expect(item?.json.serviceProto).toEqual({ polluted: true });
		expect(Object.getPrototypeOf(item?.json)).toBe(Object.prototype);
		expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
	});

	it('keeps a row that is no object', () => {
		expect(items(grouped({ a: account({ rows: ['torn', null, 5] }) }))).toMatchObject([
			{ account: 'a', value: 'torn', dateIso: null },
			{ value: null },
			{ value: 5 },
		]);
	});
});

describe('the period of a row', () => {
	const metadata = [
		...entries({ startDate: '2024-01-01', endDate: '2024-01-31' }, '0'),
		...entries({ startDate: '2024-01-31', endDate: '2024-02-29' }, '1'),
	];
	const periodOf = (fields: Record<string, unknown>, facts: unknown = metadata): unknown => {
		const [json] = items(grouped({ a: account({ rows: [row(1, fields)], metadata: facts }) }));
		return [json?.period, json?.periodStart, json?.periodEnd];
	};

	it.each([
		[
			'is the one it names',
			{ period: '1', date: '20240101000000' },
			['1', '2024-01-31', '2024-02-29'],
		],
		['may be named by a number', { period: 1 }, ['1', '2024-01-31', '2024-02-29']],
		['may be one that nothing is known of', { period: '9' }, ['9', null, null]],
		['is found by the date', { date: '20240215000000' }, ['1', '2024-01-31', '2024-02-29']],
		['is found by an ISO date', { date: '2024-01-15' }, ['0', '2024-01-01', '2024-01-31']],
		[
			'is the earlier one on a shared day',
			{ date: '20240131000000' },
			['0', '2024-01-01', '2024-01-31'],
		],
		['is not guessed outside of all', { date: '20240301000000' }, [null, null, null]],
		['is not guessed without a date', { date: '' }, [null, null, null]],
	])('%s', (_what, fields, expected) => {
		expect(periodOf(fields)).toEqual(expected);
	});

	it('is the only one, whatever the date', () => {
		const only = entries({ startDate: '2024-01-01', endDate: '2024-01-31' }, '0');
		expect(periodOf({ date: 'soon' }, only)).toEqual(['0', '2024-01-01', '2024-01-31']);
	});

	it('has the dates of metadata without a period', () => {
		const unnamed = entries({ startDate: '20240101', endDate: '2024-01-31' }, null);
		expect(periodOf({}, unnamed)).toEqual([null, '2024-01-01', '2024-01-31']);
		expect(periodOf({ period: '0' }, unnamed)).toEqual(['0', '2024-01-01', '2024-01-31']);
	});

	it('is null where there is no metadata', () => {
		expect(periodOf({}, [])).toEqual([null, null, null]);
		expect(periodOf({}, 'none')).toEqual([null, null, null]);
	});
});

describe('the link to the input', () => {
	it('is on every item, and an object of its own', () => {
		const [first, second] = groupedDataToItems({ body: grouped() }, { pairedItem: 3 });
		expect([first?.pairedItem, second?.pairedItem]).toEqual([{ item: 3 }, { item: 3 }]);
		expect(first?.pairedItem).not.toBe(second?.pairedItem);
	});

	it('may be several inputs', () => {
		const pairedItem = [{ item: 0 }, { item: 1, input: 1 }];
		const [first] = groupedDataToItems({ body: grouped() }, { pairedItem });
		expect(first?.pairedItem).toEqual(pairedItem);
	});

	it('may depend on the document', () => {
		const body = { ...grouped({ a: account() }, '7'), ...grouped({ b: account() }, '8') };
		for (const output of ['transactions', 'accounts', 'documents'] as const) {
			const linked = groupedDataToItems(
				{ body },
				{ output, pairedItem: (documentId) => (documentId === '8' ? 1 : 0) },
			);
			for (const { json, pairedItem } of linked) {
				expect(pairedItem).toEqual({ item: json.documentId === '8' ? 1 : 0 });
			}
		}
	});
});
