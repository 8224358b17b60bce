import { AsyncLocalStorage } from 'node:async_hooks';
import { at } from './expect.ts';

const ANSWERS_WITHIN_MS = 150_000;

export interface Sent {
	/** Sent as `Authorization: Bearer …`; null or left out for none. */
	credential?: string | null;
	json?: unknown;
	form?: FormData;
	bytes?: Uint8Array;
	headers?: Record<string, string>;
}

/** An answer of the service, read to its end. */
export class Answer {
	readonly method: string;
	readonly url: string;
	readonly status: number;
	readonly headers: Headers;
	readonly bytes: Uint8Array;
	readonly text: string;
	/** Undefined where the body is no JSON. */
	readonly json: unknown;

	constructor(method: string, url: string, response: Response, bytes: Uint8Array) {
		this.method = method;
		this.url = url;
		this.status = response.status;
		this.headers = response.headers;
		this.bytes = bytes;
		this.text = new TextDecoder().decode(bytes);
		this.json = parsed(this.text);
	}

	get isOk(): boolean {
		return this.status >= 200 && this.status < 300;
	}

	/** Method and path, without query: addresses of a storage carry signatures in it. */
	get name(): string {
		return `${this.method} ${new URL(this.url).pathname.replace(/^.*\/api\/v1(?=\/)/, '')}`;
	}

	/** The start of an error's text, or the type of anything else: never data or secrets. */
	get start(): string {
		if (this.isOk) return this.text === '' ? 'an empty body' : `${this.bytes.length} bytes`;
		const message = at(this.json, 'error', 'message');
		return (typeof message === 'string' ? message : this.text).slice(0, 200);
	}

	member(...path: Array<string | number>): unknown {
		return at(this.json, ...path);
	}
}

/** Looks at an answer; what it objects to fails the row that asked. */
export type Validate = (answer: Answer) => string[];

const currentRow = new AsyncLocalStorage<string[]>();

/** Runs something in whose course objections to answers are collected. */
export async function collecting<T>(objections: string[], run: () => Promise<T>): Promise<T> {
	return await currentRow.run(objections, run);
}

/** All requests of a walk go through one of these. */
export class Http {
	readonly #validate: Validate;
	count = 0;

	constructor(validate: Validate = () => []) {
		this.#validate = validate;
	}

	/** @throws Error where no answer comes; a refusal is an answer. */
	async send(method: string, url: string, sent: Sent = {}): Promise<Answer> {
		const headers = new Headers(sent.headers);
		if (typeof sent.credential === 'string') {
			headers.set('authorization', `Bearer ${sent.credential}`);
		}
		if (sent.json !== undefined) headers.set('content-type', 'application/json');
		const body =
			sent.json !== undefined
				? JSON.stringify(sent.json)
				: (sent.form ?? (sent.bytes === undefined ? undefined : new Uint8Array(sent.bytes)));
		this.count++;
		const response = await fetch(url, {
			method,
			headers,
			redirect: 'manual',
			signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
			...(body === undefined ? {} : { body }),
		});
		const bytes = new Uint8Array(await response.arrayBuffer());
		const answer = new Answer(method, url, response, bytes);
		const objections = this.#validate(answer);
		currentRow.getStore()?.push(...objections);
		return answer;
	}
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
