import type { IExecuteFunctions } from 'n8n-workflow';

import { idText, isJsonObject } from '../extraction/model';
import type { Access } from './access';
import { refusalOf, type Answer } from './answer';
import type { Clock } from './clock';
import { answerFailure, operationFailure, type Failure, type Task } from './failures';
import type { InputFile } from './file';
import { noAnswerFrom, type Attempt } from './request';
import { transfer, transferTimeoutMs } from './transfer';

/** Where the bytes of a document go (section 2.2). */
export interface UploadAddress {
	documentId: string;
	url: string;
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
			timeout: transferTimeoutMs(file.size),
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

/**
 * Sends the bytes of a file to the address of its document. A failed transfer is repeated with a new
 * stream to the same address. Throws NodeApiError or NodeOperationError where they do not arrive.
 */
export async function sendToStorage(
	this: IExecuteFunctions,
	access: Access,
	address: UploadAddress,
	file: InputFile,
	clock: Clock,
): Promise<void> {
	const { documentId } = address;
	const task: Task = {
		itemIndex: file.itemIndex,
		doing: `take the content of '${file.fileName}'`,
		subject: 'The address for the upload',
		details: { documentId },
	};
	const broken = {
		message: `The connection broke off while '${file.fileName}' was uploaded`,
		description:
			'Check the way from n8n to the storage of the service, and whether the storage takes files of this size',
	};
	const once = async () => await put.call(this, address.url, file);
	const answer = await transfer.call(this, once, task, broken, clock);
	if (answer.status >= 200 && answer.status < 300) return;
	if (isThereAlready(answer, refusalOf(answer).code)) return;
	throw storageFailure.call(this, access, answer, task);
}
