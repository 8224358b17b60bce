import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { numericId } from '../../documents/documentId.ts';
import { isProjectOf, projectDocuments, projectsOf } from '../../projects/projects.ts';
import { accountOf } from '../authentication.ts';
import { notFound } from '../errors.ts';
import { DocumentSchema, ErrorResponses, IdLike } from '../schemas.ts';
import type { Services } from '../services.ts';

/** Section 8. */
const MOST_DOCUMENTS_A_PAGE = 200;
const DOCUMENTS_A_PAGE = 50;
/** Largest offset that the database takes without rounding. */
const LARGEST_OFFSET = Number.MAX_SAFE_INTEGER;

/** Section 4.3: projects and their documents. */
export const projectRoutes: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	const { db } = services;

	app.route({
		method: 'GET',
		url: '/projects',
		schema: {
			summary: 'Lists the projects',
			response: {
				200: Type.Object({
					projects: Type.Array(
						Type.Object({
							id: IdLike,
							name: Type.String(),
							parentFolder: Type.Union([Type.String(), Type.Null()]),
							documentCount: Type.Integer(),
							createdAt: Type.String(),
						}),
					),
				}),
				...ErrorResponses,
			},
		},
		handler: async (request) => ({
			projects: await projectsOf(db, accountOf(request).contractId),
		}),
	});

	app.route({
		method: 'GET',
		url: '/projects/:projectId/documents',
		schema: {
			summary: 'Lists the documents of a project, newest first',
			params: Type.Object({ projectId: Type.String() }),
			querystring: Type.Object({
				limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_DOCUMENTS_A_PAGE })),
				offset: Type.Optional(Type.Integer({ minimum: 0, maximum: LARGEST_OFFSET })),
			}),
			response: {
				200: Type.Object({
					documents: Type.Array(DocumentSchema),
					total: Type.Integer(),
					limit: Type.Integer(),
					offset: Type.Integer(),
				}),
				...ErrorResponses,
			},
		},
		handler: async (request) => {
			const projectId = numericId(request.params.projectId);
			const { contractId } = accountOf(request);
			if (projectId === null || !(await isProjectOf(db, contractId, projectId))) {
				throw notFound('project');
			}
			const limit = request.query.limit ?? DOCUMENTS_A_PAGE;
			const offset = request.query.offset ?? 0;
			const { documents, total } = await projectDocuments(db, projectId, { limit, offset });
			return { documents, total, limit, offset };
		},
	});
};
