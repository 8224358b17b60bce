import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { idText, isJsonObject, type JsonObject } from '../extraction/model';
import type { Access } from './access';
import { operationFailure, strangeAnswerFailure, type Failure, type Task } from './failures';
import { withoutSecrets } from './secrets';
import { idempotencyHeader, idempotencyKey } from './idempotencyKey';
import { Memory } from './memory';
import { askForJson, segment } from './request';

/** Values of the node's `documentKind` parameter. */
export type DocumentKind = 'bankStatement' | 'checks' | 'invoice' | 'form';

/** Section 2.6: what each kind is on the agent surface. */
const JOB_FIELDS: Record<DocumentKind, IDataObject> = {
	bankStatement: { jobType: 'ExtractData' },
	checks: { jobType: 'ExtractData', subType: 'checkImages' },
	invoice: { jobType: 'Invoice' },
	form: { jobType: 'Form' },
};

/** Kinds of the legacy surface. Check images are read in bank mode there, like statements. */
export type LegacyKind = 'bankStatement' | 'invoice' | 'form' | 'other';

/** Section 2.5: what each kind is on the legacy surface. */
const LEGACY_JOB_FIELDS: Record<LegacyKind, IDataObject> = {
	bankStatement: { enableBankMode: true },
	invoice: { enableBankMode: false, jobType: 'Invoice' },
	form: { enableBankMode: false, jobType: 'Form' },
	other: { enableBankMode: false },
};

const ENDED: Record<string, 'succeeded' | 'failed' | 'outOfCredits'> = {
	succeeded: 'succeeded',
	failed: 'failed',
	outofcredits: 'outOfCredits',
};

/** A job as the service describes it (section 2.4), with the status read. */
export interface Job {
	id: string;
	/** As the service wrote it; `Unknown` where it wrote none. */
	status: string;
	/** Whatever is not known to be an end is running (section 3). */
	state: 'running' | 'succeeded' | 'failed' | 'outOfCredits';
	record: JsonObject;
}

/** Reads a job; undefined where the answer is no job. */
export function readJob(body: unknown, askedFor: string): Job | undefined {
	if (!isJsonObject(body)) return undefined;
	const record = isJsonObject(body.job) ? body.job : isJsonObject(body.data) ? body.data : body;
	if (typeof record.status !== 'string') return undefined;
	const state = ENDED[record.status.toLowerCase().replace(/[^a-z]/g, '')] ?? 'running';
	const id = idText(record.id) ?? idText(record.jobId) ?? askedFor;
	return { id, status: record.status, state, record };
}

/** Where a job is read: the surface depends on the credential (sections 4.1 and 4.2). */
export function jobPath(access: Access, jobId: string): string {
	const surface = access.authentication === 'jwt' ? '/protected/job/' : '/agent/jobs/';
	return surface + segment(jobId);
}

export function jobTask(itemIndex: number, jobId: string, doing: string): Task {
	return { itemIndex, doing, subject: `The job ${jobId}`, field: 'Job', details: { jobId } };
}

/** GET of one job, repeated after failures that pass. */
export async function getJob(
	this: IExecuteFunctions,
	access: Access,
	jobId: string,
	itemIndex: number,
): Promise<Job> {
	const task = jobTask(itemIndex, jobId, `tell about the job ${jobId}`);
	const { answer, body } = await askForJson.call(
		this,
		access,
		{ method: 'GET', path: jobPath(access, jobId) },
		task,
	);
	const job = readJob(body, jobId);
	if (job === undefined) throw strangeAnswerFailure(this.getNode(), answer, task);
	return job;
}

/** A job that was asked for, and what the service said about it. */
export interface CreatedJob {
	id: string;
	record: JsonObject;
}

/** Jobs that were created, by key. */
const created = new Memory<CreatedJob>(10_000);

/** What a job is to be made of, on either surface. */
interface JobRequest {
	path: string;
	/** Besides the documents. */
	fields: IDataObject;
	documentIds: readonly string[];
	itemIndex: number;
	/** What the request depends on besides the documents. */
	purpose: readonly string[];
}

/** Names the documents; of many the first ones. */
function documentsText(ids: readonly string[]): string {
	if (ids.length === 1) return `The document ${ids[0]}`;
	const others = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
	return `One of the documents ${ids.slice(0, 5).join(', ')}${others}`;
}

/**
 * Sent once: a second try could make a second job, which is paid for again. Only what the service
 * certainly did not carry out is repeated (see `ask`). Where n8n repeats the node, the job of the
 * first try is used again, also when it failed.
 */
async function postJob(
	this: IExecuteFunctions,
	access: Access,
	{ path, fields, documentIds, itemIndex, purpose }: JobRequest,
): Promise<CreatedJob> {
	const key = idempotencyKey.call(this, itemIndex, [
		'job',
		access.baseUrl,
		...purpose,
		...documentIds,
	]);
	const known = created.get(key);
	if (known !== undefined) return known;
	const task: Task = {
		itemIndex,
		doing: 'create the job',
		subject: documentsText(documentIds),
		field: 'Document IDs',
		details: { documentIds: [...documentIds] },
	};
	const { answer, body } = await askForJson.call(
		this,
		access,
		{
			method: 'POST',
			path,
			body: { documents: documentIds.map(idForService), ...fields },
			headers: idempotencyHeader(key),
		},
		task,
	);
	const record = isJsonObject(body) ? body : {};
	const inner = isJsonObject(record.job) ? record.job : record;
	const id = idText(record.jobId) ?? idText(inner.id) ?? idText(inner.jobId);
	if (id === null) throw strangeAnswerFailure(this.getNode(), answer, task);
	created.set(key, { id, record });
	return { id, record };
}

/** POST /agent/jobs (section 2.6). */
export async function createJob(
	this: IExecuteFunctions,
	access: Access,
	options: { documentIds: readonly string[]; kind: DocumentKind; itemIndex: number },
): Promise<CreatedJob> {
	const { documentIds, kind, itemIndex } = options;
	return await postJob.call(this, access, {
		path: '/agent/jobs',
		fields: JOB_FIELDS[kind],
		documentIds,
		itemIndex,
		purpose: [kind],
	});
}

/** POST /protected/job (section 2.5). The template is for the kind `other` alone. */
export async function createLegacyJob(
	this: IExecuteFunctions,
	access: Access,
	options: {
		documentIds: readonly string[];
		kind: LegacyKind;
		jobName: string;
		templateId: string;
		itemIndex: number;
	},
): Promise<CreatedJob> {
	const { documentIds, kind, jobName, itemIndex } = options;
	const templateId = kind === 'other' ? options.templateId : '';
	return await postJob.call(this, access, {
		path: '/protected/job',
		fields: {
			jobName,
			...LEGACY_JOB_FIELDS[kind],
			...(templateId === '' ? {} : { templateId }),
		},
		documentIds,
		itemIndex,
		purpose: ['legacy', kind, jobName, templateId],
	});
}

/** Ids are integers or strings (section 2); a service with integers may take no text. */
export function idForService(id: string): string | number {
	const number = Number(id);
	return /^(0|[1-9]\d*)$/.test(id) && Number.isSafeInteger(number) ? number : id;
}

function reasonText(reason: unknown): string | undefined {
	if (typeof reason === 'string' && reason.trim() !== '') return withoutSecrets(reason.trim());
	if (!isJsonObject(reason)) return undefined;
	return reasonText(reason.message) ?? reasonText(reason.reason) ?? reasonText(reason.code);
}

function reasonOf(record: JsonObject): string | undefined {
	return (
		reasonText(record.failureReason) ??
		reasonText(record.error) ??
		reasonText(record.errorMessage) ??
		reasonText(record.message) ??
		reasonText(record.reason)
	);
}

/** The documents of a job that could not be read, with their reasons, where the service says so. */
export function failedDocuments(record: JsonObject): Array<{ id: string; reason?: string }> {
	const documents: unknown[] = Array.isArray(record.documents) ? record.documents : [];
	return documents.filter(isJsonObject).flatMap((document) => {
		const id = idText(document.id) ?? idText(document.documentId);
		const reason = reasonText(document.failureReason) ?? reasonText(document.error);
		const failed = reason !== undefined || /^(failed|error)$/i.test(String(document.status ?? ''));
		if (id === null || !failed) return [];
		return [reason === undefined ? { id } : { id, reason }];
	});
}

/**
 * The error for a job that ended without a result. Names the documents that failed, by file name
 * where `fileNames` knows it (document id to name).
 */
export function jobFailure(
	this: IExecuteFunctions,
	job: Job,
	itemIndex: number,
	fileNames: ReadonlyMap<string, string> = new Map(),
): Failure {
	const failed = failedDocuments(job.record);
	const details = {
		jobId: job.id,
		status: job.status,
		reason: reasonOf(job.record),
		...(failed.length === 0 ? {} : { failedDocuments: failed }),
	};
	if (job.state === 'outOfCredits') {
		return operationFailure(this.getNode(), `The account has no credits left for job ${job.id}`, {
			itemIndex,
			description: 'Add pages to the account at the service, then run the node again',
			details,
		});
	}
	const names = failed.map(({ id, reason }) => {
		const name = fileNames.get(id);
		const label = name === undefined ? `document ${id}` : `'${name}' (document ${id})`;
		return reason === undefined ? label : `${label}: ${reason}`;
	});
	const reason = names.length > 0 ? names.join('; ') : reasonOf(job.record);
	const others =
		Array.isArray(job.record.documents) && job.record.documents.length > failed.length
			? ' The other documents of the job can be read with Document: Get Data.'
			: '';
	return operationFailure(
		this.getNode(),
		`The service could not extract job ${job.id}${reason === undefined ? '' : `: ${reason}`}`,
		{
			itemIndex,
			description: `Open the file and check that it is complete and of the kind that is set in 'Document Kind'. If it asks for a password, upload it again with the JWT: Document: Upload sends one with 'Presigned Address' in 'Upload Method'.${others}`,
			details,
		},
	);
}
