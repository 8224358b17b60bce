import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { JSON_TYPE } from '../sendPieces.ts';
import type { Services } from '../services.ts';
import { clientHints } from './clientHints.ts';
import { openApiDocument } from './openApi.ts';
import type { OpenApiDocument } from './openApi.ts';

/** Section 4.5: the machine-readable description, at the root of the site and without a credential. */
export const descriptionRoutes: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	// Made when it is first asked for: by then all routes are there, and nothing changes any more.
	let made: { document: OpenApiDocument; json: string; hints: string } | null = null;
	const description = (): NonNullable<typeof made> => {
		if (made !== null) return made;
		const document = openApiDocument(app, services.site());
		made = { document, json: JSON.stringify(document), hints: clientHints(document) };
		return made;
	};

	const addresses = [
		['/api-docs/openapi.json', 'getOpenApi'],
		['/api-docs/.well-known/openapi.json', 'getWellKnownOpenApi'],
	] as const;
	for (const [url, operationId] of addresses) {
		app.route({
			method: 'GET',
			url,
			schema: {
				operationId,
				summary: 'Gives this document',
				tags: ['Service'],
				response: {
					200: Type.Object(
						{
							openapi: Type.String(),
							info: Type.Object({ version: Type.String() }, { additionalProperties: true }),
							paths: Type.Record(Type.String(), Type.Unknown()),
						},
						{ additionalProperties: true },
					),
				},
			},
			handler: async (_request, reply) => {
				const { document, json } = description();
				// A serializer of its own leaves the type to the route.
				return await reply
					.type(JSON_TYPE)
					.serializer(() => json)
					.send(document);
			},
		});
	}

	app.route({
		method: 'GET',
		url: '/api-docs/llms.txt',
		schema: {
			operationId: 'getLlmsTxt',
			summary: 'Gives a hint for language models in Markdown',
			tags: ['Service'],
			response: {
				200: {
					description: 'What the service is, how it is used, and its endpoints',
					content: { 'text/markdown': { schema: Type.String() } },
				},
			},
		},
		handler: async (_request, reply) =>
			await reply.type('text/markdown; charset=utf-8').send(description().hints),
	});
};
