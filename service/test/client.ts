import { setTimeout as sleep } from 'node:timers/promises';
import type { Credentials, RunningService } from './runningService.ts';

export interface Answer {
	status: number;
	headers: Headers;
	/** The parsed body; null where it is not JSON. */
	body: Body;
	text: string;
}

/** Tests reach into it with `member`, and compare what they find. */
export type Body = Record<string, unknown> | null;

export interface Uploaded {
	id: number;
	url: string;
}

const END_STATUSES = ['Succeeded', 'Failed', 'OutOfCredits'];
/** The machine may be busy with other tests. */
const ENDS_WITHIN_MS = 120_000;
const FIRST_PAUSE_MS = 50;
/** As often may be asked without an end; see JOB_POLLS_PER_MINUTE. */
const LONGEST_PAUSE_MS = 500;

/** Talks to a service under test the way a client does, over HTTP only. */
export class Client {
	readonly service: RunningService;
	readonly #own: Pick<Credentials, 'accessToken' | 'jwt'> | null;

	/** @param own credentials of another contract than the one that the service made */
	constructor(
		service: RunningService,
		own: Pick<Credentials, 'accessToken' | 'jwt'> | null = null,
	) {
		this.service = service;
		this.#own = own;
	}

	get credentials(): Pick<Credentials, 'accessToken' | 'jwt'> {
		return this.#own ?? this.service.credentials;
	}

	/** A request to the agent surface with the access token. `path` begins after `/api/v1/agent`. */
	async agent(
		method: string,
		path: string,
		body?: unknown,
		headers: Record<string, string> = {},
	): Promise<Answer> {
		return await request(`${this.service.site}/api/v1/agent${path}`, {
			method,
			headers: {
				authorization: `Bearer ${this.credentials.accessToken}`,
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
				...headers,
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
	}

	/** A request to the legacy surface with the JWT. `path` begins after `/api/v1/protected`. */
	async legacy(
		method: string,
		path: string,
		body?: unknown,
		headers: Record<string, string> = {},
	): Promise<Answer> {
		return await request(`${this.service.site}/api/v1/protected${path}`, {
			method,
			headers: {
				authorization: `Bearer ${this.credentials.jwt}`,
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
				...headers,
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
	}

	/** Sends a form to the legacy upload. `query` begins with a question mark. */
	async legacyForm(
		form: FormData,
		query = '',
		headers: Record<string, string> = {},
	): Promise<Answer> {
		return await request(`${this.service.site}/api/v1/protected/document${query}`, {
			method: 'POST',
			headers: { authorization: `Bearer ${this.credentials.jwt}`, ...headers },
			body: form,
		});
	}

	async uploadUrl(
		filename = 'statement.pdf',
		mimetype = 'application/pdf',
		headers: Record<string, string> = {},
	): Promise<Uploaded> {
		const answer = await this.agent(
			'POST',
			'/documents/upload-url',
			{ filename, mimetype },
			headers,
		);
		if (answer.status !== 201) throw new Error(`upload-url: ${answer.status} ${answer.text}`);
		return {
			id: Number(member(answer, 'document', 'id')),
			url: String(member(answer, 'url')),
		};
	}

	/** Creates a document and sends its bytes. */
	async upload(
		bytes: Uint8Array,
		{ filename = 'statement.pdf', mimetype = 'application/pdf' } = {},
	): Promise<number> {
		const { id, url } = await this.uploadUrl(filename, mimetype);
		const answer = await put(url, bytes, { 'content-type': mimetype });
		if (answer.status !== 200) throw new Error(`PUT: ${answer.status} ${answer.text}`);
		return id;
	}

	async createJob(
		documents: Array<number | string>,
		more: Record<string, unknown> = {},
		headers: Record<string, string> = {},
	): Promise<number> {
		const answer = await this.agent('POST', '/jobs', { documents, ...more }, headers);
		if (answer.status !== 201) throw new Error(`jobs: ${answer.status} ${answer.text}`);
		return Number(member(answer, 'jobId'));
	}

	/** Waits for the end of a job, as the interface asks for it: with growing pauses. */
	async ended(jobId: number): Promise<Answer> {
		const until = Date.now() + ENDS_WITHIN_MS;
		let pauseMs = FIRST_PAUSE_MS;
		for (;;) {
			const answer = await this.agent('GET', `/jobs/${jobId}`);
			if (END_STATUSES.includes(String(member(answer, 'status')))) return answer;
			if (answer.status !== 200 && answer.status !== 429) {
				throw new Error(`job: ${answer.status} ${answer.text}`);
			}
			if (Date.now() > until) throw new Error(`The job did not end: ${answer.text}`);
			// Whoever was told to wait waits.
			await sleep(Math.max(pauseMs, Number(answer.headers.get('retry-after') ?? 0) * 1000));
			pauseMs = Math.min(pauseMs * 1.2, LONGEST_PAUSE_MS);
		}
	}

	/** Uploads, creates a job and waits for its end. */
	async extract(
		bytes: Uint8Array,
		mimetype = 'application/pdf',
	): Promise<{ documentId: number; jobId: number; job: Answer }> {
		const documentId = await this.upload(bytes, { mimetype });
		const jobId = await this.createJob([documentId]);
		return { documentId, jobId, job: await this.ended(jobId) };
	}
}

export async function request(url: string, init: RequestInit = {}): Promise<Answer> {
	const response = await fetch(url, init);
	const text = await response.text();
	return { status: response.status, headers: response.headers, body: parsed(text), text };
}

export async function put(
	url: string,
	bytes: Uint8Array,
	headers: Record<string, string>,
): Promise<Answer> {
	return await request(url, { method: 'PUT', headers, body: new Uint8Array(bytes) });
}

/** A member of an answer's body, however deep; undefined where there is none. */
export function member(answer: Answer | unknown, ...path: Array<string | number>): unknown {
	let value: unknown = isAnswer(answer) ? answer.body : answer;
	for (const name of path) {
		if (typeof value !== 'object' || value === null) return undefined;
		value = Reflect.get(value, name);
	}
	return value;
}

/** The error of an answer as `status code field`, which is what most tests look at. */
export function errorOf(answer: Answer): string {
	const field = member(answer, 'error', 'field');
	return [answer.status, member(answer, 'error', 'code'), field]
		.filter((part) => part !== undefined)
		.join(' ');
}

function isAnswer(value: unknown): value is Answer {
	return typeof value === 'object' && value !== null && 'headers' in value && 'body' in value;
}

function parsed(text: string): Body {
	try {
		return JSON.parse(text) as Body;
	} catch {
		return null;
	}
}
