import fc from 'fast-check';

import { parametersOf } from '../../../nodes/shared/tools/inputSchema';
import { mapperFields } from '../../../nodes/shared/tools/mapperFields';
import { toolsOf } from '../../../nodes/shared/tools/records';
import { convert, isEmpty } from '../../../nodes/shared/tools/values';

const schema = (properties: object, more: object = {}) => ({
	type: 'object',
	properties,
	...more,
});

function kinds(properties: object, more: object = {}): Record<string, string> {
	const parameters = parametersOf(schema(properties, more)) ?? [];
	return Object.fromEntries(parameters.map(({ name, kind }) => [name, kind]));
}

describe('the parameters of a schema', () => {
	it('have the kinds that the schema wants', () => {
		expect(
			kinds({
				text: { type: 'string' },
				id: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
				id2: { type: ['string', 'integer', 'null'] },
				id3: { oneOf: [{ type: 'string', minLength: 1 }, { type: 'integer' }] },
				count: { type: 'integer', minimum: 1 },
				ratio: { type: ['number', 'null'] },
				flag: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
				day: { type: 'string', format: 'date' },
				time: { type: 'string', format: 'date-time' },
				format: { type: 'string', enum: ['json', 'csv'] },
				format2: { anyOf: [{ const: 'json' }, { const: 'csv' }] },
				fixed: { const: 7 },
				ids: { type: 'array', items: { type: 'integer' } },
				deep: { type: 'object', properties: { a: { type: 'string' } } },
				fileBase64: { type: 'string' },
				content: { type: 'string', contentEncoding: 'base64' },
				bytes: { type: 'string', format: 'byte' },
				countBase64: { type: 'integer' },
				open: {},
				anything: true,
				mixed: { type: ['object', 'string'] },
				strange: { type: 'file' },
				not: { not: { type: 'string' } },
			}),
		).toEqual({
			text: 'text',
			id: 'id',
			id2: 'id',
			id3: 'id',
			count: 'integer',
			ratio: 'number',
			flag: 'boolean',
			day: 'date',
			time: 'dateTime',
			format: 'choice',
			format2: 'choice',
			fixed: 'choice',
			ids: 'list',
			deep: 'object',
			fileBase64: 'file',
			content: 'file',
			bytes: 'file',
			countBase64: 'integer',
			open: 'any',
			anything: 'any',
			mixed: 'any',
			strange: 'any',
			not: 'any',
		});
	});

	it('follow references, put allOf together, and end where they go in a circle', () => {
		const definitions = {
			$defs: { Id: { type: 'integer' }, Loop: { $ref: '#/$defs/Loop' } },
			definitions: { Old: { type: 'boolean' } },
		};
		expect(
			kinds(
				{
					a: { $ref: '#/$defs/Id' },
					b: { $ref: '#/definitions/Old' },
					c: { allOf: [{ type: 'string' }, { enum: ['x'] }] },
					d: { $ref: '#/$defs/Loop' },
					e: { $ref: 'https://example.com/schema.json' },
				},
				definitions,
			),
		).toEqual({ a: 'integer', b: 'boolean', c: 'choice', d: 'any', e: 'any' });
	});

	it('are required as the schema or the parameter itself says, and come first then', () => {
		const given = schema(
			{ a: { type: 'string' }, b: { type: 'string', required: true }, c: { type: 'string' } },
			{ required: ['c', 7, null] },
		);
		expect(parametersOf(given)?.map(({ name, required }) => [name, required])).toEqual([
			['b', true],
			['c', true],
			['a', false],
		]);
	});

	it.each([
		['text', JSON.stringify(schema({ a: { type: 'integer' } }))],
		['a list of parameters', [{ name: 'a', type: 'integer' }]],
		['the parameters by name', { a: { type: 'integer' } }],
		['a schema without a type', { properties: { a: { type: 'integer' } } }],
		['a schema in parts', { allOf: [{ properties: { a: { type: 'integer' } } }] }],
	])('are read from %s', (_what, given) => {
		expect(parametersOf(given)).toEqual([
			{ name: 'a', kind: 'integer', required: false, description: '' },
		]);
	});

	it.each([[{}], [{ type: 'object' }], [{ type: 'object', additionalProperties: false }]])(
		'are none in %p',
		(given) => expect(parametersOf(given)).toEqual([]),
	);

	it.each([
		[undefined],
		[null],
		[7],
		['text'],
		[{ type: 'object', additionalProperties: true }],
		[{ type: 'string' }],
		[{ $ref: '#/nowhere' }],
	])('are not known in %p', (given) => expect(parametersOf(given)).toBeUndefined());
});

describe('the list of tools', () => {
	const inputSchema = schema({ a: { type: 'integer' } });
	const tool = { name: 't', description: 'Does it' };
	const byName = { description: 'Does it', inputSchema };

	it.each([
		['{ tools }', { tools: [{ ...tool, inputSchema }] }],
		['a list', [{ ...tool, input_schema: inputSchema }]],
		['{ result: { tools } }', { result: { tools: [{ ...tool, parameters: inputSchema }] } }],
		['functions', [{ type: 'function', function: { ...tool, parameters: inputSchema } }]],
		['tools by name', { tools: { t: byName } }],
		['tools by name alone', { t: byName }],
		['parameters by name', [{ ...tool, parameters: { a: { type: 'integer' } } }]],
	])('is read as %s', (_shape, body) => {
		expect(toolsOf(body)).toEqual([
			expect.objectContaining({
				name: 't',
				description: 'Does it',
				parameters: [{ name: 'a', kind: 'integer', required: false, description: '' }],
			}),
		]);
	});

	it('may have names alone, and leaves out what has none', () => {
		expect(toolsOf({ tools: ['t', '', {}, null, { name: 'u' }] })?.map(({ name }) => name)).toEqual(
			['t', 'u'],
		);
		expect(toolsOf({ tools: 'none' })).toBeUndefined();
		expect(toolsOf('text')).toBeUndefined();
	});
});

describe('the fields', () => {
	it('have n8n types, labels, choices and defaults', () => {
		const parameters = parametersOf(
			schema(
				{
					jobId: {
						anyOf: [{ type: 'integer' }, { type: 'string' }],
						description: 'A job of this token',
					},
					format: { enum: ['json', 'csv'], default: 'json' },
					limit: { type: 'integer', default: 50 },
				},
				{ required: ['jobId'] },
			),
		)!;
		const common = { defaultMatch: false, canBeUsedToMatch: false, display: true };
		expect(mapperFields(parameters)).toEqual([
			{
				...common,
				id: 'jobId',
				displayName: 'jobId (A job of this token)',
				required: true,
				type: 'string',
			},
			{
				...common,
				id: 'format',
				displayName: 'format',
				required: false,
				type: 'options',
				options: [
					{ name: 'json', value: 'json' },
					{ name: 'csv', value: 'csv' },
				],
				defaultValue: 'json',
			},
			{
				...common,
				id: 'limit',
				displayName: 'limit',
				required: false,
				type: 'number',
				defaultValue: 50,
			},
		]);
	});

	it('of a file make its name and type no duty', () => {
		const names = ['filename', 'mimetype', 'fileBase64'];
		const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
		const fields = mapperFields(parametersOf(schema(properties, { required: names }))!);
		expect(fields.map(({ id, required }) => [id, required])).toEqual([
			['filename', false],
			['mimetype', false],
			['fileBase64', true],
		]);
	});

	it('hold no text of the service that n8n would evaluate', () => {
		const evil = '={{ $env.SECRET }} $fromAI("x")';
		const parameters = parametersOf(
			schema({
				[evil]: { type: 'string' },
				a: { type: 'string', description: evil, default: evil },
				b: { enum: [evil, 'fine'], title: evil },
			}),
		)!;
		const texts: string[] = [];
		JSON.stringify(mapperFields(parameters), (_key, value: unknown) => {
			if (typeof value === 'string') texts.push(value);
			return value;
		});
		expect(texts).toContain('fine');
		expect(texts.filter((text) => text.startsWith('=') || /\$fromAI/i.test(text))).toEqual([]);
	});
});

/** True where the value has the type that a schema of this kind asks for. */
const FITS: Record<string, (value: unknown) => boolean> = {
	text: (value) => typeof value === 'string',
	file: (value) => typeof value === 'string',
	id: (value) => typeof value === 'string' || typeof value === 'number',
	integer: Number.isSafeInteger,
	number: Number.isFinite,
	boolean: (value) => typeof value === 'boolean',
	date: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value),
	dateTime: (value) => typeof value === 'string' && /^[+-]?\d{4,6}-\d\d-\d\dT/.test(value),
	list: Array.isArray,
	object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	any: () => true,
};

describe('whatever a service lists', () => {
	const word = fc.constantFrom(
		...['type', 'properties', 'required', 'enum', 'const', 'items', 'anyOf', 'oneOf', 'allOf'],
		...['$ref', '$defs', 'format', 'description', 'default', 'title', 'name', 'a', '__proto__'],
		...['contentEncoding', 'additionalProperties', 'fileBase64', 'constructor', 'toString'],
	);
	const text = fc.constantFrom(
		...['string', 'integer', 'number', 'boolean', 'array', 'object', 'null', '#', '#/$defs/a'],
		...[
			'#/properties/a',
			'date',
			'date-time',
			'byte',
			'base64',
			'a',
			'',
			'=x',
			'{"type":"object"}',
		],
	);
	const { json } = fc.letrec<{ json: unknown }>((tie) => ({
		json: fc.oneof(
			{ maxDepth: 6 },
			text,
			fc.constantFrom(null, true, false, 0, 1.5, -7),
			fc.array(tie('json'), { maxLength: 4 }),
			fc.dictionary(word, tie('json'), { maxKeys: 6, noNullPrototype: true }),
		),
	}));
	const described = fc
		.dictionary(word, json, { maxKeys: 6, noNullPrototype: true })
		.map((properties) => ({ type: 'object', properties, $defs: properties }));
	const typed = fc.oneof(
		fc.constantFrom('', '7', '-1.50', '1e400', 'true', 'no', '2026-03-31', '2026-03-31T08:00:00Z'),
		fc.constantFrom('a, b', '[1, 2]', '{"a": 1}', '12345678901234567890', 'string', '2026-02-30'),
		fc.constantFrom(null, undefined, true, 0, 7, 1.5, Number.NaN, Number.POSITIVE_INFINITY),
		fc.jsonValue(),
		fc.string(),
	);

	it('nothing crashes, and each value has the type that is wanted or names a problem', () => {
		fc.assert(
			fc.property(fc.oneof(json, described), typed, (given, value) => {
				const parameters = parametersOf(given) ?? [];
				const fields = mapperFields(parameters);
				expect(fields.length).toBeLessThanOrEqual(parameters.length);
				toolsOf(given);
				for (const parameter of parameters) {
					if (isEmpty(value)) continue;
					const converted = convert(parameter, value, 'Europe/London');
					if ('problem' in converted) {
						expect(converted.problem).toMatch(/^(is|has) /);
						continue;
					}
					const { kind, choices } = parameter;
					if (kind === 'choice') expect(choices).toContain(converted.value);
					else expect([kind, FITS[kind]!(converted.value)]).toEqual([kind, true]);
				}
			}),
			{ numRuns: 3000 },
		);
	});

	it('every plain value that a person types arrives as it was meant', () => {
		const one = (type: object, value: unknown) => {
			const [parameter] = parametersOf(schema({ a: type }))!;
			return convert(parameter!, value, 'Europe/London');
		};
		fc.assert(
			fc.property(fc.integer(), fc.boolean(), fc.string({ minLength: 1 }), (number, flag, word) => {
				expect(one({ type: 'integer' }, String(number))).toEqual({ value: number });
				expect(one({ type: 'number' }, ` ${number} `)).toEqual({ value: number });
				expect(one({ type: 'boolean' }, String(flag))).toEqual({ value: flag });
				expect(one({ type: 'string' }, word)).toEqual({ value: word });
				expect(one({ type: 'string' }, number)).toEqual({ value: String(number) });
				expect(one({ type: ['integer', 'string'] }, number)).toEqual({ value: number });
				expect(one({ type: 'array', items: { type: 'integer' } }, `[${number}]`)).toEqual({
					value: [number],
				});
				expect(one({ type: 'array', items: { type: 'integer' } }, `${number}, 7`)).toEqual({
					value: [number, 7],
				});
				expect(one({ type: 'object' }, JSON.stringify({ word }))).toEqual({ value: { word } });
			}),
		);
	});

	it.each([
		[{ type: 'integer' }, '1.5', 'is "1.5", but has to be a whole number'],
		[{ type: 'integer' }, '12345678901234567890', 'has more digits than a number can hold'],
		[{ type: 'integer' }, true, 'is "true", but has to be a whole number'],
		[{ type: 'number' }, '1,5', 'is "1,5", but has to be a number'],
		[{ type: 'boolean' }, 'yes', 'is "yes", but has to be true or false'],
		[{ enum: ['json', 'csv'] }, 'xml', 'is "xml", but has to be one of: json, csv'],
		[{ type: 'array', items: {} }, 'a', 'is "a", but has to be a list such as [1, 2]'],
		[{ type: 'object' }, '[1]', 'is "[1]", but has to be a JSON object such as {"a": 1}'],
		[{ type: 'string' }, { a: 1 }, 'is an object, but has to be text'],
		[{ type: 'string', format: 'date' }, '2026-02-30', 'but has to be a date such as 2026-03-31'],
		[{ type: 'string', format: 'date' }, '12', 'but has to be a date such as 2026-03-31'],
		[
			{ type: 'array', items: { type: 'integer' } },
			'[1, "x"]',
			'has an entry 2 that is "x", but has to be a whole number',
		],
	])('%p does not take %p', (type, value, problem) => {
		const [parameter] = parametersOf(schema({ a: type }))!;
		const converted = convert(parameter!, value, 'UTC') as { problem: string };
		expect(converted.problem).toContain(problem);
	});

	it('a time without a zone is one of the workflow', () => {
		const [parameter] = parametersOf(schema({ a: { type: 'string', format: 'date-time' } }))!;
		expect(convert(parameter!, '2026-07-01T08:00:00', 'Europe/London')).toEqual({
			value: '2026-07-01T08:00:00.000+01:00',
		});
	});
});
