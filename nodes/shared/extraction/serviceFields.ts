import { idText, type JsonObject } from './model';

/**
 * Names that a successful item must not have at its top level. n8n runs a node again when the
 * first item has an `error`, and `__proto__` would change the prototype of a copy.
 */
const RENAMED: Record<string, string> = { error: 'serviceError' };
const PROTOTYPE_KEY = '__proto__';
const PROTOTYPE_NAME = 'serviceProto';

/** The name under which a field of the service is kept where its own name is taken. */
function servicesName(name: string): string {
	if (name === PROTOTYPE_KEY) return PROTOTYPE_NAME;
	return RENAMED[name] ?? `service${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function freeName(target: JsonObject, wanted: string): string {
	let name = wanted;
	for (let count = 2; Object.hasOwn(target, name); count++) name = `${wanted}${count}`;
	return name;
}

/** Same value for a reader: ids and periods come as a number here and as text there. */
function isSame(left: unknown, right: unknown): boolean {
	return left === right || (idText(left) !== null && idText(left) === idText(right));
}

/**
 * Our fields first, then the fields of the service. Our names always mean what the documentation
 * says: where the service has another value under one of them, that value is kept as
 * `service<Name>`, for example `serviceVerdict`. An `error` becomes `serviceError`. A null of the
 * service under a name that we fill says nothing and is left out.
 */
export function withServiceFields(ours: JsonObject, theirs: JsonObject): JsonObject {
	const result: JsonObject = { ...ours, ...theirs };
	let clashes: string[] | undefined;
	for (const name in ours) {
		if (!Object.hasOwn(theirs, name)) continue;
		const value = theirs[name];
		result[name] = ours[name];
		if (value === null || value === undefined || isSame(value, ours[name])) continue;
		(clashes ??= []).push(name);
	}
	for (const name of clashes ?? []) {
		result[freeName(result, servicesName(name))] = theirs[name];
	}
	return safeTopLevel(result);
}

/** Renames `error` and `__proto__` at the top level; the object itself where it has neither. */
export function safeTopLevel(json: JsonObject): JsonObject {
	if (!Object.hasOwn(json, 'error') && !Object.hasOwn(json, PROTOTYPE_KEY)) return json;
	const result: JsonObject = {};
	const renamed: Array<[string, unknown]> = [];
	for (const [name, value] of Object.entries(json)) {
		if (name === 'error' || name === PROTOTYPE_KEY) renamed.push([name, value]);
		else result[name] = value;
	}
	for (const [name, value] of renamed) result[freeName(result, servicesName(name))] = value;
	return result;
}
