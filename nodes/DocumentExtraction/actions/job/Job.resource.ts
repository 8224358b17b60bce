import type { INodeProperties } from 'n8n-workflow';

import * as create from './create.operation';
import * as exportJob from './export.operation';
import * as get from './get.operation';
import * as getData from './getData.operation';
import * as getTransactions from './getTransactions.operation';
import * as wait from './wait.operation';

export { create, exportJob, get, getData, getTransactions, wait };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { authentication: ['accessToken'], resource: ['job'] } },
		default: 'create',
		options: [
			{
				name: 'Create',
				value: 'create',
				description: 'Start the extraction of uploaded documents',
				action: 'Create job',
			},
			{
				name: 'Get',
				value: 'get',
				description: 'Get the status of a job',
				action: 'Get job',
			},
			{
				name: 'Get Data',
				value: 'getData',
				description: 'Get what a job extracted, with balances and totals',
				action: 'Get data of job',
			},
			{
				name: 'Get Transactions',
				value: 'getTransactions',
				description: 'Get the transactions that a job extracted',
				action: 'Get transactions of job',
			},
			{
				name: 'Wait',
				value: 'wait',
				description: 'Wait until a job has ended',
				action: 'Wait for job',
			},
		],
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { authentication: ['jwt'], resource: ['job'] } },
		default: 'get',
		options: [
			{
				name: 'Create',
				value: 'create',
				description: 'Start the extraction of uploaded documents',
				action: 'Create job',
			},
			{
				name: 'Export',
				value: 'export',
				description: 'Get what a job extracted, as items or as a CSV file',
				action: 'Export job',
			},
			{
				name: 'Get',
				value: 'get',
				description: 'Get the status of a job',
				action: 'Get job',
			},
			{
				name: 'Wait',
				value: 'wait',
				description: 'Wait until a job has ended',
				action: 'Wait for job',
			},
		],
	},
	...create.description,
	...exportJob.description,
	...get.description,
	...getData.description,
	...getTransactions.description,
	...wait.description,
];
