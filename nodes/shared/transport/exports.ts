import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { firstText, DEEPEST_WRAPPING } from '../extraction/looseFields';
import { parseJsonExactly } from '../extraction/losslessJson';
import { isJsonObject } from '../extraction/model';
import type { Access } from './access';
import { isWebPage, type Answer } from './answer';
import { systemClock, type Clock } from './clock';
import { webAddress } from './download';
import { answerFailure, strangeAnswerFailure, type Task } from './failures';
import { idForService, jobTask } from './jobs';
import { header, remoteFileName } from './openAddress';
import { askForJson, attempt, noAnswerFrom, segment, type Attempt } from './request';
import { keepFile, keepFileAt, type StoredFile } from './storedFile';
import { readWhole, type FileStream } from './streams';
import { transfer } from './transfer';

/** Section 2.7: which data of the job. `FieldsToExcel1` stands for everything but the other two. */
export type ExportType = 'FieldsToExcel1' | 'Invoice' | 'Form';

export interface ExportOptions {
	jobId: string;
	jobType: ExportType;
	/** False for grouped data, true for one object a transaction. */
	flattenTables: boolean;
	/** Names of fields; all where it is empty. */
	fields: readonly string[];
	/** Documents of the job; all where it is empty. */
	documentIds: readonly string[];
	itemIndex: number;
}

const CSV_TYPE = 'text/csv';
/** JSON that wraps a file is held in memory, no more than this. */
const LARGEST_WRAPPED = 256 * 1024 * 1024;
/** Making the file may take as long as moving it. */
const TIMEOUT_MS = 60 * 60_000;

function exportTask({ jobId, itemIndex }: ExportOptions): Task {
	return jobTask(itemIndex, jobId, `export the job ${jobId}`);
}

function exportRequest(options: ExportOptions, format: 'json' | 'csv') {
	const { jobId, jobType, flattenTables, fields, documentIds } = options;
	// In bank mode the interface commonly names the table itself.
	const selected = fields.length === 0 && jobType === 'FieldsToExcel1' ? ['bankMode'] : fields;
	const body: IDataObject = {
		jobType,
		flattenTables,
		format,
		...(selected.length === 0 ? {} : { selectedFieldNames: [...selected] }),
		...(documentIds.length === 0 ? {} : { documentIds: documentIds.map(idForService) }),
	};
	const path = `/protected/job/${segment(jobId)}/export`;
	return { method: 'POST' as const, path, body, harmless: true };
}

/** POST /protected/job/{id}/export as JSON (sections 2.7 and 2.8). Throws NodeApiError. */
export async function exportJson(
	this: IExecuteFunctions,
	access: Access,
	options: ExportOptions,
): Promise<unknown> {
	const request = exportRequest(options, 'json');
	const { body } = await askForJson.call(this, access, request, exportTask(options));
	return body;
}

/** A file inside JSON: its text, or the address where it lies. */
type Wrapped = { text: string } | { url: string };

/** Finds the file in an answer such as `{url}`, `{csv}`, `{data: {…}}` or a mere text. */
export function wrappedFile(body: unknown, baseUrl: string, depth = 0): Wrapped | undefined {
	if (typeof body === 'string') {
		const url = /^https?:\/\/\S+$/i.test(body.trim())
			? webAddress(body.trim(), baseUrl)
			: undefined;
		return url === undefined ? { text: body } : { url };
	}
	if (!isJsonObject(body) || depth > DEEPEST_WRAPPING) return undefined;
	const url = webAddress(
		firstText(body, ['url', 'downloadUrl', 'fileUrl', 'href', 'link']),
		baseUrl,
	);
	if (url !== undefined) return { url };
	for (const name of ['csv', 'content', 'text', 'body', 'file', 'data', 'result']) {
		const inner = wrappedFile(body[name], baseUrl, depth + 1);
		if (inner !== undefined) return inner;
	}
	return undefined;
}

function nameFrom(headers: Record<string, unknown>, jobId: string): string {
	const told = header(headers, 'content-disposition');
	const name = told === undefined ? undefined : remoteFileName(told, 'http://localhost/');
	return name ?? `job-${jobId.replace(/[^\w.-]+/g, '_')}.csv`;
}

/** What the service answered: the file itself, kept already, or JSON or a web page as text. */
async function keepCsv(
	this: IExecuteFunctions,
	{ headers, stream }: { headers: Record<string, unknown>; stream: FileStream },
	jobId: string,
): Promise<StoredFile | string | undefined> {
	const type = header(headers, 'content-type') ?? '';
	if (/json|html/i.test(type)) return (await readWhole(stream, LARGEST_WRAPPED))?.toString('utf8');
	const label = { fileName: nameFrom(headers, jobId), mimeType: CSV_TYPE };
	return await keepFile.call(this, stream, headers, label);
}

/**
 * The export as a CSV file, streamed into n8n's storage. What the service answers is not shown in the
 * interface: a CSV body, JSON with an address of the file, and JSON with its text are understood.
 * Throws NodeApiError or NodeOperationError.
 */
export async function exportCsv(
	this: IExecuteFunctions,
	access: Access,
	options: ExportOptions,
	clock: Clock = systemClock,
): Promise<StoredFile> {
	const { jobId } = options;
	const task = exportTask(options);
	const node = this.getNode();
	let kept: StoredFile | string | undefined;
	const once = async (): Promise<Attempt> => {
		const result = await attempt.call(this, access, {
			...exportRequest(options, 'csv'),
			headers: { Accept: `${CSV_TYPE}, application/json;q=0.9` },
			streamed: true,
			timeoutMs: TIMEOUT_MS,
		});
		if (result.kind !== 'answer' || result.answer.stream === undefined) return result;
		const { headers, stream } = result.answer;
		try {
			kept = await keepCsv.call(this, { headers, stream }, jobId);
			return result;
		} catch (error) {
			stream.destroy();
			if (this.getExecutionCancelSignal()?.aborted) return { kind: 'cancelled' };
			return noAnswerFrom(error);
		}
	};
	const broken = {
		message: `The connection broke off while the job ${jobId} was exported`,
		description: 'Check the way from n8n to the service',
	};
	const answer: Answer = await transfer.call(this, once, task, broken, clock);
	if (answer.status < 200 || answer.status >= 300) throw answerFailure(node, access, answer, task);
	if (typeof kept === 'object') return kept;
	const text = kept ?? answer.text;
	const wrapped = isWebPage({ ...answer, text })
		? undefined
		: wrappedFile(parsed(text), access.baseUrl);
	if (wrapped === undefined) throw strangeAnswerFailure(node, { ...answer, text }, task);
	if ('url' in wrapped) {
		const labelOf = (headers: Record<string, unknown>) => ({
			fileName: nameFrom(headers, jobId),
			mimeType: CSV_TYPE,
		});
		return await keepFileAt.call(this, wrapped.url, labelOf, task, clock);
	}
	const label = { fileName: nameFrom({}, jobId), mimeType: CSV_TYPE };
	return await keepFile.call(this, Buffer.from(wrapped.text), {}, label);
}

function parsed(text: string): unknown {
	try {
		return parseJsonExactly(text);
	} catch {
		return undefined;
	}
}
