import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject } from './expect.ts';

/** A request on its way through the proxy. */
export interface Passing {
	method: string;
	/** With its query. */
	path: string;
	/** Names in lower case. */
	headers: Record<string, string>;
	body: Buffer;
}

/** An answer on its way back. */
export interface Returning {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

/** What a proxy changes. */
export interface Mutation {
	/** Another request, or an answer without asking anybody. */
	request?: (passing: Passing) => Passing | Returning;
	answer?: (returning: Returning, passing: Passing) => Returning;
}

/** Belong to one connection, or are made anew. */
const NOT_PASSED_ON = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'];

/** Stands in front of a server and changes one thing. */
export class MutatingProxy {
	/** Nothing is changed without one. */
	mutation: Mutation = {};
	/** Root of the server behind it; set before the first request. */
	target = '';
	readonly url: string;
	readonly #server: Server;

	private constructor(server: Server) {
		this.#server = server;
		this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	}

	static async start(): Promise<MutatingProxy> {
		const server = createServer((request, response) => {
			// A server that goes away while a walk ends is no concern of the proxy.
			proxy.#pass(request, response).catch(() => response.destroy());
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const proxy = new MutatingProxy(server);
		return proxy;
	}

	async stop(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise<void>((resolve) => this.#server.close(() => resolve()));
	}

	async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const pieces: Buffer[] = [];
		for await (const piece of request) pieces.push(piece as Buffer);
		const passing: Passing = {
			method: request.method ?? 'GET',
			path: request.url ?? '/',
			headers: passedOn(request.headers),
			body: Buffer.concat(pieces),
		};
		const changed = this.mutation.request?.(passing) ?? passing;
		const returning = 'status' in changed ? changed : await this.#ask(changed);
		const answer = this.mutation.answer?.(returning, passing) ?? returning;
		response.writeHead(answer.status, answer.headers).end(answer.body);
	}

	async #ask({ method, path, headers, body }: Passing): Promise<Returning> {
		const answer = await fetch(this.target + path, {
			method,
			headers,
			redirect: 'manual',
			...(body.length > 0 && { body: new Uint8Array(body) }),
		});
		return {
			status: answer.status,
			headers: passedOn(Object.fromEntries(answer.headers)),
			body: Buffer.from(await answer.arrayBuffer()),
		};
	}
}

function passedOn(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers)
			.filter(([name]) => !NOT_PASSED_ON.includes(name))
			.map(([name, value]) => [name, String(value)]),
	);
}

/** Which requests a mutation is about: a method, and a pattern of the path without query. */
export type Route = readonly [method: string, path: RegExp];

export function isFor([method, path]: Route, passing: Passing): boolean {
	return passing.method === method && path.test(passing.path.split('?')[0] ?? '');
}

/** The route is not there. */
export function withoutRoute(...route: Route): Mutation {
	return {
		request: (passing) => (isFor(route, passing) ? jsonAnswer(404, { error: 'none' }) : passing),
	};
}

/** Successful answers of the route have another body. */
export function withBody(route: Route, change: (body: unknown) => unknown): Mutation {
	return {
		answer: (returning, passing) => {
			if (!isFor(route, passing) || returning.status >= 300) return returning;
			const body = JSON.parse(returning.body.toString('utf8')) as unknown;
			return { ...returning, body: Buffer.from(JSON.stringify(change(body))) };
		},
	};
}

/** The same without a member, at every place of the body that the path leads to; `*` is any name. */
export function withoutField(route: Route, path: string): Mutation {
	return withBody(route, (body) => changedAt(body, path.split('.'), () => undefined));
}

/** The member has another value. */
export function withField(
	route: Route,
	path: string,
	change: (value: unknown) => unknown,
): Mutation {
	return withBody(route, (body) => changedAt(body, path.split('.'), change));
}

/** Answers of the route with this status have another one. */
export function withStatus(route: Route, from: number, to: number): Mutation {
	return {
		answer: (returning, passing) =>
			isFor(route, passing) && returning.status === from ? { ...returning, status: to } : returning,
	};
}

/** The query or a header of the request is another one when it arrives. */
export function withRequest(route: Route, change: (passing: Passing) => Passing): Mutation {
	return { request: (passing) => (isFor(route, passing) ? change(passing) : passing) };
}

export function jsonAnswer(status: number, body: unknown): Returning {
	return {
		status,
		headers: { 'content-type': 'application/json; charset=utf-8' },
		body: Buffer.from(JSON.stringify(body)),
	};
}

/** A copy with other values at a path; undefined takes the member away. */
export function changedAt(
	value: unknown,
	path: readonly string[],
	change: (value: unknown) => unknown,
): unknown {
	const [name, ...rest] = path;
	if (name === undefined) return change(value);
	if (Array.isArray(value)) {
		return value.map((entry, index) =>
			name === '*' || name === String(index) ? changedAt(entry, rest, change) : entry,
		);
	}
	if (!isObject(value)) return value;
	const copy = { ...value };
	for (const key of Object.keys(copy)) {
		if (name !== '*' && name !== key) continue;
		const changed = changedAt(copy[key], rest, change);
		if (changed === undefined) delete copy[key];
		else copy[key] = changed;
	}
	return copy;
}
