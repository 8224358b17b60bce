import { tryToParseDateTime } from 'n8n-workflow';

import { losesDigits } from '../extraction/losslessJson';
import { isJsonObject, shortText } from '../extraction/model';
import type { ParameterKind, ToolParameter } from './inputSchema';

/*
 * From what a person or a model entered to what the schema of a tool wants. Nothing is guessed and
 * nothing is rounded: what does not fit is a problem, in words that complete "The value of 'x' …".
 */

export type Converted = { value: unknown } | { problem: string };

type Choices = ToolParameter['choices'];

const LONGEST_SHOWN_LIST = 12;

/** True for a field that was left empty. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

function shown(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	if (isJsonObject(value)) return 'an object';
	return `"${shortText(value)}"`;
}

/** Dates come as text, or as objects of n8n's expressions. */
function asDateText(value: unknown): string | undefined {
	if (value instanceof Date) {
		return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
	}
	const { toISO } = (isJsonObject(value) ? value : {}) as { toISO?: unknown };
	if (typeof toISO !== 'function') return undefined;
	const text: unknown = toISO.call(value);
	return typeof text === 'string' ? text : undefined;
}

function text(value: unknown): Converted {
	if (typeof value === 'string') return { value };
	if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') {
		return { value: String(value) };
	}
	const date = asDateText(value);
	return date === undefined
		? { problem: `is ${shown(value)}, but has to be text` }
		: { value: date };
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

function number(value: unknown, isInteger: boolean): Converted {
	const wanted = isInteger ? 'a whole number' : 'a number';
	const problem = { problem: `is ${shown(value)}, but has to be ${wanted}` };
	let result: number;
	if (typeof value === 'number') result = value;
	else if (typeof value === 'string' && NUMBER.test(value.trim())) {
		const literal = value
			.trim()
			.replace(/^\+/, '')
			.replace(/^(-?)\./, '$10.')
			.replace(/\.(?!\d)/, '');
		if (losesDigits(literal)) return { problem: 'has more digits than a number can hold' };
		result = Number(literal);
	} else return problem;
	if (!Number.isFinite(result)) return problem;
	if (isInteger && !Number.isInteger(result)) return problem;
	if (isInteger && !Number.isSafeInteger(result)) {
		return { problem: 'has more digits than a number can hold' };
	}
	return { value: result };
}

function id(value: unknown): Converted {
	if (typeof value === 'number' && Number.isFinite(value)) return { value };
	if (typeof value === 'string' && value.trim() !== '') return { value: value.trim() };
	return { problem: `is ${shown(value)}, but has to be an ID` };
}

function boolean(value: unknown): Converted {
	if (typeof value === 'boolean') return { value };
	const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
	if (word === 'true' || word === 'false') return { value: word === 'true' };
	return { problem: `is ${shown(value)}, but has to be true or false` };
}

function date(value: unknown, isDay: boolean, timezone: string): Converted {
	const problem = {
		problem: `is ${shown(value)}, but has to be a date${isDay ? ' such as 2026-03-31' : ' and time'}`,
	};
	const given = asDateText(value) ?? value;
	if (typeof given !== 'string') return problem;
	// A day as such has no time zone that could move it.
	if (isDay && /^\d{4}-\d\d-\d\d$/.test(given.trim())) {
		const day = given.trim();
		const time = new Date(`${day}T00:00:00Z`);
		const exists = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
		return exists ? { value: day } : problem;
	}
	// Without a year there is nothing but a time of day, which n8n would put into today.
	if (!/\d{4}/.test(given)) return problem;
	try {
		const time = tryToParseDateTime(given, timezone);
		const result = time.isValid ? (isDay ? time.toISODate() : time.toISO()) : null;
		return result === null ? problem : { value: result };
	} catch {
		return problem;
	}
}

function choice(value: unknown, choices: Choices = []): Converted {
	const found = choices.find((one) => one === value);
	if (found !== undefined) return { value: found };
	// A number of the list that was typed as text, or the other way round.
	const same = choices.find(
		(one) => String(one) === String(isJsonObject(value) ? '' : value).trim(),
	);
	if (same !== undefined) return { value: same };
	const list = choices.slice(0, LONGEST_SHOWN_LIST).map((one) => String(one));
	const more = choices.length > LONGEST_SHOWN_LIST ? ', …' : '';
	return { problem: `is ${shown(value)}, but has to be one of: ${list.join(', ')}${more}` };
}

function parsed(value: string): { json: unknown } | undefined {
	try {
		return { json: JSON.parse(value) as unknown };
	} catch {
		return undefined;
	}
}

/** Kinds whose lists can be written with commas. */
const PLAIN = new Set<ParameterKind>(['text', 'id', 'integer', 'number', 'choice']);

function entriesOf(value: unknown, entries: ParameterKind): unknown[] | undefined {
	if (Array.isArray(value)) return value as unknown[];
	if (typeof value === 'string') {
		const written = value.trim();
		const json = /^[[{]/.test(written) ? parsed(written)?.json : undefined;
		if (Array.isArray(json)) return json as unknown[];
		if (written.startsWith('[') || !PLAIN.has(entries)) return undefined;
		const parts = written.split(',').map((part) => part.trim());
		return parts.filter((part) => part !== '');
	}
	return PLAIN.has(entries) && typeof value === 'number' ? [value] : undefined;
}

function list(value: unknown, parameter: ToolParameter, timezone: string): Converted {
	const { entries = 'any', entryChoices } = parameter;
	const found = entriesOf(value, entries);
	if (found === undefined) {
		return { problem: `is ${shown(value)}, but has to be a list such as [1, 2]` };
	}
	// What is a list, an object or anything may be so inside a list as well.
	if (!PLAIN.has(entries) && entries !== 'boolean') return { value: found };
	const result: unknown[] = [];
	for (const [index, one] of found.entries()) {
		const entry: ToolParameter = {
			name: '',
			kind: entries,
			required: true,
			description: '',
			...(entryChoices === undefined ? {} : { choices: entryChoices }),
		};
		const converted = convert(entry, one, timezone);
		if ('problem' in converted) {
			return { problem: `has an entry ${index + 1} that ${converted.problem}` };
		}
		result.push(converted.value);
	}
	return { value: result };
}

function object(value: unknown): Converted {
	if (isJsonObject(value)) return { value };
	const json = typeof value === 'string' ? parsed(value)?.json : undefined;
	if (isJsonObject(json)) return { value: json };
	return { problem: `is ${shown(value)}, but has to be a JSON object such as {"a": 1}` };
}

/** JSON where the text is JSON, otherwise the text. */
function any(value: unknown): Converted {
	if (typeof value !== 'string') return { value };
	const json = parsed(value);
	// A number that would lose digits stays as it was written.
	if (json === undefined || (typeof json.json === 'number' && losesDigits(value.trim()))) {
		return { value };
	}
	return { value: json.json };
}

/**
 * The value in the type that the parameter wants. `timezone` is that of the workflow, for times
 * without one. Files are not converted here. Never throws.
 */
export function convert(parameter: ToolParameter, value: unknown, timezone: string): Converted {
	switch (parameter.kind) {
		case 'text':
		case 'file':
			return text(value);
		case 'id':
			return id(value);
		case 'integer':
			return number(value, true);
		case 'number':
			return number(value, false);
		case 'boolean':
			return boolean(value);
		case 'date':
			return date(value, true, timezone);
		case 'dateTime':
			return date(value, false, timezone);
		case 'choice':
			return choice(value, parameter.choices);
		case 'list':
			return list(value, parameter, timezone);
		case 'object':
			return object(value);
		case 'any':
			return any(value);
	}
}
