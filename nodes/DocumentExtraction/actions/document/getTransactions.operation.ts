import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { flatRowsToItems } from '../../../shared/extraction';
import { accessOf } from '../../../shared/transport/access';
import type { Task } from '../../../shared/transport/failures';
import { ask, askForJson, segment } from '../../../shared/transport/request';
import { documentIdField, idOf, outputDataField } from '../fields';
import { isTool, perItem } from '../outcome';

const properties: INodeProperties[] = [
	documentIdField,
	{
		displayName: 'Format',
		name: 'format',
		type: 'options',
		default: 'json',
		options: [
			{ name: 'CSV', value: 'csv', description: 'One item with a CSV file' },
			{ name: 'JSON', value: 'json', description: 'One item for each transaction' },
		],
	},
	...updateDisplayOptions({ show: { format: ['csv'] } }, [outputDataField]),
];

export const description = updateDisplayOptions(
	{ show: { resource: ['document'], operation: ['getTransactions'] } },
	properties,
);

/** GET /agent/documents/{id}/transactions: the flat rows as items, or as the service's CSV file. */
async function getTransactions(
	this: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const documentId = idOf.call(this, 'documentId', itemIndex);
	const path = `/agent/documents/${segment(documentId)}/transactions`;
	const task: Task = {
		itemIndex,
		doing: `give the transactions of the document ${documentId}`,
		subject: `The document ${documentId}`,
		field: 'Document',
		details: { documentId },
	};
	if (this.getNodeParameter('format', itemIndex, 'json') !== 'csv') {
		const { body } = await askForJson.call(this, access, { method: 'GET', path }, task);
		return flatRowsToItems({ body }, { pairedItem: itemIndex, documentId });
	}
	const fieldName = this.getNodeParameter('outputDataFieldName', itemIndex, 'data') as string;
	const { text } = await ask.call(
		this,
		access,
		{ method: 'GET', path, query: { format: 'csv' }, headers: { Accept: 'text/csv' } },
		task,
	);
	const fileName = `transactions-${documentId.replace(/[^\w.-]+/g, '_')}.csv`;
	const file = await this.helpers.prepareBinaryData(
		Buffer.from(text, 'utf8'),
		fileName,
		'text/csv',
	);
	// A file does not reach the model of an agent; the text does.
	const forModel = isTool.call(this) ? { csv: text } : {};
	return [
		{
			json: { documentId, fileName, mimeType: 'text/csv', ...forModel },
			binary: { ...this.getInputData()[itemIndex]?.binary, [fieldName.trim() || 'data']: file },
			pairedItem: { item: itemIndex },
		},
	];
}

export const execute = perItem(getTransactions);
