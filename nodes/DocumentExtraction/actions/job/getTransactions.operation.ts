import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { flatRowsToItems } from '../../../shared/extraction';
import { accessOf } from '../../../shared/transport/access';
import { jobTask } from '../../../shared/transport/jobs';
import { askForJson, segment } from '../../../shared/transport/request';
import { idOf, jobIdField } from '../fields';
import { perItem } from '../outcome';

const properties: INodeProperties[] = [
	jobIdField,
	{
		displayName: 'Include Raw',
		name: 'includeRaw',
		type: 'boolean',
		default: false,
		description:
			'Whether to return every line that was read from the pages instead of only the transactions',
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['job'], operation: ['getTransactions'] } },
	properties,
);

/** GET /agent/jobs/{id}/transactions: the flat rows of one job. */
async function getTransactions(
	this: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const jobId = idOf.call(this, 'jobId', itemIndex);
	const includeRaw = this.getNodeParameter('includeRaw', itemIndex, false) === true;
	const { body } = await askForJson.call(
		this,
		access,
		{
			method: 'GET',
			path: `/agent/jobs/${segment(jobId)}/transactions`,
			...(includeRaw ? { query: { includeRaw: 'true' } } : {}),
		},
		jobTask(itemIndex, jobId, `give the transactions of the job ${jobId}`),
	);
	return flatRowsToItems({ body }, { pairedItem: itemIndex });
}

export const execute = perItem(getTransactions);
