import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Database, DeliveryStatus } from '../database/schema.ts';
import { nextDelivery } from './deliveryState.ts';
import { announceDeliveries } from './deliverySignal.ts';

export const DELIVERY_STATUSES = [
	'pending',
	'in-progress',
	'retrying',
	'delivered',
	'dead-letter',
] as const satisfies DeliveryStatus[];

/** What the interface shows of a delivery (docs/interface-choices.md, "Webhooks"). */
export interface DeliveryRecord {
	id: string;
	webhookId: string;
	eventId: string;
	event: string;
	status: DeliveryStatus;
	test: boolean;
	attempts: number;
	createdAt: string;
	nextAttemptAt: string | null;
	deliveredAt: string | null;
	attemptLog: Array<{
		attempt: number;
		replay: number;
		startedAt: string;
		durationMs: number;
		statusCode: number | null;
		error: string | null;
		responseBody: string | null;
	}>;
}

/** A delivery that has not ended cannot be replayed. */
export class DeliveryUnderWayError extends Error {
	constructor(status: DeliveryStatus) {
		super(
			`The delivery has not ended, its status is ${status}. It can be replayed once it is delivered ` +
				'or dead-letter.',
		);
		this.name = 'DeliveryUnderWayError';
	}
}

export interface DeliveryFilter {
	limit: number;
	offset: number;
	status: DeliveryStatus | null;
	/** Created at this moment or later. */
	since: Date | null;
}

/** The deliveries of a webhook, newest first, and how many there are, all of one moment. */
export async function listDeliveries(
	db: Kysely<Database>,
	webhookId: number,
	filter: DeliveryFilter,
): Promise<{ deliveries: DeliveryRecord[]; total: number }> {
	return await db.transaction().execute(async (trx) => {
		// Otherwise an attempt that ends meanwhile would be in the log and not yet in the status.
		await sql`set transaction isolation level repeatable read, read only`.execute(trx);
		let wanted = trx.selectFrom('deliveries as d').where('d.webhook_id', '=', webhookId);
		if (filter.status !== null) wanted = wanted.where('d.status', '=', filter.status);
		if (filter.since !== null) wanted = wanted.where('d.created_at', '>=', filter.since);
		const { total } = await wanted
			.select((eb) => eb.fn.countAll().as('total'))
			.executeTakeFirstOrThrow();
		const ids = await wanted
			.select('d.id')
			.orderBy('d.id', 'desc')
			.limit(filter.limit)
			.offset(filter.offset)
			.execute();
		return {
			deliveries: await deliveryRecords(
				trx,
				ids.map(({ id }) => id),
			),
			total: Number(total),
		};
	});
}

/** The records of deliveries, newest first. Those that are no longer there are left out. */
export async function deliveryRecords(
	db: Kysely<Database>,
	ids: readonly number[],
): Promise<DeliveryRecord[]> {
	if (ids.length === 0) return [];
	const rows = await db
		.selectFrom('deliveries as d')
		.innerJoin('events as e', 'e.id', 'd.event_id')
		.where('d.id', 'in', ids)
		.select([
			'd.id',
			'd.webhook_id',
			'd.event_id',
			'd.status',
			'd.attempts',
			'd.created_at',
			'd.next_attempt_at',
			'd.delivered_at',
			'e.name',
			'e.is_test',
		])
		.orderBy('d.id', 'desc')
		.execute();
	const attempts = await db
		.selectFrom('delivery_attempts')
		.selectAll()
		.where('delivery_id', 'in', ids)
		.orderBy('delivery_id')
		.orderBy('replay')
		.orderBy('attempt')
		.execute();
	const logs = Map.groupBy(attempts, (attempt) => attempt.delivery_id);
	return rows.map((row) => ({
		id: String(row.id),
		webhookId: String(row.webhook_id),
		eventId: row.event_id,
		event: row.name,
		status: row.status,
		test: row.is_test,
		attempts: row.attempts,
		createdAt: row.created_at.toISOString(),
		// While an attempt is under way the column says when that one counts as lost.
		nextAttemptAt:
			row.status === 'in-progress' ? null : (row.next_attempt_at?.toISOString() ?? null),
		deliveredAt: row.delivered_at?.toISOString() ?? null,
		attemptLog: (logs.get(row.id) ?? []).map((attempt) => ({
			attempt: attempt.attempt,
			replay: attempt.replay,
			startedAt: attempt.started_at.toISOString(),
			durationMs: attempt.duration_ms,
			statusCode: attempt.status_code,
			error: attempt.error,
			responseBody: attempt.response_body,
		})),
	}));
}

/**
 * Sends a delivery that has ended once more: the same event, the same bytes, up to three attempts.
 *
 * @returns the delivery; undefined for one of another contract as for one that is not there
 * @throws DeliveryUnderWayError
 */
export async function replayDelivery(
	db: Kysely<Database>,
	contractId: number,
	id: number,
): Promise<DeliveryRecord | undefined> {
	return await db.transaction().execute(async (trx) => {
		const row = await trx
			.selectFrom('deliveries as d')
			.innerJoin('webhooks as w', 'w.id', 'd.webhook_id')
			.where('d.id', '=', id)
			.where('w.contract_id', '=', contractId)
			.select(['d.status', 'd.attempts', 'd.replays'])
			.forUpdate('d')
			.executeTakeFirst();
		if (row === undefined) return undefined;
		const step = nextDelivery(row, 'replayed', { baseMs: 0, random: 0 });
		if (step === null) throw new DeliveryUnderWayError(row.status);
		await trx
			.updateTable('deliveries')
			.set({
				status: step.status,
				attempts: step.attempts,
				replays: step.replays,
				next_attempt_at: sql<Date>`now()`,
				delivered_at: null,
				ended_at: null,
			})
			.where('id', '=', id)
			.execute();
		await announceDeliveries(trx);
		const [record] = await deliveryRecords(trx, [id]);
		return record;
	});
}

const FORGOTTEN_AT_ONCE = 1000;

/**
 * Removes deliveries that ended more than so many days ago, with their log, and events that no delivery
 * is left of. In small pieces, so that nobody waits for it.
 *
 * @param vacuum true for the embedded database, which does not free the space by itself
 */
export async function forgetOldDeliveries(
	db: Kysely<Database>,
	days: number,
	vacuum: boolean,
): Promise<void> {
	const deliveries = await inPieces(async () => {
		const { rows } = await sql`delete from deliveries where id in (
				select id from deliveries
				where ended_at < now() - make_interval(days => ${days}::integer)
				order by ended_at limit ${FORGOTTEN_AT_ONCE}::integer
				-- One that is being replayed has not ended any more once its turn comes.
				for update skip locked
			) returning id`.execute(db);
		return rows.length;
	});
	const events = await inPieces(async () => {
		const { rows } = await sql`delete from events where id in (
				select e.id from events as e
				where not exists (select 1 from deliveries as d where d.event_id = e.id)
				limit ${FORGOTTEN_AT_ONCE}::integer
			) returning id`.execute(db);
		return rows.length;
	});
	if (!vacuum || deliveries + events === 0) return;
	for (const table of ['deliveries', 'delivery_attempts', 'events']) {
		await sql`vacuum ${sql.table(table)}`.execute(db);
		await setImmediate();
	}
}

/** Calls until a piece is not full. @returns how much it was in all */
async function inPieces(removePiece: () => Promise<number>): Promise<number> {
	for (let total = 0; ;) {
		const removed = await removePiece();
		total += removed;
		if (removed < FORGOTTEN_AT_ONCE) return total;
		await setImmediate();
	}
}
