import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { recordToItem } from '../../../shared/extraction';
import { projectDocuments } from '../../../shared/projects/requests';
import { accessOf } from '../../../shared/transport/access';
import { idOf, limitFields, limitOf, projectIdField } from '../fields';
import { perItem } from '../outcome';

const properties: INodeProperties[] = [projectIdField, ...limitFields];

export const description = updateDisplayOptions(
	{ show: { resource: ['project'], operation: ['getDocuments'] } },
	properties,
);

/** GET /agent/projects/{id}/documents: one item for each document, newest first. */
async function getDocuments(
	this: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const projectId = idOf.call(this, 'projectId', itemIndex);
	const limit = limitOf.call(this, itemIndex);
	const options = { limit, itemIndex };
	const documents = await projectDocuments.call(this, access, projectId, options);
	return documents.map(({ id, record }) =>
		recordToItem({ ...record, documentId: id, projectId }, itemIndex),
	);
}

export const execute = perItem(getDocuments);
