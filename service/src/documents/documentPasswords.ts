import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** A password for a document that no job reads is not kept for ever. */
const KEPT_UNUSED = sql`interval '7 days'`;

/**
 * The passwords of encrypted PDFs (section 4.1, `password`). A password is kept encrypted, is read only
 * for the thread that opens the file, and is removed as soon as no job is left that needs it.
 */
export class DocumentPasswords {
	readonly #db: Kysely<Database>;
	readonly #key: Uint8Array;

	/** @param key 32 bytes, derived from the master key */
	constructor(db: Kysely<Database>, key: Uint8Array) {
		this.#db = db;
		this.#key = key;
	}

	/** Keeps a password in the caller's transaction, in place of an earlier one. */
	async keep(trx: Kysely<Database>, documentId: number, password: string): Promise<void> {
		const row = { document_id: documentId, sealed: this.#seal(documentId, password) };
		await trx
			.insertInto('document_passwords')
			.values(row)
			.onConflict((conflict) => conflict.column('document_id').doUpdateSet(row))
			.execute();
	}

	/**
	 * The password for a stored file. Null where there is none, and where it was encrypted with another
	 * master key: the document then ends with `password_required`, which says what to do.
	 *
	 * @param storedFile `documents.stored_file`
	 */
	async ofFile(storedFile: string): Promise<string | null> {
		const row = await this.#db
			.selectFrom('document_passwords as p')
			.innerJoin('documents as d', 'd.id', 'p.document_id')
			.select(['p.document_id', 'p.sealed'])
			.where('d.stored_file', '=', storedFile)
			.executeTakeFirst();
		return row === undefined ? null : this.#open(row.document_id, row.sealed);
	}

	/** Forgets a document's password if it has been read and no job is left that will read it. */
	async forgetUsed(documentId: number): Promise<void> {
		await this.#db
			.deleteFrom('document_passwords')
			.where('document_id', '=', documentId)
			.where(used)
			.execute();
	}

	/** The same for all documents, and for passwords that were never used. */
	async forgetOld(): Promise<void> {
		await this.#db
			.deleteFrom('document_passwords')
			.where((eb) =>
				eb.or([
					used,
					sql<boolean>`created_at < now() - ${KEPT_UNUSED} and not exists (${jobs(true)})`,
				]),
			)
			.execute();
	}

	/** The id is part of what is authenticated: nobody can move a password to another document. */
	#seal(documentId: number, password: string): string {
		const nonce = randomBytes(NONCE_BYTES);
		const cipher = createCipheriv(ALGORITHM, this.#key, nonce).setAAD(authenticated(documentId));
		const text = Buffer.concat([cipher.update(password, 'utf8'), cipher.final()]);
		return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
	}

	#open(documentId: number, sealed: string): string | null {
		const bytes = Buffer.from(sealed, 'base64url');
		try {
			const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, NONCE_BYTES), {
				authTagLength: TAG_BYTES,
			})
				.setAAD(authenticated(documentId))
				.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
			const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
			return Buffer.concat([text, decipher.final()]).toString('utf8');
		} catch {
			return null;
		}
	}
}

function authenticated(documentId: number): Buffer {
	return Buffer.from(`document ${documentId}`);
}

/** Jobs of the document: those that will still read it, or all. */
function jobs(unfinished: boolean) {
	const state = unfinished ? sql`and jd.status in ('queued', 'processing')` : sql``;
	return sql`select 1 from job_documents as jd
		where jd.document_id = document_passwords.document_id ${state}`;
}

const used = sql<boolean>`exists (${jobs(false)}) and not exists (${jobs(true)})`;
