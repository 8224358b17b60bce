import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { displayName } from '../../documents/displayName.ts';
import { jobRecord } from '../../jobs/jobs.ts';
import type { JobKind } from '../../jobs/jobs.ts';
import { createJobFor, MOST_DOCUMENTS, polledJobOf } from '../jobRequests.ts';
import { IdempotencyHeaders, IdLike, idParams, JobSchema } from '../schemas.ts';
import type { Services } from '../services.ts';

const LEGACY_TYPES = ['Invoice', 'Form'] as const;

/** Section 4.1: jobs of the legacy surface. The records are those of the agent surface. */
export const legacyJobRoutes: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	app.route({
		method: 'POST',
		url: '/job',
		schema: {
			operationId: 'legacyCreateJob',
			tags: ['Legacy jobs'],
			errors: ['not_found', 'document_not_uploaded', 'idempotency_mismatch'],
			summary: 'Creates a job that extracts documents',
			headers: IdempotencyHeaders,
			body: Type.Object({
				jobName: Type.String({ description: 'Empty where no name is wanted' }),
				documents: Type.Array(IdLike, { minItems: 1, maxItems: MOST_DOCUMENTS }),
				enableBankMode: Type.Optional(Type.Boolean({ default: true })),
				jobType: Type.Optional(Type.Enum([...LEGACY_TYPES])),
				templateId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
			}),
			response: { 201: JobSchema },
		},
		handler: async (request, reply) => {
			const { documents } = request.body;
			const jobName = displayName(request.body.jobName);
			const job = await createJobFor(services, request, {
				documents,
				jobType: kindOf(request.body),
				subType: null,
				name: jobName === '' ? null : jobName,
			});
			return await reply.status(201).send(await jobRecord(services.db, job));
		},
	});

	app.route({
		method: 'GET',
		url: '/job/:id',
		schema: {
			operationId: 'legacyGetJob',
			tags: ['Legacy jobs'],
			errors: ['not_found', 'rate_limited'],
			summary: 'Gives one job with its status',
			params: idParams('job'),
			response: { 200: JobSchema },
		},
		handler: async (request) =>
			jobRecord(services.db, await polledJobOf(services, request, request.params.id)),
	});
};

/** Section 2.5: bank mode unless it is switched off; a job type stands for itself. */
function kindOf(body: {
	enableBankMode?: boolean;
	jobType?: (typeof LEGACY_TYPES)[number];
	templateId?: string | null;
}): JobKind {
	if (body.jobType !== undefined) return body.jobType;
	if (body.enableBankMode !== false) return 'ExtractData';
	return typeof body.templateId === 'string' ? 'Template' : 'Ocr';
}
