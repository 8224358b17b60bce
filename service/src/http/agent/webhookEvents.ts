import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { EVENT_NAMES } from '../../events/eventNames.ts';
import { ErrorResponses } from '../schemas.ts';

export const webhookEventRoutes: FastifyPluginAsyncTypebox = async (app) => {
	app.route({
		method: 'GET',
		url: '/webhooks/events',
		schema: {
			summary: 'Lists the names of all events',
			response: { 200: Type.Object({ events: Type.Array(Type.String()) }), ...ErrorResponses },
		},
		handler: async () => ({ events: [...EVENT_NAMES] }),
	});
};
