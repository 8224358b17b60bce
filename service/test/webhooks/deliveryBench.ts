import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely, Transaction } from 'kysely';
import { openDatabase } from '../../src/database/database.ts';
import type { Database } from '../../src/database/schema.ts';
import { emitEvent } from '../../src/events/emitEvent.ts';
import type { NewEvent } from '../../src/events/emitEvent.ts';
import { DeliveryDispatcher } from '../../src/webhooks/deliveryDispatcher.ts';
import type { Receivers } from '../../src/webhooks/deliveryDispatcher.ts';
import { listenForDeliveries } from '../../src/webhooks/deliverySignal.ts';
import type { AttemptResult } from '../../src/webhooks/receiver/attemptResult.ts';
import { addWebhook } from '../../src/webhooks/webhooks.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

export interface Received {
	url: string;
	headers: Record<string, string>;
	body: string;
	at: number;
}

export type Receiver = (received: Received, signal: AbortSignal) => Promise<Partial<AttemptResult>>;

/** Deliveries in this process: a real embedded database, and receivers that are functions. */
export class DeliveryBench {
	readonly db: Kysely<Database>;
	readonly key = Buffer.alloc(32, 5);
	readonly received: Received[] = [];
	readonly receivers: Receivers;
	readonly #close: () => Promise<void>;
	readonly #dispatchers: DeliveryDispatcher[] = [];
	readonly #embedded: Awaited<ReturnType<typeof openDatabase>>['embedded'];
	#receiver: Receiver = async () => ({});

	private constructor(opened: Awaited<ReturnType<typeof openDatabase>>, folder: string) {
		this.db = opened.db;
		this.#embedded = opened.embedded;
		this.#close = async () => {
			await opened.close();
			await rm(folder, { recursive: true, force: true });
		};
		this.receivers = {
			post: async (url, headers, body, signal = new AbortController().signal) => {
				const received = { url, headers, body: Buffer.from(body).toString(), at: Date.now() };
				this.received.push(received);
				return {
					ok: true,
					statusCode: 200,
					error: null,
					responseBody: '',
					durationMs: 1,
					aborted: false,
					...(await this.#receiver(received, signal)),
				};
			},
		};
	}

	static async open(): Promise<DeliveryBench> {
		const folder = await mkdtemp(join(tmpdir(), 'deliveries-'));
		const bench = new DeliveryBench(await openDatabase(folder, null, SILENT), folder);
		await bench.addContract();
		return bench;
	}

	/** What the receivers do from now on. Default: they answer 200 at once. */
	answer(receiver: Receiver): void {
		this.#receiver = receiver;
	}

	async addContract(): Promise<{ contractId: number; userId: number }> {
		const contract = await this.db
			.insertInto('contracts')
			.values({ name: 'Test' })
			.returning('id')
			.executeTakeFirstOrThrow();
		const user = await this.db
			.insertInto('users')
			.values({ contract_id: contract.id, name: 'Test' })
			.returning('id')
			.executeTakeFirstOrThrow();
		return { contractId: contract.id, userId: user.id };
	}

	/** A webhook of the first contract for `document.uploaded`. Its address is `https://<name>/`. */
	async webhook(name: string): Promise<{ id: number; secret: string }> {
		const { webhook, secret } = await addWebhook(
			this.db,
			this.key,
			{ contractId: 1, userId: 1 },
			{ url: `https://${name}/`, events: ['document.uploaded'] },
		);
		return { id: webhook.id, secret };
	}

	async emit(event: Partial<NewEvent> = {}): Promise<void> {
		await this.db.transaction().execute((trx) => this.emitIn(trx, event));
	}

	async emitIn(trx: Transaction<Database>, event: Partial<NewEvent> = {}): Promise<void> {
		await emitEvent(trx, {
			name: 'document.uploaded',
			contractId: 1,
			userId: 1,
			job: null,
			data: '{"amount":12.50}',
			...event,
		});
	}

	/** Deliveries of one event each for one webhook, without the transactions of real events. */
	async addMany(webhookId: number, count: number): Promise<void> {
		const id = `evt_many_${webhookId}_${Date.now()}`;
		await this.db
			.insertInto('events')
			.values({
				id,
				contract_id: 1,
				user_id: 1,
				name: 'document.uploaded',
				version: '2024-01-01',
				job: 'null',
				data: '{}',
				created_at: new Date(),
			})
			.execute();
		for (let left = count; left > 0; left -= 1000) {
			await this.db
				.insertInto('deliveries')
				.values(
					Array.from({ length: Math.min(left, 1000) }, () => ({
						webhook_id: webhookId,
						event_id: id,
						status: 'pending' as const,
						next_attempt_at: new Date(Date.now() - 1000),
					})),
				)
				.execute();
		}
	}

	/** Begins to deliver, and is woken by events as the service is. */
	async dispatcher(
		options: Partial<ConstructorParameters<typeof DeliveryDispatcher>[0]> = {},
	): Promise<DeliveryDispatcher> {
		const dispatcher = new DeliveryDispatcher({
			db: this.db,
			alone: true,
			secretKey: this.key,
			receivers: this.receivers,
			deliveryConcurrency: 32,
			deliveryConcurrencyPerReceiver: 4,
			deliveryBackoffMs: 50,
			log: SILENT,
			...options,
		});
		await listenForDeliveries({ embedded: this.#embedded, databaseUrl: null, log: SILENT }, () =>
			dispatcher.wake(),
		);
		this.#dispatchers.push(dispatcher);
		await dispatcher.start();
		return dispatcher;
	}

	async statuses(webhookId: number): Promise<Record<string, number>> {
		const rows = await this.db
			.selectFrom('deliveries')
			.select(['status', (eb) => eb.fn.countAll().as('count')])
			.where('webhook_id', '=', webhookId)
			.groupBy('status')
			.execute();
		return Object.fromEntries(rows.map((row) => [row.status, Number(row.count)]));
	}

	/** Stops delivering. */
	async stop(): Promise<void> {
		for (const dispatcher of this.#dispatchers.splice(0)) await dispatcher.stop(0);
	}

	async close(): Promise<void> {
		await this.stop();
		await this.#close();
	}
}
