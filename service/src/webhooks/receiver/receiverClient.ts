import type { AttemptResult } from './attemptResult.ts';
import type { ReceivedAnswer } from './answerReader.ts';
import { answerText } from './answerText.ts';
import { allowedAddresses } from './checkReceiver.ts';
import { Connection, ConnectionGone } from './connection.ts';
import { ConnectionPool } from './connectionPool.ts';
import { failureText, refusalText } from './failureText.ts';
import { openSocket } from './openSocket.ts';
import type { ReceiverPolicy } from './receiverPolicy.ts';
import { readReceiverTarget } from './receiverTarget.ts';
import { resolveName } from './resolveName.ts';
import type { ResolveName } from './resolveName.ts';

export interface ReceiverClientOptions {
	/** Limit of a whole attempt, from the lookup of the name to the end of the answer. */
	timeoutMs: number;
	/** Default: the name servers of this machine. */
	resolve?: ResolveName;
	/** Certificates (PEM) to trust; default: those of the system. */
	authorities?: string[];
}

/** The limit of an attempt is over. */
class TimedOut extends Error {}
/** The caller wants no more of it, or the service ends. */
class Stopped extends Error {}

/**
 * Talks to the receivers of webhooks, and is the only one that does (section 6; docs/webhooks.md says
 * which addresses are allowed and what a receiver may do). Every attempt looks the name up, checks all
 * its addresses and connects to one of those. Redirects are not followed, proxies of the environment
 * are not used, answers are not decompressed.
 */
export class ReceiverClient {
	readonly #policy: ReceiverPolicy;
	readonly #timeoutMs: number;
	readonly #resolve: ResolveName;
	readonly #authorities: string[] | undefined;
	readonly #pool = new ConnectionPool();
	readonly #running = new Map<AbortController, Promise<unknown>>();
	#isClosed = false;

	constructor(policy: ReceiverPolicy, options: ReceiverClientOptions) {
		this.#policy = policy;
		this.#timeoutMs = options.timeoutMs;
		this.#resolve = options.resolve ?? resolveName;
		this.#authorities = options.authorities;
	}

	/**
	 * One attempt to deliver. It never throws: whatever goes wrong is in the result.
	 *
	 * @param body sent as it is
	 * @param signal ends the attempt early; the result then has `aborted`, unless the receiver had
	 * already answered
	 */
	async post(
		url: string,
		headers: Record<string, string>,
		body: Uint8Array,
		signal?: AbortSignal,
	): Promise<AttemptResult> {
		const startedAt = performance.now();
		const control = new AbortController();
		const stop = (): void => control.abort(new Stopped());
		const timer = setTimeout(() => control.abort(new TimedOut()), this.#timeoutMs);
		signal?.addEventListener('abort', stop, { once: true });
		if (signal?.aborted === true || this.#isClosed) stop();
		const work = this.#exchange(url, headers, body, control.signal);
		this.#running.set(control, work);
		try {
			const answer = await work;
			const ok = answer.statusCode >= 200 && answer.statusCode < 300;
			return {
				ok,
				statusCode: answer.statusCode,
				error: ok ? null : refusalText(answer.statusCode),
				responseBody: answerText(answer.bodyStart, answer.isCut),
				durationMs: since(startedAt),
				aborted: false,
			};
		} catch (error) {
			// What the limit or the caller ended shows itself as a broken connection, too.
			const reason: unknown = control.signal.aborted ? control.signal.reason : error;
			return {
				ok: false,
				statusCode: null,
				error: this.#textOf(reason),
				responseBody: null,
				durationMs: since(startedAt),
				aborted: reason instanceof Stopped,
			};
		} finally {
			clearTimeout(timer);
			signal?.removeEventListener('abort', stop);
			this.#running.delete(control);
		}
	}

	/** Ends what is under way (those attempts come back as aborted) and all connections. */
	async close(): Promise<void> {
		this.#isClosed = true;
		const running = [...this.#running];
		for (const [control] of running) control.abort(new Stopped());
		await Promise.allSettled(running.map(([, work]) => work));
		this.#pool.clear();
	}

	async #exchange(
		url: string,
		headers: Record<string, string>,
		body: Uint8Array,
		signal: AbortSignal,
	): Promise<ReceivedAnswer> {
		signal.throwIfAborted();
		const target = readReceiverTarget(url);
		const addresses = await allowedAddresses(target, this.#policy, this.#resolve, signal);
		signal.throwIfAborted();
		// A connection is used again only for the same host after a check with the same addresses.
		const key = `${target.origin} ${[...addresses].sort().join(' ')}`;
		for (;;) {
			const kept = this.#pool.take(key);
			const connection =
				kept ??
				new Connection(key, target, await openSocket(target, addresses, this.#authorities, signal));
			try {
				const answer = await connection.post(target.path, headers, body, signal);
				if (this.#isClosed) connection.destroy();
				else this.#pool.put(connection);
				return answer;
			} catch (error) {
				// The receiver closed a kept connection just then. That says nothing about this delivery.
				if (!(error instanceof ConnectionGone) || kept === null) throw error;
			}
		}
	}

	#textOf(reason: unknown): string {
		if (reason instanceof Stopped) return 'The attempt was stopped before the receiver answered.';
		if (reason instanceof TimedOut) {
			return `The receiver did not answer within ${this.#timeoutMs / 1000} seconds.`;
		}
		return failureText(reason);
	}
}

function since(startedAt: number): number {
	return Math.round(performance.now() - startedAt);
}
