import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { accessOf } from '../../../shared/transport/access';
import { uploadFile } from '../../../shared/transport/upload';
import { filesOfItem } from '../../extract/files';
import { fileFields, fileNameOption, mimeTypeOption } from '../fields';
import { perItem } from '../outcome';

const properties: INodeProperties[] = [
	...fileFields,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [fileNameOption, mimeTypeOption],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['document'], operation: ['upload'] } },
	properties,
);

/** Uploads the files of an item; one item for each document. The files stay with the items. */
async function uploadItem(
	this: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const files = await filesOfItem.call(this, itemIndex);
	const binary = this.getInputData()[itemIndex]?.binary;
	const items: INodeExecutionData[] = [];
	for (const file of files) {
		const { documentId, fileName, mimeType, size, fieldName } = await uploadFile.call(
			this,
			access,
			file,
		);
		items.push({
			json: {
				documentId,
				fileName,
				mimeType,
				size,
				...(fieldName === null ? {} : { fieldName }),
			},
			...(binary === undefined ? {} : { binary }),
			pairedItem: { item: itemIndex },
		});
	}
	return items;
}

export const execute = perItem(uploadItem);
