import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { isJsonObject } from '../../../shared/extraction/model';
import { recordToItem } from '../../../shared/extraction';
import { accessOf } from '../../../shared/transport/access';
import { askForJson, segment } from '../../../shared/transport/request';
import { documentIdField, idOf } from '../fields';
import { perItem } from '../outcome';

export const description = updateDisplayOptions(
	{ show: { resource: ['document'], operation: ['get'] } },
	[documentIdField],
);

/** GET /agent/documents/{id}: the record of one document, with its id also as `documentId`. */
async function getDocument(
	this: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const documentId = idOf.call(this, 'documentId', itemIndex);
	const { body } = await askForJson.call(
		this,
		access,
		{ method: 'GET', path: `/agent/documents/${segment(documentId)}` },
		{
			itemIndex,
			doing: `tell about the document ${documentId}`,
			subject: `The document ${documentId}`,
			field: 'Document',
			details: { documentId },
		},
	);
	// Under the name that the other operations ask for, so that a workflow can pass it on.
	return [recordToItem(isJsonObject(body) ? { ...body, documentId } : body, itemIndex)];
}

export const execute = perItem(getDocument);
