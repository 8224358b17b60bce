import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** What one connection brought so far. */
export interface RawConnection {
	socket: Socket;
	/** Everything received on it, as Latin-1. */
	received: string;
	isClosed: boolean;
}

/**
 * A receiver that behaves as a test tells it, down to single bytes. `answer` is called once for every
 * request, when its head and body are there.
 */
export class RawReceiver {
	readonly connections: RawConnection[] = [];
	readonly requests: string[] = [];
	readonly port: number;
	readonly #server: Server;

	private constructor(server: Server) {
		this.#server = server;
		this.port = (server.address() as AddressInfo).port;
	}

	static async start(
		answer: (socket: Socket, request: string) => void,
		{
			host = '127.0.0.1',
			port = 0,
			onConnection = () => undefined,
		}: { host?: string; port?: number; onConnection?: (socket: Socket) => void } = {},
	): Promise<RawReceiver> {
		const server = createServer({ noDelay: true });
		await new Promise<void>((resolve) => server.listen(port, host, resolve));
		const receiver = new RawReceiver(server);
		server.on('connection', (socket) => {
			const connection: RawConnection = { socket, received: '', isClosed: false };
			receiver.connections.push(connection);
			// What the other side does to the connection is what the test is about.
			socket.on('error', () => undefined);
			socket.on('close', () => (connection.isClosed = true));
			onConnection(socket);
			let pending = '';
			socket.on('data', (piece) => {
				connection.received += piece.toString('latin1');
				pending += piece.toString('latin1');
				for (;;) {
					const length = requestLength(pending);
					if (length === null || pending.length < length) return;
					const request = pending.slice(0, length);
					pending = pending.slice(length);
					receiver.requests.push(request);
					answer(socket, request);
				}
			});
		});
		return receiver;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}/hook`;
	}

	get openConnections(): number {
		return this.connections.filter(({ isClosed }) => !isClosed).length;
	}

	async stop(): Promise<void> {
		for (const { socket } of this.connections) socket.destroy();
		await new Promise<void>((resolve) => this.#server.close(() => resolve()));
	}
}

/** Writes again and again, as fast as the other side reads, until the connection ends. */
export function flood(socket: Socket, piece: string | Buffer): void {
	const more = (): void => {
		while (!socket.destroyed && socket.write(piece));
	};
	socket.on('drain', more);
	more();
}

/** Writes one byte at a time, for ever. */
export function drip(socket: Socket, text: string, everyMs: number): void {
	let index = 0;
	const timer = setInterval(() => socket.write(text[index++ % text.length] ?? ''), everyMs);
	socket.on('close', () => clearInterval(timer));
}

/** Length of the first request in the text; null while its head is not complete. */
function requestLength(text: string): number | null {
	const end = text.indexOf('\r\n\r\n');
	if (end < 0) return null;
	const body = /^content-length: *(\d+)/im.exec(text.slice(0, end))?.[1] ?? '0';
	return end + 4 + Number(body);
}
