import type { INodeProperties } from 'n8n-workflow';

import * as getMany from './getMany.operation';
import * as run from './run.operation';

export { getMany, run };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { authentication: ['accessToken'], resource: ['tool'] } },
		default: 'run',
		options: [
			{
				name: 'Get Many',
				value: 'getMany',
				description: 'Get the tools of the service, each with the schema of its parameters',
				action: 'Get many tools',
			},
			{
				name: 'Run',
				value: 'run',
				description: 'Run a tool of the service with the parameters that it asks for',
				action: 'Run tool',
			},
		],
	},
	...getMany.description,
	...run.description,
];
