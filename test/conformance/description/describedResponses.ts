import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';

/** The parts of an OpenAPI 3.1 document that a check of answers needs. */
export interface OpenApiDocument {
	openapi: string;
	info: { version: string };
	paths: Record<string, Record<string, Operation>>;
	components?: { schemas?: Record<string, Schema> };
	security?: Security;
}

export type Schema = Record<string, unknown>;
type Security = Array<Record<string, string[]>>;

export interface Operation {
	operationId?: string;
	parameters?: Parameter[];
	requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> };
	responses: Record<string, DescribedResponse>;
	security?: Security;
}

export interface Parameter {
	in: 'path' | 'query' | 'header';
	name: string;
	required?: boolean;
	schema: Schema;
}

interface DescribedResponse {
	headers?: Record<string, { required?: boolean; schema?: Schema }>;
	content?: Record<string, { schema?: Schema }>;
}

export interface CheckedRequest {
	method: string;
	/** With or without the site. */
	url: string;
}

export interface CheckedResponse {
	status: number;
	headers: Headers;
	body: Uint8Array;
}

/** An operation of the document with the place where it is. */
export interface Described {
	method: string;
	/** With its parameters in braces. */
	path: string;
	operation: Operation;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/**
 * Holds the answers of a service against the OpenAPI document that it serves: status, media type,
 * headers and body (JSON Schema 2020-12).
 */
export class DescribedResponses {
	readonly document: OpenApiDocument;
	readonly #closed: boolean;
	readonly #ajv: Ajv2020;
	readonly #operations: Array<Described & { pattern: RegExp }>;
	readonly #validators = new Map<Schema, ValidateFunction>();

	/**
	 * @param closed objects may have no member that the document does not name. Without it they may,
	 * unless the document forbids it
	 */
	constructor(document: OpenApiDocument, { closed = true }: { closed?: boolean } = {}) {
		this.document = document;
		this.#closed = closed;
		this.#ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
		addFormats.default(this.#ajv);
		const components = { components: { schemas: document.components?.schemas ?? {} } };
		this.#ajv.addSchema(this.#prepared(components) as Schema, DOCUMENT_ID);
		this.#operations = Object.entries(document.paths).flatMap(([path, operations]) =>
			METHODS.flatMap((method) => {
				const operation = operations[method];
				return operation === undefined
					? []
					: [{ method: method.toUpperCase(), path, operation, pattern: patternOf(path) }];
			}),
		);
		// A path without parameters is meant before one with them.
		this.#operations.sort((left, right) => parametersIn(left.path) - parametersIn(right.path));
	}

	/**
	 * Reads the document that a service serves.
	 *
	 * @param siteUrl root of the site, without `/api/v1`
	 */
	static async of(
		siteUrl: string,
		options: { closed?: boolean } = {},
	): Promise<DescribedResponses> {
		const url = `${siteUrl.replace(/\/+$/, '')}/api-docs/openapi.json`;
		const response = await fetch(url);
		if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
		return new DescribedResponses((await response.json()) as OpenApiDocument, options);
	}

	/** Every operation of the document. */
	get operations(): readonly Described[] {
		return this.#operations;
	}

	/** The operation that a request is for; undefined for none. */
	operationFor({ method, url }: CheckedRequest): Described | undefined {
		// As it is: a reader of addresses would resolve `..`, and the service does not.
		const path = url.replace(/^\w+:\/\/[^/]*/, '').replace(/[?#].*$/s, '');
		return this.#operations.find(
			(one) => one.method === method.toUpperCase() && one.pattern.test(path),
		);
	}

	/** What an answer has that the document does not allow, in plain words; empty where it fits. */
	check(request: CheckedRequest, response: CheckedResponse): string[] {
		const described = this.operationFor(request);
		if (described === undefined) {
			return [`The document has no ${request.method} ${request.url}.`];
		}
		return this.checkAnswerOf(described, response);
	}

	/** As `check`, for an operation that is known. */
	checkAnswerOf({ method, path, operation }: Described, response: CheckedResponse): string[] {
		const { status, headers, body } = response;
		const place = `${method} ${path} ${status}`;
		if (status === 500) return [`${place}: a fault of the service. ${textOf(body).slice(0, 500)}`];
		const expected = responseFor(operation, status);
		if (expected === undefined) {
			return [
				`${place}: the status is not described; there are ${Object.keys(operation.responses).join(', ')}. ` +
					textOf(body).slice(0, 500),
			];
		}
		return [
			...this.#headerObjections(expected, headers),
			...this.#bodyObjections(expected, response),
		].map((objection) => `${place}: ${objection}`);
	}

	#headerObjections({ headers = {} }: DescribedResponse, given: Headers): string[] {
		return Object.entries(headers).flatMap(([name, { required = false, schema }]) => {
			const value = given.get(name);
			if (value === null) return required ? [`the header ${name} is missing.`] : [];
			if (schema === undefined) return [];
			const problem = this.problemOf(schema, valueOfText(schema, value));
			return problem === null
				? []
				: [`the header ${name} is ${JSON.stringify(value)}, ${problem}.`];
		});
	}

	#bodyObjections({ content }: DescribedResponse, { headers, body }: CheckedResponse): string[] {
		if (content === undefined || Object.keys(content).length === 0) {
			return body.length === 0 ? [] : ['there is a body, but none is described.'];
		}
		const type = mediaTypeOf(headers.get('content-type'));
		const media = content[type];
		if (media === undefined) {
			return [`the type is ${type}, but described are ${Object.keys(content).join(', ')}.`];
		}
		const { schema } = media;
		if (schema === undefined) return [];
		if (type !== 'application/json' && !type.endsWith('+json')) {
			// What is not text has no schema that says anything.
			if (Object.keys(schema).length === 0) return [];
			const problem = this.problemOf(schema, textOf(body));
			return problem === null ? [] : [`the body ${problem}.`];
		}
		let value: unknown;
		try {
			value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
		} catch {
			return [`the body is not JSON: ${textOf(body).slice(0, 200)}`];
		}
		const problem = this.problemOf(schema, value);
		return problem === null
			? []
			: [`the body ${problem}. It is ${JSON.stringify(value).slice(0, 500)}`];
	}

	/** What is wrong with a value, in words; null where it fits its schema. */
	problemOf(schema: Schema, value: unknown): string | null {
		let validate = this.#validators.get(schema);
		if (validate === undefined) {
			validate = this.#ajv.compile(this.#prepared(schema) as Schema);
			this.#validators.set(schema, validate);
		}
		return validate(value) ? null : problemText(validate.errors ?? []);
	}

	/** References lead to the document; objects are closed where that is wanted. */
	#prepared(value: unknown): unknown {
		if (Array.isArray(value)) return value.map((entry) => this.#prepared(entry));
		if (typeof value !== 'object' || value === null) return value;
		const copy: Schema = Object.fromEntries(
			Object.entries(value).map(([name, member]) => [
				name,
				name === '$ref' && typeof member === 'string' && member.startsWith('#')
					? `${DOCUMENT_ID}${member}`
					: DATA_KEYWORDS.includes(name)
						? member
						: this.#prepared(member),
			]),
		);
		const isObjectSchema = copy['type'] === 'object' && typeof copy['properties'] === 'object';
		if (this.#closed && isObjectSchema && !('additionalProperties' in copy)) {
			copy['additionalProperties'] = false;
		}
		return copy;
	}
}

const DOCUMENT_ID = 'https://described.invalid/openapi.json';

/** Keywords whose values are data and not schemas. */
const DATA_KEYWORDS = ['enum', 'const', 'default', 'examples', 'example'];

/** The value that a header, or a parameter, has as text. */
function valueOfText(schema: Schema, text: string): unknown {
	const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
	return isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function responseFor(operation: Operation, status: number): DescribedResponse | undefined {
	const { responses } = operation;
	return responses[String(status)] ?? responses[`${String(status)[0]}XX`] ?? responses['default'];
}

function patternOf(path: string): RegExp {
	const pattern = path
		.split(/\{[^}]+\}/)
		.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
		.join('[^/]*');
	return new RegExp(`^${pattern}$`);
}

function parametersIn(path: string): number {
	return path.split('{').length - 1;
}

function mediaTypeOf(header: string | null): string {
	return (header ?? 'none').split(';')[0]?.trim().toLowerCase() ?? 'none';
}

function textOf(body: Uint8Array): string {
	return new TextDecoder().decode(body);
}

function problemText(errors: ErrorObject[]): string {
	return errors
		.slice(0, 5)
		.map(({ instancePath, message, params }) => {
			const where = instancePath === '' ? '' : `at ${instancePath} `;
			return `${where}${message ?? 'does not fit'} ${JSON.stringify(params)}`;
		})
		.join('; ');
}
