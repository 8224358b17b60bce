import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { JobRow } from '../../database/schema.ts';
import { numericId } from '../../documents/documentId.ts';
import { groupedData } from '../../documents/groupedView.ts';
import { flatRows } from '../../documents/rowView.ts';
import { createOnce } from '../../jobs/idempotency.ts';
import {
	createJob,
	findJob,
	JOB_TYPES,
	JobDocumentError,
	jobRecord,
	rowSourcesOf,
	SUB_TYPES,
} from '../../jobs/jobs.ts';
import { accountOf } from '../authentication.ts';
import { HttpError, notFound } from '../errors.ts';
import { idempotencyError, idempotencyKeyOf } from '../idempotencyKey.ts';
import {
	ErrorResponses,
	GroupedDataSchema,
	IdLike,
	IdParams,
	JobSchema,
	RowSchema,
} from '../schemas.ts';
import { JSON_TYPE, sendPieces } from '../sendPieces.ts';
import type { Services } from '../services.ts';

const MOST_DOCUMENTS = 100;

/** Section 4.2: jobs of the agent surface. */
export const jobRoutes: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	const { db, queue } = services;

	async function jobOf(request: FastifyRequest, id: string): Promise<JobRow> {
		const number = numericId(id);
		const job =
			number === null ? undefined : await findJob(db, accountOf(request).contractId, number);
		if (job === undefined) throw notFound('job');
		return job;
	}

	app.route({
		method: 'POST',
		url: '/jobs',
		schema: {
			summary: 'Creates a job that extracts documents',
			body: Type.Object({
				documents: Type.Array(IdLike, { minItems: 1, maxItems: MOST_DOCUMENTS }),
				jobType: Type.Optional(Type.Enum([...JOB_TYPES])),
				subType: Type.Optional(Type.Enum([...SUB_TYPES])),
			}),
			response: {
				201: Type.Object({ jobId: IdLike, status: Type.String() }),
				...ErrorResponses,
			},
		},
		handler: async (request, reply) => {
			const account = accountOf(request);
			const wanted = {
				documents: distinctIds(request.body.documents),
				jobType: request.body.jobType ?? ('ExtractData' as const),
				subType: request.body.subType ?? null,
				name: null,
			};
			const key = idempotencyKeyOf(request);
			const keyed = {
				contractId: account.contractId,
				operation: 'create job' as const,
				key,
				body: wanted,
			};
			const id = await db
				.transaction()
				.execute((trx) => createOnce(trx, keyed, () => createJob(trx, queue, account, wanted)))
				.catch((error: unknown) => {
					throw jobError(error);
				});
			const job = await findJob(db, account.contractId, id);
			if (job === undefined) throw notFound('job');
			return await reply.status(201).send({ jobId: job.id, status: job.status });
		},
	});

	app.route({
		method: 'GET',
		url: '/jobs/:id',
		schema: {
			summary: 'Gives one job with its status',
			params: IdParams,
			response: { 200: JobSchema, ...ErrorResponses },
		},
		handler: async (request) => jobRecord(db, await jobOf(request, request.params.id)),
	});

	app.route({
		method: 'GET',
		url: '/jobs/:id/data',
		schema: {
			summary: 'Gives the extracted data of a job that succeeded, grouped by document and account',
			params: IdParams,
			response: { 200: GroupedDataSchema, ...ErrorResponses },
		},
		handler: async (request, reply) => {
			const job = await jobOf(request, request.params.id);
			assertSucceeded(job);
			return await sendPieces(reply, JSON_TYPE, groupedData(db, await rowSourcesOf(db, job.id)));
		},
	});

	app.route({
		method: 'GET',
		url: '/jobs/:id/transactions',
		schema: {
			summary: 'Gives the rows of a job that succeeded',
			params: IdParams,
			querystring: Type.Object({
				includeRaw: Type.Optional(
					Type.Boolean({ description: 'true gives every printed line instead of transactions' }),
				),
			}),
			response: {
				200: Type.Object({
					jobId: IdLike,
					count: Type.Integer(),
					transactions: Type.Array(RowSchema),
				}),
				...ErrorResponses,
			},
		},
		handler: async (request, reply) => {
			const job = await jobOf(request, request.params.id);
			assertSucceeded(job);
			const sources = await rowSourcesOf(db, job.id);
			const includeRaw = request.query.includeRaw ?? false;
			return await sendPieces(
				reply,
				JSON_TYPE,
				flatRows(db, { jobId: job.id }, sources, includeRaw),
			);
		},
	});
};

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

function assertSucceeded(job: JobRow): void {
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
