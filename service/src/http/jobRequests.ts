import type { FastifyRequest } from 'fastify';
import type { JobRow } from '../database/schema.ts';
import { numericId } from '../documents/documentId.ts';
import { createOnce } from '../jobs/idempotency.ts';
import { createJob, findJob, JobDocumentError } from '../jobs/jobs.ts';
import type { NewJob } from '../jobs/jobs.ts';
import { accountOf } from './authentication.ts';
import { HttpError, notFound } from './errors.ts';
import { idempotencyError, idempotencyKeyOf } from './idempotencyKey.ts';
import type { Services } from './services.ts';

/** Most documents of one job, on both surfaces. */
export const MOST_DOCUMENTS = 100;

/** The job of the address, if it belongs to the caller's contract. Otherwise 404. */
export async function jobOf(
	{ db }: Services,
	request: FastifyRequest,
	id: string,
): Promise<JobRow> {
	const number = numericId(id);
	const job =
		number === null ? undefined : await findJob(db, accountOf(request).contractId, number);
	if (job === undefined) throw notFound('job');
	return job;
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
 */
export async function createJobFor(
	services: Services,
	request: FastifyRequest,
	wanted: Omit<NewJob, 'documents'> & { documents: Array<string | number> },
): Promise<JobRow> {
	const { db, queue } = services;
	const account = accountOf(request);
	const job: NewJob = { ...wanted, documents: distinctIds(wanted.documents) };
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
			throw jobError(error);
		});
	return await jobOf(services, request, String(id));
}

/** `7` and `"7"` are the same document, and a job takes each document once. */
function distinctIds(documents: Array<string | number>): Array<number | null> {
	const seen = new Set<number>();
	return documents.map((id, index) => {
		const number = numericId(id);
		if (number !== null && seen.has(number)) {
			throw new HttpError(
				400,
				'invalid_request',
				`\`documents[${index}]\` names document ${number} a second time.`,
				`documents[${index}]`,
			);
		}
		if (number !== null) seen.add(number);
		return number;
	});
}

function jobError(error: unknown): unknown {
	if (!(error instanceof JobDocumentError)) return idempotencyError(error);
	const field = `documents[${error.index}]`;
	return error.problem === 'not found'
		? notFound('document', field)
		: new HttpError(
				400,
				'document_not_uploaded',
				`The bytes of the document in \`${field}\` have not arrived. Send them to its address first.`,
				field,
			);
}
