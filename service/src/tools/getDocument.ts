import { Type } from '@fastify/type-provider-typebox';
import { documentRecord } from '../documents/documents.ts';
import { documentOf } from '../http/documentRequests.ts';
import { DocumentSchema } from '../http/schemas.ts';
import { idParameter } from './parameters.ts';
import { defineTool } from './tool.ts';

export const getDocument = defineTool({
	name: 'get_document',
	description:
		'Returns one document: name, status, number of pages and transactions, whether it reconciles, why ' +
		'it failed, and the project that it belongs to.',
	readOnly: true,
	inputSchema: Type.Object({ documentId: idParameter('Id of the document') }),
	resultSchema: DocumentSchema,
	run: async ({ services, caller }, { documentId }) =>
		documentRecord(await documentOf(services, caller, documentId, 'documentId')),
});
