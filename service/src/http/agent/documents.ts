import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { csvRows } from '../../documents/csvView.ts';
import { documentRecord } from '../../documents/documents.ts';
import { groupedData } from '../../documents/groupedView.ts';
import { flatRows } from '../../documents/rowView.ts';
import {
	documentOf,
	extractedRows,
	NewFileSchema,
	UploadAddressSchema,
	uploadAddressFor,
} from '../documentRequests.ts';
import {
	CsvFile,
	CsvHeaders,
	DocumentParams,
	DocumentSchema,
	GroupedDataSchema,
	IdempotencyHeaders,
	IdLike,
	IncludeRaw,
	RowSchema,
} from '../schemas.ts';
import { JSON_TYPE, sendPieces } from '../sendPieces.ts';
import type { Services } from '../services.ts';

/** Sections 4.2 (upload-url) and 4.3 (one document). */
export const documentRoutes: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	const { db } = services;

	app.route({
		method: 'POST',
		url: '/documents/upload-url',
		schema: {
			operationId: 'createUploadUrl',
			tags: ['Documents'],
			errors: ['unsupported_type', 'idempotency_mismatch'],
			summary: 'Creates a document and gives the address to send its bytes to',
			headers: IdempotencyHeaders,
			body: NewFileSchema,
			response: { 201: UploadAddressSchema },
		},
		handler: async (request, reply) =>
			reply.status(201).send(await uploadAddressFor(services, request, request.body)),
	});

	app.route({
		method: 'GET',
		url: '/documents/:documentId',
		schema: {
			operationId: 'getDocument',
			tags: ['Documents'],
			errors: ['not_found'],
			summary: 'Gives one document',
			params: DocumentParams,
			response: { 200: DocumentSchema },
		},
		handler: async (request) =>
			documentRecord(await documentOf(services, request, request.params.documentId)),
	});

	app.route({
		method: 'GET',
		url: '/documents/:documentId/transactions',
		schema: {
			operationId: 'getDocumentTransactions',
			tags: ['Documents'],
			errors: ['not_found', 'document_not_extracted'],
			summary: 'Gives the rows of one document, as JSON or as a CSV file',
			params: DocumentParams,
			querystring: Type.Object({
				format: Type.Optional(Type.String({ description: '`csv` for a CSV file, otherwise JSON' })),
				includeRaw: Type.Optional(IncludeRaw),
			}),
			response: {
				200: {
					headers: CsvHeaders,
					content: {
						'application/json': {
							schema: Type.Object({
								documentId: IdLike,
								count: Type.Integer(),
								transactions: Type.Array(RowSchema),
							}),
						},
						'text/csv': CsvFile,
					},
				},
			},
		},
		handler: async (request, reply) => {
			const document = await documentOf(services, request, request.params.documentId);
			const source = extractedRows(document);
			if (request.query.format === 'csv') {
				void reply.header(
					'content-disposition',
					`attachment; filename="document-${document.id}-transactions.csv"`,
				);
				return await sendPieces(reply, 'text/csv; charset=utf-8', csvRows(db, [source]));
			}
			const includeRaw = request.query.includeRaw ?? false;
			return await sendPieces(
				reply,
				JSON_TYPE,
				flatRows(db, { documentId: document.id }, [source], includeRaw),
			);
		},
	});

	app.route({
		method: 'GET',
		url: '/documents/:documentId/data',
		schema: {
			operationId: 'getDocumentData',
			tags: ['Documents'],
			errors: ['not_found', 'document_not_extracted'],
			summary: 'Gives the extracted data of one document, in the shape of its type',
			params: DocumentParams,
			response: { 200: GroupedDataSchema },
		},
		handler: async (request, reply) => {
			const document = await documentOf(services, request, request.params.documentId);
			return await sendPieces(reply, JSON_TYPE, groupedData(db, [extractedRows(document)]));
		},
	});
};
