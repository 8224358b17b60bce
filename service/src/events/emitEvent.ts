import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Database } from '../database/schema.ts';
import { announceDeliveries } from '../webhooks/deliverySignal.ts';
import { EVENT_VERSION } from './eventNames.ts';
import type { EventName } from './eventNames.ts';

export interface NewEvent {
	name: EventName;
	contractId: number;
	userId: number;
	/** Null for what has no job, and for jobs that no client can see. */
	job: { id: number; status: string } | null;
	/**
	 * JSON text of the member `data` (docs/interface-choices.md, "Events"), or what makes it. It is
	 * made only where a webhook is subscribed, and may be awaited inside the transaction.
	 */
	data: string | (() => Promise<string>);
}

/**
 * Writes an event and one delivery for each enabled webhook of the contract that is subscribed, in the
 * caller's transaction: the event is there if and only if what it reports is. Where none is
 * subscribed, nothing is written.
 */
export async function emitEvent(trx: Transaction<Database>, event: NewEvent): Promise<void> {
	const webhooks = await trx
		.selectFrom('webhooks')
		.select('id')
		.where('contract_id', '=', event.contractId)
		.where('enabled', '=', true)
		.where(sql<boolean>`${event.name}::text = any(events)`)
		.orderBy('id')
		// Shared: a webhook that is being deleted is waited for, and then gets no delivery.
		.forKeyShare()
		.execute();
	if (webhooks.length === 0) return;
	const { job, data, ...rest } = event;
	await writeEvent(
		trx,
		{
			...rest,
			jobId: job?.id ?? null,
			job: JSON.stringify(job === null ? null : { id: String(job.id), status: job.status }),
			data: typeof data === 'string' ? data : await data(),
			isTest: false,
		},
		webhooks.map(({ id }) => id),
	);
}

/**
 * Writes an event and a delivery for each of the given webhooks, and wakes whoever delivers when the
 * transaction is committed.
 *
 * @returns ids of the deliveries
 */
export async function writeEvent(
	trx: Transaction<Database>,
	event: Omit<NewEvent, 'job' | 'data'> & {
		jobId: number | null;
		/** JSON text of the member `job` of the body. */
		job: string;
		data: string;
		isTest: boolean;
	},
	webhookIds: readonly number[],
): Promise<number[]> {
	const id = `evt_${randomBytes(18).toString('base64url')}`;
	// One statement, since it may be part of the transaction of every upload.
	const { rows } = await sql<{ id: number }>`with event as (
			insert into events
				(id, contract_id, user_id, job_id, name, version, is_test, job, data, created_at)
			values (${id}, ${event.contractId}, ${event.userId}, ${event.jobId}, ${event.name},
				${EVENT_VERSION}, ${event.isTest}, ${event.job}, ${event.data}, ${new Date()})
			returning id
		)
		insert into deliveries (webhook_id, event_id, status, next_attempt_at)
		select w.id, event.id, 'pending', now()
		from event cross join unnest(string_to_array(${webhookIds.join(',')}, ',')::integer[]) as w(id)
		returning id`.execute(trx);
	await announceDeliveries(trx);
	return rows.map((delivery) => delivery.id);
}
