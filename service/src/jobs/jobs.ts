import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Account } from '../accounts/accessTokens.ts';
import type { Database, JobDocumentStatus, JobRow, JobStatus } from '../database/schema.ts';
import { failureReason } from '../documents/documents.ts';
import type { FailureReason } from '../documents/documents.ts';
import type { RowSource } from '../documents/rowView.ts';
import type { ExtractionQueue } from '../queue/extractionQueue.ts';

export const JOB_TYPES = ['ExtractData', 'Invoice', 'Form'] as const;
export type JobType = (typeof JOB_TYPES)[number];
/** Section 1: kinds that only the legacy surface can ask for. */
export const LEGACY_KINDS = ['Ocr', 'Template'] as const;
export type JobKind = JobType | (typeof LEGACY_KINDS)[number];
export const SUB_TYPES = ['checkImages'] as const;
export type SubType = (typeof SUB_TYPES)[number];

/** What the interface shows of a job (section 2.4 and docs/interface-choices.md). */
export interface JobRecord {
	id: number;
	status: JobStatus;
	jobType: string;
	subType: string | null;
	name: string | null;
	documents: Array<{
		id: number;
		status: 'uploaded' | 'processing' | 'extracted' | 'failed';
		failureReason: FailureReason | null;
	}>;
	transactionCount: number | null;
	failureReason: FailureReason | null;
	createdAt: string;
	startedAt: string | null;
	finishedAt: string | null;
}

/** A document that a job cannot take. `index` is its place in the request. */
export class JobDocumentError extends Error {
	readonly index: number;
	readonly problem: 'not found' | 'not uploaded';

	constructor(index: number, problem: 'not found' | 'not uploaded') {
		super(`documents[${index}]: ${problem}`);
		this.name = 'JobDocumentError';
		this.index = index;
		this.problem = problem;
	}
}

export interface NewJob {
	/** Distinct; null stands for an id that cannot exist. */
	documents: Array<number | null>;
	jobType: JobKind;
	subType: SubType | null;
	name: string | null;
}

/**
 * Creates a job with its place in the queue, in the caller's transaction: there is no job that is not
 * in the queue, and nothing in the queue without its job.
 *
 * @param isVisible false for a job that no client may see
 * @throws JobDocumentError
 */
export async function createJob(
	trx: Transaction<Database>,
	queue: ExtractionQueue,
	account: Account,
	wanted: NewJob,
	isVisible = true,
): Promise<number> {
	const ids = wanted.documents.filter((id) => id !== null);
	// Locked, so that no upload replaces the bytes from here on. In order, so that two jobs with the
	// same documents do not wait for each other.
	const found = await trx
		.selectFrom('documents')
		.select(['id', 'stored_file'])
		.where('contract_id', '=', account.contractId)
		.where('id', 'in', ids.length > 0 ? ids : [0])
		.orderBy('id')
		.forUpdate()
		.execute();
	const stored = new Map(found.map((row) => [row.id, row.stored_file !== null]));
	const documents = wanted.documents.map((id, index) => {
		const uploaded = id === null ? undefined : stored.get(id);
		if (id === null || uploaded === undefined) throw new JobDocumentError(index, 'not found');
		if (!uploaded) throw new JobDocumentError(index, 'not uploaded');
		return id;
	});

	const job = await trx
		.insertInto('jobs')
		.values({
			contract_id: account.contractId,
			user_id: account.userId,
			access_token_id: account.accessTokenId,
			name: wanted.name,
			job_type: wanted.jobType,
			sub_type: wanted.subType,
			is_visible: isVisible,
			status: 'Queued',
		})
		.returning('id')
		.executeTakeFirstOrThrow();
	const rows = documents.map((documentId, position) => ({
		job_id: job.id,
		document_id: documentId,
		position,
		status: 'queued' as const,
		attempts: 0,
		queue_message_id: randomUUID(),
	}));
	await trx.insertInto('job_documents').values(rows).execute();
	await queue.add(
		trx,
		rows.map((row) => ({
			messageId: row.queue_message_id,
			jobId: row.job_id,
			documentId: row.document_id,
			attempts: 0,
		})),
	);
	return job.id;
}

/**
 * A job of the contract that clients may see; undefined for any other as for one that is not there.
 */
export async function findJob(
	db: Kysely<Database>,
	contractId: number,
	id: number,
): Promise<JobRow | undefined> {
	return await db
		.selectFrom('jobs')
		.selectAll()
		.where('id', '=', id)
		.where('contract_id', '=', contractId)
		.where('is_visible', '=', true)
		.executeTakeFirst();
}

export async function jobRecord(db: Kysely<Database>, job: JobRow): Promise<JobRecord> {
	const documents = await db
		.selectFrom('job_documents as jd')
		.innerJoin('documents as d', 'd.id', 'jd.document_id')
		.where('jd.job_id', '=', job.id)
		.orderBy('jd.position')
		.select(['d.id', 'd.transaction_count', 'jd.status', 'jd.failure_code', 'jd.failure_message'])
		.execute();
	const counts = documents.filter((row) => row.status === 'extracted');
	return {
		id: job.id,
		status: job.status,
		jobType: job.job_type,
		subType: job.sub_type,
		name: job.name,
		documents: documents.map((row) => ({
			id: row.id,
			status: DOCUMENT_STATUS[row.status],
			failureReason: failureReason(row),
		})),
		transactionCount:
			counts.length === 0
				? null
				: counts.reduce((sum, row) => sum + (row.transaction_count ?? 0), 0),
		failureReason: failureReason(job),
		createdAt: job.created_at.toISOString(),
		startedAt: job.started_at?.toISOString() ?? null,
		finishedAt: job.finished_at?.toISOString() ?? null,
	};
}

/** A document inside a job is shown in the words that documents use. */
export const DOCUMENT_STATUS = {
	queued: 'uploaded',
	processing: 'processing',
	extracted: 'extracted',
	failed: 'failed',
} as const satisfies Record<JobDocumentStatus, string>;

/** The documents of a job in its order, for the views of its rows. */
export async function rowSourcesOf(db: Kysely<Database>, jobId: number): Promise<RowSource[]> {
	const rows = await db
		.selectFrom('job_documents as jd')
		.innerJoin('documents as d', 'd.id', 'jd.document_id')
		.where('jd.job_id', '=', jobId)
		.orderBy('jd.position')
		.select(['d.id', 'd.transaction_count'])
		.execute();
	return rows.map((row) => ({
		documentId: row.id,
		transactionCount: row.transaction_count ?? 0,
	}));
}
