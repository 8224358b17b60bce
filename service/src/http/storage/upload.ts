import { Type } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { findDocumentByKey, isInUse, recordUpload } from '../../documents/documents.ts';
import { BodyTooLargeError, IncompleteBodyError } from '../../storage/fileStore.ts';
import type { ReceivedFile } from '../../storage/fileStore.ts';
import { HttpError } from '../errors.ts';
import type { PresignedAddresses } from '../../storage/presignedAddress.ts';
import { ErrorResponses } from '../schemas.ts';
import type { Services } from '../services.ts';
import { discardUnreadBody } from './unreadBody.ts';

/**
 * The storage address behind `upload-url` (section 4.2): PUT with the raw bytes. It needs no token;
 * the signature in the address is the permission.
 */
export const uploadRoute: FastifyPluginAsyncTypebox<{ services: Services }> = async (
	app,
	{ services },
) => {
	const { addresses, db, store, config } = services;

	// Bodies are streams here, of whatever type: nothing is parsed, nothing is collected.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', (_request, _payload, done) => done(null));
	app.addHook('onError', discardUnreadBody);

	app.route({
		method: 'PUT',
		url: '/storage/documents/:contract/:file',
		bodyLimit: Number.MAX_SAFE_INTEGER,
		schema: {
			summary: 'Takes the bytes of a document at its presigned address',
			params: Type.Object({ contract: Type.String(), file: Type.String() }),
			querystring: Type.Object({
				expires: Type.Optional(Type.String()),
				signature: Type.Optional(Type.String()),
			}),
			response: { 200: Type.Object({}), ...ErrorResponses },
		},
		// Before the body is touched: whoever has no permission cannot make the service read anything.
		onRequest: async (request) => {
			assertPermitted(addresses, keyOf(request.params), request.query);
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
			if (length > config.maxUploadBytes) throw tooLarge(config.maxUploadBytes);
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
				if (error instanceof BodyTooLargeError) throw tooLarge(config.maxUploadBytes);
				if (error instanceof IncompleteBodyError) {
					throw new HttpError(
						400,
						'incomplete_upload',
						'The upload ended before all announced bytes had arrived. Send the file again.',
					);
				}
				throw error;
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

function keyOf(params: { contract: string; file: string }): string {
	return `documents/${params.contract}/${params.file}`;
}

/** Runs before the query is checked, so its members may be missing or be lists. */
function assertPermitted(
	addresses: PresignedAddresses,
	s3Key: string,
	query: { expires?: unknown; signature?: unknown },
): void {
	const { expires, signature } = query;
	const verdict =
		typeof expires === 'string' && typeof signature === 'string'
			? addresses.verifyUpload(s3Key, expires, signature, Date.now())
			: 'wrong signature';
	if (verdict === 'wrong signature') {
		throw new HttpError(
			403,
			'signature_mismatch',
			'The address is not one that this service gave out. Use it exactly as upload-url gave it.',
		);
	}
	if (verdict === 'expired') {
		throw new HttpError(
			403,
			'address_expired',
			'The address is no longer valid. Ask for a new one with upload-url.',
		);
	}
}

function noSuchDocument(): HttpError {
	return new HttpError(404, 'not_found', 'There is no such document.');
}

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

function tooLarge(limit: number): HttpError {
	return new HttpError(
		413,
		'file_too_large',
		`The file is larger than the ${limit} bytes that this service takes (MAX_UPLOAD_BYTES). ` +
			'Split it into several files.',
	);
}

function inUse(): HttpError {
	return new HttpError(
		409,
		'document_in_use',
		'A job uses this document already, so its bytes cannot be replaced. Upload a new document.',
	);
}
