import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { OUTPUT_OPTIONS } from '../../shared/extraction';
import type { DocumentKind, LegacyKind } from '../../shared/transport/jobs';
import { operationFailure } from '../../shared/transport/failures';

/** Fields that several operations share. Each is described once, so that values stay when switching. */

const ID_MODE = {
	displayName: 'By ID',
	name: 'id',
	type: 'string' as const,
	// The ID is checked when the node runs, and not by a pattern here: n8n tests a pattern of the panel
	// before each execution, with a limit of 250 ms, and fails the execution when the machine is busy.
};

/** A list that the service is asked for. */
function listMode(searchListMethod: string) {
	return {
		displayName: 'From List',
		name: 'list',
		type: 'list' as const,
		typeOptions: { searchListMethod, searchable: true },
	};
}

export const documentIdField: INodeProperties = {
	displayName: 'Document',
	name: 'documentId',
	type: 'resourceLocator',
	default: { mode: 'id', value: '' },
	required: true,
	description:
		'The document, as uploaded with this node or named in its output. The list has only documents that belong to a project.',
	modes: [{ ...ID_MODE, placeholder: 'e.g. 42' }, listMode('searchDocuments')],
};

/** With a JWT there is no list: the service lists documents for an access token only. */
export const documentByIdField: INodeProperties = {
	...documentIdField,
	description: 'The document, by the ID that its upload gave',
	modes: documentIdField.modes?.filter(({ name }) => name === 'id'),
};

export const projectIdField: INodeProperties = {
	displayName: 'Project',
	name: 'projectId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The project, for example a folder that is connected to the service',
	modes: [listMode('searchProjects'), { ...ID_MODE, placeholder: 'e.g. 3' }],
};

export const webhookIdField: INodeProperties = {
	displayName: 'Webhook',
	name: 'webhookId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The webhook, as registered with this node or another program',
	modes: [listMode('searchWebhooks'), { ...ID_MODE, placeholder: 'e.g. 7' }],
};

export const jobIdField: INodeProperties = {
	displayName: 'Job',
	name: 'jobId',
	type: 'resourceLocator',
	default: { mode: 'id', value: '' },
	required: true,
	description: 'The job, as created with this node or named in an error of Extract',
	modes: [{ ...ID_MODE, placeholder: 'e.g. 17' }],
};

/** A file of the item, or one at an address: AI agents cannot pass files. */
export const fileFields: INodeProperties[] = [
	{
		displayName: 'File From',
		name: 'fileFrom',
		type: 'options',
		default: 'inputData',
		options: [
			{ name: 'Input Data Field', value: 'inputData', description: 'Files of the input item' },
			{
				name: 'URL',
				value: 'url',
				description: 'A file that opens without signing in, for example for AI agents',
			},
		],
	},
	{
		displayName: 'Input Data Field Name',
		name: 'inputDataFieldName',
		type: 'string',
		default: 'data',
		required: true,
		placeholder: 'e.g. data',
		hint: 'The name of the input field containing the binary file data',
		description: 'For several files in one item, enter the names separated by commas',
		displayOptions: { show: { fileFrom: ['inputData'] } },
	},
	{
		displayName: 'URL',
		name: 'fileUrl',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://example.com/statement.pdf',
		description: 'Address of a PDF, PNG, JPEG or TIFF file',
		displayOptions: { show: { fileFrom: ['url'] } },
	},
];

export const documentKindField: INodeProperties = {
	displayName: 'Document Kind',
	name: 'documentKind',
	type: 'options',
	default: 'bankStatement',
	description: 'What the files are',
	options: [
		{
			name: 'Bank or Credit Card Statement',
			value: 'bankStatement',
			description: 'Accounts, transactions and balances',
		},
		{ name: 'Check Images', value: 'checks', description: 'One row for each check' },
		{ name: 'Invoice', value: 'invoice' },
		{ name: 'Tax Form', value: 'form', description: 'W-2, 1099 and similar' },
	],
};

/** What a JWT tells apart (section 2.5): check images are read like statements. */
export const legacyKindField: INodeProperties = {
	displayName: 'Document Kind',
	name: 'documentKind',
	type: 'options',
	default: 'bankStatement',
	description: 'What the files are',
	options: [
		{
			name: 'Bank or Credit Card Statement',
			value: 'bankStatement',
			description: 'Also check images',
		},
		{ name: 'Invoice', value: 'invoice' },
		{ name: 'Tax Form', value: 'form', description: 'W-2, 1099 and similar' },
		{ name: 'Other', value: 'other', description: 'Text recognition alone, or a template' },
	],
};

export const documentIdsField: INodeProperties = {
	displayName: 'Document IDs',
	name: 'documentIds',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 42, 43',
	description: 'IDs of uploaded documents, separated by commas. An expression may give an array.',
};

export const outputDataField: INodeProperties = {
	displayName: 'Output Data Field Name',
	name: 'outputDataFieldName',
	type: 'string',
	default: 'data',
	required: true,
	placeholder: 'e.g. data',
	hint: 'The name of the output field to put the binary file data in',
};

export const expiresInOption: INodeProperties = {
	displayName: 'Expires In',
	name: 'expiresIn',
	type: 'number',
	default: 3600,
	typeOptions: { minValue: 1 },
	description: 'For how many seconds the address is valid',
};

export const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	default: 'transactions',
	description:
		'What becomes an item. Invoices and tax forms have no transactions: they give one item for each invoice or form.',
	options: [
		OUTPUT_OPTIONS.transactions,
		OUTPUT_OPTIONS.accounts,
		OUTPUT_OPTIONS.documents,
		OUTPUT_OPTIONS.raw,
	],
};

export const fileNameOption: INodeProperties = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. statement-2026-03.pdf',
	description: 'Used instead of the name of the input file, where the item has one file',
};

export const mimeTypeOption: INodeProperties = {
	displayName: 'MIME Type',
	name: 'mimeType',
	type: 'string',
	default: '',
	placeholder: 'e.g. application/pdf',
	description:
		'Used instead of the type of the input file. The service reads PDF, PNG, JPEG and TIFF.',
};

export const waitLimitField: INodeProperties = {
	displayName: 'Wait Limit',
	name: 'waitLimit',
	type: 'number',
	default: 10,
	typeOptions: { minValue: 0 },
	description:
		'How many minutes to wait for the job at most. After that the node stops with the ID of the job, and Job: Wait can go on waiting.',
};

export const limitFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		default: 50,
		typeOptions: { minValue: 1 },
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

/** How many results are wanted; Infinity for all. Throws NodeOperationError where it is no number. */
export function limitOf(this: IExecuteFunctions, itemIndex: number): number {
	if (this.getNodeParameter('returnAll', itemIndex, false) === true) {
		return Number.POSITIVE_INFINITY;
	}
	const limit = Math.floor(Number(this.getNodeParameter('limit', itemIndex, 50)));
	if (Number.isFinite(limit) && limit >= 1) return limit;
	throw operationFailure(this.getNode(), "The value in 'Limit' is not a number of results", {
		itemIndex,
		description: "Enter a number such as 50 in 'Limit', or switch on 'Return All'",
	});
}

const ID_FIELDS = {
	documentId: 'Document',
	jobId: 'Job',
	projectId: 'Project',
	webhookId: 'Webhook',
} as const;

/** The id in a resource locator, as text. Throws NodeOperationError where it is empty. */
export function idOf(
	this: IExecuteFunctions,
	field: keyof typeof ID_FIELDS,
	itemIndex: number,
): string {
	const value: unknown = this.getNodeParameter(field, itemIndex, '', { extractValue: true });
	const id = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
	if (id === '' || /[\s/?#]/.test(id)) {
		const name = ID_FIELDS[field];
		throw operationFailure(
			this.getNode(),
			id === '' ? `No ID is given in '${name}'` : `The ID in '${name}' is not valid`,
			{
				itemIndex,
				description: `Enter the ID in '${name}', or map it from the node before, for example {{ $json.${field} }}`,
			},
		);
	}
	return id;
}

export function documentKindOf(this: IExecuteFunctions, itemIndex: number): DocumentKind {
	const kind = this.getNodeParameter('documentKind', itemIndex, 'bankStatement') as string;
	if (kind === 'bankStatement' || kind === 'checks' || kind === 'invoice' || kind === 'form') {
		return kind;
	}
	throw operationFailure(this.getNode(), `The value '${kind}' in 'Document Kind' is not known`, {
		itemIndex,
		description: 'Use bankStatement, checks, invoice or form',
	});
}

/** As `documentKindOf`, with a JWT. A value that was chosen for checks stands for bank mode. */
export function legacyKindOf(this: IExecuteFunctions, itemIndex: number): LegacyKind {
	const kind = this.getNodeParameter('documentKind', itemIndex, 'bankStatement') as string;
	if (kind === 'bankStatement' || kind === 'checks') return 'bankStatement';
	if (kind === 'invoice' || kind === 'form' || kind === 'other') return kind;
	throw operationFailure(this.getNode(), `The value '${kind}' in 'Document Kind' is not known`, {
		itemIndex,
		description: 'Use bankStatement, invoice, form or other',
	});
}

/** Texts from a comma-separated text, a number, or an array of them; each once. */
export function listOf(value: unknown): string[] {
	const parts: unknown[] = Array.isArray(value) ? value : [value];
	const entries = parts.flatMap((part) =>
		typeof part === 'string' || typeof part === 'number' ? String(part).split(',') : [],
	);
	return [...new Set(entries.map((entry) => entry.trim()))].filter((entry) => entry !== '');
}

/** The ids in 'Document IDs'. Throws NodeOperationError where there is none. */
export function documentIdsOf(this: IExecuteFunctions, itemIndex: number): string[] {
	const documentIds = listOf(this.getNodeParameter('documentIds', itemIndex));
	if (documentIds.length > 0) return documentIds;
	throw operationFailure(this.getNode(), "No document is given in 'Document IDs'", {
		itemIndex,
		description:
			"Enter the IDs in 'Document IDs', or map them from Document: Upload, for example {{ $json.documentId }}",
	});
}

/** Seconds in 'Expires In'; undefined where it is not set. Throws NodeOperationError for no number. */
export function expiresInOf(
	this: IExecuteFunctions,
	value: unknown,
	itemIndex: number,
): number | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	const seconds = Number(value);
	if (Number.isInteger(seconds) && seconds >= 1) return seconds;
	throw operationFailure(
		this.getNode(),
		"The value in 'Expires In' is not a whole number of seconds",
		{ itemIndex, description: "Enter a number such as 3600 in 'Expires In'" },
	);
}

/** Minutes of a wait as milliseconds. Throws NodeOperationError where it is no number. */
export function waitLimitMs(this: IExecuteFunctions, value: unknown, itemIndex: number): number {
	const limit = typeof value === 'number' ? value : Number(value === '' ? Number.NaN : value);
	if (!Number.isFinite(limit) || limit < 0) {
		throw operationFailure(this.getNode(), "The value in 'Wait Limit' is not a number of minutes", {
			itemIndex,
			description: "Enter a number such as 10 in 'Wait Limit'",
		});
	}
	return limit * 60_000;
}
