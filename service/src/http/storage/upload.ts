import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ACCEPTED_TYPES } from '../../documents/acceptedTypes.ts';
import { findDocumentByKey, isInUse, recordUpload } from '../../documents/documents.ts';
import { BodyTooLargeError, IncompleteBodyError } from '../../storage/fileStore.ts';
import type { ReceivedFile } from '../../storage/fileStore.ts';
import { HttpError } from '../errors.ts';
import type { Services } from '../services.ts';
import { assertPermitted, keyOf, noSuchDocument } from './permission.ts';
import { fileTooLarge, incompleteUpload } from './refusals.ts';

/**
 * The storage address behind `upload-url` (section 4.2) and `uploads3` (section 4.1): PUT with the raw
 * bytes. It needs no token; the signature in the address is the permission.
 */
export const uploadRoute: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	const { addresses, db, store, config } = services;

	// Bodies are streams here, of whatever type: nothing is parsed, nothing is collected.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', (_request, _payload, done) => done(null));

	app.route({
		method: 'PUT',
		url: '/storage/documents/:contract/:file',
		bodyLimit: Number.MAX_SAFE_INTEGER,
		config: {
			streamedBody: {
				content: Object.fromEntries(ACCEPTED_TYPES.map((type) => [type, { schema: {} }])),
			},
		},
		schema: {
			operationId: 'uploadBytes',
			tags: ['Storage'],
			errors: [
				'not_found',
				'signature_mismatch',
				'address_expired',
				'content_type_mismatch',
				'empty_file',
				'incomplete_upload',
				'etag_mismatch',
				'length_required',
				'file_too_large',
				'document_in_use',
				'unsupported_media_type',
			],
			summary: 'Takes the bytes of a document at its presigned address',
			params: Type.Object({ contract: Type.String(), file: Type.String() }),
			querystring: Type.Object({
				expires: Type.String(),
				signature: Type.String(),
			}),
			response: {
				200: {
					description: 'The bytes are stored',
					headers: { ETag: Type.String({ description: 'MD5 of the bytes, in double quotes' }) },
					content: { 'application/json': { schema: Type.Object({}) } },
				},
			},
		},
		// Before the body is touched: whoever has no permission cannot make the service read anything.
		onRequest: async (request) => {
			assertPermitted(addresses, 'PUT', keyOf(request.params), request.query);
			const document = await findDocumentByKey(db, keyOf(request.params));
			if (document === undefined) throw noSuchDocument();
			if (mediaType(request.headers['content-type']) !== document.mimetype) {
				throw new HttpError(
					400,
					'content_type_mismatch',
					`The header Content-Type must be ${document.mimetype}, as it was announced.`,
				);
			}
			const length = announcedLength(request.headers['content-length']);
			if (length === 0) {
				throw new HttpError(400, 'empty_file', 'The file is empty. Send its bytes as the body.');
			}
			if (length > config.maxUploadBytes) throw fileTooLarge(config.maxUploadBytes);
			if (await isInUse(db, document.id)) throw inUse();
		},
		handler: async (request, reply) => {
			const s3Key = keyOf(request.params);
			const document = await findDocumentByKey(db, s3Key);
			if (document === undefined) throw noSuchDocument();
			const length = announcedLength(request.headers['content-length']);
			let file: ReceivedFile;
			try {
				file = await store.receive(s3Key, request.raw, length, config.maxUploadBytes);
			} catch (error) {
				if (error instanceof BodyTooLargeError) throw fileTooLarge(config.maxUploadBytes);
				if (error instanceof IncompleteBodyError) throw incompleteUpload();
				throw error;
			}
			if (document.expected_md5 !== null && document.expected_md5 !== file.etag) {
				await store.discard(file);
				throw new HttpError(
					400,
					'etag_mismatch',
					`The MD5 of the bytes that arrived is ${file.etag}, but s3ETag announced ` +
						`${document.expected_md5}. Send the same bytes, or create a new document with their MD5.`,
				);
			}
			const recorded = await recordUpload(db, document.id, file, () => store.keep(file)).finally(
				() => store.discard(file),
			);
			if (!recorded) throw inUse();
			await store.removeOthers(file.name);
			return await reply.header('etag', `"${file.etag}"`).send({});
		},
	});
};

/** Types are compared without regard to case; parameters such as a charset are not ignored. */
function mediaType(header: string | undefined): string {
	return (header ?? '').trim().toLowerCase();
}

function announcedLength(header: string | undefined): number {
	// Without the length a truncated file could not be told from a whole one.
	if (header === undefined) {
		throw new HttpError(
			411,
			'length_required',
			'The header Content-Length is needed. Send the size of the file, not a chunked body.',
		);
	}
	return Number(header);
}

function inUse(): HttpError {
	return new HttpError(
		409,
		'document_in_use',
		'A job uses this document already, so its bytes cannot be replaced. Upload a new document.',
	);
}
