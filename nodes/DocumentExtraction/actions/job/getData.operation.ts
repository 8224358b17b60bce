import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { OutputMode } from '../../../shared/extraction';
import { accessOf } from '../../../shared/transport/access';
import { jobData } from '../../extract/results';
import { idOf, jobIdField, outputField } from '../fields';
import { perItem } from '../outcome';

export const description = updateDisplayOptions(
	{ show: { resource: ['job'], operation: ['getData'] } },
	[jobIdField, outputField],
);

/** GET /agent/jobs/{id}/data: what was extracted from the documents of one job. */
async function getData(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const jobId = idOf.call(this, 'jobId', itemIndex);
	const output = this.getNodeParameter('output', itemIndex, 'transactions') as OutputMode;
	return await jobData.call(this, access, { jobId, output, itemIndex, pairedItem: itemIndex });
}

export const execute = perItem(getData);
