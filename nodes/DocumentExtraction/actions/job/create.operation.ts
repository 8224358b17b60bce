import {
	updateDisplayOptions,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { recordToItem } from '../../../shared/extraction';
import { accessOf } from '../../../shared/transport/access';
import { createJob, createLegacyJob } from '../../../shared/transport/jobs';
import {
	documentIdsField,
	documentIdsOf,
	documentKindField,
	documentKindOf,
	legacyKindField,
	legacyKindOf,
} from '../fields';
import { perItem } from '../outcome';

const withToken = updateDisplayOptions({ show: { authentication: ['accessToken'] } }, [
	documentKindField,
]);

const withJwt = updateDisplayOptions({ show: { authentication: ['jwt'] } }, [
	legacyKindField,
	{
		displayName: 'Template ID',
		name: 'templateId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 12',
		description: 'The template to read the documents with; empty for text recognition alone',
		displayOptions: { show: { documentKind: ['other'] } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Job Name',
				name: 'jobName',
				type: 'string',
				default: '',
				placeholder: 'e.g. Statements of March',
				description: 'A name under which the service shows the job',
			},
		],
	},
] satisfies INodeProperties[]);

export const description = updateDisplayOptions(
	{ show: { resource: ['job'], operation: ['create'] } },
	[documentIdsField, ...withToken, ...withJwt],
);

function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** POST /agent/jobs, or POST /protected/job with a JWT, for the documents of one item. */
async function create(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const documentIds = documentIdsOf.call(this, itemIndex);
	if (access.authentication === 'jwt') {
		const options = this.getNodeParameter('options', itemIndex, {}) as IDataObject;
		const job = await createLegacyJob.call(this, access, {
			documentIds,
			kind: legacyKindOf.call(this, itemIndex),
			jobName: textOf(options.jobName),
			templateId: textOf(this.getNodeParameter('templateId', itemIndex, '')),
			itemIndex,
		});
		return [recordToItem({ ...job.record, jobId: job.id, documentIds }, itemIndex)];
	}
	const kind = documentKindOf.call(this, itemIndex);
	const job = await createJob.call(this, access, { documentIds, kind, itemIndex });
	return [recordToItem({ ...job.record, jobId: job.id, documentIds }, itemIndex)];
}

export const execute = perItem(create);
