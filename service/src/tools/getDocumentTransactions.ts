import { Type } from '@fastify/type-provider-typebox';
import { documentOf, extractedRows } from '../http/documentRequests.ts';
import { IdLike } from '../http/schemas.ts';
import { Format, idParameter } from './parameters.ts';
import { RowsResult, rowsText } from './rows.ts';
import { defineTool, JsonPieces } from './tool.ts';

export const getDocumentTransactions = defineTool({
	name: 'get_document_transactions',
	description:
		'Returns all transactions of a document that has been extracted, as JSON or CSV, however it ' +
		'arrived: by a tool, another client or a folder.',
	readOnly: true,
	inputSchema: Type.Object({ documentId: idParameter('Id of the document'), format: Format }),
	resultSchema: Type.Object({ documentId: IdLike, ...RowsResult }),
	run: async ({ services, caller }, { documentId, format = 'json' }) => {
		const document = await documentOf(services, caller, documentId, 'documentId');
		const source = extractedRows(document);
		return new JsonPieces(rowsText(services.db, { documentId: document.id }, [source], format));
	},
});
