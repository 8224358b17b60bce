import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { accessOf } from '../../../shared/transport/access';
import { regenerateSecret } from '../../../shared/webhooks/requests';
import { idOf, webhookIdField } from '../fields';
import { perItem } from '../outcome';
import { secretNotice } from './fields';
import { webhookWithSecretItem } from './items';

export const description = updateDisplayOptions(
	{ show: { resource: ['webhook'], operation: ['regenerateSecret'] } },
	[webhookIdField, secretNotice],
);

/** POST /agent/webhooks/{id}/regenerate-secret: the webhook with a new secret; the old one ends. */
async function regenerate(
	this: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const webhookId = idOf.call(this, 'webhookId', itemIndex);
	const made = await regenerateSecret.call(this, access, webhookId, { itemIndex });
	return made === undefined ? [] : [webhookWithSecretItem.call(this, made, itemIndex)];
}

export const execute = perItem(regenerate);
