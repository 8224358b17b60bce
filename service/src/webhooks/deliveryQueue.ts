import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Database, EventsTable } from '../database/schema.ts';
import type { DeliveredEvent } from './deliveryBody.ts';
import type { DeliveryStep } from './deliveryState.ts';

/** A process that has not renewed its leases for so long is dead, and others take its deliveries. */
export const LEASE_SECONDS = 15;
/** Larger bodies are read one at a time, when their attempt begins. */
const LARGEST_CLAIMED_DATA = 64 * 1024;

/** A delivery that this process may attempt, and everything that an attempt needs. */
export interface ClaimedDelivery {
	deliveryId: number;
	leaseId: string;
	/** Attempts that have counted before this one. */
	attempts: number;
	replays: number;
	webhook: {
		id: number;
		url: string;
		enabled: boolean;
		secretNonce: string;
		secretGeneration: number;
		secretHash: string;
	};
	event: Omit<DeliveredEvent, 'data'> & {
		/** Null: too large to come along; `eventData` gives it. */
		data: string | null;
	};
}

/** What the log keeps of an attempt (docs/interface-choices.md, "Webhooks"). */
export interface AttemptEntry {
	startedAt: Date;
	durationMs: number;
	statusCode: number | null;
	error: string | null;
	responseBody: string | null;
}

export interface ClaimLimits {
	/** Most deliveries to claim now. */
	free: number;
	/** Most deliveries under way for one webhook. */
	perWebhook: number;
	/** Of `free`, so many are only for webhooks that have nothing under way. */
	reserved: number;
	/** Deliveries that this process attempts now: it never takes over from itself. */
	underWay: readonly number[];
}

/**
 * Webhooks that have deliveries which have not ended, found without reading each delivery. The order
 * is that of the index `deliveries_unfinished`, so that no other index is taken: the embedded database
 * keeps no statistics by itself.
 */
const WAITING_WEBHOOKS = sql`with recursive waiting as (
		(select webhook_id from deliveries where next_attempt_at is not null
			order by webhook_id, next_attempt_at, id limit 1)
		union all
		select (select d.webhook_id from deliveries as d
			where d.next_attempt_at is not null and d.webhook_id > waiting.webhook_id
			order by d.webhook_id, d.next_attempt_at, d.id limit 1)
		from waiting where waiting.webhook_id is not null
	)`;

/**
 * Takes deliveries that are due, for a lease: what is not ended or renewed in time is due again. No
 * webhook gets more than its share, however many of its deliveries wait: first those webhooks that have
 * the fewest under way, then those that wait longest.
 */
export async function claimDeliveries(
	db: Kysely<Database>,
	limits: ClaimLimits,
): Promise<ClaimedDelivery[]> {
	const leaseId = randomUUID();
	const { rows } = await sql<ClaimedRow>`${WAITING_WEBHOOKS}, shares as materialized (
			select w.webhook_id, (select count(*) from deliveries as d where d.webhook_id = w.webhook_id
				and d.status = 'in-progress' and d.next_attempt_at > now())::integer as under_way
			from waiting as w where w.webhook_id is not null
		), due as materialized (
			select d.id, d.next_attempt_at,
				s.under_way + row_number() over (
					partition by s.webhook_id order by d.next_attempt_at, d.id) as share
			from shares as s cross join lateral (
				select id, next_attempt_at from deliveries
				where webhook_id = s.webhook_id and next_attempt_at <= now()
					and id <> all(string_to_array(${limits.underWay.join(',')}, ',')::integer[])
				order by next_attempt_at, id
				limit greatest(${limits.perWebhook}::integer - s.under_way, 0)
				for update skip locked
			) as d
		), places as (
			select id, share, row_number() over (order by share, next_attempt_at, id) as place from due
		)
		update deliveries as d
		set status = 'in-progress', lease_id = ${leaseId}::uuid,
			next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS}::integer)
		from webhooks as w, events as e
		where d.id = any(array(
				select id from places where place <= ${limits.free}::integer
					and (share = 1 or place <= ${limits.free - limits.reserved}::integer)
			))
			and w.id = d.webhook_id and e.id = d.event_id
		returning d.id, d.attempts, d.replays, w.id as webhook_id, w.url, w.enabled, w.secret_nonce,
			w.secret_generation, w.secret_hash, e.id as event_id, e.name, e.version, e.is_test,
			e.created_at, e.user_id, e.job,
			case when octet_length(e.data) <= ${LARGEST_CLAIMED_DATA}::integer then e.data end as data
	`.execute(db);
	return rows.sort((left, right) => left.id - right.id).map((row) => claimedDelivery(row, leaseId));
}

/** Milliseconds until the next delivery becomes due that is not due yet; null when there is none. */
export async function nextDueInMs(db: Kysely<Database>): Promise<number | null> {
	const { rows } = await sql<{ ms: number | null }>`${WAITING_WEBHOOKS}
		select (extract(epoch from min(d.next_attempt_at) - clock_timestamp()) * 1000)::float8 as ms
		from waiting as w cross join lateral (
			select next_attempt_at from deliveries
			where webhook_id = w.webhook_id and next_attempt_at > now()
			order by next_attempt_at, id limit 1
		) as d`.execute(db);
	const ms = rows[0]?.ms ?? null;
	return ms === null ? null : Math.max(0, Math.ceil(ms));
}

/** The data of an event that was too large to come along. Between two of them others get their turn. */
export async function eventData(db: Kysely<Database>, eventId: string): Promise<string> {
	const row = await db
		.selectFrom('events')
		.select('data')
		.where('id', '=', eventId)
		.executeTakeFirstOrThrow();
	await setImmediate();
	return row.data;
}

/**
 * Writes how an attempt ended, in one statement.
 *
 * @param entry null: the attempt leaves no trace in the log
 * @returns false when the result does not count: the lease is over, or the webhook was deleted
 */
export async function recordStep(
	db: Kysely<Database>,
	delivery: Pick<ClaimedDelivery, 'deliveryId' | 'leaseId'>,
	step: DeliveryStep,
	entry: AttemptEntry | null,
): Promise<boolean> {
	const { rows } = await sql<{ id: number }>`with stepped as (
			update deliveries set
				status = ${step.status},
				attempts = ${step.attempts}::integer,
				lease_id = null,
				next_attempt_at = case when ${step.nextAttemptInMs}::float8 is null then null
					else now() + make_interval(secs => ${step.nextAttemptInMs}::float8 / 1000) end,
				delivered_at = case when ${step.status} = 'delivered' then now() end,
				ended_at = case when ${step.nextAttemptInMs}::float8 is null then now() end
			where id = ${delivery.deliveryId}::integer and lease_id = ${delivery.leaseId}::uuid
			returning id, replays
		), logged as (
			insert into delivery_attempts
				(delivery_id, replay, attempt, started_at, duration_ms, status_code, error, response_body)
			select id, replays, ${step.attempts}::integer, ${entry?.startedAt ?? null}::timestamptz,
				${entry?.durationMs ?? null}::integer, ${entry?.statusCode ?? null}::integer,
				${entry?.error ?? null}::text, ${entry?.responseBody ?? null}::text
			from stepped where ${entry !== null}::boolean
		)
		select id from stepped`.execute(db);
	return rows.length > 0;
}

/** Keeps the leases of this process. */
export async function renewLeases(db: Kysely<Database>, leaseIds: string[]): Promise<void> {
	if (leaseIds.length === 0) return;
	await sql`update deliveries
		set next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS}::integer)
		where status = 'in-progress' and lease_id = any(string_to_array(${leaseIds.join(',')}, ',')::uuid[])`.execute(
		db,
	);
}

/**
 * Makes everything due that is under way. Only for a database that no other process uses: whoever had
 * the leases is dead.
 */
export async function endForeignLeases(db: Kysely<Database>): Promise<void> {
	await db
		.updateTable('deliveries')
		.set({ lease_id: null, next_attempt_at: sql<Date>`now()` })
		.where('status', '=', 'in-progress')
		.execute();
}

interface ClaimedRow extends Pick<EventsTable, 'name' | 'version' | 'job' | 'user_id'> {
	id: number;
	attempts: number;
	replays: number;
	webhook_id: number;
	url: string;
	enabled: boolean;
	secret_nonce: string;
	secret_generation: number;
	secret_hash: string;
	event_id: string;
	is_test: boolean;
	created_at: Date;
	data: string | null;
}

function claimedDelivery(row: ClaimedRow, leaseId: string): ClaimedDelivery {
	return {
		deliveryId: row.id,
		leaseId,
		attempts: row.attempts,
		replays: row.replays,
		webhook: {
			id: row.webhook_id,
			url: row.url,
			enabled: row.enabled,
			secretNonce: row.secret_nonce,
			secretGeneration: row.secret_generation,
			secretHash: row.secret_hash,
		},
		event: {
			id: row.event_id,
			name: row.name,
			version: row.version,
			isTest: row.is_test,
			createdAt: row.created_at,
			userId: row.user_id,
			job: row.job,
			data: row.data,
		},
	};
}
