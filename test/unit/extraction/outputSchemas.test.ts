import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { flatRowsToItems, groupedDataToItems } from '../../../nodes/shared/extraction';
import {
	deviations,
	outputSchema,
	outputSchemaPath,
	type OutputSchema,
} from '../../engine/outputSchema';
import { account, grouped, row } from './statements';

const NODE = join(__dirname, '../../../nodes/DocumentExtraction');

const OPERATIONS = ['document', 'fraud', 'job', 'project', 'tool', 'webhook'].flatMap((resource) =>
	readdirSync(join(NODE, 'actions', resource))
		.filter((file) => file.endsWith('.operation.ts'))
		.map((file) => [resource, file.replace('.operation.ts', '')] as const),
);

describe('the output schemas', () => {
	it('belong to operations that exist', () => {
		for (const resource of readdirSync(join(NODE, '__schema__', 'v1.0.0'))) {
			for (const file of readdirSync(join(NODE, '__schema__', 'v1.0.0', resource))) {
				expect(OPERATIONS).toContainEqual([resource, file.replace('.json', '')]);
			}
		}
	});

	it.each(OPERATIONS)('describe %s: %s', (resource, operation) => {
		expect(existsSync(outputSchemaPath(resource, operation))).toBe(true);
		const schema = outputSchema(resource, operation);
		expect(schema.type).toBe('object');
		expect(Object.keys(schema.properties ?? {})).not.toContain('error');
	});

	// The editor cannot show the fields of a value that is described as an object or something else.
	it.each(OPERATIONS)('have one type for each object and list of %s: %s', (resource, operation) => {
		const check = (schema: OutputSchema): void => {
			if (schema.properties !== undefined) expect(schema.type).toBe('object');
			if (schema.items !== undefined) expect(schema.type).toBe('array');
			Object.values(schema.properties ?? {}).forEach(check);
			if (schema.items !== undefined) check(schema.items);
		};
		check(outputSchema(resource, operation));
	});

	const rows = [row(-12.5, { balance: 87.5 }), row('12.50', { date: 'soon' })];
	const items = groupedDataToItems(
		{ body: grouped({ a: account({ rows }), b: account({ rows, metadata: [] }) }) },
		{ pairedItem: 0 },
	);

	it.each([
		['document', 'extract'],
		['document', 'getData'],
		['job', 'getData'],
	])('are those of real items of %s: %s', (resource, operation) => {
		expect(items).toHaveLength(4);
		for (const { json } of items) {
			expect(deviations(outputSchema(resource, operation), json)).toEqual([]);
		}
	});

	it.each([
		['document', 'getTransactions'],
		['job', 'getTransactions'],
	])('are those of real flat rows of %s: %s', (resource, operation) => {
		const place = { documentId: 7, account: 'a', period: '0', isTransaction: true };
		const transactions = rows.map((one, index) => ({ ...place, rowNumber: index + 1, ...one }));
		const flat = flatRowsToItems({ body: { documentId: 7, transactions } }, { pairedItem: 0 });
		expect(flat).toHaveLength(2);
		for (const { json } of flat) {
			expect(deviations(outputSchema(resource, operation), json)).toEqual([]);
		}
	});

	it('put the fields in the order of the items', () => {
		const described = Object.keys(outputSchema('document', 'extract').properties ?? {});
		expect(described).toEqual(Object.keys(items[0]?.json ?? {}));
	});
});
