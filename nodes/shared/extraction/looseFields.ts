import { isJsonObject, type JsonObject } from './model';

/*
 * Reading answers whose shape the interface leaves open: the first of several likely names, a list
 * wherever it is wrapped. Never throws.
 */

/** No answer is wrapped more often, and a hostile one must not exhaust the stack. */
export const DEEPEST_WRAPPING = 3;

/** The first value that says something: not missing, null, or an empty text. */
export function firstOf(record: JsonObject, names: readonly string[]): unknown {
	for (const name of names) {
		const value = record[name];
		if (value !== undefined && value !== null && value !== '') return value;
	}
	return undefined;
}

/** The first that is a text and not empty. */
export function firstText(record: JsonObject, names: readonly string[]): string | undefined {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'string' && value !== '') return value;
	}
	return undefined;
}

/** The list in an answer: bare, or in one of the named fields; undefined where there is none. */
export function listIn(body: unknown, names: readonly string[], depth = 0): unknown[] | undefined {
	if (Array.isArray(body)) return body as unknown[];
	if (!isJsonObject(body) || depth > DEEPEST_WRAPPING) return undefined;
	for (const name of names) {
		const inner = listIn(body[name], names, depth + 1);
		if (inner !== undefined) return inner;
	}
	return undefined;
}

/**
 * Milliseconds since 1970, from ISO text with a time zone or without, or from a number of seconds or
 * milliseconds; undefined for anything else.
 */
export function millisecondsOf(value: unknown): number | undefined {
	if (typeof value === 'number' && Number.isFinite(value)) {
		return value < 100_000_000_000 ? value * 1000 : value;
	}
	const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
	return Number.isNaN(time) ? undefined : time;
}
