import { isJsonObject, type JsonObject } from '../extraction/model';

/*
 * The parameters of a tool, out of the JSON Schema that it is listed with (section 4.5). The schema
 * comes from the service and may be anything: what is not understood becomes a parameter of any
 * kind, and nothing here throws.
 */

/** What a parameter takes. `id` is an integer or a text; `any` is whatever JSON can say. */
export type ParameterKind =
	| 'text'
	| 'id'
	| 'integer'
	| 'number'
	| 'boolean'
	| 'date'
	| 'dateTime'
	| 'choice'
	| 'list'
	| 'object'
	| 'file'
	| 'any';

export interface ToolParameter {
	name: string;
	kind: ParameterKind;
	required: boolean;
	description: string;
	/** What the service takes when the parameter is left out; undefined where it does not say. */
	defaultValue?: unknown;
	/** The values of a `choice`. */
	choices?: Array<string | number | boolean>;
	/** What the entries of a `list` are. */
	entries?: ParameterKind;
	/** The choices of those entries. */
	entryChoices?: Array<string | number | boolean>;
}

/** No schema refers further, and one that refers to itself must not run in a circle. */
const DEEPEST_REFERENCE = 8;
const LONGEST_DESCRIPTION = 1_000;
const FILE_NAME = /base_?64$/i;

/** The value under a local reference such as `#/$defs/Id`; undefined where there is none. */
function referred(root: JsonObject, reference: string): unknown {
	if (reference === '#') return root;
	if (!reference.startsWith('#/')) return undefined;
	let current: unknown = root;
	for (const part of reference.slice(2).split('/')) {
		const name = part.replace(/~1/g, '/').replace(/~0/g, '~');
		if (Array.isArray(current)) current = (current as unknown[])[Number(name)];
		else if (isJsonObject(current) && Object.hasOwn(current, name)) current = current[name];
		else return undefined;
	}
	return current;
}

function own(schema: JsonObject, name: string): unknown {
	return Object.hasOwn(schema, name) ? schema[name] : undefined;
}

/** Lists of both sides one after the other, objects merged one level, otherwise the later one. */
function merged(left: JsonObject, right: JsonObject): JsonObject {
	const result: JsonObject = { ...left };
	for (const [name, value] of Object.entries(right)) {
		const before = own(left, name);
		if (name === 'required' && Array.isArray(before) && Array.isArray(value)) {
			result[name] = [...(before as unknown[]), ...(value as unknown[])];
		} else if (name === 'properties' && isJsonObject(before) && isJsonObject(value)) {
			result[name] = { ...before, ...value };
		} else {
			result[name] = value;
		}
	}
	return result;
}

/** The schema with its references followed and its `allOf` put together. */
function resolved(schema: unknown, root: JsonObject, depth = 0): JsonObject {
	if (!isJsonObject(schema)) return {};
	if (depth > DEEPEST_REFERENCE) return {};
	let result = schema;
	const reference = own(schema, '$ref');
	if (typeof reference === 'string') {
		result = merged(resolved(referred(root, reference), root, depth + 1), result);
	}
	const all = own(result, 'allOf');
	if (Array.isArray(all)) {
		for (const part of (all as unknown[]).slice(0, 100)) {
			result = merged(resolved(part, root, depth + 1), result);
		}
	}
	return result;
}

/** The types that a schema allows, without `null`; empty where it does not say. */
function typesOf(schema: JsonObject, root: JsonObject, depth = 0): Set<string> {
	const types = new Set<string>();
	const given = own(schema, 'type');
	for (const one of Array.isArray(given) ? (given as unknown[]) : [given]) {
		if (typeof one === 'string') types.add(one);
		// JSON Schema draft 3 has schemas among the types.
		else if (isJsonObject(one)) types.add('any');
	}
	if (types.size === 0 && depth <= DEEPEST_REFERENCE) {
		for (const name of ['anyOf', 'oneOf']) {
			const parts = own(schema, name);
			if (!Array.isArray(parts)) continue;
			for (const part of (parts as unknown[]).slice(0, 100)) {
				const one = resolved(part, root, depth + 1);
				if (own(one, 'type') === 'null' || own(one, 'const') === null) continue;
				const inner = typesOf(one, root, depth + 1);
				if (inner.size === 0) types.add('any');
				for (const type of inner) types.add(type);
			}
		}
	}
	if (types.size === 0 && isJsonObject(own(schema, 'properties'))) types.add('object');
	if (types.size === 0 && own(schema, 'items') !== undefined) types.add('array');
	types.delete('null');
	return types;
}

function isChoice(value: unknown): value is string | number | boolean {
	return ['string', 'number', 'boolean'].includes(typeof value);
}

/** The fixed values that a schema allows; undefined where it allows others, or no plain ones. */
function choicesOf(
	schema: JsonObject,
	root: JsonObject,
	depth = 0,
): Array<string | number | boolean> | undefined {
	if (Object.hasOwn(schema, 'const')) return isChoice(schema.const) ? [schema.const] : undefined;
	const values = own(schema, 'enum');
	if (Array.isArray(values)) {
		const plain = (values as unknown[]).filter((value) => value !== null);
		if (plain.length === 0 || !plain.every(isChoice)) return undefined;
		return [...new Set(plain)];
	}
	if (depth > DEEPEST_REFERENCE) return undefined;
	for (const name of ['anyOf', 'oneOf']) {
		const parts = own(schema, name);
		if (!Array.isArray(parts) || parts.length === 0) continue;
		const schemas = (parts as unknown[])
			.slice(0, 100)
			.map((part) => resolved(part, root, depth + 1))
			.filter((part) => own(part, 'type') !== 'null');
		const choices = schemas.map((part) => choicesOf(part, root, depth + 1));
		if (choices.length === 0 || choices.some((one) => one === undefined)) return undefined;
		return [...new Set(choices.flatMap((one) => one ?? []))];
	}
	return undefined;
}

function isFile(name: string, schema: JsonObject, types: ReadonlySet<string>): boolean {
	if (types.size > 0 && !types.has('string')) return false;
	const encoding = own(schema, 'contentEncoding');
	if (typeof encoding === 'string' && /^base64(url)?$/i.test(encoding)) return true;
	const format = own(schema, 'format');
	if (typeof format === 'string' && /^(byte|base64)$/i.test(format)) return true;
	return isFileParameterName(name);
}

/** True for a name such as `fileBase64`, which says what the parameter wants. */
export function isFileParameterName(name: string): boolean {
	return FILE_NAME.test(name);
}

function textKind(schema: JsonObject): ParameterKind {
	const format = own(schema, 'format');
	if (format === 'date') return 'date';
	return format === 'date-time' ? 'dateTime' : 'text';
}

const KINDS: Record<string, ParameterKind> = {
	integer: 'integer',
	number: 'number',
	boolean: 'boolean',
	array: 'list',
	object: 'object',
};

function kindOf(name: string, schema: JsonObject, root: JsonObject): ParameterKind {
	if (choicesOf(schema, root) !== undefined) return 'choice';
	const types = typesOf(schema, root);
	if (isFile(name, schema, types)) return 'file';
	if (types.size === 1) {
		const [type = ''] = types;
		return type === 'string' ? textKind(schema) : (KINDS[type] ?? 'any');
	}
	if (types.size === 2) {
		if (types.has('integer') && types.has('string')) return 'id';
		if (types.has('number') && types.has('string')) return 'id';
		if (types.has('integer') && types.has('number')) return 'number';
	}
	return 'any';
}

function descriptionOf(schema: JsonObject): string {
	for (const name of ['description', 'title']) {
		const text = own(schema, name);
		if (typeof text === 'string' && text.trim() !== '') {
			return text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_DESCRIPTION);
		}
	}
	return '';
}

function parameterOf(
	name: string,
	given: unknown,
	required: ReadonlySet<unknown>,
	root: JsonObject,
): ToolParameter {
	const schema = resolved(given, root);
	const kind = kindOf(name, schema, root);
	const choices = kind === 'choice' ? choicesOf(schema, root) : undefined;
	const parameter: ToolParameter = {
		name,
		kind,
		// Draft 3, and lists of parameters, say it at the parameter itself.
		required: required.has(name) || own(schema, 'required') === true,
		description: descriptionOf(schema),
	};
	if (choices !== undefined) parameter.choices = choices;
	if (kind === 'list') {
		const entry = resolved(own(schema, 'items'), root);
		parameter.entries = kindOf('', entry, root);
		const entryChoices = parameter.entries === 'choice' ? choicesOf(entry, root) : undefined;
		if (entryChoices !== undefined) parameter.entryChoices = entryChoices;
	}
	const defaultValue = own(schema, 'default');
	if (defaultValue !== undefined && defaultValue !== null) parameter.defaultValue = defaultValue;
	return parameter;
}

/** `[{ name, type, required }]` as the properties of a schema. */
function schemaOfList(list: readonly unknown[]): JsonObject | undefined {
	const entries = list
		.filter(isJsonObject)
		.flatMap((entry) => (typeof entry.name === 'string' ? [[entry.name, entry] as const] : []));
	if (entries.length === 0 && list.length > 0) return undefined;
	return { type: 'object', properties: Object.fromEntries(entries) };
}

/** A schema as it is; one in text; a list of parameters; or the parameters by name. */
function schemaFrom(given: unknown): JsonObject | undefined {
	if (typeof given === 'string') {
		try {
			const parsed: unknown = JSON.parse(given);
			return typeof parsed === 'string' ? undefined : schemaFrom(parsed);
		} catch {
			return undefined;
		}
	}
	if (Array.isArray(given)) return schemaOfList(given as unknown[]);
	if (!isJsonObject(given)) return undefined;
	const names = ['properties', 'type', '$ref', 'allOf', 'anyOf', 'oneOf', '$schema'];
	const isSchema = names.some((name) => {
		const value = own(given, name);
		// A parameter may be called `type`; its own schema is an object.
		return name === 'properties' || name === 'type'
			? value !== undefined && (name === 'properties' || !isJsonObject(value))
			: value !== undefined;
	});
	if (isSchema || Object.keys(given).length === 0) return given;
	return Object.values(given).every(isJsonObject)
		? { type: 'object', properties: given }
		: undefined;
}

/**
 * The parameters of a tool, those that are required first, otherwise in the order of the schema.
 * Undefined where the schema does not say what the parameters are; empty where there are none.
 * Never throws.
 */
export function parametersOf(given: unknown): ToolParameter[] | undefined {
	const root = schemaFrom(given);
	if (root === undefined) return undefined;
	const schema = resolved(root, root);
	const properties = own(schema, 'properties');
	if (!isJsonObject(properties)) {
		const saysNothing = ['$ref', 'allOf', 'anyOf', 'oneOf'].some(
			(name) => own(schema, name) !== undefined,
		);
		const isOpen = own(schema, 'additionalProperties');
		if (saysNothing || isOpen === true || isJsonObject(isOpen)) return undefined;
		return own(schema, 'type') === 'object' || Object.keys(schema).length === 0 ? [] : undefined;
	}
	const list = own(schema, 'required');
	const required = new Set<unknown>(Array.isArray(list) ? (list as unknown[]) : []);
	const parameters = Object.entries(properties)
		.filter(([name]) => name !== '__proto__' && name !== '')
		.map(([name, one]) => parameterOf(name, one, required, root));
	return [
		...parameters.filter((one) => one.required),
		...parameters.filter((one) => !one.required),
	];
}

/** The parameter that takes the name of a file, for a tool that also takes the file. */
export function isFileNameParameter({ name }: ToolParameter): boolean {
	return /^(original)?_?file_?name$|^originalname$/i.test(name);
}

/** The parameter that takes the type of a file, for a tool that also takes the file. */
export function isMimeTypeParameter({ name }: ToolParameter): boolean {
	return /^(mime|content|media|file)_?type$/i.test(name);
}
