import type { INodeProperties } from 'n8n-workflow';

import { GENERIC_EVENT } from '../shared/webhooks/events';

/**
 * Tells n8n to leave the body alone: it would parse JSON before the signature is verified, and
 * answer 422 to a signed body that is none. n8n reads this name from nodes of version 1.
 */
const unparsedBody: INodeProperties = {
	displayName: 'Body',
	name: 'options',
	type: 'hidden',
	default: { binaryData: true },
};

export const fields: INodeProperties[] = [
	unparsedBody,
	{
		displayName: 'Trigger On Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		default: ['bank_statement.extraction.completed', 'document.extraction.failed'],
		typeOptions: { loadOptionsMethod: 'getEvents' },
		description:
			'What starts the workflow. Keep \'Extraction Failed\', so that a failure is not missed. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName:
			"The event 'Any Document Extracted' comes besides the one of the kind: whoever chooses both gets two runs for one document",
		name: 'genericEventNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { events: [GENERIC_EVENT] } },
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'transactions',
		description:
			'What becomes an item. Events without extracted data, such as a failure, always give one item with the delivery.',
		options: [
			{
				name: 'Delivery',
				value: 'delivery',
				description: 'One item with the body of the delivery as it came',
			},
			{
				name: 'One Item per Transaction',
				value: 'transactions',
				description: 'Each row with its document, account and period, and an ISO date',
			},
			{
				name: 'One Item per Account',
				value: 'accounts',
				description: 'Totals, balances and whether the account reconciles',
			},
			{
				name: 'One Item per Document',
				value: 'documents',
				description: 'The accounts of the document inside one item',
			},
		],
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Document IDs',
				name: 'documentIds',
				type: 'string',
				default: '',
				placeholder: 'e.g. 42, 43',
				description:
					'Only what is about one of these documents. Events that name no document pass.',
			},
			{
				displayName: 'Document Kinds',
				name: 'documentKinds',
				type: 'multiOptions',
				default: [],
				description: 'Only extractions of these kinds. Events that name no kind pass.',
				options: [
					{ name: 'Bank or Credit Card Statement', value: 'bankStatement' },
					{ name: 'Check Images', value: 'checks' },
					{ name: 'Invoice', value: 'invoice' },
					{ name: 'Tax Form', value: 'form' },
				],
			},
		],
	},
	{
		displayName: 'Options',
		name: 'additionalOptions',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Include Headers',
				name: 'includeHeaders',
				type: 'boolean',
				default: false,
				description:
					"Whether to put the headers of the delivery into each item, in 'headers', without the signature",
			},
			{
				displayName: 'Run Repeated Deliveries',
				name: 'runRepeated',
				type: 'boolean',
				default: false,
				description:
					'Whether a delivery runs the workflow although its event has done so before, for example to replay deliveries by hand',
			},
		],
	},
];
