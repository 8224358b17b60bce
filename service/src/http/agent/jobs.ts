import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { JobRow } from '../../database/schema.ts';
import { groupedData } from '../../documents/groupedView.ts';
import { flatRows } from '../../documents/rowView.ts';
import { JOB_TYPES, jobRecord, rowSourcesOf, SUB_TYPES } from '../../jobs/jobs.ts';
import { HttpError } from '../errors.ts';
import { createJobFor, jobOf, MOST_DOCUMENTS } from '../jobRequests.ts';
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

/** Section 4.2: jobs of the agent surface. */
export const jobRoutes: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	const { db } = services;

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
			const job = await createJobFor(services, request, {
				documents: request.body.documents,
				jobType: request.body.jobType ?? 'ExtractData',
				subType: request.body.subType ?? null,
				name: null,
			});
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
		handler: async (request) => jobRecord(db, await jobOf(services, request, request.params.id)),
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
			const job = await jobOf(services, request, request.params.id);
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
			const job = await jobOf(services, request, request.params.id);
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
