import type { IExecuteFunctions } from 'n8n-workflow';

import { isJsonObject, idText } from '../extraction/model';
import type { Access } from './access';
import { refusalOf, type Answer } from './answer';
import { systemClock, type Clock } from './clock';
import {
	answerFailure,
	cancelledFailure,
	operationFailure,
	strangeAnswerFailure,
	type Failure,
	type Task,
} from './failures';
import { idempotencyHeader, idempotencyKey } from './idempotencyKey';
import { Memory } from './memory';
import type { InputFile } from './file';
import { askForJson, noAnswerFrom, type Attempt } from './request';
import { retryAfterMs } from './retryAfter';

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const LEAST_TIMEOUT_MS = 60_000;
/** Slower than this, in bytes a second, an upload is given up. */
const SLOWEST_RATE = 64 * 1024;

/** Where the bytes of a document go (section 2.2). */
interface UploadAddress {
	documentId: string;
	url: string;
}

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

/** How long a PUT of so many bytes may take, in milliseconds. */
export function uploadTimeoutMs(size: number): number {
	return LEAST_TIMEOUT_MS + Math.ceil((size / SLOWEST_RATE) * 1000);
}

/** Reads `url` and `document.id`, or `uploadUrl` and `documentId`, as other services name them. */
export function readUploadAddress(body: unknown, baseUrl: string): UploadAddress | undefined {
	if (!isJsonObject(body)) return undefined;
	const inner = isJsonObject(body.data) ? body.data : body;
	const document = isJsonObject(inner.document) ? inner.document : {};
	const documentId = idText(document.id ?? inner.documentId ?? inner.id);
	const url = inner.url ?? inner.uploadUrl;
	if (documentId === null || typeof url !== 'string' || !URL.canParse(url, baseUrl)) {
		return undefined;
	}
	const absolute = new URL(url, baseUrl);
	return /^https?:$/.test(absolute.protocol) ? { documentId, url: absolute.href } : undefined;
}

async function requestUploadAddress(
	this: IExecuteFunctions,
	access: Access,
	file: InputFile,
	key: string | undefined,
): Promise<UploadAddress> {
	const { itemIndex, fileName, mimeType } = file;
	const task: Task = { itemIndex, doing: `take the file '${fileName}'` };
	const { answer, body } = await askForJson.call(
		this,
		access,
		{
			method: 'POST',
			path: '/agent/documents/upload-url',
			body: { filename: fileName, mimetype: mimeType },
			headers: idempotencyHeader(key),
			// At worst there is one more document without content.
			harmless: true,
		},
		task,
	);
	const address = readUploadAddress(body, access.baseUrl);
	if (address === undefined) throw strangeAnswerFailure(this.getNode(), answer, task);
	return address;
}

/**
 * One PUT to the storage. A function of its own: the address is signed, so no credential may go
 * with it. Redirects are not followed, because following one means keeping the whole file; and the
 * length is told, because storages refuse a body of unknown length.
 */
async function put(this: IExecuteFunctions, url: string, file: InputFile): Promise<Attempt> {
	const signal = this.getExecutionCancelSignal();
	if (signal?.aborted) return { kind: 'cancelled' };
	const content = await file.open();
	try {
		const response = (await this.helpers.httpRequest({
			method: 'PUT',
			url,
			body: content,
			headers: { 'Content-Type': file.mimeType, 'Content-Length': file.size },
			disableFollowRedirect: true,
			json: false,
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: uploadTimeoutMs(file.size),
			...(signal === undefined ? {} : { abortSignal: signal }),
		})) as { body?: unknown; headers?: Record<string, unknown>; statusCode: number };
		const { body, headers = {}, statusCode: status } = response;
		const text = typeof body === 'string' ? body : '';
		return { kind: 'answer', answer: { status, headers, text } };
	} catch (error) {
		if (signal?.aborted) return { kind: 'cancelled' };
		return noAnswerFrom(error);
	} finally {
		// What is left of the file is not wanted after a refusal or a broken connection.
		if (!Buffer.isBuffer(content)) content.destroy();
	}
}

/** The bytes are there already: an earlier try of this execution has brought them and used them. */
function isThereAlready({ status }: Answer, code: string | undefined): boolean {
	return status === 409 && code === 'document_in_use';
}

function storageFailure(
	this: IExecuteFunctions,
	access: Access,
	answer: Answer,
	task: Task,
): Failure {
	const { code, message } = refusalOf(answer);
	const said = message === undefined ? '' : `: ${message}`;
	const { itemIndex, doing } = task;
	const details = { ...task.details, httpStatus: answer.status, code };
	if (answer.status === 403) {
		return operationFailure(this.getNode(), `The storage did not ${doing}${said}`, {
			itemIndex,
			description:
				'The address for the upload has expired or was changed on its way. Run the node again: it asks for a new one',
			details,
		});
	}
	if (answer.status >= 300 && answer.status < 400) {
		return operationFailure(this.getNode(), `The storage did not ${doing}: it moved`, {
			itemIndex,
			description:
				'The storage answers with another address. Tell the operator of the service: the address for uploads has to be the final one',
			details,
		});
	}
	return answerFailure(this.getNode(), access, answer, task);
}

async function send(
	this: IExecuteFunctions,
	access: Access,
	address: UploadAddress,
	file: InputFile,
	clock: Clock,
): Promise<void> {
	const node = this.getNode();
	const { documentId } = address;
	const { itemIndex } = file;
	const task: Task = {
		itemIndex,
		doing: `take the content of '${file.fileName}'`,
		subject: 'The address for the upload',
		details: { documentId },
	};
	let pauseMs = FIRST_PAUSE_MS;
	for (let number = 1; ; number++) {
		const result = await put.call(this, address.url, file);
		if (result.kind === 'cancelled') throw cancelledFailure(node, itemIndex, { documentId });
		const answer = result.kind === 'answer' ? result.answer : undefined;
		if (answer !== undefined && answer.status >= 200 && answer.status < 300) return;
		if (answer !== undefined && isThereAlready(answer, refusalOf(answer).code)) return;
		const passes = answer === undefined || answer.status === 429 || answer.status >= 500;
		const asked = retryAfterMs(answer?.headers, clock.now()) ?? 0;
		const next = Math.max(asked, pauseMs * (1 + clock.random() / 4));
		if (passes && number < ATTEMPTS && next <= LONGEST_PAUSE_MS) {
			await clock.pause(next, this.getExecutionCancelSignal());
			pauseMs *= 2;
			continue;
		}
		if (answer !== undefined) throw storageFailure.call(this, access, answer, task);
		throw operationFailure(node, `The connection broke off while '${file.fileName}' was uploaded`, {
			itemIndex,
			description:
				'The node tried three times. Check the way from n8n to the storage of the service, and whether the storage takes files of this size',
			details: { documentId, code: result.kind === 'noAnswer' ? result.code : undefined },
		});
	}
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
	const { fileName, mimeType, size, fieldName, itemIndex, identity } = file;
	const key = idempotencyKey.call(this, itemIndex, [
		'document',
		access.baseUrl,
		fieldName ?? '',
		fileName,
		mimeType,
		String(size),
		identity,
	]);
	const known = arrived.get(key);
	if (known !== undefined) {
		return { documentId: known, fileName, mimeType, size, fieldName, itemIndex };
	}
	const address = await requestUploadAddress.call(this, access, file, key);
	await send.call(this, access, address, file, clock);
	arrived.set(key, address.documentId);
	return { documentId: address.documentId, fileName, mimeType, size, fieldName, itemIndex };
}
