import type { IExecuteFunctions } from 'n8n-workflow';

import { firstOf, firstText } from '../extraction/looseFields';
import { isJsonObject, type JsonObject } from '../extraction/model';
import type { Access } from './access';
import { strangeAnswerFailure, type Task } from './failures';
import { askForJson, segment } from './request';

/** Where the bytes of a document can be fetched (section 2.3). */
export interface DownloadAddress {
	url: string;
	/** Seconds; null where the service does not say. */
	expiresIn: number | null;
	/** As it was uploaded, where the service says so. */
	fileName?: string;
	mimeType?: string;
}

/** An address of the web, made whole; undefined for anything else. */
export function webAddress(text: unknown, baseUrl: string): string | undefined {
	if (typeof text !== 'string' || text.trim() === '' || !URL.canParse(text, baseUrl)) {
		return undefined;
	}
	const url = new URL(text, baseUrl);
	return /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** Reads `url`, `expiresIn` and `document`, also one level deeper. */
export function readDownloadAddress(body: unknown, baseUrl: string): DownloadAddress | undefined {
	if (!isJsonObject(body)) return undefined;
	const record = isJsonObject(body.data) ? body.data : body;
	const url = webAddress(firstText(record, ['url', 'downloadUrl']), baseUrl);
	if (url === undefined) return undefined;
	const document: JsonObject = isJsonObject(record.document) ? record.document : {};
	const seconds = Number(firstOf(record, ['expiresIn']) ?? Number.NaN);
	const fileName = firstText(document, ['originalname', 'originalName', 'filename', 'name']);
	const mimeType = firstText(document, ['mimetype', 'mimeType']);
	return {
		url,
		expiresIn: Number.isFinite(seconds) ? seconds : null,
		...(fileName === undefined ? {} : { fileName }),
		...(mimeType === undefined ? {} : { mimeType }),
	};
}

export function downloadTask(itemIndex: number, documentId: string): Task {
	return {
		itemIndex,
		doing: `give the content of the document ${documentId}`,
		subject: `The document ${documentId}`,
		field: 'Document',
		details: { documentId },
	};
}

/** GET /protected/document/{id}/downloads3 (sections 2.3 and 4.1). Throws NodeApiError. */
export async function downloadAddress(
	this: IExecuteFunctions,
	access: Access,
	documentId: string,
	options: { expiresIn?: number; itemIndex: number },
): Promise<DownloadAddress> {
	const { expiresIn, itemIndex } = options;
	const task = downloadTask(itemIndex, documentId);
	const { answer, body } = await askForJson.call(
		this,
		access,
		{
			method: 'GET',
			path: `/protected/document/${segment(documentId)}/downloads3`,
			...(expiresIn === undefined ? {} : { query: { expiresIn } }),
		},
		task,
	);
	const address = readDownloadAddress(body, access.baseUrl);
	if (address === undefined) throw strangeAnswerFailure(this.getNode(), answer, task);
	return address;
}
