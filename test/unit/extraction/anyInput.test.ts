import fc from 'fast-check';
import {
	flatRowsToItems,
	groupedDataToItems,
	recordToItem,
	type OutputMode,
} from '../../../nodes/shared/extraction';
import { entries } from './statements';

const MODES: OutputMode[] = ['transactions', 'accounts', 'documents', 'raw'];

// Names that the code looks for, so that random JSON comes near the shapes it knows.
const name = fc.oneof(
	fc.constantFrom(
		'bankMode',
		'metadata',
		'transactions',
		'data',
		'rows',
		'documentId',
		'account',
		'period',
		'date',
		'amount',
		'error',
		'serviceError',
		'isTransaction',
		'name',
		'value',
		'startBalance',
		'endBalance',
		'isReconciled',
		'totalCredits',
		'numCredits',
		'verdict',
		'checks',
		'7',
		'__proto__',
		'constructor',
		'toString',
		'hasOwnProperty',
	),
	fc.string(),
);
const leaf = fc.oneof(
	fc.constantFrom('100.00', '1,234', '20240115120000', '2024-01-15', '', '1', '0', 'startBalance'),
	fc.string(),
	fc.double(),
	fc.integer(),
	fc.boolean(),
	fc.constant(null),
);
// An object whose own names may be any text; assigning __proto__ would not make it one of them.
const objectOf = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
	fc.array(fc.tuple(name, value), { maxLength: 6 }).map((pairs) => Object.fromEntries(pairs));
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
	tree: fc.oneof(
		{ maxDepth: 7, withCrossShrink: true },
		leaf,
		objectOf(tie('tree')),
		objectOf(tie('tree')),
		fc.array(tie('tree'), { maxLength: 5 }),
	),
}));
const jsonBody = tree.map((value): unknown => JSON.parse(JSON.stringify(value)));
const asked = fc.option(fc.constantFrom<string | number>(7, '7', 'doc'), { nil: undefined });

describe('any response', () => {
	it('gives safe items in every mode and is not changed', () => {
		fc.assert(
			fc.property(jsonBody, asked, (body, documentId) => {
				const before = JSON.stringify(body);
				for (const output of MODES) {
					for (const map of [groupedDataToItems, flatRowsToItems]) {
						for (const { json, pairedItem } of map(
							{ body },
							{ output, pairedItem: 4, documentId },
						)) {
							expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
							expect(Object.hasOwn(json, 'error')).toBe(false);
							expect(pairedItem).toEqual({ item: 4 });
						}
					}
				}
				expect(JSON.stringify(body)).toBe(before);
			}),
			{ numRuns: 500 },
		);
	});

	it('is the same from its text as from the parsed body', () => {
		fc.assert(
			fc.property(jsonBody, (body) => {
				for (const output of MODES) {
					const options = { output, pairedItem: 0 };
					const text = JSON.stringify(body);
					expect(groupedDataToItems({ text }, options)).toEqual(
						groupedDataToItems({ body }, options),
					);
				}
			}),
		);
	});

	it('never makes a record an error', () => {
		fc.assert(
			fc.property(jsonBody, (body) => {
				expect(Object.hasOwn(recordToItem(body, 0).json, 'error')).toBe(false);
			}),
		);
	});

	it('is not followed into the depth', () => {
		const deep = (open: string, close: string): string =>
			`${open.repeat(50_000)}1${close.repeat(50_000)}`;
		for (const text of [deep('[', ']'), deep('{"data":', '}'), deep('{"7":[', ']}')]) {
			for (const output of MODES) {
				expect(() => groupedDataToItems({ text }, { output, pairedItem: 0 })).not.toThrow();
				expect(() => flatRowsToItems({ text }, { output, pairedItem: 0 })).not.toThrow();
			}
		}
	});
});

describe('rows', () => {
	const accountOf = fc.record({
		bankMode: fc.record({ transactions: fc.array(jsonBody, { maxLength: 8 }) }),
		metadata: fc.oneof(
			jsonBody,
			fc.constant(entries({ startDate: '2024-01-01', endDate: '2024-12-31' })),
		),
	});
	const documentOf = fc.dictionary(fc.stringMatching(/^[A-Z0-9]{1,6}$/), accountOf, { minKeys: 1 });
	const body = fc.dictionary(fc.stringMatching(/^[0-9]{1,6}$/), documentOf, { minKeys: 1 });

	it('of grouped data are never dropped, doubled or put elsewhere', () => {
		fc.assert(
			fc.property(body, (documents) => {
				const expected = Object.entries(documents).flatMap(([documentId, accounts]) =>
					Object.entries(accounts).flatMap(([account, { bankMode }]) =>
						bankMode.transactions.map(() => ({ documentId, account })),
					),
				);
				const items = groupedDataToItems({ body: documents }, { pairedItem: 0 });
				expect(
					items.map(({ json }) => ({ documentId: json.documentId, account: json.account })),
				).toEqual(expected);
			}),
			{ numRuns: 50 },
		);
	});

	it('keep every value of theirs', () => {
		const fields = fc.dictionary(fc.string(), leaf);
		fc.assert(
			fc.property(fields, (given) => {
				const sent: unknown = JSON.parse(JSON.stringify({ transactions: [given] }));
				const [item] = flatRowsToItems({ body: sent }, { pairedItem: 0 });
				const [row] = (sent as { transactions: Array<Record<string, unknown>> }).transactions;
				const kept = Object.values(item?.json ?? {}).map(String);
				for (const value of Object.values(row ?? {})) {
					if (value !== null) expect(kept).toContain(String(value));
				}
			}),
		);
	});

	it('of a flat answer are as many as came', () => {
		fc.assert(
			fc.property(fc.array(objectOf(leaf), { maxLength: 30 }), (rows) => {
				const sent: unknown[] = JSON.parse(JSON.stringify(rows));
				const { length } = sent;
				expect(flatRowsToItems({ body: sent }, { pairedItem: 0 })).toHaveLength(length);
				const wrapped = { jobId: 1, transactions: sent };
				expect(flatRowsToItems({ body: wrapped }, { pairedItem: 0 })).toHaveLength(length);
			}),
		);
	});

	it('are mapped in linear time', () => {
		const seconds = (count: number): number => {
			const transactions = Array.from({ length: count }, (_, index) => ({
				date: '20240115120000',
				amount: index / 100,
				memo: `row ${index}`,
			}));
			const metadata = entries({ startBalance: '0', endBalance: '1' });
			const text = JSON.stringify({ '7': { a: { bankMode: { transactions }, metadata } } });
			const start = performance.now();
			for (const output of MODES) groupedDataToItems({ text }, { output, pairedItem: 0 });
			return (performance.now() - start) / 1000;
		};
		// Quadratic time would take minutes here.
		expect(seconds(50_000)).toBeLessThan(20);
	});
});
