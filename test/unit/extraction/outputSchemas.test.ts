import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flatRowsToItems, groupedDataToItems } from '../../../nodes/shared/extraction';
import { account, grouped, row } from './statements';

const NODE = join(__dirname, '../../../nodes/DocumentExtraction');

/** The part of JSON schema that n8n's editor shows before a node has run. */
interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

const OPERATIONS = ['document', 'fraud', 'job', 'project', 'tool', 'webhook'].flatMap((resource) =>
	readdirSync(join(NODE, 'actions', resource))
		.filter((file) => file.endsWith('.operation.ts'))
		.map((file) => [resource, file.replace('.operation.ts', '')] as const),
);

function schemaPath(resource: string, operation: string): string {
	return join(NODE, '__schema__', 'v1.0.0', resource, `${operation}.json`);
}

function readSchema(resource: string, operation: string): Schema {
	return JSON.parse(readFileSync(schemaPath(resource, operation), 'utf8')) as Schema;
}

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Where the value is not as described; an integer is a number too. */
function deviations(schema: Schema, value: unknown, at = ''): string[] {
	const types = [schema.type].flat();
	const type = typeOf(value);
	if (!types.includes(type) && !(type === 'integer' && types.includes('number'))) {
		return [`${at} is ${type}, described as ${types.join(' or ')}`];
	}
	if (Array.isArray(value)) {
		return value.flatMap((part, index) =>
			schema.items === undefined ? [] : deviations(schema.items, part, `${at}[${index}]`),
		);
	}
	if (type !== 'object' || schema.properties === undefined) return [];
	const fields = value as Record<string, unknown>;
	const described = schema.properties;
	const missing = Object.keys(described).filter((name) => !Object.hasOwn(fields, name));
	return [
		...missing.map((name) => `${at}.${name} is missing`),
		...Object.entries(fields).flatMap(([name, field]) => {
			const inner = Object.hasOwn(described, name) ? described[name] : undefined;
			return inner === undefined
				? [`${at}.${name} is not described`]
				: deviations(inner, field, `${at}.${name}`);
		}),
	];
}

describe('the output schemas', () => {
	it('belong to operations that exist', () => {
		for (const resource of readdirSync(join(NODE, '__schema__', 'v1.0.0'))) {
			for (const file of readdirSync(join(NODE, '__schema__', 'v1.0.0', resource))) {
				expect(OPERATIONS).toContainEqual([resource, file.replace('.json', '')]);
			}
		}
	});

	it.each(OPERATIONS)('describe %s: %s', (resource, operation) => {
		expect(existsSync(schemaPath(resource, operation))).toBe(true);
		const schema = readSchema(resource, operation);
		expect(schema.type).toBe('object');
		expect(Object.keys(schema.properties ?? {})).not.toContain('error');
	});

	// The editor cannot show the fields of a value that is described as an object or something else.
	it.each(OPERATIONS)('have one type for each object and list of %s: %s', (resource, operation) => {
		const check = (schema: Schema): void => {
			if (schema.properties !== undefined) expect(schema.type).toBe('object');
			if (schema.items !== undefined) expect(schema.type).toBe('array');
			Object.values(schema.properties ?? {}).forEach(check);
			if (schema.items !== undefined) check(schema.items);
		};
		check(readSchema(resource, operation));
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
			expect(deviations(readSchema(resource, operation), json)).toEqual([]);
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
			expect(deviations(readSchema(resource, operation), json)).toEqual([]);
		}
	});

	it('put the fields in the order of the items', () => {
		const described = Object.keys(readSchema('document', 'extract').properties ?? {});
		expect(described).toEqual(Object.keys(items[0]?.json ?? {}));
	});
});
