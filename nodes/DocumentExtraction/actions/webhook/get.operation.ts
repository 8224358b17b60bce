import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { accessOf } from '../../../shared/transport/access';
import { getWebhook } from '../../../shared/webhooks/requests';
import { idOf, webhookIdField } from '../fields';
import { perItem } from '../outcome';
import { webhookItem } from './items';

export const description = updateDisplayOptions(
	{ show: { resource: ['webhook'], operation: ['get'] } },
	[webhookIdField],
);

/** GET /agent/webhooks/{id}: the record of one webhook, without its secret. */
async function get(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const webhookId = idOf.call(this, 'webhookId', itemIndex);
	const webhook = await getWebhook.call(this, access, webhookId, { itemIndex });
	return webhook === undefined ? [] : [webhookItem(webhook, itemIndex)];
}

export const execute = perItem(get);
