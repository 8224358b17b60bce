import { open } from 'node:fs/promises';
import multipart from '@fastify/multipart';
import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ACCEPTED_TYPES } from '../../documents/acceptedTypes.ts';
import { displayName } from '../../documents/displayName.ts';
import type { FoundDocument } from '../../documents/documents.ts';
import { typeOfContent } from '../../reading/fileType.ts';
import type { PdfInspection } from '../../reading/pdf/inspectPdf.ts';
import { acceptedType, LONGEST_NAME, storeDocumentFor } from '../documentRequests.ts';
import { HttpError } from '../errors.ts';
import { idempotencyKeyOf } from '../idempotencyKey.ts';
import { IdempotencyHeaders, IdLike } from '../schemas.ts';
import type { Services } from '../services.ts';
import { fileTooLarge } from '../storage/refusals.ts';
import { assertBoundary, FORM_LIMITS, isFilePart, receiveUploadForm } from './uploadForm.ts';

/** Room for boundaries, headers and small fields beside the file. */
const FORM_OVERHEAD_BYTES = 1024 * 1024;
/** As far as the mark of any type that the service reads. */
const HEAD_BYTES = 1024;

const UploadForm = Type.Object({
	document: Type.String({
		contentMediaType: 'application/octet-stream',
		description: `The file, a part with a file name, of the type ${ACCEPTED_TYPES.join(', ')} or application/octet-stream`,
	}),
});

const DocumentUpload = Type.Object({
	document: Type.Object({
		id: IdLike,
		originalname: Type.String(),
		mimetype: Type.String(),
	}),
	pdfInfo: Type.Optional(Type.Object({ pageCount: Type.Integer() })),
	metadata: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
});

/** Section 4.1: the upload of a file as a form. The answer is that of section 2.1. */
export const multipartUploadRoute: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	const { config, inspection, store } = services;

	// A form is read by the handler, as a stream. What is no form is not read at all.
	app.removeAllContentTypeParsers();
	await app.register(multipart, {
		// One more than allowed, so that the storage sees that it is too much.
		limits: { ...FORM_LIMITS, fileSize: config.maxUploadBytes + 1 },
		isPartAFile: isFilePart,
	});
	app.addContentTypeParser('*', (_request, _payload, done) => done(null));

	app.route({
		method: 'POST',
		url: '/document',
		bodyLimit: Number.MAX_SAFE_INTEGER,
		config: { streamedBody: { content: { 'multipart/form-data': { schema: UploadForm } } } },
		schema: {
			operationId: 'legacyUploadDocument',
			tags: ['Legacy documents'],
			errors: [
				'invalid_request',
				'unsupported_type',
				'empty_file',
				'incomplete_upload',
				'idempotency_mismatch',
				'file_too_large',
				'unsupported_media_type',
			],
			summary: 'Takes a file as multipart/form-data, in the part `document`',
			headers: IdempotencyHeaders,
			querystring: Type.Object({
				metadata: Type.Optional(
					Type.Enum(['0', '1'], { description: '1: what the file says of itself', default: '0' }),
				),
				asyncProcessing: Type.Optional(
					Type.Boolean({
						description: 'true: the answer does not wait until the file has been looked into',
						default: false,
					}),
				),
			}),
			response: { 201: DocumentUpload },
		},
		// Before the body is touched.
		onRequest: async (request) => {
			idempotencyKeyOf(request);
			const length = Number(request.headers['content-length'] ?? 0);
			if (length > config.maxUploadBytes + FORM_OVERHEAD_BYTES) {
				throw fileTooLarge(config.maxUploadBytes);
			}
		},
		handler: async (request, reply) => {
			if (!request.isMultipart()) {
				throw new HttpError(
					415,
					'unsupported_media_type',
					'The body must be multipart/form-data, with the file in the part `document`.',
				);
			}
			assertBoundary(request);
			const part = await receiveUploadForm(request, store, config.maxUploadBytes);
			let document: FoundDocument;
			try {
				const mimetype = part.mimetype ?? (await typeInside(part.file.temporaryPath));
				const originalname = displayName(part.filename).slice(0, LONGEST_NAME).toWellFormed();
				document = await storeDocumentFor(services, request, part.file, {
					originalname: originalname === '' ? 'document' : originalname,
					mimetype,
				});
			} finally {
				await store.discard(part.file);
			}
			const pdf = request.query.asyncProcessing === true ? null : await pdfOf(document);
			return await reply.status(201).send({
				document: {
					id: document.id,
					originalname: document.originalname,
					mimetype: document.mimetype,
				},
				...(pdf === null ? {} : { pdfInfo: { pageCount: pdf.pageCount } }),
				...(request.query.metadata === '1' ? { metadata: pdf === null ? [] : [pdf.metadata] } : {}),
			});
		},
	});

	/** Null for what is no PDF, and for one that cannot be looked into; a job says why. */
	async function pdfOf(document: FoundDocument): Promise<PdfInspection | null> {
		if (document.mimetype !== 'application/pdf' || document.stored_file === null) return null;
		const answer = await inspection.inspect(store.pathOf(document.stored_file));
		return answer.kind === 'inspected' ? answer.pdf : null;
	}
};

/** The type that the first bytes of a file say. Answers 400 for one that the service does not read. */
async function typeInside(path: string): Promise<string> {
	const file = await open(path, 'r');
	try {
		const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
		return acceptedType(typeOfContent(buffer.subarray(0, bytesRead)) ?? 'unknown', 'document');
	} finally {
		await file.close();
	}
}
