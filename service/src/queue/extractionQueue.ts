import { randomUUID } from 'node:crypto';
import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { fromKysely, fromPglite, PgBoss } from 'pg-boss';
import type { Database } from '../database/schema.ts';
import type { Logger } from '../logging.ts';

/** One document of one job that waits to be read. */
export interface QueueEntry {
	messageId: string;
	jobId: number;
	documentId: number;
	/** How often reading was begun before: what was interrupted comes after what was not. */
	attempts: number;
}

interface Message {
	jobId: number;
	documentId: number;
}

export interface QueueOptions {
	db: Kysely<Database>;
	embedded: PGlite | null;
	databaseUrl: string | null;
	concurrency: number;
	/** Longest time that one message may take, seconds. */
	expireInSeconds: number;
	log: Logger;
}

const QUEUE = 'extraction';
/** A process that has not shown itself for so long is dead, and others take its messages. */
const HEARTBEAT_SECONDS = 15;
const RECOVERY_INTERVAL_MS = 30_000;
/** Any number that other programs do not use for their own locks. */
const RECOVERY_LOCK = 7_310_212;

/**
 * The durable queue of documents to read, kept by pg-boss in the same database as the jobs.
 *
 * The record of what is to be done is `job_documents`; a message is only the means of handing it to
 * one worker. So a message may be lost or come twice without harm: `recover` makes the missing ones,
 * and the worker ignores what has a result already.
 */
export class ExtractionQueue {
	readonly #options: QueueOptions;
	readonly #boss: PgBoss;
	#recovery: NodeJS.Timeout | null = null;

	constructor(options: QueueOptions) {
		this.#options = options;
		this.#boss = new PgBoss({
			...(options.embedded === null
				? { connectionString: options.databaseUrl ?? '', max: 5 }
				: { db: fromPglite(options.embedded), backend: 'pglite' as const }),
			schema: 'pgboss',
			application_name: 'document-extraction-service queue',
			schedule: false,
			useListenNotify: true,
			superviseIntervalSeconds: 10,
			monitorIntervalSeconds: 10,
			// Vacuum and index health are a matter of a shared server's own monitoring.
			monitorVacuum: false,
			reindex: false,
		});
		this.#boss.on('error', (error) => options.log.error({ err: error }, 'The queue had an error.'));
		this.#boss.on('warning', (warning) =>
			options.log.warn({ queue: warning.message }, 'The queue gave a warning.'),
		);
	}

	/** Makes the queue ready. Messages of a process that was killed are taken back. */
	async start(): Promise<void> {
		const { embedded, db, expireInSeconds } = this.#options;
		await this.#boss.start();
		const settings = {
			// How often a document is tried is decided by its own count of attempts.
			retryLimit: 1000,
			retryDelay: 1,
			retryBackoff: true,
			retryDelayMax: 30,
			expireInSeconds,
			heartbeatSeconds: HEARTBEAT_SECONDS,
			retentionSeconds: 365 * 24 * 60 * 60,
			deleteAfterSeconds: 24 * 60 * 60,
			notify: true,
		};
		await this.#boss.createQueue(QUEUE, settings);
		await this.#boss.updateQueue(QUEUE, settings);
		// Fills pg-boss's memory of the queue, which the update has emptied. `add` runs inside a
		// transaction, and on the embedded database, with its single connection, a question to the
		// database from outside that transaction would wait for it for ever.
		await this.#boss.findJobs(QUEUE, { id: randomUUID() });
		if (embedded !== null) {
			// The folder is locked, so nobody else can be working on these: their worker is dead.
			await sql`delete from pgboss.job where name = ${QUEUE} and state = 'active'`.execute(db);
		}
		await this.recover();
	}

	/**
	 * Hands every message to `handle`, several at a time. A message whose handler throws comes again
	 * later, after a growing pause.
	 */
	async work(handle: (entry: Message) => Promise<void>): Promise<void> {
		for (let worker = 0; worker < this.#options.concurrency; worker++)
			await this.#addWorker(handle);
		this.#recovery = setInterval(() => {
			this.recover().catch((error: unknown) => {
				this.#options.log.error({ err: error }, 'Lost messages could not be looked for.');
			});
		}, RECOVERY_INTERVAL_MS);
	}

	async #addWorker(handle: (entry: Message) => Promise<void>): Promise<void> {
		let workerId: string | null = null;
		workerId = await this.#boss.work<Message>(
			QUEUE,
			{
				batchSize: 1,
				pollingIntervalSeconds: 1,
				notifyPollingIntervalSeconds: 5,
				heartbeatRefreshSeconds: 4,
			},
			async ([message]) => {
				// A worker wakes when a message is added, and else only now and then: without this, what
				// came while it was busy would lie there until then.
				if (workerId !== null) this.#boss.notifyWorker(workerId);
				if (message !== undefined) await handle(message.data);
			},
		);
	}

	/** Adds entries in the caller's transaction; workers are woken when it is committed. */
	async add(trx: Transaction<Database>, entries: QueueEntry[]): Promise<void> {
		await this.#boss.insert(
			QUEUE,
			entries.map(({ messageId, jobId, documentId, attempts }) => ({
				id: messageId,
				data: { jobId, documentId },
				priority: -attempts,
			})),
			{ db: fromKysely(trx) },
		);
	}

	/** Makes a message for every unfinished document of a job that has none. */
	async recover(): Promise<void> {
		await this.#options.db.transaction().execute(async (trx) => {
			// Several processes on one server look at the same time; one of them is enough.
			await sql`select pg_advisory_xact_lock(${RECOVERY_LOCK})`.execute(trx);
			const lost = await trx
				.selectFrom('job_documents as jd')
				.select(['jd.job_id', 'jd.document_id', 'jd.attempts'])
				.where('jd.status', 'in', ['queued', 'processing'])
				.where(
					sql<boolean>`not exists (select 1 from pgboss.job as m where m.name = ${QUEUE}
						and m.id = jd.queue_message_id and m.state in ('created', 'retry', 'active'))`,
				)
				.orderBy('jd.job_id')
				.orderBy('jd.position')
				.execute();
			if (lost.length === 0) return;
			const entries = lost.map((row) => ({
				messageId: randomUUID(),
				jobId: row.job_id,
				documentId: row.document_id,
				attempts: row.attempts,
			}));
			for (const entry of entries) {
				await trx
					.updateTable('job_documents')
					.set({ queue_message_id: entry.messageId })
					.where('job_id', '=', entry.jobId)
					.where('document_id', '=', entry.documentId)
					.execute();
			}
			await this.add(trx, entries);
			this.#options.log.info({ count: entries.length }, 'Unfinished documents are read again.');
		});
	}

	/** Stops taking messages and waits for running handlers, at most `timeoutMs`. */
	async stop(timeoutMs: number): Promise<void> {
		if (this.#recovery !== null) clearInterval(this.#recovery);
		await this.#boss.stop({ graceful: true, close: true, timeout: timeoutMs });
	}
}
