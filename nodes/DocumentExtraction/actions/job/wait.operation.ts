import { updateDisplayOptions, type IExecuteFunctions } from 'n8n-workflow';

import { recordToItem } from '../../../shared/extraction';
import { accessOf } from '../../../shared/transport/access';
import { gate, REQUESTS_AT_ONCE, type Gate } from '../../../shared/transport/gate';
import { jobFailure } from '../../../shared/transport/jobs';
import { waitForJob } from '../../../shared/transport/wait';
import { idOf, jobIdField, waitLimitField, waitLimitMs } from '../fields';
import { asFailure, type Outcome } from '../outcome';

export const description = updateDisplayOptions(
	{ show: { resource: ['job'], operation: ['wait'] } },
	[jobIdField, waitLimitField],
);

async function waitForItem(
	this: IExecuteFunctions,
	itemIndex: number,
	turns: Gate,
): Promise<Outcome> {
	try {
		const access = await accessOf.call(this, itemIndex);
		const jobId = idOf.call(this, 'jobId', itemIndex);
		const limitMs = waitLimitMs.call(
			this,
			this.getNodeParameter('waitLimit', itemIndex, 10),
			itemIndex,
		);
		const waiting = { jobId, itemIndex, limitMs, justCreated: false, gate: turns };
		const end = await waitForJob.call(this, access, waiting);
		if ('failure' in end) return { itemIndex, failure: end.failure };
		const { job } = end;
		if (job.state !== 'succeeded') {
			return { itemIndex, failure: jobFailure.call(this, job, itemIndex) };
		}
		return { itemIndex, items: [recordToItem({ ...job.record, jobId: job.id }, itemIndex)] };
	} catch (error) {
		return { itemIndex, failure: asFailure.call(this, error, itemIndex) };
	}
}

/** Waits for the jobs of all items at the same time, and gives their records. */
export async function execute(this: IExecuteFunctions, itemIndexes: number[]): Promise<Outcome[]> {
	const turns = gate(REQUESTS_AT_ONCE);
	return await Promise.all(
		itemIndexes.map(async (index) => await waitForItem.call(this, index, turns)),
	);
}
