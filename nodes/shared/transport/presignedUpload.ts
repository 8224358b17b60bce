import type { IExecuteFunctions } from 'n8n-workflow';

import type { Access } from './access';
import { systemClock, type Clock } from './clock';
import type { Task } from './failures';
import { md5Of, type InputFile } from './file';
import { Memory } from './memory';
import { ask, segment } from './request';
import { sendToStorage } from './storage';
import { requestUploadAddress, uploaded, uploadKey, type UploadedDocument } from './upload';

/** What may be said about a file that goes to a presigned address (section 4.1). */
export interface PresignedOptions {
	customerId?: string;
	/** Opens an encrypted PDF. It goes into the request and nowhere else. */
	password?: string;
	/** Seconds for which the address takes the bytes. */
	expiresIn?: number;
	/** Tells the MD5 of the bytes beforehand, which means reading the file twice. */
	sendChecksum?: boolean;
}

/** Documents whose bytes have arrived and were acknowledged, by key. */
const arrived = new Memory<string>(10_000);

/**
 * Uploads a file on the legacy surface (sections 2.2 and 4.1): asks `uploads3` for an address, streams
 * the bytes to it, and acknowledges them with `complete`. Memory and repetitions as with `uploadFile`.
 * Throws NodeApiError or NodeOperationError; no message of theirs holds the password.
 */
export async function uploadToPresignedAddress(
	this: IExecuteFunctions,
	access: Access,
	file: InputFile,
	options: PresignedOptions,
	clock: Clock = systemClock,
): Promise<UploadedDocument> {
	const { customerId = null, password = null, expiresIn, sendChecksum = false } = options;
	// Without the password: within an execution it is the same, and its traces belong nowhere.
	const key = uploadKey.call(this, access, file, [
		'document at a presigned address',
		customerId ?? '',
		String(expiresIn),
		String(sendChecksum),
	]);
	const known = arrived.get(key);
	if (known !== undefined) return uploaded(file, known);
	const s3ETag = sendChecksum ? await md5Of(file) : null;
	const address = await requestUploadAddress.call(this, access, file, {
		path: '/protected/document/uploads3',
		...(expiresIn === undefined ? {} : { query: { expiresIn } }),
		body: {
			...(customerId === null ? {} : { customerId }),
			...(password === null ? {} : { password }),
			...(s3ETag === null ? {} : { s3ETag }),
		},
		key,
		...(password === null ? {} : { secret: password }),
	});
	const { documentId } = address;
	await sendToStorage.call(this, access, address, file, clock);
	const task: Task = {
		itemIndex: file.itemIndex,
		doing: `acknowledge the content of '${file.fileName}'`,
		subject: `The document ${documentId}`,
		details: { documentId },
	};
	const path = `/protected/document/${segment(documentId)}/uploads3/complete`;
	await ask.call(this, access, { method: 'POST', path, harmless: true }, task, clock);
	arrived.set(key, documentId);
	return uploaded(file, documentId);
}
