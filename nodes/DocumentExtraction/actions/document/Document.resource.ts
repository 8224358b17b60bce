import type { INodeProperties } from 'n8n-workflow';

import * as download from './download.operation';
import * as extract from './extract.operation';
import * as get from './get.operation';
import * as getData from './getData.operation';
import * as getTransactions from './getTransactions.operation';
import * as upload from './upload.operation';

export { download, extract, get, getData, getTransactions, upload };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { authentication: ['accessToken'], resource: ['document'] } },
		default: 'extract',
		options: [
			{
				name: 'Extract',
				value: 'extract',
				description: 'Upload files, wait for the extraction and get the rows',
				action: 'Extract document',
			},
			{
				name: 'Get',
				value: 'get',
				description: 'Get the state of a document',
				action: 'Get document',
			},
			{
				name: 'Get Data',
				value: 'getData',
				description: 'Get what was extracted from a document, with balances and totals',
				action: 'Get data of document',
			},
			{
				name: 'Get Transactions',
				value: 'getTransactions',
				description: 'Get the transactions of a document as items or as a CSV file',
				action: 'Get transactions of document',
			},
			{
				name: 'Upload',
				value: 'upload',
				description: 'Upload files without extracting them yet',
				action: 'Upload document',
			},
		],
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { authentication: ['jwt'], resource: ['document'] } },
		default: 'upload',
		options: [
			{
				name: 'Download',
				value: 'download',
				description: 'Get the file of a document, or the address where it lies',
				action: 'Download document',
			},
			{
				name: 'Upload',
				value: 'upload',
				description: 'Upload files without extracting them yet, also with a password',
				action: 'Upload document',
			},
		],
	},
	...download.description,
	...extract.description,
	...get.description,
	...getData.description,
	...getTransactions.description,
	...upload.description,
];
