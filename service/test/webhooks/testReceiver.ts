import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One delivery as it came over the wire. */
export interface Arrived {
	/** Path of the address, such as `/books`. */
	path: string;
	method: string;
	/** Names in lower case. */
	headers: Record<string, string>;
	/** Names as they were sent. */
	headerNames: string[];
	body: Buffer;
	/** Milliseconds since 1970. */
	at: number;
}

type Answer = (response: ServerResponse, arrived: Arrived) => void;

/** A receiver of webhooks on this machine that keeps everything that arrives. */
export class TestReceiver {
	readonly arrived: Arrived[] = [];
	readonly #server: Server;
	readonly #answers = new Map<string, Answer>();

	private constructor(server: Server) {
		this.#server = server;
	}

	static async start(): Promise<TestReceiver> {
		const server = createServer((request, response) => {
			const pieces: Buffer[] = [];
			request.on('error', () => undefined);
			request.on('data', (piece: Buffer) => pieces.push(piece));
			request.on('end', () => {
				const arrived: Arrived = {
					path: request.url ?? '',
					method: request.method ?? '',
					headers: Object.fromEntries(
						Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
					),
					headerNames: request.rawHeaders.filter((_text, index) => index % 2 === 0),
					body: Buffer.concat(pieces),
					at: Date.now(),
				};
				receiver.arrived.push(arrived);
				const answer = receiver.#answers.get(arrived.path);
				if (answer === undefined) response.end('thank you');
				else answer(response, arrived);
			});
		});
		const receiver = new TestReceiver(server);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return receiver;
	}

	url(path: string): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
	}

	/** What comes to this path is answered so from now on. Default: 200 at once. */
	answer(path: string, answer: Answer): void {
		this.#answers.set(path, answer);
	}

	at(path: string): Arrived[] {
		return this.arrived.filter((one) => one.path === path);
	}

	/** Waits until so many have come to a path. */
	async count(path: string, count: number): Promise<Arrived[]> {
		await until(() => this.at(path).length >= count, `${count} deliveries to ${path}`);
		return this.at(path);
	}

	async stop(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise<void>((resolve) => this.#server.close(() => resolve()));
	}
}

/** The signature of section 5.5, computed by the test itself. */
export function signatureOf(secret: string, body: Buffer): string {
	return createHmac('sha256', secret).update(body).digest('hex');
}

export async function until(
	holds: () => boolean | Promise<boolean>,
	what: string,
	withinMs = 30_000,
): Promise<void> {
	const end = Date.now() + withinMs;
	while (!(await holds())) {
		if (Date.now() > end) throw new Error(`It did not come to this: ${what}`);
		await sleep(25);
	}
}
