import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import type { Logger } from '../logging.ts';
import { deliveryBody, deliveryHeaders } from './deliveryBody.ts';
import {
	claimDeliveries,
	endForeignLeases,
	eventData,
	LEASE_SECONDS,
	nextDueInMs,
	recordStep,
	renewLeases,
} from './deliveryQueue.ts';
import type { AttemptEntry, ClaimedDelivery } from './deliveryQueue.ts';
import { nextDelivery } from './deliveryState.ts';
import type { DeliveryHappening } from './deliveryState.ts';
import type { AttemptResult } from './receiver/attemptResult.ts';
import { recoverSecret, signBody } from './webhookSecret.ts';

/** The one thing that a dispatcher needs of the client for receivers. */
export interface Receivers {
	post(
		url: string,
		headers: Record<string, string>,
		body: Uint8Array,
		signal?: AbortSignal,
	): Promise<AttemptResult>;
}

export interface DispatcherOptions {
	db: Kysely<Database>;
	/** True when no other process uses the database. */
	alone: boolean;
	/** The master key's key for `webhook secrets`. */
	secretKey: Uint8Array;
	receivers: Receivers;
	deliveryConcurrency: number;
	deliveryConcurrencyPerReceiver: number;
	deliveryBackoffMs: number;
	log: Logger;
}

/** How an attempt went, as far as it is to be recorded. Null: not at all, it is due again later. */
type Attempt = { happening: DeliveryHappening; entry: AttemptEntry | null };

/**
 * Whoever delivers also looks without being woken: for announcements that were lost, and for what
 * another process left behind.
 */
const LOOK_EVERY_MS = 10_000;
const RENEW_EVERY_MS = (LEASE_SECONDS * 1000) / 4;
const AFTER_FAULT_MS = 1_000;
const LONGEST_GATHERING_MS = 50;

const DISABLED = 'The webhook is disabled. Enable it, then replay the delivery.';
const KEY_LOST =
	'The signing secret cannot be derived again, because the master key of the service is another ' +
	'one than when the secret was made, so nothing was sent. Regenerate the secret of the webhook, give ' +
	'it to the receiver, then replay the delivery.';

/**
 * Takes deliveries that are due from the database, attempts them and records what came of it. It
 * sleeps until it is woken or the next one is due.
 */
export class DeliveryDispatcher {
	readonly #options: DispatcherOptions;
	/** By delivery id. */
	readonly #underWay = new Map<number, { leaseId: string; done: Promise<void> }>();
	/** One for each retry that this process has ahead. */
	readonly #retries = new Set<NodeJS.Timeout>();
	readonly #abort = new AbortController();
	#running: Promise<void> = Promise.resolve();
	#renewing: NodeJS.Timeout | null = null;
	#stopping = false;
	#woken = false;
	#endSleep: (() => void) | null = null;

	constructor(options: DispatcherOptions) {
		this.#options = options;
	}

	/** Begins to deliver. What a killed process had under way is sent again. */
	async start(): Promise<void> {
		if (this.#options.alone) await endForeignLeases(this.#options.db);
		this.#renewing = setInterval(() => {
			const leases = new Set([...this.#underWay.values()].map(({ leaseId }) => leaseId));
			renewLeases(this.#options.db, [...leases]).catch((error: unknown) =>
				this.#options.log.warn({ err: error }, 'Deliveries under way could not be kept.'),
			);
		}, RENEW_EVERY_MS);
		this.#running = this.#run();
	}

	/** Looks for deliveries now. */
	wake(): void {
		this.#woken = true;
		this.#endSleep?.();
	}

	/**
	 * Takes no more deliveries and waits for those under way. What takes longer than `finishWithinMs` is
	 * broken off; it does not count as an attempt, and is sent again after the next start.
	 */
	async stop(finishWithinMs: number): Promise<void> {
		this.#stopping = true;
		this.wake();
		await this.#running;
		const attempts = (): Promise<unknown> =>
			Promise.all([...this.#underWay.values()].map(({ done }) => done));
		const enough = new AbortController();
		await Promise.race([
			attempts(),
			sleep(finishWithinMs, undefined, { signal: enough.signal }).catch(() => undefined),
		]);
		enough.abort();
		this.#abort.abort();
		await attempts();
		for (const timer of this.#retries) clearTimeout(timer);
		if (this.#renewing !== null) clearInterval(this.#renewing);
	}

	async #run(): Promise<void> {
		while (!this.#stopping) {
			this.#woken = false;
			const begun = performance.now();
			let pause: number;
			try {
				pause = await this.#beginDue();
			} catch (error) {
				this.#options.log.error({ err: error }, 'Deliveries could not be looked for.');
				pause = AFTER_FAULT_MS;
			}
			const took = performance.now() - begun;
			if (!this.#woken) await this.#sleep(pause);
			// Attempts end one by one; as long as looking takes, several of them end.
			if (this.#underWay.size > 0) await sleep(Math.min(took, LONGEST_GATHERING_MS));
		}
	}

	/** Begins whatever is due and has room. @returns milliseconds until it has to be called again */
	async #beginDue(): Promise<number> {
		const { db, deliveryConcurrency, deliveryConcurrencyPerReceiver } = this.#options;
		const free = deliveryConcurrency - this.#underWay.size;
		// The end of an attempt wakes.
		if (free <= 0) return LOOK_EVERY_MS;
		const claimed = await claimDeliveries(db, {
			free,
			perWebhook: deliveryConcurrencyPerReceiver,
			reserved: Math.floor(deliveryConcurrency / 4),
			underWay: [...this.#underWay.keys()],
		});
		for (const delivery of claimed) {
			const done = this.#deliver(delivery).finally(() => {
				this.#underWay.delete(delivery.deliveryId);
				this.wake();
			});
			this.#underWay.set(delivery.deliveryId, { leaseId: delivery.leaseId, done });
		}
		// Pauses that this process began have a timer; others matter only when nothing else wakes.
		if (this.#underWay.size > 0) return LOOK_EVERY_MS;
		return Math.min(LOOK_EVERY_MS, (await nextDueInMs(db)) ?? LOOK_EVERY_MS);
	}

	async #sleep(ms: number): Promise<void> {
		await new Promise<void>((resolve) => {
			const timer = setTimeout(resolve, ms);
			this.#endSleep = () => {
				clearTimeout(timer);
				resolve();
			};
		});
		this.#endSleep = null;
	}

	#wakeIn(ms: number): void {
		const timer = setTimeout(() => {
			this.#retries.delete(timer);
			this.wake();
		}, ms);
		this.#retries.add(timer);
	}

	/** One attempt, from the claimed row to the recorded result. Never throws. */
	async #deliver(delivery: ClaimedDelivery): Promise<void> {
		const { db, log, deliveryBackoffMs } = this.#options;
		const named = {
			deliveryId: delivery.deliveryId,
			webhookId: delivery.webhook.id,
			eventId: delivery.event.id,
		};
		try {
			const { happening, entry } = await this.#attempt(delivery);
			const step = nextDelivery({ ...delivery, status: 'in-progress' }, happening, {
				baseMs: deliveryBackoffMs,
				random: Math.random(),
			});
			if (step === null) return;
			const counted = await recordStep(db, delivery, step, entry);
			if (counted && step.nextAttemptInMs !== null) this.#wakeIn(step.nextAttemptInMs);
			const line = {
				...named,
				attempt: delivery.attempts + 1,
				statusCode: entry?.statusCode ?? null,
				status: step.status,
				counted,
			};
			if (step.status === 'dead-letter') log.warn(line, 'A delivery failed for the last time.');
			else log.debug(line, 'A delivery was attempted.');
		} catch (error) {
			// The lease runs out, and it is sent again.
			log.error({ ...named, err: error }, 'The result of a delivery could not be recorded.');
		}
	}

	async #attempt({ webhook, event }: ClaimedDelivery): Promise<Attempt> {
		const { db, secretKey, receivers } = this.#options;
		const startedAt = new Date();
		if (!webhook.enabled) {
			return { happening: 'webhook disabled', entry: notSent(startedAt, DISABLED) };
		}
		const origin = {
			webhookId: webhook.id,
			nonce: webhook.secretNonce,
			generation: webhook.secretGeneration,
		};
		const secret = recoverSecret(secretKey, origin, webhook.secretHash);
		if (secret === null) return { happening: 'failed', entry: notSent(startedAt, KEY_LOST) };

		const data = event.data ?? (await eventData(db, event.id));
		const body = deliveryBody({ ...event, data }, webhook.id);
		const headers = deliveryHeaders(event, signBody(secret, body));
		const result = await receivers.post(webhook.url, headers, body, this.#abort.signal);
		// Broken off by us after the answer had come: it is an answer all the same.
		if (result.aborted && !result.ok) return { happening: 'given back', entry: null };
		return {
			happening: result.ok ? 'succeeded' : 'failed',
			entry: {
				startedAt,
				durationMs: Math.round(result.durationMs),
				statusCode: result.statusCode,
				error: result.error === null ? null : storable(result.error),
				responseBody: result.responseBody === null ? null : storable(result.responseBody),
			},
		};
	}
}

function notSent(startedAt: Date, error: string): AttemptEntry {
	return { startedAt, durationMs: 0, statusCode: null, error, responseBody: null };
}

/** PostgreSQL takes neither the character U+0000 nor half of a surrogate pair. */
function storable(text: string): string {
	return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}
