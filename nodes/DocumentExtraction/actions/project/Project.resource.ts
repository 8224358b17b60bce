import type { INodeProperties } from 'n8n-workflow';

import * as getDocuments from './getDocuments.operation';
import * as getMany from './getMany.operation';

export { getDocuments, getMany };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { authentication: ['accessToken'], resource: ['project'] } },
		default: 'getDocuments',
		options: [
			{
				name: 'Get Documents',
				value: 'getDocuments',
				description: 'Get the documents of a project, newest first',
				action: 'Get documents of project',
			},
			{
				name: 'Get Many',
				value: 'getMany',
				description: 'Get the projects of the account',
				action: 'Get many projects',
			},
		],
	},
	...getDocuments.description,
	...getMany.description,
];
