import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { accessOf } from '../../../shared/transport/access';
import { idempotencyKey } from '../../../shared/transport/idempotencyKey';
import { Memory } from '../../../shared/transport/memory';
import { deleteWebhook, getWebhook } from '../../../shared/webhooks/requests';
import { idOf, webhookIdField } from '../fields';
import { perItem } from '../outcome';

export const description = updateDisplayOptions(
	{ show: { resource: ['webhook'], operation: ['delete'] } },
	[webhookIdField],
);

/** Webhooks that were deleted, by key: n8n repeats a whole node, and then they are gone. */
const deleted = new Memory<true>(1_000);

/**
 * DELETE /agent/webhooks/{id}. A webhook that is not there is a failure, since the ID may be a wrong
 * one; so it is looked up first. A second try that does not find it any more is none.
 */
async function remove(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const webhookId = idOf.call(this, 'webhookId', itemIndex);
	const purpose = ['delete webhook', access.baseUrl, webhookId];
	const key = idempotencyKey.call(this, itemIndex, purpose);
	if (deleted.get(key) === undefined) {
		await getWebhook.call(this, access, webhookId, { itemIndex });
		await deleteWebhook.call(this, access, webhookId, { itemIndex, accepts: [404, 410] });
		deleted.set(key, true);
	}
	return [{ json: { deleted: true, webhookId }, pairedItem: { item: itemIndex } }];
}

export const execute = perItem(remove);
