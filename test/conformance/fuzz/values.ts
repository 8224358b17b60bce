import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { OpenApiDocument, Schema } from '../description/describedResponses.ts';
import { PoolPick, singular } from './pool.ts';
import type { Pool } from './pool.ts';

/** Strings that have broken programs before. Lone surrogates and NUL are among them. */
const NASTY_TEXTS = [
	'',
	' ',
	'\u0000',
	'a\u0000b',
	'\ud800',
	'x\udfffy',
	'\u202e\u200b\ufeff',
	'𝔘𝔫𝔦𝔠𝔬𝔡𝔢 🧾',
	"' or 1=1; --",
	'"; drop table documents; --',
	'../../../etc/passwd',
	'..%2f..%2f',
	'%00',
	'${jndi:ldap://x}',
	'<script>alert(1)</script>',
	'__proto__',
	'constructor',
	'toString',
	'null',
	'undefined',
	'NaN',
	'true',
	'0x10',
	'1e2',
	'1.5',
	' 1',
	'١٢٣',
	'9'.repeat(40),
	'a'.repeat(101),
	'a'.repeat(5000),
	'é'.repeat(600),
];

const NASTY_NAMES = [
	'__proto__',
	'constructor',
	'prototype',
	'toString',
	'hasOwnProperty',
	'',
	'length',
];

const NASTY_NUMBERS = [
	0,
	-0,
	-1,
	1,
	1.5,
	1e2,
	100,
	101,
	200,
	201,
	2 ** 31 - 1,
	2 ** 31,
	2 ** 53,
	1e21,
	1e308,
	-1e308,
	5e-324,
];

export const nastyText: Arbitrary<string> = fc.oneof(
	fc.constantFrom(...NASTY_TEXTS),
	fc.string({ unit: 'binary', maxLength: 30 }),
	fc.string({ maxLength: 30 }),
);

/** Any JSON, shallow or deep, with the names and values that hurt. */
export const wildJson: Arbitrary<unknown> = fc.oneof(
	fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null]),
	fc.constantFrom(...NASTY_NUMBERS),
	nastyText,
	fc.array(nastyText, { maxLength: 4 }),
	fc
		.tuple(fc.constantFrom(...NASTY_NAMES), fc.oneof(nastyText, fc.constant({ polluted: true })))
		.map(([name, value]) => ownMember(name, value)),
	fc.integer({ min: 10, max: 300 }).map(nested),
);

/** An object whose own member may be called `__proto__`. */
function ownMember(name: string, value: unknown): Record<string, unknown> {
	const object = Object.create(null) as Record<string, unknown>;
	object[name] = value;
	return object;
}

function nested(depth: number): unknown {
	let value: unknown = 1;
	for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
	return value;
}

/** The first values of the pool are those that are worth most. */
export const poolIndex = fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 1000 }));

/** Makes values that fit, nearly fit or do not fit the schemas of one document. */
export class Values {
	readonly #document: OpenApiDocument;
	readonly #pool: Pool;
	readonly #hints: Record<string, readonly unknown[]>;

	/** @param hints values for members by their name, which no schema can tell (the bytes of a file) */
	constructor(document: OpenApiDocument, pool: Pool, hints: Record<string, readonly unknown[]>) {
		this.#document = document;
		this.#pool = pool;
		this.#hints = hints;
	}

	/** A value that fits. `name` finds known values in the pool. */
	fitting(given: Schema, name = ''): Arbitrary<unknown> {
		const schema = this.#resolved(given);
		const own = this.#bySchema(schema, name);
		const known = [];
		const hints = this.#hints[name];
		if (hints !== undefined) known.push(fc.constantFrom(...hints));
		const examples = schema['examples'];
		if (Array.isArray(examples)) known.push(fc.constantFrom<unknown>(...examples));
		if (this.#pool.has(name) && !('enum' in schema) && schema['type'] !== 'object') {
			known.push(poolIndex.map((index) => new PoolPick(name, index)));
		}
		if (known.length === 0) return own;
		return fc.oneof({ weight: 8, arbitrary: fc.oneof(...known) }, { weight: 1, arbitrary: own });
	}

	/** A value that nearly fits: a fitting one with one or two places changed. */
	nearly(schema: Schema, name = ''): Arbitrary<unknown> {
		const changes = fc.array(fc.tuple(fc.nat({ max: 50 }), fc.nat({ max: 4 }), wildJson), {
			minLength: 1,
			maxLength: 2,
		});
		return fc
			.tuple(this.fitting(schema, name), changes)
			.map(([value, list]) =>
				list.reduce(
					(changed, [place, kind, wild]) => withChange(changed, place, kind, wild),
					value,
				),
			);
	}

	#resolved(schema: Schema): Schema {
		const reference = schema['$ref'];
		if (typeof reference !== 'string') return schema;
		const name = reference.split('/').at(-1) ?? '';
		return this.#document.components?.schemas?.[name] ?? {};
	}

	#bySchema(schema: Schema, name: string): Arbitrary<unknown> {
		if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...schema['enum']);
		if ('const' in schema) return fc.constant(schema['const']);
		const branches = schema['anyOf'] ?? schema['oneOf'];
		if (Array.isArray(branches)) {
			return fc.oneof(...branches.map((branch: Schema) => this.fitting(branch, name)));
		}
		const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
		switch (type) {
			case 'null':
				return fc.constant(null);
			case 'boolean':
				return fc.boolean();
			case 'integer':
			case 'number':
				return numberArbitrary(schema, type === 'integer');
			case 'string':
				return stringArbitrary(schema);
			case 'array':
				return fc
					.array(this.fitting((schema['items'] ?? {}) as Schema, `${singular(name)}`), {
						minLength: numberOf(schema['minItems'], 0),
						maxLength: Math.min(numberOf(schema['maxItems'], 4), 4),
					})
					.map((entries) => entries) as Arbitrary<unknown>;
			case 'object':
				return this.#objectArbitrary(schema);
			default:
				return wildJson;
		}
	}

	#objectArbitrary(schema: Schema): Arbitrary<unknown> {
		const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
		const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
		const model = Object.fromEntries(
			properties.map(([name, property]) => [
				name,
				this.fitting(property, nameInPool(name, property)),
			]),
		);
		const some = fc.record(model, { requiredKeys: required });
		// Often without what may be left out, which is where most requests go wrong.
		const least = Object.fromEntries(
			Object.entries(model).filter(([name]) => required.includes(name)),
		);
		return fc.oneof(some, fc.record(least));
	}
}

/** A list of ids is called after what they belong to: `documents` and `documentIds` are `documentId`. */
function nameInPool(name: string, schema: Schema): string {
	if (schema['type'] !== 'array') return name;
	return name.endsWith('Ids') ? name : `${singular(name)}Ids`;
}

function numberOf(value: unknown, fallback: number): number {
	return typeof value === 'number' ? value : fallback;
}

function numberArbitrary(schema: Schema, isInteger: boolean): Arbitrary<number> {
	const min = numberOf(schema['minimum'], -(2 ** 31));
	const max = numberOf(schema['maximum'], 2 ** 31);
	const usual = isInteger
		? fc.integer({ min: Math.max(min, -(2 ** 31)), max: Math.min(max, 2 ** 31) })
		: fc.double({ min, max, noNaN: true });
	// Ids and offsets that are there are small.
	const small = fc.integer({ min, max: Math.min(max, Math.max(min, 0) + 20) });
	return fc.oneof(usual, small, fc.constantFrom(min, max));
}

function stringArbitrary(schema: Schema): Arbitrary<string> {
	if (typeof schema['pattern'] === 'string')
		return fc.stringMatching(new RegExp(schema['pattern']));
	if (schema['format'] === 'date-time') {
		return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
	}
	const minLength = numberOf(schema['minLength'], 0);
	const maxLength = numberOf(schema['maxLength'], 300);
	return fc.oneof(
		fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 20) }),
		nastyText.filter((text) => text.length >= minLength && text.length <= maxLength),
		fc.constantFrom('a'.repeat(minLength), 'a'.repeat(maxLength)),
	);
}

/**
 * Changes one place of a value: replaces it, removes it, adds a member beside it, or makes it a list or
 * a text of itself.
 */
function withChange(value: unknown, place: number, kind: number, wild: unknown): unknown {
	const places = placesOf(value);
	const path = places[place % places.length] ?? [];
	return changedAt(value, path, (old) => {
		switch (kind) {
			case 0:
				return wild;
			case 1:
				return REMOVED;
			case 2:
				return isMembers(old)
					? withMember(old, NASTY_NAMES[place % NASTY_NAMES.length] ?? '', wild)
					: wild;
			case 3:
				return [old];
			default:
				return old instanceof PoolPick || typeof old === 'object' ? wild : String(old);
		}
	});
}

const REMOVED = Symbol('removed');

function isMembers(value: unknown): value is Record<string, unknown> {
	return (
		typeof value === 'object' &&
		value !== null &&
		!Array.isArray(value) &&
		!(value instanceof PoolPick)
	);
}

function withMember(object: Record<string, unknown>, name: string, value: unknown) {
	const copy = Object.assign(Object.create(null) as Record<string, unknown>, object);
	copy[name] = value;
	return copy;
}

function placesOf(
	value: unknown,
	path: Array<string | number> = [],
): Array<Array<string | number>> {
	if (Array.isArray(value)) {
		return [path, ...value.flatMap((entry, index) => placesOf(entry, [...path, index]))];
	}
	if (!isMembers(value) || path.length > 6) return [path];
	return [path, ...Object.keys(value).flatMap((name) => placesOf(value[name], [...path, name]))];
}

function changedAt(
	value: unknown,
	[step, ...rest]: Array<string | number>,
	change: (old: unknown) => unknown,
): unknown {
	if (step === undefined) {
		const changed = change(value);
		return changed === REMOVED ? null : changed;
	}
	if (Array.isArray(value)) {
		return value.flatMap((entry, index) => {
			if (index !== step) return [entry];
			const changed = rest.length === 0 ? change(entry) : changedAt(entry, rest, change);
			return changed === REMOVED ? [] : [changed];
		});
	}
	if (!isMembers(value)) return value;
	const copy = Object.create(null) as Record<string, unknown>;
	for (const name of Object.keys(value)) {
		if (name !== step) {
			copy[name] = value[name];
			continue;
		}
		const changed = rest.length === 0 ? change(value[name]) : changedAt(value[name], rest, change);
		if (changed !== REMOVED) copy[name] = changed;
	}
	return copy;
}
