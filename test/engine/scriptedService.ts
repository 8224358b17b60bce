import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the service has seen, with its whole body. */
export interface SeenRequest {
	method: string;
	path: string;
	headers: IncomingMessage['headers'];
	body: Buffer;
}

export interface Reply {
	status?: number;
	headers?: Record<string, string>;
	/** An object becomes JSON. */
	body?: unknown;
	/** Waits so long before it answers. */
	delayMs?: number;
	/** Breaks the connection instead of answering. */
	reset?: boolean;
}

type Handler = (request: SeenRequest, groups: string[]) => Reply | Promise<Reply>;

/**
 * A small server that answers as a test says. For what the real service cannot be made to show:
 * limits, broken connections, slow answers, other shapes.
 */
export class ScriptedService {
	readonly seen: SeenRequest[] = [];

	private readonly routes: Array<{ method: string; pattern: RegExp; handler: Handler }> = [];

	private readonly server = createServer((request, response) => {
		void this.handle(request, response);
	});

	/** Routes added later win, so a test can replace one. */
	on(method: string, pattern: RegExp, handler: Handler | Reply): this {
		const asked = typeof handler === 'function' ? handler : () => handler;
		this.routes.unshift({ method, pattern, handler: asked });
		return this;
	}

	/** Forgets all routes and all requests. */
	clear(): void {
		this.routes.length = 0;
		this.seen.length = 0;
	}

	async start(): Promise<this> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		return this;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	get siteUrl(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	get baseUrl(): string {
		return `${this.siteUrl}/api/v1`;
	}

	requests(method: string, pattern: RegExp): SeenRequest[] {
		return this.seen.filter((one) => one.method === method && pattern.test(one.path));
	}

	private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		try {
			for await (const chunk of request) chunks.push(chunk as Buffer);
		} catch {
			// The client went away in the middle of the body; the test looks at what was seen.
			return;
		}
		const { method = '', url = '', headers } = request;
		const seen = { method, path: url, headers, body: Buffer.concat(chunks) };
		this.seen.push(seen);
		for (const route of this.routes) {
			const match = route.method === method ? route.pattern.exec(url) : null;
			if (match === null) continue;
			this.reply(response, await route.handler(seen, match.slice(1)));
			return;
		}
		this.reply(response, { status: 404, body: { error: { code: 'not_found', message: url } } });
	}

	private reply(response: ServerResponse, reply: Reply): void {
		const { status = 200, headers = {}, body, delayMs = 0, reset = false } = reply;
		const answer = () => {
			if (reset) {
				response.destroy();
				return;
			}
			const isText = typeof body === 'string';
			response.writeHead(status, {
				'Content-Type': isText ? 'text/html' : 'application/json',
				...headers,
			});
			response.end(isText || body === undefined ? (body as string) : JSON.stringify(body));
		};
		if (delayMs > 0) setTimeout(answer, delayMs).unref();
		else answer();
	}
}

/** A transaction as section 2.8 has it. */
export function row(fitId: string, amount: number) {
	return {
		date: '20260304000000',
		amount,
		memo: `Purchase ${fitId}`,
		name: 'Purchase',
		payee: 'Shop',
		checkNumber: '',
		balance: null,
		category: '',
		fitId,
		descriptionLines: [`Purchase ${fitId}`],
		pageNumber: 1,
	};
}

/** The `data` of one document with one account. */
export function documentPayload(rows: Array<ReturnType<typeof row>>) {
	return {
		'000123': {
			bankMode: {
				transactions: rows,
				totalCredits: '0.00',
				totalDebits: '-3.50',
				numCredits: 0,
				numDebits: rows.length,
			},
			metadata: [],
		},
		metadata: [],
	};
}

/**
 * The usual course of the interface: documents are numbered from 1, jobs from 101. A job needs two
 * looks until it has ended. Honours `Idempotency-Key` when `remembersKeys` is set.
 */
export function usualService({ remembersKeys = true } = {}): ScriptedService {
	const service = new ScriptedService();
	const documents = new Map<string, number>();
	const jobs = new Map<string, { id: number; documents: unknown[]; looks: number }>();
	const keyOf = (request: SeenRequest, count: number) => {
		const key = request.headers['idempotency-key'];
		return remembersKeys && typeof key === 'string' ? key : `no key ${count}`;
	};
	service
		.on('POST', /\/agent\/documents\/upload-url$/, (request) => {
			const key = keyOf(request, documents.size);
			const id = documents.get(key) ?? documents.size + 1;
			documents.set(key, id);
			const url = `${service.siteUrl}/storage/${id}?signature=abc`;
			const document = { id, s3Key: `k${id}`, s3Path: `p${id}` };
			return { status: 201, body: { url, expiresIn: 3600, document } };
		})
		.on('PUT', /^\/storage\//, { status: 200, body: {} })
		.on('POST', /\/agent\/jobs$/, (request) => {
			const key = keyOf(request, jobs.size);
			const asked = JSON.parse(request.body.toString()) as { documents: unknown[] };
			const job = jobs.get(key) ?? {
				id: 101 + jobs.size,
				documents: asked.documents,
				looks: 0,
			};
			jobs.set(key, job);
			return { status: 201, body: { jobId: job.id, status: 'Created' } };
		})
		.on('GET', /\/agent\/jobs\/(\d+)$/, (_request, [id]) => {
			const job = [...jobs.values()].find((one) => String(one.id) === id);
			if (job === undefined) return { status: 404, body: { message: 'no such job' } };
			job.looks++;
			const status = job.looks > 1 ? 'Succeeded' : 'InProgress';
			return { body: { id: job.id, status, error: null } };
		})
		.on('GET', /\/agent\/jobs\/(\d+)\/data$/, (_request, [id]) => {
			const job = [...jobs.values()].find((one) => String(one.id) === id);
			const entries = (job?.documents ?? []).map((document) => [
				String(document),
				documentPayload([row(`${String(document)}-1`, -1.25), row(`${String(document)}-2`, -2.25)]),
			]);
			return { body: Object.fromEntries(entries) };
		});
	return service;
}
