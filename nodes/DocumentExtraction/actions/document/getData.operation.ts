import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { OutputMode } from '../../../shared/extraction';
import { accessOf } from '../../../shared/transport/access';
import { documentData } from '../../extract/results';
import { documentIdField, idOf, outputField } from '../fields';
import { perItem } from '../outcome';

export const description = updateDisplayOptions(
	{ show: { resource: ['document'], operation: ['getData'] } },
	[documentIdField, outputField],
);

/** GET /agent/documents/{id}/data: what was extracted from one document. */
async function getData(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const documentId = idOf.call(this, 'documentId', itemIndex);
	const output = this.getNodeParameter('output', itemIndex, 'transactions') as OutputMode;
	return await documentData.call(this, access, { documentId, output, itemIndex });
}

export const execute = perItem(getData);
