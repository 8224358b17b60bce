import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { projectsOf } from '../../projects/projects.ts';
import { accountOf } from '../authentication.ts';
import {
	documentsPageOf,
	DocumentsPageSchema,
	PageSchema,
	ProjectsSchema,
} from '../projectRequests.ts';
import { idInPath } from '../schemas.ts';
import type { Services } from '../services.ts';

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
			operationId: 'getProjects',
			tags: ['Projects'],
			summary: 'Lists the projects',
			response: {
				200: ProjectsSchema,
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
			operationId: 'getProjectDocuments',
			tags: ['Projects'],
			errors: ['not_found'],
			summary: 'Lists the documents of a project, newest first',
			params: Type.Object({ projectId: idInPath('project') }),
			querystring: PageSchema,
			response: { 200: DocumentsPageSchema },
		},
		handler: async (request) =>
			documentsPageOf(services, request, request.params.projectId, request.query),
	});
};
