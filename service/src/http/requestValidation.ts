import { Compile } from 'typebox/compile';
import type { TSchema } from '@fastify/type-provider-typebox';
import type { FastifySchemaCompiler } from 'fastify';

/** One thing that is wrong with a part of a request, as validators report it. */
interface Problem {
	keyword: string;
	instancePath: string;
	schemaPath: string;
	params: Record<string, unknown>;
	message: string;
}

type Conversion = (text: string) => unknown;

/**
 * Checks every part of a request against its schema. Bodies, headers and path parameters are taken as
 * they are. Query parameters are all text, so those that the schema says are numbers or booleans are
 * converted, and only where nothing else can be meant (docs/interface-choices.md, "Errors"): what does
 * not convert stays text and then has the wrong type. A parameter that is given twice is refused.
 */
export const requestValidation: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
	const check = Compile(schema);
	const conversions = httpPart === 'querystring' ? conversionsOf(schema) : null;
	return (value: unknown) => {
		if (conversions === null)
			return check.Check(value) ? { value } : { error: check.Errors(value) };
		const query = { ...(value as Record<string, unknown>) };
		for (const [name, convert] of conversions) {
			const given = query[name];
			if (Array.isArray(given)) return { error: [repeated(name)] };
			if (typeof given === 'string') query[name] = convert(given);
		}
		return check.Check(query) ? { value: query } : { error: check.Errors(query) };
	};
};

function conversionsOf(schema: unknown): Array<[string, Conversion]> {
	const properties = memberOf(schema, 'properties') ?? {};
	return Object.entries(properties).map(([name, property]) => [
		name,
		CONVERSIONS.get(memberOf(property, 'type')) ?? ((text: string) => text),
	]);
}

const CONVERSIONS = new Map<unknown, Conversion>([
	['integer', (text) => (/^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : text)],
	['number', (text) => (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : text)],
	['boolean', (text) => BOOLEANS.get(text) ?? text],
]);

const BOOLEANS = new Map([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

function repeated(name: string): Problem {
	return {
		keyword: 'repeated',
		instancePath: `/${name}`,
		schemaPath: '#',
		params: {},
		message: 'must be given only once',
	};
}

function memberOf(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
