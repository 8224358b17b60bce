import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { ACCEPTED_TYPES, endingOf } from '../../documents/acceptedTypes.ts';
import { csvRows } from '../../documents/csvView.ts';
import { displayName } from '../../documents/displayName.ts';
import { documentRecord, addDocument, findDocument } from '../../documents/documents.ts';
import type { FoundDocument } from '../../documents/documents.ts';
import { numericId } from '../../documents/documentId.ts';
import { groupedData } from '../../documents/groupedView.ts';
import { flatRows } from '../../documents/rowView.ts';
import type { RowSource } from '../../documents/rowView.ts';
import { createOnce } from '../../jobs/idempotency.ts';
import type { DocumentRow } from '../../database/schema.ts';
import { accountOf } from '../authentication.ts';
import { HttpError, notFound } from '../errors.ts';
import { idempotencyError, idempotencyKeyOf } from '../idempotencyKey.ts';
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

	async function documentOf(request: FastifyRequest, id: string): Promise<FoundDocument> {
		const number = numericId(id);
		const document =
			number === null ? undefined : await findDocument(db, accountOf(request).contractId, number);
		if (document === undefined) throw notFound('document');
		return document;
	}

	app.route({
		method: 'POST',
		url: '/documents/upload-url',
		schema: {
			summary: 'Creates a document and gives the address to send its bytes to',
			body: Type.Object({
				filename: Type.String({ minLength: 1, maxLength: 500 }),
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
			const account = accountOf(request);
			const originalname = nameOf(request.body.filename);
			const mimetype = request.body.mimetype.trim().toLowerCase();
			if (endingOf(mimetype) === null) {
				throw new HttpError(
					400,
					'unsupported_type',
					`The service does not read this type. It reads ${ACCEPTED_TYPES.join(', ')}.`,
					'mimetype',
				);
			}
			const key = idempotencyKeyOf(request);
			const keyed = {
				contractId: account.contractId,
				operation: 'create document' as const,
				key,
				body: { originalname, mimetype },
			};
			const id = await db
				.transaction()
				.execute((trx) =>
					createOnce(trx, keyed, () => addDocument(trx, account, { originalname, mimetype })),
				)
				.catch((error: unknown) => {
					throw idempotencyError(error);
				});
			const document = await findDocument(db, account.contractId, id);
			if (document === undefined) throw notFound('document');
			const expiresIn = config.uploadAddressSeconds;
			return await reply.status(201).send({
				url: addresses.forUpload(document.s3_key, expiresIn, Date.now()),
				expiresIn,
				document: { id, s3Key: document.s3_key, s3Path: `/storage/${document.s3_key}` },
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
		handler: async (request) => documentRecord(await documentOf(request, request.params.id)),
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
			const document = await documentOf(request, request.params.id);
			const source = extractedRows(document);
			if (request.query.format === 'csv') {
				void reply.header(
					'content-disposition',
					`attachment; filename="document-${document.id}-transactions.csv"`,
				);
				return await sendPieces(reply, 'text/csv; charset=utf-8', csvRows(db, source));
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
			const document = await documentOf(request, request.params.id);
			return await sendPieces(reply, JSON_TYPE, groupedData(db, [extractedRows(document)]));
		},
	});
};

function nameOf(filename: string): string {
	const name = displayName(filename);
	if (name === '') {
		throw new HttpError(400, 'invalid_request', '`filename` must not be empty.', 'filename');
	}
	return name;
}

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
