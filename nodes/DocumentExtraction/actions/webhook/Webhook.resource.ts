import type { INodeProperties } from 'n8n-workflow';

import * as create from './create.operation';
import * as deleteWebhook from './delete.operation';
import * as get from './get.operation';
import * as getDeliveries from './getDeliveries.operation';
import * as getEventNames from './getEventNames.operation';
import * as getMany from './getMany.operation';
import * as recoverMissedDeliveries from './recoverMissedDeliveries.operation';
import * as regenerateSecret from './regenerateSecret.operation';
import * as retryDelivery from './retryDelivery.operation';
import * as sendTest from './sendTest.operation';
import * as update from './update.operation';

export {
	create,
	deleteWebhook,
	get,
	getDeliveries,
	getEventNames,
	getMany,
	recoverMissedDeliveries,
	regenerateSecret,
	retryDelivery,
	sendTest,
	update,
};

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { authentication: ['accessToken'], resource: ['webhook'] } },
		default: 'getMany',
		options: [
			{
				name: 'Create',
				value: 'create',
				description: 'Have the service send its events to an address',
				action: 'Create webhook',
			},
			{
				name: 'Delete',
				value: 'delete',
				description: 'Stop the events to an address. The log of its deliveries goes with it.',
				action: 'Delete webhook',
			},
			{
				name: 'Get',
				value: 'get',
				description: 'Get the address and the events of a webhook',
				action: 'Get webhook',
			},
			{
				name: 'Get Deliveries',
				value: 'getDeliveries',
				description: 'Get what was sent to a webhook, with every attempt',
				action: 'Get deliveries of webhook',
			},
			{
				name: 'Get Event Names',
				value: 'getEventNames',
				description: 'Get the events that the service can send',
				action: 'Get event names',
			},
			{
				name: 'Get Many',
				value: 'getMany',
				description: 'Get the webhooks of the account',
				action: 'Get many webhooks',
			},
			{
				name: 'Recover Missed Deliveries',
				value: 'recoverMissedDeliveries',
				description: 'Send everything again that never arrived, for example after an outage',
				action: 'Recover missed deliveries',
			},
			{
				name: 'Regenerate Secret',
				value: 'regenerateSecret',
				description: 'Replace the signing secret of a webhook. The old one ends.',
				action: 'Regenerate secret of webhook',
			},
			{
				name: 'Retry Delivery',
				value: 'retryDelivery',
				description: 'Send one delivery again',
				action: 'Retry delivery',
			},
			{
				name: 'Send Test',
				value: 'sendTest',
				description: 'Have the service send a sample with made-up data',
				action: 'Send test to webhook',
			},
			{
				name: 'Update',
				value: 'update',
				description: 'Change the address or the events of a webhook, or switch it off',
				action: 'Update webhook',
			},
		],
	},
	...create.description,
	...deleteWebhook.description,
	...get.description,
	...getDeliveries.description,
	...getEventNames.description,
	...getMany.description,
	...recoverMissedDeliveries.description,
	...regenerateSecret.description,
	...retryDelivery.description,
	...sendTest.description,
	...update.description,
];
