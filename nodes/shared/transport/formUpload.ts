import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { idText, isJsonObject, type JsonObject } from '../extraction/model';
import type { Access } from './access';
import { bodyOf } from './answer';
import { systemClock, type Clock } from './clock';
import { answerFailure, strangeAnswerFailure, type Task } from './failures';
import type { InputFile } from './file';
import { idempotencyHeader } from './idempotencyKey';
import { Memory } from './memory';
import { formWith } from './multipart';
import { attempt } from './request';
import { transfer, transferTimeoutMs } from './transfer';
import { uploaded, uploadKey, type UploadedDocument } from './upload';

/** What an upload by form may ask for (section 4.1). */
export interface FormOptions {
	/** Also what the file says about itself. */
	metadata?: boolean;
	/** The answer does not wait until the file has been looked into. */
	asyncProcessing?: boolean;
}

/** What the service says about the file (section 2.1), where it says it. */
interface FileFacts {
	pageCount?: number;
	metadata?: unknown;
}

/** A document that was uploaded by form. */
export interface FormDocument extends UploadedDocument {
	facts: FileFacts;
}

/** Reads `document.id`, `pdfInfo.pageCount` and `metadata`, also one level deeper or flat. */
export function readFormAnswer(
	body: unknown,
): { documentId: string; facts: FileFacts } | undefined {
	if (!isJsonObject(body)) return undefined;
	const record = isJsonObject(body.data) ? body.data : body;
	const document: JsonObject = isJsonObject(record.document) ? record.document : {};
	const documentId = idText(document.id ?? record.documentId ?? record.id);
	if (documentId === null) return undefined;
	const info: JsonObject = isJsonObject(record.pdfInfo) ? record.pdfInfo : record;
	const facts: FileFacts = {};
	if (Number.isSafeInteger(info.pageCount)) facts.pageCount = info.pageCount as number;
	if (record.metadata !== undefined && record.metadata !== null) facts.metadata = record.metadata;
	return { documentId, facts };
}

/** Answers of uploads that succeeded, by key. Fewer than elsewhere: they hold metadata. */
const arrived = new Memory<{ documentId: string; facts: FileFacts }>(1_000);

/**
 * Uploads a file as multipart/form-data (sections 2.1 and 4.1). The file is streamed into the form.
 * A transfer that breaks off is repeated with a new stream and the same key; a service that does not
 * know the key has at worst one more document, of which no job knows. Throws NodeApiError or
 * NodeOperationError.
 */
export async function uploadByForm(
	this: IExecuteFunctions,
	access: Access,
	file: InputFile,
	options: FormOptions,
	clock: Clock = systemClock,
): Promise<FormDocument> {
	const { fileName, mimeType, size, itemIndex, open } = file;
	const { metadata = false, asyncProcessing = false } = options;
	const purpose = ['document by form', String(metadata), String(asyncProcessing)];
	const key = uploadKey.call(this, access, file, purpose);
	const known = arrived.get(key);
	if (known !== undefined) return { ...uploaded(file, known.documentId), facts: known.facts };

	const form = formWith({ field: 'document', fileName, mimeType, size, open });
	const query: IDataObject = {
		...(metadata ? { metadata: '1' } : {}),
		...(asyncProcessing ? { asyncProcessing: 'true' } : {}),
	};
	const task: Task = { itemIndex, doing: `take the file '${fileName}'` };
	const once = async () =>
		await attempt.call(this, access, {
			method: 'POST',
			path: '/protected/document',
			query,
			content: form.open,
			headers: {
				...idempotencyHeader(key),
				'Content-Type': form.contentType,
				'Content-Length': form.size,
			},
			timeoutMs: transferTimeoutMs(size),
		});
	const broken = {
		message: `The connection broke off while '${fileName}' was uploaded`,
		description:
			"Check that the service is running, that 'Base URL' in the credential is right, and whether the service takes files of this size",
	};
	const answer = await transfer.call(this, once, task, broken, clock);
	const node = this.getNode();
	if (answer.status < 200 || answer.status >= 300) {
		throw answerFailure(node, access, answer, task);
	}
	const result = readFormAnswer(bodyOf(answer));
	if (result === undefined) throw strangeAnswerFailure(node, answer, task);
	arrived.set(key, result);
	return { ...uploaded(file, result.documentId), facts: result.facts };
}
