import type { INodeProperties } from 'n8n-workflow';

import * as getManySignals from './getManySignals.operation';
import * as getScore from './getScore.operation';

export { getManySignals, getScore };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { authentication: ['jwt'], resource: ['fraud'] } },
		default: 'getScore',
		options: [
			{
				name: 'Get Many Signals',
				value: 'getManySignals',
				description: 'Get what points to tampering in a bank statement',
				action: 'Get many fraud signals',
			},
			{
				name: 'Get Score',
				value: 'getScore',
				description: 'Get how likely it is that a bank statement was tampered with',
				action: 'Get fraud score',
			},
		],
	},
	...getManySignals.description,
	...getScore.description,
];
