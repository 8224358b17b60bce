import { createHash } from 'crypto';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { operationFailure } from './failures';
import { extensionFor, READABLE_TYPES, readableType } from './fileType';

/** What a request can carry as a body: bytes, or a stream of them. */
export type FileContent =
	Buffer | Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

/** A file that is ready to be uploaded. Nothing of its content is in memory if n8n keeps it on disk. */
export interface InputFile {
	itemIndex: number;
	/** Name of the input field that holds it. */
	fieldName: string;
	fileName: string;
	/** One of the types that the service reads. */
	mimeType: string;
	/** In bytes, more than zero. */
	size: number;
	/** The same for the same file in a retry of the same execution. */
	identity: string;
	/** The content from its first byte. Each call opens it anew. */
	open(): Promise<FileContent>;
}

/** What the user set instead of what the file says about itself. */
export interface FileOverrides {
	fileName?: string;
	mimeType?: string;
}

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

/** Without folders and without characters that are no part of a name. */
function plainName(name: string): string {
	const last = name.split(/[\\/]/).pop() ?? '';
	return last.replace(/\p{Cc}/gu, '').trim();
}

async function contentOf(this: IExecuteFunctions, binary: IBinaryData) {
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
	const node = this.getNode();
	const binary = binaryOf.call(this, itemIndex, fieldName);
	if (binary === undefined) {
		throw operationFailure(node, `There is no file in the field '${fieldName}'`, {
			itemIndex,
			description: fieldsThatExist.call(this, itemIndex),
			details: { field: fieldName },
		});
	}
	const givenName = plainName(overrides.fileName ?? '') || plainName(binary.fileName ?? '');
	const extension = binary.fileExtension ?? '';
	const nameForType = givenName.includes('.') ? givenName : `${givenName}.${extension}`;
	const declared = overrides.mimeType?.trim() || binary.mimeType;
	const mimeType = readableType(declared, nameForType);
	if (mimeType === undefined) {
		throw operationFailure(
			node,
			`The service cannot read the file '${givenName || fieldName}' of type '${declared || 'unknown'}'`,
			{
				itemIndex,
				description: `It reads ${READABLE_TYPES}. If the file is one of these, set 'MIME Type' under 'Options', for example to application/pdf`,
				details: { field: fieldName, mimeType: declared },
			},
		);
	}
	const content = await contentOf.call(this, binary);
	if (!(content.size > 0)) {
		throw operationFailure(node, `The file '${givenName || fieldName}' is empty`, {
			itemIndex,
			description: `Check the node that gives the field '${fieldName}'. Nothing was uploaded`,
			details: { field: fieldName },
		});
	}
	const fileName = givenName || `document.${extensionFor(mimeType)}`;
	return { itemIndex, fieldName, fileName, mimeType, ...content };
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
