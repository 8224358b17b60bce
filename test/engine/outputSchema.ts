import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve(__dirname, '../../nodes/DocumentExtraction/__schema__/v1.0.0');

/** The part of JSON schema that n8n's editor shows before a node has run. */
export interface OutputSchema {
	type: string | string[];
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
}

export function outputSchemaPath(resource: string, operation: string): string {
	return join(FOLDER, resource, `${operation}.json`);
}

export function outputSchema(resource: string, operation: string): OutputSchema {
	return JSON.parse(readFileSync(outputSchemaPath(resource, operation), 'utf8')) as OutputSchema;
}

/** The fields that n8n's editor offers of an operation before it has run, in alphabetical order. */
export function describedFields(resource: string, operation: string): string[] {
	return Object.keys(outputSchema(resource, operation).properties ?? {}).sort();
}

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

function isOf(type: string, schema: OutputSchema): boolean {
	const types = [schema.type].flat();
	if (types.includes(type) || (type === 'integer' && types.includes('number'))) return true;
	// The editor shows the inner fields only of what is described as nothing but an object.
	return type === 'null' && schema.properties !== undefined;
}

/** Where the value is not as described. An integer is a number too; null may stand for an object. */
export function deviations(schema: OutputSchema, value: unknown, at = ''): string[] {
	const type = typeOf(value);
	if (!isOf(type, schema)) {
		return [`${at} is ${type}, described as ${[schema.type].flat().join(' or ')}`];
	}
	if (Array.isArray(value)) {
		return value.flatMap((part, index) =>
			schema.items === undefined ? [] : deviations(schema.items, part, `${at}[${index}]`),
		);
	}
	if (type !== 'object' || schema.properties === undefined) return [];
	const fields = value as Record<string, unknown>;
	const described = schema.properties;
	// What lies deeper is as the service gives it.
	const missing =
		at === '' ? Object.keys(described).filter((name) => !Object.hasOwn(fields, name)) : [];
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
