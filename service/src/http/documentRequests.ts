import { Type } from '@fastify/type-provider-typebox';
import type { Static } from '@fastify/type-provider-typebox';
import type { DocumentRow } from '../database/schema.ts';
import { ACCEPTED_TYPES, endingOf } from '../documents/acceptedTypes.ts';
import { numericId } from '../documents/documentId.ts';
import { displayName } from '../documents/displayName.ts';
import { addDocument, addUploadedDocument, findDocument } from '../documents/documents.ts';
import type { FoundDocument, NewDocument } from '../documents/documents.ts';
import type { RowSource } from '../documents/rowView.ts';
import { createOnce } from '../jobs/idempotency.ts';
import type { ArrivedFile } from '../storage/fileStore.ts';
import { accountOf } from './authentication.ts';
import type { Caller } from './authentication.ts';
import { HttpError, notFound } from './errors.ts';
import { idempotencyError, idempotencyKeyOf } from './idempotencyKey.ts';
import { IdLike } from './schemas.ts';
import type { Services } from './services.ts';

/** Most characters of a file's name, on both surfaces. */
export const LONGEST_NAME = 500;

/** The document of the address, if it belongs to the caller's contract. Otherwise 404. */
export async function documentOf(
	{ db }: Services,
	request: Caller,
	id: string | number,
	field: string | null = null,
): Promise<FoundDocument> {
	const number = numericId(id);
	const document =
		number === null ? undefined : await findDocument(db, accountOf(request).contractId, number);
	if (document === undefined) throw notFound('document', field);
	return document;
}

/**
 * Creates a document that waits for its bytes, once for each `Idempotency-Key`.
 *
 * @param password of an encrypted PDF; null for none. It is not compared when the key comes again: it
 * shall leave no trace, not even as a hash
 */
export async function createDocumentFor(
	services: Services,
	request: Caller,
	file: NewDocument,
	password: string | null = null,
): Promise<FoundDocument> {
	const { db, passwords } = services;
	const account = accountOf(request);
	const keyed = {
		contractId: account.contractId,
		operation: 'create document' as const,
		key: idempotencyKeyOf(request),
		body: file,
	};
	const id = await db
		.transaction()
		.execute((trx) =>
			createOnce(trx, keyed, async () => {
				const added = await addDocument(trx, account, file);
				if (password !== null) await passwords.keep(trx, added, password);
				return added;
			}),
		)
		.catch((error: unknown) => {
			throw idempotencyError(error);
		});
	return await documentOf(services, request, id);
}

/** What a client says of a file before its bytes arrive. */
export const NewFileSchema = Type.Object({
	filename: Type.String({ minLength: 1, maxLength: LONGEST_NAME }),
	mimetype: Type.String({ minLength: 1, maxLength: 200 }),
});

/** Section 2.2: where the bytes of a new document go. */
export const UploadAddressSchema = Type.Object({
	url: Type.String(),
	expiresIn: Type.Integer({ description: 'Seconds' }),
	document: Type.Object({ id: IdLike, s3Key: Type.String(), s3Path: Type.String() }),
});

/** Creates a document as `createDocumentFor` does, and gives the address to send its bytes to. */
export async function uploadAddressFor(
	services: Services,
	request: Caller,
	wanted: Static<typeof NewFileSchema>,
): Promise<Static<typeof UploadAddressSchema>> {
	const { id, s3_key } = await createDocumentFor(services, request, {
		originalname: nameOf(wanted.filename),
		mimetype: acceptedType(wanted.mimetype, 'mimetype'),
	});
	const expiresIn = services.config.uploadAddressSeconds;
	return {
		url: services.addresses.forUpload(s3_key, expiresIn, Date.now()),
		expiresIn,
		document: { id, s3Key: s3_key, s3Path: `/storage/${s3_key}` },
	};
}

/**
 * Stores a document whose bytes have arrived, once for each `Idempotency-Key`. Whoever received the
 * bytes discards them afterwards: where the key has come before they are not kept.
 */
export async function storeDocumentFor(
	services: Services,
	request: Caller,
	bytes: ArrivedFile,
	file: { originalname: string; mimetype: string },
): Promise<FoundDocument> {
	const { db, store } = services;
	const account = accountOf(request);
	const keyed = {
		contractId: account.contractId,
		operation: 'upload document' as const,
		key: idempotencyKeyOf(request),
		body: { ...file, size: bytes.size, md5: bytes.etag },
	};
	const id = await db
		.transaction()
		.execute((trx) =>
			createOnce(trx, keyed, () => addUploadedDocument(trx, account, file, bytes, store)),
		)
		.catch((error: unknown) => {
			throw idempotencyError(error);
		});
	return await documentOf(services, request, id);
}

/** The rows of a document. Answers 409 for one that has not been extracted. */
export function extractedRows(document: DocumentRow): RowSource {
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

/** The type of a file as it is stored and compared. Answers 400 for one that the service does not read. */
export function acceptedType(mimetype: string, field: string): string {
	const type = mimetype.trim().toLowerCase();
	if (endingOf(type) !== null) return type;
	throw new HttpError(
		400,
		'unsupported_type',
		`The service does not read this type. It reads ${ACCEPTED_TYPES.join(', ')}.`,
		field,
	);
}

/** A file's name as it is shown. Answers 400 where nothing of it can be. */
export function nameOf(filename: string): string {
	const name = displayName(filename);
	if (name === '') {
		throw new HttpError(400, 'invalid_request', '`filename` must not be empty.', 'filename');
	}
	return name;
}
