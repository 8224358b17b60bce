import {
	updateDisplayOptions,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { accessOf } from '../../../shared/transport/access';
import { downloadAddress, downloadTask } from '../../../shared/transport/download';
import { header, remoteFileName } from '../../../shared/transport/openAddress';
import { keepFileAt } from '../../../shared/transport/storedFile';
import { documentByIdField, expiresInOf, expiresInOption, idOf, outputDataField } from '../fields';
import { perItem } from '../outcome';

const properties: INodeProperties[] = [
	documentByIdField,
	{
		displayName: 'Output',
		name: 'downloadAs',
		type: 'options',
		default: 'file',
		options: [
			{
				name: 'Address',
				value: 'address',
				description: 'Where the file can be fetched without signing in, until it expires',
			},
			{ name: 'File', value: 'file', description: 'The file, as it was uploaded' },
		],
	},
	...updateDisplayOptions({ show: { downloadAs: ['file'] } }, [outputDataField]),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [expiresInOption],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['document'], operation: ['download'] } },
	properties,
);

/** GET /protected/document/{id}/downloads3: the file of a document, or the address where it lies. */
async function download(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const documentId = idOf.call(this, 'documentId', itemIndex);
	const options = this.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const expiresIn = expiresInOf.call(this, options.expiresIn, itemIndex);
	const address = await downloadAddress.call(this, access, documentId, {
		...(expiresIn === undefined ? {} : { expiresIn }),
		itemIndex,
	});
	const pairedItem = { item: itemIndex };
	if (this.getNodeParameter('downloadAs', itemIndex, 'file') === 'address') {
		const { url, expiresIn: seconds, fileName = null, mimeType = null } = address;
		return [{ json: { documentId, url, expiresIn: seconds, fileName, mimeType }, pairedItem }];
	}
	const field = this.getNodeParameter('outputDataFieldName', itemIndex, 'data') as string;
	const labelOf = (headers: Record<string, unknown>) => ({
		fileName:
			address.fileName ??
			remoteFileName(header(headers, 'content-disposition'), address.url) ??
			`document-${documentId}`,
		mimeType: address.mimeType ?? header(headers, 'content-type') ?? 'application/octet-stream',
	});
	const task = downloadTask(itemIndex, documentId);
	const file = await keepFileAt.call(this, address.url, labelOf, task);
	const { binary, fileName, mimeType, size } = file;
	return [
		{
			json: { documentId, fileName, mimeType, size },
			binary: { ...this.getInputData()[itemIndex]?.binary, [field.trim() || 'data']: binary },
			pairedItem,
		},
	];
}

export const execute = perItem(download);
