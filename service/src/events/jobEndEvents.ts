import type { Transaction } from 'kysely';
import type { Database, JobStatus } from '../database/schema.ts';
import { failureReason } from '../documents/documents.ts';
import type { FailureReason } from '../documents/documents.ts';
import { groupedData } from '../documents/groupedView.ts';
import { DOCUMENT_STATUS, rowSourcesOf } from '../jobs/jobs.ts';
import { emitEvent } from './emitEvent.ts';
import type { EventName } from './eventNames.ts';

export interface EndedJob {
	id: number;
	contractId: number;
	userId: number;
	jobType: string;
	/** False: the event says nothing of a job. */
	isVisible: boolean;
	status: JobStatus;
	reason: FailureReason | null;
}

/** The event of section 6 that stands for the kind of a job, beside the generic one. */
const COMPLETED_EVENTS: Record<string, EventName> = {
	ExtractData: 'bank_statement.extraction.completed',
	Invoice: 'invoice.extraction.completed',
	Form: 'form.extraction.completed',
};

/**
 * Writes the events of a job that has ended, in the transaction that ends it. The rows of the job have
 * to be written already.
 */
export async function emitJobEnd(trx: Transaction<Database>, job: EndedJob): Promise<void> {
	const event = {
		contractId: job.contractId,
		userId: job.userId,
		job: job.isVisible ? { id: job.id, status: job.status } : null,
	};
	if (job.status !== 'Succeeded') {
		const data = (): Promise<string> => failedData(trx, job);
		await emitEvent(trx, { ...event, name: 'document.extraction.failed', data });
		return;
	}
	// Made once for both events, and not at all when nobody is subscribed.
	let made: Promise<string> | null = null;
	const data = (): Promise<string> => (made ??= completedData(trx, job.id));
	const specific = COMPLETED_EVENTS[job.jobType];
	if (specific !== undefined) await emitEvent(trx, { ...event, name: specific, data });
	await emitEvent(trx, { ...event, name: 'document.extraction.completed', data });
}

/** The same text as the answer of `GET /agent/jobs/{id}/data`. */
async function completedData(trx: Transaction<Database>, jobId: number): Promise<string> {
	const pieces: string[] = [];
	for await (const piece of groupedData(trx, await rowSourcesOf(trx, jobId))) pieces.push(piece);
	return pieces.join('');
}

async function failedData(trx: Transaction<Database>, job: EndedJob): Promise<string> {
	const documents = await trx
		.selectFrom('job_documents as jd')
		.innerJoin('documents as d', 'd.id', 'jd.document_id')
		.where('jd.job_id', '=', job.id)
		.orderBy('jd.position')
		.select(['d.id', 'd.originalname', 'jd.status', 'jd.failure_code', 'jd.failure_message'])
		.execute();
	return JSON.stringify({
		failureReason: job.reason,
		documents: documents.map((row) => ({
			id: row.id,
			originalname: row.originalname,
			status: DOCUMENT_STATUS[row.status],
			failureReason: failureReason(row),
		})),
	});
}
