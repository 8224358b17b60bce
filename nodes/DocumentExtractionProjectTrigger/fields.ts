import type { INodeProperties } from 'n8n-workflow';

import { OUTPUT_OPTIONS } from '../shared/extraction';

export const fields: INodeProperties[] = [
	{
		displayName: 'Project',
		name: 'projectId',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: 'The project whose documents start the workflow, for example a connected folder',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: 'searchProjects', searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 3',
				// Checked in each poll (see settings.ts), and not here: n8n tests a pattern of the panel
				// again in each execution, with a limit of 250 ms. On a busy machine an execution then
				// fails before it has begun, and its documents with it.
			},
		],
	},
	{
		displayName: 'Trigger On',
		name: 'triggerOn',
		type: 'multiOptions',
		required: true,
		default: ['extracted', 'failed'],
		description:
			"What starts the workflow. Keep 'Document Failed', so that a failure is not missed.",
		options: [
			{
				name: 'Document Extracted',
				value: 'extracted',
				description: 'The rows of a document can be read',
			},
			{
				name: 'Document Failed',
				value: 'failed',
				description: 'A document could not be read; the item has the reason',
			},
			{
				name: 'New Document',
				value: 'new',
				description: 'A document arrived, whether it has been extracted or not',
			},
		],
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'record',
		description:
			'What becomes an item. Documents that are new or have failed always give one item with the record.',
		options: [
			{
				name: 'Document Record',
				value: 'record',
				description: 'One item with the state of the document, without its rows',
			},
			OUTPUT_OPTIONS.accounts,
			OUTPUT_OPTIONS.documents,
			OUTPUT_OPTIONS.transactions,
		],
	},
	{
		displayName: 'Start With',
		name: 'startWith',
		type: 'options',
		default: 'now',
		description: 'With which documents to begin when the workflow is activated for the first time',
		options: [
			{
				name: 'Documents From Now On',
				value: 'now',
				description: 'What was finished before is left alone',
			},
			{
				name: 'Documents of the Last Days',
				value: 'days',
				description: 'And from now on',
			},
			{
				name: 'Everything in the Project',
				value: 'everything',
				description: 'All documents, oldest first, and from now on',
			},
		],
	},
	{
		displayName: 'Days',
		name: 'days',
		type: 'number',
		default: 7,
		typeOptions: { minValue: 1 },
		description: 'How many days back the first documents may have arrived',
		displayOptions: { show: { startWith: ['days'] } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Documents per Run',
				name: 'documentsPerRun',
				type: 'number',
				default: 50,
				typeOptions: { minValue: 1 },
				description:
					'How many documents start one run at most. The others follow with the next poll.',
			},
		],
	},
];
