import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { OUTPUT_OPTIONS } from '../shared/extraction';
import { GENERIC_EVENT } from '../shared/webhooks/events';

const wholeDelivery: INodePropertyOptions = {
	name: 'Delivery',
	value: 'delivery',
	description: 'One item with the body of the delivery as it came',
};

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
			wholeDelivery,
			OUTPUT_OPTIONS.transactions,
			OUTPUT_OPTIONS.accounts,
			OUTPUT_OPTIONS.documents,
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
