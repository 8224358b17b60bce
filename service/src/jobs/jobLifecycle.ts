import type { Kysely, Transaction } from 'kysely';
import { countPages, usedUpAllowance } from '../accounts/pageAllowance.ts';
import type { UsedUp } from '../accounts/pageAllowance.ts';
import type { Database } from '../database/schema.ts';
import type { FailureReason } from '../documents/documents.ts';
import type { ExtractedDocument } from '../documents/extractedDocument.ts';
import { replaceRows } from '../documents/storedRows.ts';
import { emitJobEnd } from '../events/jobEndEvents.ts';
import type { EndedJob } from '../events/jobEndEvents.ts';
import type { FraudAnalysis } from '../fraud/analysis/fraudSignal.ts';
import { emitFraudDetected } from '../fraud/fraudEvents.ts';
import { replaceAnalysis } from '../fraud/storedAnalysis.ts';

/** One document of one job, and the attempt to read it that may write its result. */
export interface ReadingTask {
	jobId: number;
	documentId: number;
	/** Counts from 1. */
	attempt: number;
	jobType: string;
	subType: string | null;
	mimetype: string;
	originalname: string;
	storedFile: string;
}

export type ReadingResult =
	| { kind: 'extracted'; document: ExtractedDocument; fraud: FraudAnalysis | null }
	| { kind: 'failed'; reason: FailureReason };

/** How a job ended, for whatever has to be told about it in the same transaction. */
export interface JobEnd {
	jobId: number;
	status: 'Succeeded' | 'Failed' | 'OutOfCredits';
	reason: FailureReason | null;
}

/** How often reading of a document of a job was begun without a result. */
export async function attemptsSoFar(
	db: Kysely<Database>,
	jobId: number,
	documentId: number,
): Promise<number> {
	const row = await db
		.selectFrom('job_documents')
		.select('attempts')
		.where('job_id', '=', jobId)
		.where('document_id', '=', documentId)
		.executeTakeFirst();
	return row?.attempts ?? 0;
}

/**
 * Begins (or begins again) to read a document of a job. The attempt is counted and committed before
 * anything is read, so that a document that ends the process cannot do so for ever.
 *
 * @returns null when there is nothing to do: the document has its result already
 */
export async function beginReading(
	db: Kysely<Database>,
	jobId: number,
	documentId: number,
	maxAttempts: number,
): Promise<ReadingTask | null> {
	return await db.transaction().execute(async (trx) => {
		const job = await trx
			.selectFrom('jobs')
			.select(['job_type', 'sub_type', 'status', 'contract_id'])
			.where('id', '=', jobId)
			.forUpdate()
			.executeTakeFirst();
		const entry = await trx
			.selectFrom('job_documents as jd')
			.innerJoin('documents as d', 'd.id', 'jd.document_id')
			.where('jd.job_id', '=', jobId)
			.where('jd.document_id', '=', documentId)
			.select(['jd.status', 'jd.attempts', 'd.mimetype', 'd.originalname', 'd.stored_file'])
			.executeTakeFirst();
		if (job === undefined || entry === undefined) return null;
		if (entry.status === 'extracted' || entry.status === 'failed') return null;

		if (job.status === 'Created' || job.status === 'Queued') {
			const usedUp = await usedUpAllowance(trx, job.contract_id, new Date());
			if (usedUp !== null) {
				await endOutOfCredits(trx, jobId, usedUp);
				return null;
			}
		}

		const task: ReadingTask = {
			jobId,
			documentId,
			attempt: entry.attempts + 1,
			jobType: job.job_type,
			subType: job.sub_type,
			mimetype: entry.mimetype,
			originalname: entry.originalname,
			storedFile: entry.stored_file ?? '',
		};
		if (entry.attempts >= maxAttempts) {
			await storeResult(
				trx,
				{ ...task, attempt: entry.attempts },
				{
					kind: 'failed',
					reason: {
						code: 'reading_was_interrupted',
						message:
							`Reading this document was interrupted ${entry.attempts} times, each time before it ended, ` +
							'so the service does not try again. Print the document into a new PDF, or split it, and upload that.',
					},
				},
			);
			return null;
		}

		const now = new Date();
		await trx
			.updateTable('job_documents')
			.set({ status: 'processing', attempts: task.attempt, started_at: now })
			.where('job_id', '=', jobId)
			.where('document_id', '=', documentId)
			.execute();
		await trx
			.updateTable('documents')
			.set({ status: 'processing' })
			.where('id', '=', documentId)
			.execute();
		if (job.status === 'Created' || job.status === 'Queued') {
			await trx
				.updateTable('jobs')
				.set({ status: 'InProgress', started_at: now })
				.where('id', '=', jobId)
				.execute();
		}
		return task;
	});
}

/**
 * Writes the result of reading a document: rows, status of the document and, when it was the last one
 * of its job, the end of the job, all in one transaction.
 *
 * @returns false when the result does not count, because another attempt has taken over
 */
export async function finishReading(
	db: Kysely<Database>,
	task: ReadingTask,
	result: ReadingResult,
): Promise<boolean> {
	return await db.transaction().execute(async (trx) => {
		// The job first, as in `beginReading`: its last two documents may end at the same moment.
		await trx
			.selectFrom('jobs')
			.select('id')
			.where('id', '=', task.jobId)
			.forUpdate()
			.executeTakeFirstOrThrow();
		const entry = await trx
			.selectFrom('job_documents')
			.select(['status', 'attempts'])
			.where('job_id', '=', task.jobId)
			.where('document_id', '=', task.documentId)
			.executeTakeFirstOrThrow();
		if (entry.status !== 'processing' || entry.attempts !== task.attempt) return false;
		await storeResult(trx, task, result);
		return true;
	});
}

/** Puts a document back as if this attempt had not begun: the service stops, the document is not to blame. */
export async function giveBack(db: Kysely<Database>, task: ReadingTask): Promise<void> {
	await db
		.updateTable('job_documents')
		.set({ status: 'queued', attempts: task.attempt - 1 })
		.where('job_id', '=', task.jobId)
		.where('document_id', '=', task.documentId)
		.where('status', '=', 'processing')
		.where('attempts', '=', task.attempt)
		.execute();
}

async function storeResult(
	trx: Transaction<Database>,
	task: ReadingTask,
	result: ReadingResult,
): Promise<void> {
	// Two jobs may read the same document at the same time; their results come one after the other.
	const document = await trx
		.selectFrom('documents')
		.select(['extracted_at', 'contract_id', 'user_id'])
		.where('id', '=', task.documentId)
		.forUpdate()
		.executeTakeFirstOrThrow();
	const now = new Date();
	if (result.kind === 'extracted') {
		await replaceRows(trx, task.documentId, result.document);
		await replaceAnalysis(trx, task.documentId, result.fraud);
		await trx
			.updateTable('documents')
			.set({
				status: 'extracted',
				document_type: 'bankStatement',
				page_count: result.document.pageCount,
				transaction_count: result.document.transactionCount,
				is_reconciled: result.document.isReconciled,
				failure_code: null,
				failure_message: null,
				extracted_at: now,
			})
			.where('id', '=', task.documentId)
			.execute();
		const owner = { contractId: document.contract_id, userId: document.user_id };
		await countPages(trx, owner, result.document.pageCount, now);
	} else if (document.extracted_at !== null) {
		// Rows of an earlier extraction are not lost to a later one that fails.
		await trx
			.updateTable('documents')
			.set({ status: 'extracted' })
			.where('id', '=', task.documentId)
			.execute();
	} else {
		await trx
			.updateTable('documents')
			.set({
				status: 'failed',
				failure_code: result.reason.code,
				failure_message: result.reason.message,
			})
			.where('id', '=', task.documentId)
			.execute();
	}
	await trx
		.updateTable('job_documents')
		.set({
			status: result.kind,
			failure_code: result.kind === 'failed' ? result.reason.code : null,
			failure_message: result.kind === 'failed' ? result.reason.message : null,
			finished_at: now,
		})
		.where('job_id', '=', task.jobId)
		.where('document_id', '=', task.documentId)
		.execute();
	await endJobIfComplete(trx, task.jobId, now);
}

/** Ends a job of which nothing has been read. Its documents keep their status: they are as before. */
async function endOutOfCredits(
	trx: Transaction<Database>,
	jobId: number,
	{ pages, allowance, month }: UsedUp,
): Promise<void> {
	const reason: FailureReason = {
		code: 'out_of_credits',
		message:
			`The ${allowance} pages of ${month} (UTC) are used up: ${pages} have been extracted. Create a ` +
			'new job next month, or raise the allowance (PAGE_ALLOWANCE of the service) and create one then.',
	};
	const now = new Date();
	await trx
		.updateTable('job_documents')
		.set({
			status: 'failed',
			failure_code: reason.code,
			failure_message: reason.message,
			finished_at: now,
		})
		.where('job_id', '=', jobId)
		.execute();
	await endJob(trx, { jobId, status: 'OutOfCredits', reason }, now);
}

async function endJobIfComplete(
	trx: Transaction<Database>,
	jobId: number,
	now: Date,
): Promise<void> {
	const documents = await trx
		.selectFrom('job_documents as jd')
		.innerJoin('documents as d', 'd.id', 'jd.document_id')
		.where('jd.job_id', '=', jobId)
		.orderBy('jd.position')
		.select([
			'jd.document_id',
			'jd.status',
			'jd.failure_code',
			'jd.failure_message',
			'd.originalname',
		])
		.execute();
	if (documents.some((row) => row.status === 'queued' || row.status === 'processing')) return;

	const failed = documents.filter((row) => row.status === 'failed');
	const first = failed[0];
	if (first === undefined)
		return await endJob(trx, { jobId, status: 'Succeeded', reason: null }, now);
	const others =
		failed.length === 1 ? '' : ` (${failed.length - 1} more could not be read either.)`;
	await endJob(
		trx,
		{
			jobId,
			status: 'Failed',
			reason: {
				code: first.failure_code ?? 'reading_failed',
				message:
					`Document ${first.document_id} (${first.originalname}): ` +
					`${first.failure_message ?? ''}${others}`,
			},
		},
		now,
	);
}

/**
 * The one place where a job ends. Whatever reports the end (events, usage) is added here, so that it
 * is committed together with the rows and the status, or not at all.
 */
async function endJob(trx: Transaction<Database>, end: JobEnd, now: Date): Promise<void> {
	const job = await trx
		.updateTable('jobs')
		.set({
			status: end.status,
			failure_code: end.reason?.code ?? null,
			failure_message: end.reason?.message ?? null,
			finished_at: now,
		})
		.where('id', '=', end.jobId)
		.where('status', 'not in', ['Succeeded', 'Failed', 'OutOfCredits'])
		.returning(['contract_id', 'user_id', 'job_type', 'is_visible'])
		.executeTakeFirst();
	if (job === undefined) return;
	const ended: EndedJob = {
		id: end.jobId,
		contractId: job.contract_id,
		userId: job.user_id,
		jobType: job.job_type,
		isVisible: job.is_visible,
		status: end.status,
		reason: end.reason,
	};
	await emitJobEnd(trx, ended);
	await emitFraudDetected(trx, ended);
}
