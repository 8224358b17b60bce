import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { HttpError } from './errors.ts';
import type { Services } from './services.ts';

/** `GET {site_url}/healthz`: 200 as soon as the service can do its work. */
export const healthRoute: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	app.route({
		method: 'GET',
		url: '/healthz',
		schema: {
			operationId: 'getHealth',
			tags: ['Service'],
			errors: ['starting'],
			summary: 'Says whether the service is ready',
			response: { 200: Type.Object({ status: Type.Literal('ok') }) },
		},
		handler: async () => {
			if (!services.isReady()) {
				throw new HttpError(503, 'starting', 'The service is starting. Try again in a moment.');
			}
			return { status: 'ok' as const };
		},
	});
};
