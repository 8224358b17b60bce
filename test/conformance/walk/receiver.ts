import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Unmet } from './outcome.ts';

/** One delivery as it came over the wire. */
export interface Arrived {
	path: string;
	method: string;
	/** Names in lower case. */
	headers: Record<string, string>;
	body: Buffer;
	/** The parsed body; undefined where it is no JSON. */
	json: unknown;
	/** Milliseconds since 1970. */
	at: number;
	/** When the service gave up waiting; null while it waits or when it was answered. */
	abandonedAt: number | null;
}

/** How a path answers: a status, or silence. */
type Manner = number | 'silent';

/** The walk's own receiver of webhooks. */
export class Receiver {
	readonly arrived: Arrived[] = [];
	readonly #server: Server;
	readonly #manners = new Map<string, Manner>();
	readonly #publicUrl: string | null;

	private constructor(server: Server, publicUrl: string | null) {
		this.#server = server;
		this.#publicUrl = publicUrl;
	}

	static async start(options: { port: number; publicUrl: string | null; isLocal: boolean }) {
		const server = createServer((request, response) => {
			const pieces: Buffer[] = [];
			request.on('error', () => undefined);
			request.on('data', (piece: Buffer) => pieces.push(piece));
			request.on('end', () => {
				const body = Buffer.concat(pieces);
				const arrived: Arrived = {
					path: new URL(request.url ?? '/', 'http://receiver').pathname,
					method: request.method ?? '',
					headers: Object.fromEntries(
						Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
					),
					body,
					json: parsed(body),
					at: Date.now(),
					abandonedAt: null,
				};
				receiver.arrived.push(arrived);
				const manner = receiver.#mannerOf(arrived.path);
				if (manner === 'silent') {
					response.on('close', () => (arrived.abandonedAt = Date.now()));
					return;
				}
				response.writeHead(manner).end();
			});
		});
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject);
			server.listen(options.port, options.isLocal ? '127.0.0.1' : '0.0.0.0', resolve);
		});
		const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const receiver = new Receiver(server, options.publicUrl ?? (options.isLocal ? own : null));
		return receiver;
	}

	/** The address of a new path that answers so. @throws Unmet where nobody can reach it. */
	path(manner: Manner = 200): { url: string; path: string } {
		if (this.#publicUrl === null) {
			throw new Unmet('not tried: needs --receiver-url, an address that leads to this machine');
		}
		const path = `/conformance-${randomUUID()}`;
		this.#manners.set(path, manner);
		return { url: this.#publicUrl.replace(/\/+$/, '') + path, path };
	}

	/** From now on what comes to the path is answered so. */
	answer(path: string, manner: Manner): void {
		this.#manners.set(path, manner);
	}

	/** A proxy in front may add something before the path. */
	at(path: string): Arrived[] {
		return this.arrived.filter((one) => one.path.endsWith(path));
	}

	/** Waits for the first delivery to a path that fits; undefined when it did not come in time. */
	async wait(
		path: string,
		withinMs: number,
		fits: (arrived: Arrived) => boolean = () => true,
	): Promise<Arrived | undefined> {
		const until = Date.now() + withinMs;
		for (;;) {
			const found = this.at(path).find(fits);
			if (found !== undefined || Date.now() > until) return found;
			await pause(25);
		}
	}

	/** Waits until so many have come to a path; answers what came, too few where the time is over. */
	async count(path: string, count: number, withinMs: number): Promise<Arrived[]> {
		const until = Date.now() + withinMs;
		while (this.at(path).length < count && Date.now() <= until) await pause(25);
		return this.at(path);
	}

	async stop(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise<void>((resolve) => this.#server.close(() => resolve()));
	}

	#mannerOf(path: string): Manner {
		for (const [known, manner] of this.#manners) if (path.endsWith(known)) return manner;
		return 404;
	}
}

function parsed(body: Buffer): unknown {
	try {
		return JSON.parse(body.toString('utf8')) as unknown;
	} catch {
		return undefined;
	}
}
