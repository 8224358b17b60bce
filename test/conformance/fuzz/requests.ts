import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Described, Parameter } from '../description/describedResponses.ts';
import { nameOfPathParameter, PoolPick, resolved } from './pool.ts';
import type { Pool } from './pool.ts';
import { nastyText, poolIndex, wildJson } from './values.ts';
import type { Values } from './values.ts';

/** Which credential a request carries. Only `right` may be answered with anything but 401. */
export type Credential = 'right' | 'none' | 'other surface' | 'wrong' | 'malformed';

export type BodyPlan =
	| { kind: 'none' }
	| { kind: 'json'; value: unknown; type: string; cut: number | null }
	| { kind: 'text'; text: string; type: string | null }
	| { kind: 'bytes'; bytes: Uint8Array; type: string }
	| { kind: 'form'; parts: FormPart[]; cut: number | null; boundary: 'right' | 'wrong' | 'none' };

export interface FormPart {
	name: string;
	/** Null: a text field. */
	filename: string | null;
	type: string | null;
	content: Uint8Array;
}

/** A request as it was thought up; picks are resolved when it is sent. */
export interface RequestPlan {
	described: Described;
	method: string;
	path: Record<string, unknown>;
	/** Takes path and query of an address that an answer has given out. */
	address: PoolPick | null;
	query: Array<[name: string, value: unknown]>;
	headers: Array<[name: string, value: string]>;
	credential: Credential;
	body: BodyPlan;
}

/** A request as it goes over the wire. */
export interface WireRequest {
	method: string;
	/** Path and query. */
	url: string;
	headers: Record<string, string>;
	body: Uint8Array | null;
	/** The value of a JSON body that is whole; undefined for any other body. */
	json: unknown;
	query: Array<[string, string]>;
}

export interface Credentials {
	/** By the name of the security scheme in the document. */
	[scheme: string]: string;
}

const MULTIPART = 'multipart/form-data';
const BOUNDARY = 'fuzzed-boundary-7MA4YWxk';
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'HEAD'];

/** What the fuzzer cannot read from a document: contents of files that are worth sending. */
export interface FileSamples {
	[mediaType: string]: readonly Uint8Array[];
}

/** Makes requests for the operations of a document. */
export class Requests {
	readonly #values: Values;
	readonly #files: FileSamples;

	constructor(values: Values, files: FileSamples) {
		this.#values = values;
		this.#files = files;
	}

	/** Requests for one operation that fit its description. */
	fitting(described: Described): Arbitrary<RequestPlan> {
		return this.#plan(described, 'fitting');
	}

	/** Requests for one operation: about half fit, the others nearly fit or do not fit at all. */
	to(described: Described): Arbitrary<RequestPlan> {
		const { operation } = described;
		const fitting = this.fitting(described);
		const nearly = this.#plan(described, 'nearly');
		const wild = this.#plan(described, 'wild');
		const needsCredential = (operation.security ?? []).length > 0;
		const plans = [
			{ weight: 10, arbitrary: fitting },
			{ weight: 6, arbitrary: nearly },
			{ weight: 2, arbitrary: wild },
			{
				weight: 1,
				arbitrary: fc
					.tuple(fitting, fc.constantFrom(...METHODS))
					.map(([plan, method]) => ({ ...plan, method })),
			},
		];
		if (needsCredential) {
			const credentials: Credential[] = ['none', 'other surface', 'wrong', 'malformed'];
			plans.push({
				weight: 2,
				arbitrary: fc
					.tuple(fc.oneof(fitting, nearly), fc.constantFrom(...credentials))
					.map(([plan, credential]) => ({ ...plan, credential })),
			});
		}
		return fc.oneof(...plans);
	}

	#plan(described: Described, fit: Fit): Arbitrary<RequestPlan> {
		const parameters = described.operation.parameters ?? [];
		const of = (place: Parameter['in']): Parameter[] =>
			parameters.filter((one) => one.in === place);
		// One of the parts is changed; the others fit, so that the change is what is looked at.
		const parts = ['path', 'query', 'header', 'body'] as const;
		return fc.constantFrom(...parts).chain((changed) => {
			const fitOf = (part: (typeof parts)[number]): Fit =>
				fit === 'wild' || part === changed ? fit : 'fitting';
			return fc.record<RequestPlan>({
				described: fc.constant(described),
				method: fc.constant(described.method),
				path: this.#path(described, of('path'), fitOf('path')),
				address: fitOf('path') === 'fitting' ? addressOf(described) : fc.constant(null),
				query: this.#query(of('query'), fitOf('query')),
				headers: this.#headers(of('header'), fitOf('header')),
				credential: fc.constant('right'),
				body: this.#body(described, fitOf('body')),
			});
		});
	}

	#path(
		described: Described,
		parameters: Parameter[],
		fit: Fit,
	): Arbitrary<Record<string, unknown>> {
		return fc.record(
			Object.fromEntries(
				parameters.map(({ name, schema }) => {
					const known = nameOfPathParameter(described.path, name);
					const fitting = this.#values.fitting(schema, known);
					return [name, fit === 'fitting' ? fitting : fc.oneof(fitting, nastyText)];
				}),
			),
		);
	}

	#query(parameters: Parameter[], fit: Fit): Arbitrary<RequestPlan['query']> {
		const each = parameters.map(({ name, schema, required = false }) => {
			const fitting = this.#values.fitting(schema, name);
			const value = fit === 'fitting' ? fitting : fc.oneof(fitting, nastyText, wildScalar);
			const one = value.map((chosen): RequestPlan['query'] => [[name, chosen]]);
			const twice = fc
				.tuple(value, value)
				.map((values): RequestPlan['query'] => values.map((chosen) => [name, chosen]));
			const left = fc.constant<RequestPlan['query']>([]);
			if (fit === 'fitting') return required ? one : fc.oneof(left, one);
			return fc.oneof(left, { weight: 4, arbitrary: one }, twice);
		});
		const more: Arbitrary<RequestPlan['query']> =
			fit === 'fitting'
				? fc.constant([])
				: fc.array(fc.tuple(fc.oneof(nastyText, fc.constant('extra')), nastyText), {
						maxLength: 2,
					});
		return fc.tuple(...each, more).map((lists) => lists.flat());
	}

	#headers(parameters: Parameter[], fit: Fit): Arbitrary<RequestPlan['headers']> {
		const each = parameters.map(({ name, schema }) => {
			const text = this.#values.fitting(schema, name).map((value) => headerText(String(value)));
			const value = fit === 'fitting' ? text : fc.oneof(text, nastyText.map(headerText));
			const given = value.map((chosen): RequestPlan['headers'] => [[name, chosen]]);
			// Often left out, so that what it guards is looked at too.
			return fc.oneof({ weight: 3, arbitrary: fc.constant<RequestPlan['headers']>([]) }, given);
		});
		const more: Arbitrary<RequestPlan['headers']> =
			fit === 'fitting'
				? fc.constant([])
				: fc.array(
						fc.tuple(
							fc.constantFrom(
								'X-Forwarded-Host',
								'Accept',
								'X-Http-Method-Override',
								'Range',
								'Cookie',
							),
							nastyText.map(headerText),
						),
						{ maxLength: 2 },
					);
		return fc.tuple(...each, more).map((lists) => lists.flat());
	}

	#body({ operation, method }: Described, fit: Fit): Arbitrary<BodyPlan> {
		const none = fc.constant<BodyPlan>({ kind: 'none' });
		const content = operation.requestBody?.content;
		if (content === undefined) {
			if (fit === 'fitting' || method === 'GET') return none;
			return fc.oneof(none, strangeBody);
		}
		const types = Object.keys(content);
		if (types.includes(MULTIPART)) return this.#form(fit);
		const json = content['application/json'];
		if (json === undefined) return this.#bytes(types, fit);
		const schema = json.schema ?? {};
		const required = operation.requestBody?.required ?? false;
		const fitting = this.#values.fitting(schema).map(jsonBody);
		if (fit === 'fitting') return required ? fitting : fc.oneof(none, fitting);
		const nearly = this.#values.nearly(schema).map(jsonBody);
		if (fit === 'nearly') return nearly;
		return fc.oneof(none, wildJson.map(jsonBody), brokenJson(nearly), strangeBody);
	}

	#bytes(types: string[], fit: Fit): Arbitrary<BodyPlan> {
		const files = types.map((type) =>
			fc
				.constantFrom(...(this.#files[type] ?? [new Uint8Array([1])]))
				.map((bytes): BodyPlan => ({ kind: 'bytes', bytes, type })),
		);
		const fitting = fc.oneof(...files);
		if (fit === 'fitting') return fitting;
		return fc.oneof(fitting, strangeBody, fc.constant<BodyPlan>({ kind: 'none' }));
	}

	#form(fit: Fit): Arbitrary<BodyPlan> {
		const files = Object.entries(this.#files).map(([type, contents]) =>
			fc.constantFrom(...contents).map((content): FormPart => ({
				name: 'document',
				filename: 'fuzz.bin',
				type,
				content,
			})),
		);
		const file = fc.oneof(...files);
		const whole = (parts: FormPart[]): BodyPlan => ({
			kind: 'form',
			parts,
			cut: null,
			boundary: 'right',
		});
		if (fit === 'fitting') return file.map((part) => whole([part]));
		const strange: Arbitrary<FormPart> = fc.record({
			name: fc.constantFrom('document', 'documents', '', '__proto__', 'metadata'),
			filename: fc.option(nastyText.map(headerText)),
			type: fc.option(
				fc.constantFrom('application/pdf', 'text/plain', 'image/png', 'x', '', 'a/b; c=d'),
			),
			content: fc.uint8Array({ maxLength: 300 }),
		});
		const forms = fc.record({
			kind: fc.constant('form' as const),
			parts: fc.array(fc.oneof(file, strange), { maxLength: 4 }),
			cut: fc.option(fc.nat({ max: 400 })),
			boundary: fc.constantFrom(
				'right' as const,
				'right' as const,
				'wrong' as const,
				'none' as const,
			),
		});
		return fit === 'nearly'
			? forms
			: fc.oneof(forms, strangeBody, fc.constant<BodyPlan>({ kind: 'none' }));
	}
}

type Fit = 'fitting' | 'nearly' | 'wild';

function jsonBody(value: unknown): BodyPlan {
	return { kind: 'json', value, type: 'application/json', cut: null };
}

const wildScalar = fc.constantFrom<unknown>(
	0,
	-1,
	1.5,
	1e21,
	true,
	false,
	null,
	'1e2',
	'0x10',
	' 1',
	'',
);

/** JSON that is cut off, or that comes under another type. */
function brokenJson(bodies: Arbitrary<BodyPlan>): Arbitrary<BodyPlan> {
	return fc
		.tuple(
			bodies,
			fc.option(fc.nat({ max: 100 })),
			fc.constantFrom(
				'application/json',
				'application/json; charset=utf-8',
				'application/json; charset=utf-16',
				'APPLICATION/JSON',
				'text/json',
				'application/vnd.api+json',
			),
		)
		.map(([body, cut, type]) => (body.kind === 'json' ? { ...body, cut, type } : body));
}

const strangeBody: Arbitrary<BodyPlan> = fc.oneof(
	fc.record({
		kind: fc.constant('text' as const),
		text: fc.oneof(
			nastyText,
			fc.constantFrom(
				'{',
				'[',
				'"',
				'{"a":',
				'{"__proto__":{"a":1}}',
				'{"a":1}}',
				'['.repeat(50_000),
				'{"a":'.repeat(50_000),
			),
		),
		type: fc.constantFrom(
			null,
			'application/json',
			'text/plain',
			'application/xml',
			'*/*',
			';',
			'a',
		),
	}),
	fc.record({
		kind: fc.constant('bytes' as const),
		bytes: fc.uint8Array({ maxLength: 200 }),
		type: fc.constantFrom('application/octet-stream', 'application/json', 'application/pdf'),
	}),
);

/** Addresses of the storage carry their permission, so they are taken as they were given out. */
function addressOf(described: Described): Arbitrary<PoolPick | null> {
	return poolIndex.map((index) => new PoolPick(addressName(described.path), index));
}

/** The name in the pool of whole addresses for a path. */
export function addressName(path: string): string {
	return `address ${path}`;
}

/** What can be sent in a header. */
function headerText(text: string): string {
	return text
		.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')
		.slice(0, 6000)
		.trim();
}

/** Puts the values of the pool into a plan. */
export function toWire(plan: RequestPlan, pool: Pool, credentials: Credentials): WireRequest {
	const { described, method } = plan;
	const address = plan.address === null ? undefined : pool.resolve(plan.address);
	const query = plan.query.map(([name, value]): [string, string] => [
		name,
		textOf(resolved(value, pool)),
	]);
	const path = described.path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) =>
		encoded(textOf(resolved(plan.path[name], pool))),
	);
	const search = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
	const url = address === undefined ? path + (search === '' ? '' : `?${search}`) : String(address);

	const headers: Record<string, string> = {};
	for (const [name, value] of plan.headers) headers[name.toLowerCase()] = value;
	// As a client does that was made from the document.
	headers['accept'] ??= acceptedTypes(described).join(', ');
	const authorization = authorizationOf(plan, credentials);
	if (authorization !== null) headers['authorization'] = authorization;
	const bodyless = ['GET', 'HEAD', 'TRACE'].includes(method);
	const body = bodyless ? { bytes: null, type: null, json: undefined } : bytesOf(plan.body, pool);
	if (body.type !== null) headers['content-type'] = body.type;
	return {
		method,
		url,
		headers,
		body: body.bytes,
		json: body.json,
		query: address === undefined ? query : [],
	};
}

function acceptedTypes({ operation }: Described): string[] {
	const responses = Object.values(operation.responses);
	return [...new Set(responses.flatMap(({ content = {} }) => Object.keys(content)))];
}

function authorizationOf(
	{ described, credential }: RequestPlan,
	credentials: Credentials,
): string | null {
	const [scheme] = (described.operation.security ?? []).flatMap((one) => Object.keys(one));
	const right = scheme === undefined ? undefined : credentials[scheme];
	const other = Object.entries(credentials).find(([name]) => name !== scheme)?.[1];
	switch (credential) {
		case 'right':
			return right === undefined ? null : `Bearer ${right}`;
		case 'none':
			return null;
		case 'other surface':
			return `Bearer ${other ?? ''}`;
		case 'wrong':
			// As long as the right one, so that nothing but its content is wrong.
			return `Bearer ${(right ?? '').replaceAll(/[a-zA-Z](?=[^.]*$)/g, (letter) => (letter === 'x' ? 'y' : 'x'))}`;
		case 'malformed':
			return `Basic ${right ?? ''}`;
	}
}

function bytesOf(
	plan: BodyPlan,
	pool: Pool,
): { bytes: Uint8Array | null; type: string | null; json: unknown } {
	switch (plan.kind) {
		case 'none':
			return { bytes: null, type: null, json: undefined };
		case 'json': {
			const value = resolved(plan.value, pool);
			const bytes = Buffer.from(JSON.stringify(value) ?? 'null');
			const isWhole = plan.cut === null && plan.type === 'application/json';
			return {
				bytes: plan.cut === null ? bytes : bytes.subarray(0, plan.cut),
				type: plan.type,
				json: isWhole ? value : undefined,
			};
		}
		case 'text':
			return { bytes: Buffer.from(plan.text), type: plan.type, json: undefined };
		case 'bytes':
			return { bytes: plan.bytes, type: plan.type, json: undefined };
		case 'form':
			return { ...formBytes(plan), json: undefined };
	}
}

function formBytes({ parts, cut, boundary }: BodyPlan & { kind: 'form' }): {
	bytes: Uint8Array;
	type: string;
} {
	const pieces = parts.flatMap(({ name, filename, type, content }) => {
		const disposition =
			`form-data; name="${quoted(name)}"` +
			(filename === null ? '' : `; filename="${quoted(filename)}"`);
		const head =
			`--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n` +
			(type === null ? '' : `Content-Type: ${type}\r\n`);
		return [Buffer.from(`${head}\r\n`), content, Buffer.from('\r\n')];
	});
	const bytes = Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
	const named = { right: `; boundary=${BOUNDARY}`, wrong: '; boundary=another', none: '' }[
		boundary
	];
	return { bytes: cut === null ? bytes : bytes.subarray(0, cut), type: `${MULTIPART}${named}` };
}

function quoted(text: string): string {
	return text.replaceAll('"', '%22');
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Percent-encoding that lets everything through, also what is not well formed. */
function encoded(text: string): string {
	return encodeURIComponent(text.toWellFormed());
}

/** A request as a person can read it, short. */
export function shown({ method, url, headers, body }: WireRequest): string {
	const head = Object.entries(headers)
		.filter(([name]) => name !== 'authorization')
		.map(([name, value]) => `${name}: ${value.slice(0, 200)}`);
	const text =
		body === null ? '' : JSON.stringify(Buffer.from(body).toString('latin1')).slice(0, 600);
	return [`${method} ${url.slice(0, 500)}`, ...head, text]
		.filter((line) => line !== '')
		.join('\n  ');
}
