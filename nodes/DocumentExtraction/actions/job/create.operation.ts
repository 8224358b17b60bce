import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { recordToItem } from '../../../shared/extraction';
import { accessOf } from '../../../shared/transport/access';
import { operationFailure } from '../../../shared/transport/failures';
import { createJob } from '../../../shared/transport/jobs';
import { documentKindField, documentKindOf } from '../fields';
import { perItem } from '../outcome';

const properties: INodeProperties[] = [
	{
		displayName: 'Document IDs',
		name: 'documentIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 42, 43',
		description: 'IDs of uploaded documents, separated by commas. An expression may give an array.',
	},
	documentKindField,
];

export const description = updateDisplayOptions(
	{ show: { resource: ['job'], operation: ['create'] } },
	properties,
);

/** Ids from a comma-separated text, a number, or an array of them; each once. */
export function documentIdsOf(value: unknown): string[] {
	const parts: unknown[] = Array.isArray(value) ? value : [value];
	const ids = parts.flatMap((part) =>
		typeof part === 'string' || typeof part === 'number' ? String(part).split(',') : [],
	);
	return [...new Set(ids.map((id) => id.trim()))].filter((id) => id !== '');
}

/** POST /agent/jobs for the documents of one item. */
async function create(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const documentIds = documentIdsOf(this.getNodeParameter('documentIds', itemIndex));
	if (documentIds.length === 0) {
		throw operationFailure(this.getNode(), "No document is given in 'Document IDs'", {
			itemIndex,
			description:
				"Enter the IDs in 'Document IDs', or map them from Document: Upload, for example {{ $json.documentId }}",
		});
	}
	const kind = documentKindOf.call(this, itemIndex);
	const job = await createJob.call(this, access, { documentIds, kind, itemIndex });
	return [recordToItem({ ...job.record, jobId: job.id, documentIds }, itemIndex)];
}

export const execute = perItem(create);
