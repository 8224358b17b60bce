import type { IExecuteFunctions } from 'n8n-workflow';

import type { OutputMode } from '../../shared/extraction';
import type { Access } from '../../shared/transport/access';
import { createJob, type DocumentKind } from '../../shared/transport/jobs';
import type { UploadedDocument } from '../../shared/transport/upload';
import { asFailure, isCancelled } from '../actions/outcome';
import type { FailedItem, UploadedItem } from './uploads';

/** What one job is to be made of. */
export interface JobPlan {
	access: Access;
	kind: DocumentKind;
	output: OutputMode;
	limitMs: number;
	documents: UploadedDocument[];
	/** Input items whose files are in the job, ascending. */
	itemIndexes: [number, ...number[]];
}

/** A job that is on its way at the service. */
export interface StartedJob extends JobPlan {
	jobId: string;
}

/**
 * One plan for each file, or one for all files. Files of different kinds, of different credentials
 * or with a different output cannot share a job; they get one job for each combination.
 */
export function planJobs(items: readonly UploadedItem[]): JobPlan[] {
	const plans = new Map<string, JobPlan>();
	items.forEach((item) => {
		const { itemIndex, access, kind, output, limitMs, jobMode } = item;
		item.documents.forEach((document, position) => {
			const key = JSON.stringify(
				jobMode === 'jobForAll'
					? [access.credentialType, access.baseUrl, kind, output]
					: [itemIndex, position],
			);
			const plan = plans.get(key);
			if (plan === undefined) {
				const documents = [document];
				plans.set(key, { access, kind, output, limitMs, documents, itemIndexes: [itemIndex] });
				return;
			}
			plan.documents.push(document);
			plan.limitMs = Math.max(plan.limitMs, limitMs);
			if (!plan.itemIndexes.includes(itemIndex)) plan.itemIndexes.push(itemIndex);
		});
	});
	return [...plans.values()];
}

/** Creates the jobs of all items. Stops at a failure, unless the node goes on after errors. */
export async function createJobs(
	this: IExecuteFunctions,
	items: readonly UploadedItem[],
): Promise<{ jobs: StartedJob[]; failures: FailedItem[] }> {
	const jobs: StartedJob[] = [];
	const failures: FailedItem[] = [];
	for (const plan of planJobs(items)) {
		const { access, kind, documents, itemIndexes } = plan;
		try {
			const job = await createJob.call(this, access, {
				documentIds: [...new Set(documents.map(({ documentId }) => documentId))],
				kind,
				itemIndex: itemIndexes[0],
			});
			jobs.push({ ...plan, jobId: job.id });
		} catch (error) {
			for (const itemIndex of itemIndexes) {
				failures.push({ itemIndex, failure: asFailure.call(this, error, itemIndex) });
			}
		}
		if (failures.length > 0 && (!this.continueOnFail() || isCancelled.call(this))) break;
	}
	return { jobs, failures };
}
