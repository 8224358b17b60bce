import type { Socket } from 'node:net';
import { Client } from 'undici';
import { AnswerReader, AnswerUnusable } from './answerReader.ts';
import type { ReceivedAnswer } from './answerReader.ts';
import type { ReceiverTarget } from './receiverTarget.ts';

/** Largest head of an answer, and all that an answer may cost before its connection is dropped. */
const MOST_HEAD_BYTES = 16 * 1024;
const MOST_ANSWER_BYTES = 256 * 1024;
/** How long a connection without a request is kept. A receiver's shorter wish is respected. */
const IDLE_MS = 4000;

/** A request on a connection that is no longer open: nothing was sent. */
export class ConnectionGone extends Error {
	constructor() {
		super('The receiver closed the connection.');
	}
}

/**
 * One open connection to a receiver, for one request at a time. It is never opened again: another
 * connection means another check of the address.
 */
export class Connection {
	/** What it was opened for; only a request with the same key may use it. */
	readonly key: string;
	/** Called when the connection ends, for whatever reason. */
	onClosed: () => void = () => undefined;
	readonly #origin: string;
	readonly #socket: Socket;
	readonly #client: Client;
	#isReused = false;

	constructor(key: string, target: ReceiverTarget, socket: Socket) {
		this.key = key;
		this.#origin = target.origin;
		this.#socket = socket;
		socket.once('close', () => this.onClosed());
		let isTaken = false;
		this.#client = new Client(target.origin, {
			connect: (_options, opened) => {
				// The client only goes on with its requests when the answer comes later than the call.
				const isFirst = !isTaken;
				isTaken = true;
				queueMicrotask(() => {
					if (isFirst) opened(null, socket);
					else opened(new ConnectionGone(), null);
				});
			},
			allowH2: false,
			pipelining: 1,
			maxHeaderSize: MOST_HEAD_BYTES,
			keepAliveTimeout: IDLE_MS,
			keepAliveMaxTimeout: IDLE_MS,
			// The attempt has one limit of its own for everything.
			headersTimeout: 0,
			bodyTimeout: 0,
		});
	}

	get isOpen(): boolean {
		return !this.#socket.destroyed && this.#socket.writable && !this.#client.destroyed;
	}

	/** It has carried a request before. */
	get isReused(): boolean {
		return this.#isReused;
	}

	/**
	 * Sends a request and reads the answer as far as it is needed. Afterwards the connection is open
	 * only if it can carry another request.
	 *
	 * @throws the reason why no answer came; `ConnectionGone` if a connection that was kept open had
	 * been closed by the other side
	 */
	async post(
		path: string,
		headers: Record<string, string>,
		body: Uint8Array,
		signal: AbortSignal,
	): Promise<ReceivedAnswer> {
		const wasReused = this.#isReused;
		this.#isReused = true;
		const reader = new AnswerReader();
		const bytesBefore = this.#socket.bytesRead;
		const watch = (): void => {
			if (this.#socket.bytesRead - bytesBefore <= MOST_ANSWER_BYTES) return;
			reader.end(new AnswerUnusable('The receiver sends more than an answer may have.'));
			this.destroy();
		};
		const abort = (): void => reader.end(asError(signal.reason));
		signal.addEventListener('abort', abort, { once: true });
		this.#socket.on('readable', watch);
		let isReusable = false;
		try {
			if (signal.aborted) throw asError(signal.reason);
			this.#client.dispatch(
				{
					origin: this.#origin,
					path,
					method: 'POST',
					headers,
					body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
				},
				reader,
			);
			const answer = await reader.answer;
			isReusable = answer.isWhole;
			return answer;
		} catch (error) {
			const isStale = wasReused && !reader.hasStarted && isClosing(error);
			throw isStale ? new ConnectionGone() : error;
		} finally {
			signal.removeEventListener('abort', abort);
			this.#socket.off('readable', watch);
			if (!isReusable) this.destroy();
		}
	}

	/** Ends the connection at once. */
	destroy(): void {
		this.#client.destroy(null).catch(() => undefined);
		// Until its first request the client does not know the socket.
		this.#socket.destroy();
	}
}

/** The other side ended the connection; the same error on a new connection is a real one. */
function isClosing(error: unknown): boolean {
	if (error instanceof ConnectionGone) return true;
	const code = error instanceof Error ? Reflect.get(error, 'code') : undefined;
	return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

function asError(reason: unknown): Error {
	return reason instanceof Error ? reason : new Error(String(reason));
}
