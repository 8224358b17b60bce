import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { accessOf } from '../../../shared/transport/access';
import { idempotencyKey } from '../../../shared/transport/idempotencyKey';
import { Memory } from '../../../shared/transport/memory';
import { createWebhook, type WebhookWithSecret } from '../../../shared/webhooks/requests';
import { perItem } from '../outcome';
import { eventsField, eventsOf, secretNotice, urlField, urlOf } from './fields';
import { webhookWithSecretItem } from './items';

const properties: INodeProperties[] = [urlField, eventsField, secretNotice];

export const description = updateDisplayOptions(
	{ show: { resource: ['webhook'], operation: ['create'] } },
	properties,
);

/** Webhooks that were created, by key: n8n repeats a whole node, and there shall be one webhook. */
const created = new Memory<WebhookWithSecret>(1_000);

/** POST /agent/webhooks: the webhook with its secret, which the service shows only here. */
async function create(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const url = urlOf.call(this, this.getNodeParameter('url', itemIndex), itemIndex);
	const events = eventsOf.call(this, this.getNodeParameter('events', itemIndex), itemIndex);
	const purpose = ['webhook', access.baseUrl, url, ...events];
	const key = idempotencyKey.call(this, itemIndex, purpose);
	const known = created.get(key);
	if (known !== undefined) return [webhookWithSecretItem.call(this, known, itemIndex)];
	const made = await createWebhook.call(this, access, { url, events }, { itemIndex });
	created.set(key, made);
	return [webhookWithSecretItem.call(this, made, itemIndex)];
}

export const execute = perItem(create);
