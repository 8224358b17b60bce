import { isJsonObject, type JsonObject } from '../extraction/model';
import { parseJsonExactly } from '../extraction/losslessJson';
import { withoutSecrets } from './secrets';
import type { FileStream } from './streams';

/** What the service or the storage answered, whatever the status. */
export interface Answer {
	status: number;
	headers: Record<string, unknown>;
	/** The body as it came; empty where it is in `stream`. */
	text: string;
	/** The body of a success, where it was asked for as a stream. */
	stream?: FileStream;
}

/** The body as JSON; undefined where it is none. Numbers that a double cannot hold become text. */
export function bodyOf(answer: Answer): unknown {
	try {
		return parseJsonExactly(answer.text);
	} catch {
		return undefined;
	}
}

/** True where the body is a web page, which no answer of the service is. */
export function isWebPage(answer: Answer): boolean {
	return /^\s*<(!doctype|html|head|body|\?xml)/i.test(answer.text);
}

/** What an error body says. All of it is optional: section 7 leaves the names open. */
export interface Refusal {
	code?: string;
	message?: string;
	/** The field of the request that is to blame. */
	field?: string;
}

const LONGEST_MESSAGE = 400;

function asText(value: unknown): string | undefined {
	if (typeof value === 'number') return String(value);
	if (typeof value !== 'string') return undefined;
	// Cut first: whole pages come as error bodies.
	const start = value.slice(0, 4 * LONGEST_MESSAGE).replace(/\s+/g, ' ');
	const text = withoutSecrets(start.trim());
	if (text === '') return undefined;
	return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text;
}

/**
 * Reads an error body in the shapes that are seen: `{error: {code, message, field}}`,
 * `{message, error?, details?}`, `{error: "text"}`, `{errors: [...]}`, plain text. Web pages and
 * the XML of storages are reduced to their message, if any.
 */
export function refusalOf(answer: Answer): Refusal {
	const body = bodyOf(answer);
	if (isJsonObject(body)) return refusalOfObject(body);
	if (isWebPage(answer) || answer.text.trim().startsWith('<')) {
		const code = /<Code>([^<]*)<\/Code>/.exec(answer.text)?.[1];
		const message = /<Message>([^<]*)<\/Message>/.exec(answer.text)?.[1];
		return { code: asText(code), message: asText(message) };
	}
	return { message: asText(typeof body === 'string' ? body : answer.text) };
}

function refusalOfObject(body: JsonObject): Refusal {
	const { error, errors } = body;
	const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
	const inner = isJsonObject(error) ? error : isJsonObject(first) ? first : {};
	return {
		code: asText(inner.code) ?? asText(body.code),
		message:
			asText(inner.message) ??
			asText(body.message) ??
			asText(error) ??
			asText(first) ??
			asText(body.detail) ??
			asText(body.title),
		field: asText(inner.field) ?? asText(body.field),
	};
}
