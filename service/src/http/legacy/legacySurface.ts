import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { numericId } from '../../documents/documentId.ts';
import { findJob, jobRecord } from '../../jobs/jobs.ts';
import { accountOf, authenticateLegacy } from '../authentication.ts';
import { notFound } from '../errors.ts';
import { ErrorResponses, IdParams, JobSchema } from '../schemas.ts';
import type { Services } from '../services.ts';

/** Everything below `/protected` (section 4.1). */
export const legacySurface: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	const { db, jwtKey } = services;
	app.addHook('onRequest', authenticateLegacy(db, jwtKey));

	app.route({
		method: 'GET',
		url: '/job/:id',
		schema: {
			summary: 'Gives one job with its status',
			params: IdParams,
			response: { 200: JobSchema, ...ErrorResponses },
		},
		handler: async (request) => {
			const id = numericId(request.params.id);
			const job = id === null ? undefined : await findJob(db, accountOf(request).contractId, id);
			if (job === undefined) throw notFound('job');
			return await jobRecord(db, job);
		},
	});
};
