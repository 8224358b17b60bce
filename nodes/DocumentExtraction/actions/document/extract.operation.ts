import { updateDisplayOptions, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

import { prepareItem, type PreparedItem } from '../../extract/files';
import { createJobs } from '../../extract/jobs';
import { resultsOf } from '../../extract/results';
import { uploadItems } from '../../extract/uploads';
import {
	documentKindField,
	fileNameOption,
	fileFields,
	mimeTypeOption,
	outputField,
	waitLimitField,
} from '../fields';
import { asFailure, isCancelled, type Outcome } from '../outcome';

const properties: INodeProperties[] = [
	...fileFields,
	documentKindField,
	{
		displayName: 'Create',
		name: 'jobMode',
		type: 'options',
		default: 'jobPerFile',
		description: 'How the files are put into jobs at the service',
		options: [
			{
				name: 'One Job per File',
				value: 'jobPerFile',
				description: 'A file that cannot be read does not affect the others',
			},
			{
				name: 'One Job for All Files',
				value: 'jobForAll',
				description: 'All files of all items in one job, which fails if one of them cannot be read',
			},
		],
	},
	outputField,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [fileNameOption, mimeTypeOption, waitLimitField],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['document'], operation: ['extract'] } },
	properties,
);

/**
 * Upload, create, wait, read, for all items together: every file is checked before the first one
 * is uploaded, every file is uploaded before the first job is created (so that no job is paid for
 * when an upload fails), and all jobs are waited for at the same time.
 */
export async function execute(this: IExecuteFunctions, itemIndexes: number[]): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	const stops = () =>
		isCancelled.call(this) ||
		(!this.continueOnFail() && outcomes.some((outcome) => 'failure' in outcome));

	const prepared: PreparedItem[] = [];
	for (const itemIndex of itemIndexes) {
		try {
			prepared.push(await prepareItem.call(this, itemIndex));
		} catch (error) {
			outcomes.push({ itemIndex, failure: asFailure.call(this, error, itemIndex) });
		}
		if (stops()) return outcomes;
	}

	const uploads = await uploadItems.call(this, prepared);
	outcomes.push(...uploads.failures);
	if (stops()) return outcomes;

	const jobs = await createJobs.call(this, uploads.items);
	outcomes.push(...jobs.failures);
	if (stops()) return outcomes;

	outcomes.push(...(await resultsOf.call(this, jobs.jobs)));
	return outcomes.sort((left, right) => left.itemIndex - right.itemIndex);
}
