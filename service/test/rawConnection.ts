import { connect } from 'node:net';
import type { Socket } from 'node:net';

const ANSWERS_WITHIN_MS = 20_000;

export interface RawAnswer {
	status: number;
	headers: Record<string, string>;
	text: string;
}

/** One connection to a service, for what ordinary clients do not let a test do. */
export class RawConnection {
	readonly #socket: Socket;
	#received = Buffer.alloc(0);
	#ended = false;
	#fault: Error | null = null;
	#wake: () => void = () => {};

	private constructor(socket: Socket) {
		this.#socket = socket;
		socket.on('data', (chunk: Buffer) => {
			this.#received = Buffer.concat([this.#received, chunk]);
			this.#wake();
		});
		socket.on('end', () => {
			this.#ended = true;
			this.#wake();
		});
		socket.on('error', (error) => {
			this.#fault = error;
			this.#wake();
		});
	}

	static async to(port: number): Promise<RawConnection> {
		const socket = connect({ port, host: '127.0.0.1' });
		await new Promise<void>((resolve, reject) => {
			socket.once('connect', resolve);
			socket.once('error', reject);
		});
		return new RawConnection(socket);
	}

	/** Sends the head of a request. `host` is added. */
	head(method: string, path: string, headers: Record<string, string>): void {
		const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(
			([name, value]) => `${name}: ${value}\r\n`,
		);
		this.#socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
	}

	/** Sends bytes of a body, at the speed at which they are taken. */
	async body(bytes: Uint8Array | string): Promise<void> {
		if (this.#socket.destroyed || this.#socket.writableEnded) return;
		const taken = this.#socket.write(bytes);
		if (!taken) {
			await new Promise<void>((resolve) => {
				for (const event of ['drain', 'close', 'error']) this.#socket.once(event, () => resolve());
			});
		}
	}

	/** Sends a chunk of a body whose length is not announced; an empty one ends it. */
	async chunk(bytes: Uint8Array): Promise<void> {
		await this.body(
			Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
		);
	}

	/** The next answer on this connection. Throws where it is broken off or nothing comes. */
	async answer(): Promise<RawAnswer> {
		const until = Date.now() + ANSWERS_WITHIN_MS;
		for (;;) {
			const answer = this.#take();
			if (answer !== null) return answer;
			if (this.#fault !== null) throw this.#fault;
			if (this.#ended) throw new Error('The connection ended without an answer.');
			const left = until - Date.now();
			if (left <= 0) throw new Error('No answer came: the service hangs.');
			await new Promise<void>((resolve) => {
				const timer = setTimeout(resolve, left);
				this.#wake = () => {
					clearTimeout(timer);
					resolve();
				};
			});
		}
	}

	close(): void {
		this.#socket.destroy();
	}

	#take(): RawAnswer | null {
		const end = this.#received.indexOf('\r\n\r\n');
		if (end === -1) return null;
		const [first = '', ...lines] = this.#received.subarray(0, end).toString('latin1').split('\r\n');
		const headers = Object.fromEntries(
			lines.map((line) => {
				const colon = line.indexOf(':');
				return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
			}),
		);
		const status = Number(first.split(' ')[1]);
		const rest = this.#received.subarray(end + 4);
		const chunked = headers['transfer-encoding'] === 'chunked';
		const length = chunked ? rest.indexOf('0\r\n\r\n') + 5 : Number(headers['content-length'] ?? 0);
		if (rest.length < length || (chunked && length < 5)) return null;
		this.#received = rest.subarray(length);
		const text = rest.subarray(0, length).toString('utf8');
		return { status, headers, text };
	}
}
