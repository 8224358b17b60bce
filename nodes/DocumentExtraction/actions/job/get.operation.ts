import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { recordToItem } from '../../../shared/extraction';
import { accessOf } from '../../../shared/transport/access';
import { getJob } from '../../../shared/transport/jobs';
import { idOf, jobIdField } from '../fields';
import { perItem } from '../outcome';

export const description = updateDisplayOptions(
	{ show: { resource: ['job'], operation: ['get'] } },
	[jobIdField],
);

/** The record of one job, whatever its status: a job that failed is no failure of this operation. */
async function get(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const jobId = idOf.call(this, 'jobId', itemIndex);
	const job = await getJob.call(this, access, jobId, itemIndex);
	return [recordToItem({ ...job.record, jobId: job.id }, itemIndex)];
}

export const execute = perItem(get);
