import { createHash } from 'crypto';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { checkedFile, type FileOverrides, type FileSource, type InputFile } from './file';
import { operationFailure } from './failures';

/** The names in a comma-separated list, each once. */
export function fieldNames(list: string): string[] {
	return [...new Set(list.split(',').map((name) => name.trim()))].filter((name) => name !== '');
}

function fieldsThatExist(this: IExecuteFunctions, itemIndex: number): string {
	const names = Object.keys(this.getInputData()[itemIndex]?.binary ?? {});
	if (names.length === 0) {
		return 'This item has no files. Use a node before this one that reads or downloads the file';
	}
	return `Fields of this item that hold a file: ${names.map((name) => `'${name}'`).join(', ')}. Enter one of them in 'Input Data Field Name'`;
}

async function contentOf(this: IExecuteFunctions, binary: IBinaryData): Promise<FileSource> {
	const { id, data } = binary;
	if (id === undefined || id === '') {
		const bytes = Buffer.from(data, 'base64');
		const digest = createHash('sha256').update(bytes).digest('hex');
		return { size: bytes.length, identity: digest, open: async () => bytes };
	}
	const { fileSize } = await this.helpers.getBinaryMetadata(id);
	return {
		size: Number(fileSize),
		identity: id,
		open: async () => await this.helpers.getBinaryStream(id),
	};
}

function binaryOf(
	this: IExecuteFunctions,
	itemIndex: number,
	fieldName: string,
): IBinaryData | undefined {
	try {
		return this.helpers.assertBinaryData(itemIndex, fieldName);
	} catch {
		// n8n's own text does not name the fields that exist; ours does.
		return undefined;
	}
}

/**
 * Takes the file of one input field. Works for files that n8n keeps on disk or in its database and
 * for those that are inside the item. Throws NodeOperationError where there is no such field, the
 * file is empty, or the service cannot read its type.
 */
export async function inputFile(
	this: IExecuteFunctions,
	itemIndex: number,
	fieldName: string,
	overrides: FileOverrides,
): Promise<InputFile> {
	const binary = binaryOf.call(this, itemIndex, fieldName);
	if (binary === undefined) {
		throw operationFailure(this.getNode(), `There is no file in the field '${fieldName}'`, {
			itemIndex,
			description: fieldsThatExist.call(this, itemIndex),
			details: { field: fieldName },
		});
	}
	const { fileName, fileExtension: extension, mimeType } = binary;
	const origin = `the node that gives the field '${fieldName}'`;
	const claims = { itemIndex, fieldName, fileName, extension, mimeType, origin };
	return await checkedFile.call(this, claims, overrides, async () => {
		return await contentOf.call(this, binary);
	});
}
