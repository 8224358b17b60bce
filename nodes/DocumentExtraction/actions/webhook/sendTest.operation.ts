import {
	updateDisplayOptions,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { recordToItem } from '../../../shared/extraction';
import { isJsonObject } from '../../../shared/extraction/model';
import { accessOf } from '../../../shared/transport/access';
import { deliveryOf } from '../../../shared/webhooks/deliveryRecords';
import { sendTestDelivery } from '../../../shared/webhooks/requests';
import { idOf, webhookIdField } from '../fields';
import { perItem } from '../outcome';
import { deliveryItem } from './items';

const properties: INodeProperties[] = [
	webhookIdField,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Event Name or ID',
				name: 'event',
				type: 'options',
				typeOptions: { loadOptionsMethod: 'getEvents' },
				default: '',
				description:
					'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
			},
		],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['webhook'], operation: ['sendTest'] } },
	properties,
);

/** POST /agent/webhooks/{id}/test: a sample delivery with made-up data, and its entry in the log. */
async function sendTest(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const webhookId = idOf.call(this, 'webhookId', itemIndex);
	const { event } = this.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const fields = typeof event === 'string' && event.trim() !== '' ? { event: event.trim() } : {};
	const body = await sendTestDelivery.call(this, access, webhookId, fields, { itemIndex });
	const delivery = deliveryOf(body);
	if (delivery !== undefined) return [deliveryItem(delivery, itemIndex, webhookId)];
	const said = isJsonObject(body) ? body : {};
	return [recordToItem({ ...said, webhookId, sent: true }, itemIndex)];
}

export const execute = perItem(sendTest);
