import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { groupedData } from '../../documents/groupedView.ts';
import { flatRows } from '../../documents/rowView.ts';
import { JOB_TYPES, jobRecord, rowSourcesOf, SUB_TYPES } from '../../jobs/jobs.ts';
import {
	assertSucceeded,
	createJobFor,
	jobOf,
	MOST_DOCUMENTS,
	polledJobOf,
} from '../jobRequests.ts';
import {
	GroupedDataSchema,
	IdempotencyHeaders,
	IdLike,
	idParams,
	IncludeRaw,
	JobRowsSchema,
	JobSchema,
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
			operationId: 'createJob',
			tags: ['Jobs'],
			errors: ['not_found', 'document_not_uploaded', 'idempotency_mismatch'],
			summary: 'Creates a job that extracts documents',
			headers: IdempotencyHeaders,
			body: Type.Object({
				documents: Type.Array(IdLike, { minItems: 1, maxItems: MOST_DOCUMENTS }),
				jobType: Type.Optional(Type.Enum([...JOB_TYPES])),
				subType: Type.Optional(Type.Enum([...SUB_TYPES])),
			}),
			response: {
				201: Type.Object({ jobId: IdLike, status: JobSchema.properties.status }),
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
			operationId: 'getJob',
			tags: ['Jobs'],
			errors: ['not_found', 'rate_limited'],
			summary: 'Gives one job with its status',
			params: idParams('job'),
			response: { 200: JobSchema },
		},
		handler: async (request) =>
			jobRecord(db, await polledJobOf(services, request, request.params.id)),
	});

	app.route({
		method: 'GET',
		url: '/jobs/:id/data',
		schema: {
			operationId: 'getJobData',
			tags: ['Jobs'],
			errors: ['not_found', 'job_not_finished', 'job_failed'],
			summary: 'Gives the extracted data of a job that succeeded, grouped by document and account',
			params: idParams('job'),
			response: { 200: GroupedDataSchema },
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
			operationId: 'getJobTransactions',
			tags: ['Jobs'],
			errors: ['not_found', 'job_not_finished', 'job_failed'],
			summary: 'Gives the rows of a job that succeeded',
			params: idParams('job'),
			querystring: Type.Object({
				includeRaw: Type.Optional(IncludeRaw),
			}),
			response: {
				200: JobRowsSchema,
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
