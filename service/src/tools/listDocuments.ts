import { Type } from '@fastify/type-provider-typebox';
import { documentsPageOf, DocumentsPageSchema, PageSchema } from '../http/projectRequests.ts';
import { idParameter } from './parameters.ts';
import { defineTool } from './tool.ts';

export const listDocuments = defineTool({
	name: 'list_documents',
	description:
		'Lists the documents of a project, newest first, each with its status, number of pages, number of ' +
		'transactions and whether it reconciles (its balances and transactions add up). At most 200 at ' +
		'once; total says how many there are.',
	readOnly: true,
	inputSchema: Type.Object({
		projectId: idParameter('Id of the project, as list_projects gives it'),
		...PageSchema.properties,
	}),
	resultSchema: DocumentsPageSchema,
	run: async ({ services, caller }, { projectId, ...page }) =>
		documentsPageOf(services, caller, projectId, page, 'projectId'),
});
