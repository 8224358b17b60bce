import type { Dispatcher } from 'undici';

/** What came of an answer: all of it, or its start. */
export interface ReceivedAnswer {
	statusCode: number;
	/** The start of the body, as it came: never decompressed. */
	bodyStart: Buffer;
	/** The body is longer than `bodyStart`. */
	isCut: boolean;
	/** The whole answer was read, so the connection can be used again. */
	isWhole: boolean;
}

/** What is kept of a body, in bytes. */
export const KEPT_BODY_BYTES = 4096;
/** How long a body is read once status and headers are there: the answer is known by then. */
const BODY_WITHIN_MS = 5000;
/** Interim answers (1xx) before the real one. A flood of them is no answer. */
const MOST_INTERIM_ANSWERS = 20;

/** The answer is not what HTTP allows, or more than a receiver has reason to send. */
export class AnswerUnusable extends Error {}

/**
 * Reads one answer as far as it is needed: status and headers decide, of the body only the start is
 * kept. It is settled once; what comes later is ignored.
 */
export class AnswerReader implements Dispatcher.DispatchHandler {
	readonly answer: Promise<ReceivedAnswer>;
	/** Something of an answer has come, so the request has certainly arrived. */
	hasStarted = false;
	#resolve: (answer: ReceivedAnswer) => void = () => undefined;
	#reject: (error: Error) => void = () => undefined;
	#statusCode: number | null = null;
	#interim = 0;
	readonly #pieces: Buffer[] = [];
	#length = 0;
	#bodyTimer: NodeJS.Timeout | undefined;

	constructor() {
		this.answer = new Promise((resolve, reject) => {
			this.#resolve = resolve;
			this.#reject = reject;
		});
		// Whoever sends may fail before it waits for the answer.
		this.answer.catch(() => undefined);
	}

	onRequestStart(): void {
		// Nothing to do: the connection belongs to this request and is ended with it.
	}

	onResponseStarted(): void {
		this.hasStarted = true;
	}

	onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
		if (statusCode < 200) {
			this.#interim++;
			if (this.#interim > MOST_INTERIM_ANSWERS) {
				throw new AnswerUnusable('The receiver sent only interim answers (1xx) and no real one.');
			}
			return;
		}
		this.#statusCode = statusCode;
		this.#bodyTimer = setTimeout(
			() => this.end(new Error('The body takes too long.')),
			BODY_WITHIN_MS,
		);
	}

	onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
		const room = KEPT_BODY_BYTES - this.#length;
		// Copied: the piece is a view of a buffer that is much larger.
		this.#pieces.push(Buffer.from(piece.subarray(0, room)));
		this.#length += Math.min(room, piece.length);
		if (piece.length > room) this.#settle({ isCut: true, isWhole: false });
	}

	onResponseEnd(): void {
		this.#settle({ isCut: false, isWhole: true });
	}

	onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
		this.end(error);
	}

	/** Nothing more will be read. With status and headers there, that is the answer. */
	end(reason: Error): void {
		if (this.#statusCode !== null) this.#settle({ isCut: true, isWhole: false });
		else this.#reject(reason);
	}

	#settle(how: { isCut: boolean; isWhole: boolean }): void {
		clearTimeout(this.#bodyTimer);
		this.#resolve({
			statusCode: this.#statusCode ?? 0,
			bodyStart: Buffer.concat(this.#pieces),
			...how,
		});
	}
}
