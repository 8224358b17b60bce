import type { FastifyRequest } from 'fastify';
import { ACCEPTED_TYPES, endingOf } from '../documents/acceptedTypes.ts';
import { numericId } from '../documents/documentId.ts';
import { displayName } from '../documents/displayName.ts';
import { addDocument, findDocument } from '../documents/documents.ts';
import type { FoundDocument, NewDocument } from '../documents/documents.ts';
import { createOnce } from '../jobs/idempotency.ts';
import { accountOf } from './authentication.ts';
import { HttpError, notFound } from './errors.ts';
import { idempotencyError, idempotencyKeyOf } from './idempotencyKey.ts';
import type { Services } from './services.ts';

/** Most characters of a file's name, on both surfaces. */
export const LONGEST_NAME = 500;

/** The document of the address, if it belongs to the caller's contract. Otherwise 404. */
export async function documentOf(
	{ db }: Services,
	request: FastifyRequest,
	id: string,
): Promise<FoundDocument> {
	const number = numericId(id);
	const document =
		number === null ? undefined : await findDocument(db, accountOf(request).contractId, number);
	if (document === undefined) throw notFound('document');
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
	request: FastifyRequest,
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
	return await documentOf(services, request, String(id));
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
