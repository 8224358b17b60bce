import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Access } from './access';
import { systemClock, type Clock } from './clock';
import { strangeAnswerFailure, type Task } from './failures';
import type { InputFile } from './file';
import { idempotencyHeader, idempotencyKey } from './idempotencyKey';
import { Memory } from './memory';
import { askForJson } from './request';
import { readUploadAddress, sendToStorage, type UploadAddress } from './storage';

/** A document whose bytes have arrived. */
export interface UploadedDocument {
	documentId: string;
	fileName: string;
	mimeType: string;
	size: number;
	/** Input field that holds the file; null where it came from an address. */
	fieldName: string | null;
	itemIndex: number;
}

/** The document that a file has become. */
export function uploaded(file: InputFile, documentId: string): UploadedDocument {
	const { fileName, mimeType, size, fieldName, itemIndex } = file;
	return { documentId, fileName, mimeType, size, fieldName, itemIndex };
}

/** The idempotency key of an upload; `purpose` is what there is besides the file. */
export function uploadKey(
	this: IExecuteFunctions,
	access: Access,
	file: InputFile,
	purpose: readonly string[],
): string | undefined {
	const { fileName, mimeType, size, fieldName, itemIndex, identity } = file;
	return idempotencyKey.call(this, itemIndex, [
		...purpose,
		access.baseUrl,
		fieldName ?? '',
		fileName,
		mimeType,
		String(size),
		identity,
	]);
}

/** Asks for the address of a document, at `path`. Throws NodeApiError. */
export async function requestUploadAddress(
	this: IExecuteFunctions,
	access: Access,
	file: InputFile,
	request: {
		path: string;
		query?: IDataObject;
		body?: IDataObject;
		key: string | undefined;
		secret?: string;
	},
): Promise<UploadAddress> {
	const { itemIndex, fileName, mimeType } = file;
	const { path, query, body: fields, key, secret } = request;
	const task: Task = { itemIndex, doing: `take the file '${fileName}'` };
	const { answer, body } = await askForJson.call(
		this,
		access,
		{
			method: 'POST',
			path,
			...(query === undefined ? {} : { query }),
			body: { filename: fileName, mimetype: mimeType, ...fields },
			headers: idempotencyHeader(key),
			...(secret === undefined ? {} : { secret }),
			// At worst there is one more document without content.
			harmless: true,
		},
		task,
	);
	const address = readUploadAddress(body, access.baseUrl);
	if (address === undefined) throw strangeAnswerFailure(this.getNode(), answer, task);
	return address;
}

/** Documents whose bytes have arrived, by key. */
const arrived = new Memory<string>(10_000);

/**
 * Uploads a file (section 4.2): asks for an address, then streams the bytes to it. Memory does not
 * grow with the size of the file where n8n keeps files on disk. A failed transfer is repeated with
 * a new stream to the same address, so it makes no second document; and where n8n repeats the
 * node, the document of the first try is used again.
 */
export async function uploadFile(
	this: IExecuteFunctions,
	access: Access,
	file: InputFile,
	clock: Clock = systemClock,
): Promise<UploadedDocument> {
	const key = uploadKey.call(this, access, file, ['document']);
	const known = arrived.get(key);
	if (known !== undefined) return uploaded(file, known);
	const path = '/agent/documents/upload-url';
	const address = await requestUploadAddress.call(this, access, file, { path, key });
	await sendToStorage.call(this, access, address, file, clock);
	arrived.set(key, address.documentId);
	return uploaded(file, address.documentId);
}
