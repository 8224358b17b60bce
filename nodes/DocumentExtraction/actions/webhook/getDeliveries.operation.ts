import {
	updateDisplayOptions,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { accessOf } from '../../../shared/transport/access';
import { deliveryState } from '../../../shared/webhooks/deliveryRecords';
import { listDeliveries, type DeliveryFilter } from '../../../shared/webhooks/deliveryRequests';
import { idOf, limitFields, limitOf, webhookIdField } from '../fields';
import { perItem } from '../outcome';
import { timeOf } from '../time';
import { deliveryItem } from './items';

const properties: INodeProperties[] = [
	webhookIdField,
	...limitFields,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		options: [
			{
				displayName: 'Since',
				name: 'since',
				type: 'dateTime',
				default: '',
				description: 'Only deliveries of events from this time on',
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				default: 'dead-letter',
				options: [
					{
						name: 'Dead Letter',
						value: 'dead-letter',
						description: 'Given up after the last attempt',
					},
					{ name: 'Delivered', value: 'delivered', description: 'The receiver accepted it' },
					{ name: 'In Progress', value: 'in-progress', description: 'Being sent right now' },
					{ name: 'Pending', value: 'pending', description: 'Not tried yet' },
					{ name: 'Retrying', value: 'retrying', description: 'Waiting for its next attempt' },
				],
			},
		],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['webhook'], operation: ['getDeliveries'] } },
	properties,
);

/** GET /agent/webhooks/{id}/deliveries: one item for each entry of the log, newest first. */
async function getDeliveries(
	this: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const webhookId = idOf.call(this, 'webhookId', itemIndex);
	const limit = limitOf.call(this, itemIndex);
	const filters = this.getNodeParameter('filters', itemIndex, {}) as IDataObject;
	const since = timeOf.call(this, filters.since, { field: 'Since', itemIndex });
	const state = deliveryState(filters.status);
	const filter: DeliveryFilter = {
		...(since === undefined ? {} : { since }),
		...(state === 'unknown' ? {} : { state }),
	};
	const options = { filter, limit, itemIndex };
	const deliveries = await listDeliveries.call(this, access, webhookId, options);
	return deliveries.map((delivery) => deliveryItem(delivery, itemIndex, webhookId));
}

export const execute = perItem(getDeliveries);
