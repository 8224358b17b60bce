import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ErrorResponses } from '../schemas.ts';

/** The event names of section 6. */
const EVENT_NAMES = [
	'document.uploaded',
	'document.extraction.completed',
	'bank_statement.extraction.completed',
	'invoice.extraction.completed',
	'form.extraction.completed',
	'document.extraction.failed',
	'account.limit.approaching',
	'fraud.detected',
];

export const webhookEventRoutes: FastifyPluginAsyncTypebox = async (app) => {
	app.route({
		method: 'GET',
		url: '/webhooks/events',
		schema: {
			summary: 'Lists the names of all events',
			response: { 200: Type.Object({ events: Type.Array(Type.String()) }), ...ErrorResponses },
		},
		handler: async () => ({ events: EVENT_NAMES }),
	});
};
