import type { Kysely } from 'kysely';
import type { Owner } from '../accounts/accessTokens.ts';
import type { Database } from '../database/schema.ts';
import { writeEvent } from '../events/emitEvent.ts';
import { isEventName } from '../events/eventNames.ts';
import type { EventName } from '../events/eventNames.ts';
import { deliveryRecords } from './deliveries.ts';
import type { DeliveryRecord } from './deliveries.ts';
import { sampleEvent } from './sampleEvent.ts';

/**
 * Sends a sample to a webhook, through the same queue and with the same attempts as a real event.
 *
 * @param wanted null: the first event of the webhook
 * @returns undefined for a webhook of another contract as for one that is not there
 */
export async function addTestDelivery(
	db: Kysely<Database>,
	account: Owner,
	webhookId: number,
	wanted: EventName | null,
): Promise<DeliveryRecord | undefined> {
	return await db.transaction().execute(async (trx) => {
		const webhook = await trx
			.selectFrom('webhooks')
			.select('events')
			.where('id', '=', webhookId)
			.where('contract_id', '=', account.contractId)
			.forKeyShare()
			.executeTakeFirst();
		if (webhook === undefined) return undefined;
		const first = webhook.events.find(isEventName);
		const name = wanted ?? first ?? 'document.uploaded';
		const { job, data } = sampleEvent(name, new Date());
		const ids = await writeEvent(
			trx,
			{
				...account,
				name,
				jobId: null,
				job: JSON.stringify(job),
				data: JSON.stringify(data),
				isTest: true,
			},
			[webhookId],
		);
		const [record] = await deliveryRecords(trx, ids);
		return record;
	});
}
