import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { operationFailure, type Failure } from '../transport/failures';
import { readableType } from '../transport/fileType';

/** A file as a tool takes it. */
export interface ToolFile {
	base64: string;
	/** Undefined where the text was given as it is, and says nothing about itself. */
	fileName?: string;
	mimeType?: string;
}

/** The advice of the interface (section 8): larger files take the way by an upload. */
export const LARGEST_FILE = 10 * 1024 * 1024;
/** No file that could be of use is shorter; the name of a field is. */
const SHORTEST_BASE64 = 100;
const DATA_URL = /^data:([^,;]*)(?:;[^,]*)?;base64,/i;

/** The failure for a file that is too large for a tool; `bytes` where that is known. */
export function tooLargeFailure(
	this: IExecuteFunctions,
	itemIndex: number,
	options: { name: string; bytes?: number; toolName: string },
): Failure {
	const { name, bytes, toolName } = options;
	const size = bytes === undefined ? '' : ` (${(bytes / 1024 / 1024).toFixed(1)} MB)`;
	return operationFailure(
		this.getNode(),
		`The file in '${name}' is too large for the tool '${toolName}'${size}: tools take files up to about 10 MB`,
		{
			itemIndex,
			description:
				'Use Document: Extract in place of the tool. Or use Document: Upload, and then the tool convert_document with the ID of the document',
			details: { toolName, field: name, ...(bytes === undefined ? {} : { size: bytes }) },
		},
	);
}

function binaryOf(
	this: IExecuteFunctions,
	itemIndex: number,
	fieldName: string,
): IBinaryData | undefined {
	if (fieldName === '' || fieldName.length > SHORTEST_BASE64) return undefined;
	try {
		return this.helpers.assertBinaryData(itemIndex, fieldName);
	} catch {
		return undefined;
	}
}

async function sizeOf(this: IExecuteFunctions, { id, data }: IBinaryData): Promise<number> {
	if (id === undefined || id === '') return Math.floor((data.length * 3) / 4);
	const { fileSize } = await this.helpers.getBinaryMetadata(id);
	return Number(fileSize);
}

function isBase64(text: string): boolean {
	return /^[A-Za-z0-9+/_-]+={0,2}\s*$/.test(text.slice(0, 4_096).replace(/\s+/g, ''));
}

function noFileFailure(
	this: IExecuteFunctions,
	itemIndex: number,
	name: string,
	value: string,
): Failure {
	const fields = Object.keys(this.getInputData()[itemIndex]?.binary ?? {});
	const exist =
		fields.length === 0
			? 'This item has no files. Use a node before this one that reads or downloads the file. An AI agent cannot pass files: give it Document: Extract with a URL'
			: `Fields of this item that hold a file: ${fields.map((field) => `'${field}'`).join(', ')}. Enter one of them in '${name}'`;
	return operationFailure(
		this.getNode(),
		`The parameter '${name}' wants a file, and there is none in the field '${value.slice(0, 60)}'`,
		{ itemIndex, description: exist, details: { field: name } },
	);
}

/**
 * The file for a parameter that wants base64: the file of the input field that `value` names, or
 * base64 that is given as it is. Where `strictly` is false, text that names no field is passed on
 * whatever it is. Throws NodeOperationError where there is no file, it is empty, or too large.
 */
export async function toolFile(
	this: IExecuteFunctions,
	itemIndex: number,
	options: { name: string; value: unknown; toolName: string; strictly: boolean },
): Promise<ToolFile> {
	const { name, value, toolName, strictly } = options;
	const given = typeof value === 'string' ? value.trim() : '';
	const binary = binaryOf.call(this, itemIndex, given);
	if (binary === undefined) {
		const dataUrl = DATA_URL.exec(given.slice(0, 500));
		const base64 = given.slice(dataUrl?.[0].length ?? 0);
		const isContent = base64.length >= SHORTEST_BASE64 && isBase64(base64);
		if (!isContent && (strictly || given === '')) {
			throw noFileFailure.call(this, itemIndex, name, given);
		}
		const bytes = Math.floor((base64.length * 3) / 4);
		if (bytes > LARGEST_FILE)
			throw tooLargeFailure.call(this, itemIndex, { name, bytes, toolName });
		return { base64, ...(dataUrl?.[1] ? { mimeType: dataUrl[1] } : {}) };
	}
	// Asked before it is read: a large file must not get into memory only to be refused.
	const size = await sizeOf.call(this, binary);
	if (size > LARGEST_FILE) {
		throw tooLargeFailure.call(this, itemIndex, { name, bytes: size, toolName });
	}
	const content = await this.helpers.getBinaryDataBuffer(itemIndex, given);
	if (content.length === 0) {
		throw operationFailure(this.getNode(), `The file in the field '${given}' is empty`, {
			itemIndex,
			description: `Check the node that gives the field '${given}'. Nothing was sent`,
			details: { field: name },
		});
	}
	const { fileName, fileExtension, mimeType } = binary;
	const nameForType = fileName?.includes('.') ? fileName : `file.${fileExtension ?? ''}`;
	return {
		base64: content.toString('base64'),
		fileName: fileName ?? nameForType,
		mimeType: readableType(mimeType, nameForType) ?? mimeType,
	};
}
