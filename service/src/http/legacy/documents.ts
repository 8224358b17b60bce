import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
	acceptedType,
	createDocumentFor,
	documentOf,
	LONGEST_NAME,
	nameOf,
	UploadAddressSchema,
} from '../documentRequests.ts';
import { HttpError } from '../errors.ts';
import { DocumentParams, IdempotencyHeaders, IdLike, nullable } from '../schemas.ts';
import type { Services } from '../services.ts';

/** Section 8: how long an address may be valid, seconds. The longest is that of S3: seven days. */
const DEFAULT_SECONDS = 3600;
const MOST_SECONDS = 7 * 24 * 60 * 60;
const LONGEST_TEXT = 500;

const ExpiresIn = Type.Object({
	expiresIn: Type.Optional(
		Type.Integer({
			minimum: 1,
			maximum: MOST_SECONDS,
			default: DEFAULT_SECONDS,
			description: 'How long the address is valid, seconds',
		}),
	),
});

const optionalText = Type.Optional(nullable(Type.String({ maxLength: LONGEST_TEXT })));

/** Section 4.1: presigned addresses of documents. */
export const legacyDocumentRoutes: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	const { addresses, store } = services;

	app.route({
		method: 'POST',
		url: '/document/uploads3',
		schema: {
			operationId: 'legacyCreateUploadUrl',
			tags: ['Legacy documents'],
			errors: ['unsupported_type', 'idempotency_mismatch'],
			summary: 'Creates a document and gives the address to send its bytes to',
			querystring: ExpiresIn,
			headers: IdempotencyHeaders,
			body: Type.Object({
				filename: Type.String({ minLength: 1, maxLength: LONGEST_NAME }),
				mimetype: Type.String({ minLength: 1, maxLength: 200 }),
				customerId: optionalText,
				password: optionalText,
				s3ETag: optionalText,
			}),
			response: {
				200: UploadAddressSchema,
			},
		},
		handler: async (request) => {
			const { filename, mimetype, customerId, password, s3ETag } = request.body;
			const document = await createDocumentFor(
				services,
				request,
				{
					originalname: nameOf(filename),
					mimetype: acceptedType(mimetype, 'mimetype'),
					customerId: customerIdOf(customerId ?? ''),
					expectedMd5: md5Of(s3ETag ?? ''),
				},
				password === undefined || password === '' ? null : password,
			);
			const expiresIn = request.query.expiresIn ?? DEFAULT_SECONDS;
			return {
				url: addresses.forUpload(document.s3_key, expiresIn, Date.now()),
				expiresIn,
				document: {
					id: document.id,
					s3Key: document.s3_key,
					s3Path: `/storage/${document.s3_key}`,
				},
			};
		},
	});

	app.route({
		method: 'POST',
		url: '/document/:documentId/uploads3/complete',
		schema: {
			operationId: 'legacyCompleteUpload',
			tags: ['Legacy documents'],
			errors: ['not_found'],
			summary:
				'Acknowledges that the bytes were sent. Changes nothing: the storage knows it already',
			params: DocumentParams,
			response: { 200: Type.Object({}) },
		},
		handler: async (request) => {
			await documentOf(services, request, request.params.documentId);
			return {};
		},
	});

	app.route({
		method: 'GET',
		url: '/document/:documentId/downloads3',
		schema: {
			operationId: 'legacyGetDownloadUrl',
			tags: ['Legacy documents'],
			errors: ['not_found'],
			summary: 'Gives the address from which the bytes of a document can be downloaded',
			params: DocumentParams,
			querystring: ExpiresIn,
			response: {
				200: Type.Object({
					url: Type.String(),
					expiresIn: Type.Integer(),
					document: Type.Object({
						id: IdLike,
						originalname: Type.String(),
						mimetype: Type.String(),
					}),
				}),
			},
		},
		handler: async (request) => {
			const document = await documentOf(services, request, request.params.documentId);
			if (document.stored_file === null || !(await store.has(document.stored_file))) {
				throw new HttpError(
					404,
					'not_found',
					'The document has no bytes yet. Send them to its upload address first.',
				);
			}
			const expiresIn = request.query.expiresIn ?? DEFAULT_SECONDS;
			return {
				url: addresses.forDownload(document.s3_key, expiresIn, Date.now()),
				expiresIn,
				document: {
					id: document.id,
					originalname: document.originalname,
					mimetype: document.mimetype,
				},
			};
		},
	});
};

/** An id is compared by whoever made it, so it is kept as it is or not at all. Empty means none. */
function customerIdOf(text: string): string | null {
	if (/\p{Cc}/u.test(text) || !text.isWellFormed()) {
		throw new HttpError(
			400,
			'invalid_request',
			'`customerId` must not contain control characters.',
			'customerId',
		);
	}
	return text === '' ? null : text;
}

/** An ETag as storage services write it, with or without its quotes. Empty means none. */
function md5Of(etag: string): string | null {
	if (etag === '') return null;
	const match = /^"?([0-9a-f]{32})"?$/i.exec(etag.trim());
	if (match?.[1] !== undefined) return match[1].toLowerCase();
	throw new HttpError(
		400,
		'invalid_request',
		'`s3ETag` must be the MD5 of the bytes, as 32 hexadecimal digits. Leave it out where it is not known.',
		's3ETag',
	);
}
