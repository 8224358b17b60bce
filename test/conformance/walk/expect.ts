import type { Answer } from './http.ts';
import { Unmet } from './outcome.ts';

/** Fails the row with this sentence unless it holds. */
export function want(holds: boolean, otherwise: string): asserts holds {
	if (!holds) throw new Unmet(otherwise);
}

/** A short picture of a value for a line of the report. */
export function shown(value: unknown): string {
	const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value));
	return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/** A member of a value, however deep; undefined where there is none. */
export function at(value: unknown, ...path: Array<string | number>): unknown {
	let found = value;
	for (const name of path) {
		if (typeof found !== 'object' || found === null) return undefined;
		found = Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined;
	}
	return found;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Section 2: an integer or a string. */
export const isIdLike = (value: unknown): value is string | number =>
	Number.isInteger(value) || (typeof value === 'string' && value !== '');

const isText = (value: unknown): boolean => typeof value === 'string';
const isTimestamp = (value: unknown): boolean =>
	typeof value === 'string' && !Number.isNaN(Date.parse(value));
/** ISO 8601 with date and time. */
const isIsoTimestamp = (value: unknown): boolean =>
	typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && isTimestamp(value);
const orNull =
	(kind: (value: unknown) => boolean) =>
	(value: unknown): boolean =>
		value === null || kind(value);

/** The types that the tables name. */
const kinds = {
	object: isObject,
	'object or null': orNull(isObject),
	array: (value: unknown) => Array.isArray(value),
	'array of objects': (value: unknown) => Array.isArray(value) && value.every(isObject),
	'array of string': (value: unknown) => Array.isArray(value) && value.every(isText),
	string: isText,
	'string or null': orNull(isText),
	integer: (value: unknown) => Number.isInteger(value),
	'integer or null': orNull((value) => Number.isInteger(value)),
	number: (value: unknown) => typeof value === 'number' && Number.isFinite(value),
	'number or null': orNull((value) => typeof value === 'number' && Number.isFinite(value)),
	boolean: (value: unknown) => typeof value === 'boolean',
	IdLike: isIdLike,
	timestamp: isTimestamp,
	'ISO 8601 timestamp': isIsoTimestamp,
} satisfies Record<string, (value: unknown) => boolean>;

export type Kind = keyof typeof kinds;

/** The member has to be there and have this type. Answers what was seen. */
export function has(value: unknown, path: string, kind: Kind, where = 'the answer'): string {
	const found = at(value, ...path.split('.'));
	want(found !== undefined, `${path} is missing in ${where}, which is ${shown(value)}`);
	want(kinds[kind](found), `${path} is ${shown(found)}, not ${kind}`);
	return `${path} is ${shown(found)}`;
}

/** The same for a member that may be left out. */
export function mayHave(value: unknown, path: string, kind: Kind): string {
	if (at(value, ...path.split('.')) === undefined) return `${path} is left out, as it may be`;
	return has(value, path, kind);
}

/** Whether the value has the type. */
export function is(value: unknown, kind: Kind): boolean {
	return kinds[kind](value);
}

/** The answer has one of these statuses. */
export function status(answer: Answer, ...allowed: number[]): string {
	want(
		allowed.includes(answer.status),
		`${answer.name} answered ${answer.status}, not ${allowed.join(' or ')}: ${answer.start}`,
	);
	return `${answer.status}`;
}

/** The interface names no status for the success of this request: any 2xx. */
export function succeeded(answer: Answer): string {
	want(answer.isOk, `${answer.name} answered ${answer.status}: ${answer.start}`);
	return `${answer.status}`;
}

/** The interface names no status for this refusal: any 4xx. */
export function refused(answer: Answer, why: string): string {
	want(
		answer.status >= 400 && answer.status < 500,
		`${answer.name} ${why} answered ${answer.status}, which is no refusal: ${answer.start}`,
	);
	return `${answer.status}`;
}

/** Section 7.1: an error with this status and a JSON object as its body. */
export function isError(answer: Answer, expected: number, why: string): string {
	want(
		answer.status === expected,
		`${answer.name} ${why} answered ${answer.status}, not ${expected}: ${answer.start}`,
	);
	want(
		isObject(answer.json),
		`the ${expected} of ${answer.name} ${why} is no JSON object: ${answer.start}`,
	);
	return `${expected} ${why}`;
}

/** A list that may stand alone or in a member of an object. */
export function listIn(answer: Answer): unknown[] {
	if (Array.isArray(answer.json)) return answer.json;
	const lists = isObject(answer.json)
		? Object.values(answer.json).filter((value) => Array.isArray(value))
		: [];
	const [first] = lists;
	want(first !== undefined, `${answer.name} holds no list: ${answer.start}`);
	return first;
}

/** The value of the first member whose name fits, for members whose names are not shown. */
export function named(value: unknown, pattern: RegExp): unknown {
	if (!isObject(value)) return undefined;
	const name = Object.keys(value).find((key) => pattern.test(key));
	return name === undefined ? undefined : value[name];
}
