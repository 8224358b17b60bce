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
	DocumentSchema,
	ErrorResponses,
	GroupedDataSchema,
	IdLike,
	IdParams,
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
			summary: 'Creates a document and gives the address to send its bytes to',
			body: NewFileSchema,
			response: { 201: UploadAddressSchema, ...ErrorResponses },
		},
		handler: async (request, reply) =>
			reply.status(201).send(await uploadAddressFor(services, request, request.body)),
	});

	app.route({
		method: 'GET',
		url: '/documents/:id',
		schema: {
			summary: 'Gives one document',
			params: IdParams,
			response: { 200: DocumentSchema, ...ErrorResponses },
		},
		handler: async (request) =>
			documentRecord(await documentOf(services, request, request.params.id)),
	});

	app.route({
		method: 'GET',
		url: '/documents/:id/transactions',
		schema: {
			summary: 'Gives the rows of one document, as JSON or as a CSV file',
			params: IdParams,
			querystring: Type.Object({
				format: Type.Optional(Type.String({ description: '`csv` for a CSV file, otherwise JSON' })),
				includeRaw: Type.Optional(Type.Boolean()),
			}),
			produces: ['application/json', 'text/csv'],
			response: {
				200: Type.Object({
					documentId: IdLike,
					count: Type.Integer(),
					transactions: Type.Array(RowSchema),
				}),
				...ErrorResponses,
			},
		},
		handler: async (request, reply) => {
			const document = await documentOf(services, request, request.params.id);
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
		url: '/documents/:id/data',
		schema: {
			summary: 'Gives the extracted data of one document, in the shape of its type',
			params: IdParams,
			response: { 200: GroupedDataSchema, ...ErrorResponses },
		},
		handler: async (request, reply) => {
			const document = await documentOf(services, request, request.params.id);
			return await sendPieces(reply, JSON_TYPE, groupedData(db, [extractedRows(document)]));
		},
	});
};
