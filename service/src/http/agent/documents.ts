import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { csvRows } from '../../documents/csvView.ts';
import { documentRecord } from '../../documents/documents.ts';
import { groupedData } from '../../documents/groupedView.ts';
import { flatRows } from '../../documents/rowView.ts';
import type { RowSource } from '../../documents/rowView.ts';
import type { DocumentRow } from '../../database/schema.ts';
import {
	acceptedType,
	createDocumentFor,
	documentOf,
	LONGEST_NAME,
	nameOf,
} from '../documentRequests.ts';
import { HttpError } from '../errors.ts';
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
	const { db, addresses, config } = services;

	app.route({
		method: 'POST',
		url: '/documents/upload-url',
		schema: {
			summary: 'Creates a document and gives the address to send its bytes to',
			body: Type.Object({
				filename: Type.String({ minLength: 1, maxLength: LONGEST_NAME }),
				mimetype: Type.String({ minLength: 1, maxLength: 200 }),
			}),
			response: {
				201: Type.Object({
					url: Type.String(),
					expiresIn: Type.Integer(),
					document: Type.Object({ id: IdLike, s3Key: Type.String(), s3Path: Type.String() }),
				}),
				...ErrorResponses,
			},
		},
		handler: async (request, reply) => {
			const document = await createDocumentFor(services, request, {
				originalname: nameOf(request.body.filename),
				mimetype: acceptedType(request.body.mimetype, 'mimetype'),
			});
			const expiresIn = config.uploadAddressSeconds;
			return await reply.status(201).send({
				url: addresses.forUpload(document.s3_key, expiresIn, Date.now()),
				expiresIn,
				document: {
					id: document.id,
					s3Key: document.s3_key,
					s3Path: `/storage/${document.s3_key}`,
				},
			});
		},
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

function extractedRows(document: DocumentRow): RowSource {
	// What was extracted once stays readable while the document is extracted again.
	if (document.extracted_at === null) {
		throw new HttpError(
			409,
			'document_not_extracted',
			document.status === 'failed'
				? `The document could not be extracted: ${document.failure_message ?? ''}`
				: 'The document has not been extracted yet. Create a job for it and wait for its end.',
		);
	}
	return { documentId: document.id, transactionCount: document.transaction_count ?? 0 };
}
