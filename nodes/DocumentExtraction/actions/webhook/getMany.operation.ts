import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { accessOf } from '../../../shared/transport/access';
import { listWebhooks } from '../../../shared/webhooks/requests';
import { limitFields, limitOf } from '../fields';
import { perItem } from '../outcome';
import { webhookItem } from './items';

export const description = updateDisplayOptions(
	{ show: { resource: ['webhook'], operation: ['getMany'] } },
	limitFields,
);

/** GET /agent/webhooks: all webhooks of the account, or the first of them. */
async function getMany(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const limit = limitOf.call(this, itemIndex);
	const webhooks = await listWebhooks.call(this, access, { itemIndex });
	return webhooks.slice(0, limit).map((webhook) => webhookItem(webhook, itemIndex));
}

export const execute = perItem(getMany);
