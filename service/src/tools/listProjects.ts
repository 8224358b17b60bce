import { Type } from '@fastify/type-provider-typebox';
import { accountOf } from '../http/authentication.ts';
import { ProjectsSchema } from '../http/projectRequests.ts';
import { projectsOf } from '../projects/projects.ts';
import { defineTool } from './tool.ts';

export const listProjects = defineTool({
	name: 'list_projects',
	description:
		'Lists the projects, each with its parent folder and how many documents it has. Documents that ' +
		'arrive by a folder belong to a project and have no job. Continue with list_documents.',
	readOnly: true,
	inputSchema: Type.Object({}),
	resultSchema: ProjectsSchema,
	run: async ({ services, caller }) => ({
		projects: await projectsOf(services.db, accountOf(caller).contractId),
	}),
});
