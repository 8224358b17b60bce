import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Database } from '../database/schema.ts';
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
	await writeEvent(
		trx,
		event,
		webhooks.map(({ id }) => id),
		false,
	);
}

/** Writes an event for the given webhooks. @returns ids of the deliveries, in the order given */
export async function writeEvent(
	trx: Transaction<Database>,
	event: NewEvent,
	webhookIds: readonly number[],
	isTest: boolean,
): Promise<number[]> {
	const data = typeof event.data === 'string' ? event.data : await event.data();
	const id = `evt_${randomBytes(18).toString('base64url')}`;
	const now = new Date();
	await trx
		.insertInto('events')
		.values({
			id,
			contract_id: event.contractId,
			user_id: event.userId,
			job_id: event.job?.id ?? null,
			name: event.name,
			version: EVENT_VERSION,
			is_test: isTest,
			job: JSON.stringify(
				event.job === null ? null : { id: String(event.job.id), status: event.job.status },
			),
			data,
			created_at: now,
		})
		.execute();
	const deliveries = await trx
		.insertInto('deliveries')
		.values(
			webhookIds.map((webhookId) => ({
				webhook_id: webhookId,
				event_id: id,
				status: 'pending' as const,
				next_attempt_at: now,
				queue_message_id: sql<string>`gen_random_uuid()`,
			})),
		)
		.returning('id')
		.execute();
	return deliveries.map((delivery) => delivery.id);
}
