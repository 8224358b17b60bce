import {
	updateDisplayOptions,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { accessOf } from '../../../shared/transport/access';
import { operationFailure } from '../../../shared/transport/failures';
import { updateWebhook } from '../../../shared/webhooks/requests';
import { idOf, webhookIdField } from '../fields';
import { perItem } from '../outcome';
import { eventsField, eventsOf, urlField, urlOf } from './fields';
import { webhookItem } from './items';

const properties: INodeProperties[] = [
	webhookIdField,
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		options: [
			{
				displayName: 'Enabled',
				name: 'enabled',
				type: 'boolean',
				default: true,
				description: 'Whether the service sends events to the address',
			},
			{ ...eventsField, required: false },
			{ ...urlField, required: false },
		],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['webhook'], operation: ['update'] } },
	properties,
);

/** PUT /agent/webhooks/{id}: the webhook after the change. What is not given stays as it is. */
async function update(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const webhookId = idOf.call(this, 'webhookId', itemIndex);
	const fields = this.getNodeParameter('updateFields', itemIndex, {}) as IDataObject;
	const changes = {
		...(fields.url === undefined ? {} : { url: urlOf.call(this, fields.url, itemIndex) }),
		...(fields.events === undefined
			? {}
			: { events: eventsOf.call(this, fields.events, itemIndex) }),
		...(typeof fields.enabled === 'boolean' ? { enabled: fields.enabled } : {}),
	};
	if (Object.keys(changes).length === 0) {
		throw operationFailure(this.getNode(), "Nothing to change is given in 'Update Fields'", {
			itemIndex,
			description: "Add at least one field in 'Update Fields'",
		});
	}
	const webhook = await updateWebhook.call(this, access, webhookId, changes, { itemIndex });
	return webhook === undefined ? [] : [webhookItem(webhook, itemIndex)];
}

export const execute = perItem(update);
