import type { JobRow } from '../database/schema.ts';
import { numericId } from '../documents/documentId.ts';
import { createOnce } from '../jobs/idempotency.ts';
import { createJob, findJob, JobDocumentError } from '../jobs/jobs.ts';
import type { NewJob } from '../jobs/jobs.ts';
import { accountOf } from './authentication.ts';
import type { Caller } from './authentication.ts';
import { HttpError, notFound, RateLimitedError } from './errors.ts';
import { idempotencyError, idempotencyKeyOf } from './idempotencyKey.ts';
import type { Services } from './services.ts';

/** Most documents of one job, on both surfaces. */
export const MOST_DOCUMENTS = 100;

/** The job of the address, if it belongs to the caller's contract. Otherwise 404. */
export async function jobOf(
	{ db }: Services,
	request: Caller,
	id: string | number,
	field: string | null = null,
): Promise<JobRow> {
	const number = numericId(id);
	const job =
		number === null ? undefined : await findJob(db, accountOf(request).contractId, number);
	if (job === undefined) throw notFound('job', field);
	return job;
}

/** As `jobOf`, for a look at the status: it counts, and answers 429 when there are too many. */
export async function polledJobOf(
	services: Services,
	request: Caller,
	id: string | number,
	field: string | null = null,
): Promise<JobRow> {
	// Found first: an id of nothing, or of another contract, is counted nowhere.
	const job = await jobOf(services, request, id, field);
	assertMayPoll(services, job.id);
	return job;
}

/**
 * Counts a look at the status of a job that was found for its own contract, whichever way it was asked
 * for (docs/interface-choices.md, "Rate limits"). Answers 429 when there are too many.
 */
export function assertMayPoll({ jobPolls }: Services, jobId: number): void {
	const waitMs = jobPolls.take(jobId);
	if (waitMs === 0) return;
	const seconds = Math.max(1, Math.ceil(waitMs / 1000));
	throw new RateLimitedError(
		`This job was asked for too often; ${jobPolls.perMinute} times a minute are allowed. Ask again in ` +
			`${seconds} s, and then less and less often: after 2 s at first, with growing pauses up to 30 s.`,
		seconds,
	);
}

/** Only a job that succeeded has data. Answers 409 for any other, with the reason of its failure. */
export function assertSucceeded(job: JobRow): void {
	if (job.status === 'Succeeded') return;
	if (job.status === 'Failed' || job.status === 'OutOfCredits') {
		throw new HttpError(
			409,
			'job_failed',
			`The job ended as ${job.status}, so it has no data. ${job.failure_message ?? ''}`.trim(),
		);
	}
	throw new HttpError(
		409,
		'job_not_finished',
		`The job has not ended, its status is ${job.status}. Ask again when it is Succeeded.`,
	);
}

/**
 * Creates a job for the caller's contract, once for each `Idempotency-Key`. Answers 404 for a document
 * that is not there, 400 for one whose bytes have not arrived or that is named twice.
 *
 * @param field what the request calls its list of documents
 */
export async function createJobFor(
	services: Services,
	request: Caller,
	wanted: Omit<NewJob, 'documents'> & { documents: Array<string | number> },
	field = 'documents',
): Promise<JobRow> {
	const { db, queue } = services;
	const account = accountOf(request);
	const job: NewJob = { ...wanted, documents: distinctIds(wanted.documents, field) };
	const keyed = {
		contractId: account.contractId,
		operation: 'create job' as const,
		key: idempotencyKeyOf(request),
		body: job,
	};
	const id = await db
		.transaction()
		.execute((trx) => createOnce(trx, keyed, () => createJob(trx, queue, account, job)))
		.catch((error: unknown) => {
			throw jobError(error, field);
		});
	return await jobOf(services, request, id);
}

/** `7` and `"7"` are the same document, and a job takes each document once. */
function distinctIds(documents: Array<string | number>, list: string): Array<number | null> {
	const seen = new Set<number>();
	return documents.map((id, index) => {
		const number = numericId(id);
		if (number !== null && seen.has(number)) {
			const field = `${list}[${index}]`;
			throw new HttpError(
				400,
				'invalid_request',
				`\`${field}\` names document ${number} a second time.`,
				field,
			);
		}
		if (number !== null) seen.add(number);
		return number;
	});
}

function jobError(error: unknown, list: string): unknown {
	if (!(error instanceof JobDocumentError)) return idempotencyError(error);
	const field = `${list}[${error.index}]`;
	return error.problem === 'not found'
		? notFound('document', field)
		: new HttpError(
				400,
				'document_not_uploaded',
				`The bytes of the document in \`${field}\` have not arrived. Send them to its address first.`,
				field,
			);
}
