import {
	updateDisplayOptions,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { accessOf, type Access } from '../../../shared/transport/access';
import type { InputFile } from '../../../shared/transport/file';
import { uploadByForm } from '../../../shared/transport/formUpload';
import { uploadToPresignedAddress } from '../../../shared/transport/presignedUpload';
import { uploadFile, type UploadedDocument } from '../../../shared/transport/upload';
import { filesOfItem } from '../../extract/files';
import {
	expiresInOf,
	expiresInOption,
	fileFields,
	fileNameOption,
	mimeTypeOption,
} from '../fields';
import { perItem } from '../outcome';

/** The options of one way to upload; the node keeps what is set when the way is changed. */
function optionsField(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	};
}

const uploadMethodField: INodeProperties = {
	displayName: 'Upload Method',
	name: 'uploadMethod',
	type: 'options',
	default: 'form',
	description: 'How the files go to the service',
	options: [
		{
			name: 'Form',
			value: 'form',
			description: 'One request to the service, which says how many pages the file has',
		},
		{
			name: 'Presigned Address',
			value: 'presigned',
			description: 'Straight to the storage of the service, also for PDFs that need a password',
		},
	],
};

const formOptions: INodeProperties[] = [
	{
		displayName: 'Do Not Wait',
		name: 'asyncProcessing',
		type: 'boolean',
		default: false,
		description:
			'Whether the service answers before it has looked into the file. Page count and metadata are left out then.',
	},
	fileNameOption,
	{
		displayName: 'Include Metadata',
		name: 'includeMetadata',
		type: 'boolean',
		default: false,
		description: 'Whether to return what the file says about itself, such as its title and author',
	},
	mimeTypeOption,
];

const presignedOptions: INodeProperties[] = [
	{
		displayName: 'Customer ID',
		name: 'customerId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1042',
		description: 'An ID of your own that the service keeps with the document',
	},
	expiresInOption,
	fileNameOption,
	mimeTypeOption,
	{
		displayName: 'Password',
		name: 'password',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'Opens an encrypted PDF. The service forgets it when the document has been read.',
	},
	{
		displayName: 'Send Checksum',
		name: 'sendChecksum',
		type: 'boolean',
		default: false,
		description:
			'Whether the storage compares the MD5 of the file with what arrives. The file is read twice.',
	},
];

const properties: INodeProperties[] = [
	...updateDisplayOptions({ show: { authentication: ['jwt'] } }, [uploadMethodField]),
	...fileFields,
	...updateDisplayOptions({ show: { authentication: ['accessToken'] } }, [
		optionsField([fileNameOption, mimeTypeOption]),
	]),
	...updateDisplayOptions({ show: { authentication: ['jwt'], uploadMethod: ['form'] } }, [
		optionsField(formOptions),
	]),
	...updateDisplayOptions({ show: { authentication: ['jwt'], uploadMethod: ['presigned'] } }, [
		optionsField(presignedOptions),
	]),
];

export const description = updateDisplayOptions(
	{ show: { resource: ['document'], operation: ['upload'] } },
	properties,
);

/** An upload, with what its answer says besides. */
type Upload = (file: InputFile) => Promise<{ document: UploadedDocument; facts: IDataObject }>;

/** A text that is not trimmed: a password may begin or end with a space. */
function textOf(value: unknown): string | undefined {
	const text = typeof value === 'number' ? String(value) : value;
	return typeof text === 'string' && text !== '' ? text : undefined;
}

/** The way to upload that the settings of the item choose. */
function uploadOf(this: IExecuteFunctions, access: Access, itemIndex: number): Upload {
	if (access.authentication === 'accessToken') {
		return async (file) => ({ document: await uploadFile.call(this, access, file), facts: {} });
	}
	const options = this.getNodeParameter('options', itemIndex, {}) as IDataObject;
	if (this.getNodeParameter('uploadMethod', itemIndex, 'form') !== 'presigned') {
		const metadata = options.includeMetadata === true;
		const asyncProcessing = options.asyncProcessing === true;
		return async (file) => {
			const asked = { metadata, asyncProcessing };
			const document = await uploadByForm.call(this, access, file, asked);
			return { document, facts: { ...document.facts } as IDataObject };
		};
	}
	const customerId = textOf(options.customerId);
	const password = textOf(options.password);
	const expiresIn = expiresInOf.call(this, options.expiresIn, itemIndex);
	const asked = {
		...(customerId === undefined ? {} : { customerId }),
		...(password === undefined ? {} : { password }),
		...(expiresIn === undefined ? {} : { expiresIn }),
		sendChecksum: options.sendChecksum === true,
	};
	return async (file) => ({
		document: await uploadToPresignedAddress.call(this, access, file, asked),
		facts: {},
	});
}

/** Uploads the files of an item; one item for each document. The files stay with the items. */
async function uploadItem(
	this: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const upload = uploadOf.call(this, access, itemIndex);
	const files = await filesOfItem.call(this, itemIndex);
	const binary = this.getInputData()[itemIndex]?.binary;
	const items: INodeExecutionData[] = [];
	for (const file of files) {
		const { document, facts } = await upload(file);
		const { documentId, fileName, mimeType, size, fieldName } = document;
		items.push({
			json: {
				documentId,
				fileName,
				mimeType,
				size,
				...(fieldName === null ? {} : { fieldName }),
				...facts,
			},
			...(binary === undefined ? {} : { binary }),
			pairedItem: { item: itemIndex },
		});
	}
	return items;
}

export const execute = perItem(uploadItem);
