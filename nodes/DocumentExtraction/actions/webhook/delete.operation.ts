import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { accessOf } from '../../../shared/transport/access';
import { deleteWebhook } from '../../../shared/webhooks/requests';
import { idOf, webhookIdField } from '../fields';
import { perItem } from '../outcome';

export const description = updateDisplayOptions(
	{ show: { resource: ['webhook'], operation: ['delete'] } },
	[webhookIdField],
);

/** DELETE /agent/webhooks/{id}. A webhook that is not there is a failure: the ID may be a wrong one. */
async function remove(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const webhookId = idOf.call(this, 'webhookId', itemIndex);
	await deleteWebhook.call(this, access, webhookId, { itemIndex });
	return [{ json: { deleted: true, webhookId }, pairedItem: { item: itemIndex } }];
}

export const execute = perItem(remove);
