import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Owner } from '../accounts/accessTokens.ts';
import type { Database, DocumentRow } from '../database/schema.ts';
import { emitEvent } from '../events/emitEvent.ts';
import type { ArrivedFile, FileStore, ReceivedFile } from '../storage/fileStore.ts';
import { endingOf } from './acceptedTypes.ts';

export interface FailureReason {
	code: string;
	message: string;
}

/** What the interface shows of a document (section 2.11 and docs/interface-choices.md). */
export interface DocumentRecord {
	id: number;
	originalname: string;
	mimetype: string;
	size: number | null;
	pageCount: number | null;
	status: DocumentRow['status'];
	documentType: DocumentRow['document_type'];
	source: string;
	transactionCount: number | null;
	isReconciled: boolean | null;
	createdAt: string;
	uploadedAt: string | null;
	extractedAt: string | null;
	failureReason: FailureReason | null;
	project: DocumentProject | null;
	/** What the client calls its own customer. */
	customerId: string | null;
}

/** The project that a document belongs to, as the document's record names it. */
export interface DocumentProject {
	id: number;
	name: string;
	/** Path of the folders above, joined with slashes; null at the top. */
	parentFolder: string | null;
}

/** A document with what its record says of its project. */
export type FoundDocument = DocumentRow & {
	project_name: string | null;
	project_parent_folder: string | null;
};

/** Documents with their projects; `d` is the document. */
export function selectDocuments(db: Kysely<Database>) {
	return db
		.selectFrom('documents as d')
		.leftJoin('projects as p', 'p.id', 'd.project_id')
		.selectAll('d')
		.select(['p.name as project_name', 'p.parent_folder as project_parent_folder']);
}

/** What a client says of a file before its bytes arrive. `mimetype` must be an accepted one. */
export interface NewDocument {
	originalname: string;
	mimetype: string;
	customerId?: string | null;
	/** MD5 that the bytes have to have, hexadecimal. */
	expectedMd5?: string | null;
}

/** Adds a document that waits for its bytes. */
export async function addDocument(
	trx: Transaction<Database>,
	account: Owner,
	file: NewDocument,
): Promise<number> {
	const row = await trx
		.insertInto('documents')
		.values({
			contract_id: account.contractId,
			user_id: account.userId,
			originalname: file.originalname,
			mimetype: file.mimetype,
			// Nothing of the given name: it is shown to people, never used as a path.
			s3_key: `documents/${account.contractId}/${randomUUID()}.${endingOf(file.mimetype) ?? 'bin'}`,
			customer_id: file.customerId ?? null,
			expected_md5: file.expectedMd5 ?? null,
			status: 'waiting',
			source: 'api',
		})
		.returning('id')
		.executeTakeFirstOrThrow();
	return row.id;
}

/**
 * Adds a document whose bytes have arrived, with the event that says so. The bytes are moved to their
 * place before the commit, so that a document that counts as uploaded always has its file.
 */
export async function addUploadedDocument(
	trx: Transaction<Database>,
	account: Owner,
	file: NewDocument,
	bytes: ArrivedFile,
	store: FileStore,
): Promise<number> {
	const id = await addDocument(trx, account, file);
	const { s3_key } = await trx
		.selectFrom('documents')
		.select('s3_key')
		.where('id', '=', id)
		.executeTakeFirstOrThrow();
	const received = store.named(s3_key, bytes);
	await trx
		.updateTable('documents')
		.set({
			stored_file: received.name,
			size: received.size,
			status: 'uploaded',
			uploaded_at: new Date(),
		})
		.where('id', '=', id)
		.execute();
	await emitUploaded(trx, { id, ...account });
	await store.keep(received);
	return id;
}

/** A document of the contract; undefined for one of another contract as for one that is not there. */
export async function findDocument(
	db: Kysely<Database>,
	contractId: number,
	id: number,
): Promise<FoundDocument | undefined> {
	return await selectDocuments(db)
		.where('d.id', '=', id)
		.where('d.contract_id', '=', contractId)
		.executeTakeFirst();
}

export async function findDocumentByKey(
	db: Kysely<Database>,
	s3Key: string,
): Promise<DocumentRow | undefined> {
	return await db
		.selectFrom('documents')
		.selectAll()
		.where('s3_key', '=', s3Key)
		.executeTakeFirst();
}

/** True once a job has named the document: from then on its bytes stay as they are. */
export async function isInUse(db: Kysely<Database>, documentId: number): Promise<boolean> {
	const row = await db
		.selectFrom('job_documents')
		.select('job_id')
		.where('document_id', '=', documentId)
		.limit(1)
		.executeTakeFirst();
	return row !== undefined;
}

/**
 * Records that a document's bytes are stored, with the event that says so.
 *
 * @param keepFile moves the bytes to their place; runs before the commit, so that a document that
 * counts as uploaded always has its file
 * @returns false when a job has begun to use the document meanwhile: nothing was changed
 */
export async function recordUpload(
	db: Kysely<Database>,
	documentId: number,
	file: ReceivedFile,
	keepFile: () => Promise<void>,
): Promise<boolean> {
	return await db.transaction().execute(async (trx) => {
		const owner = await trx
			.selectFrom('documents')
			.select(['contract_id', 'user_id'])
			.where('id', '=', documentId)
			.forUpdate()
			.executeTakeFirstOrThrow();
		if (await isInUse(trx, documentId)) return false;
		await trx
			.updateTable('documents')
			.set({
				stored_file: file.name,
				size: file.size,
				status: 'uploaded',
				uploaded_at: new Date(),
			})
			.where('id', '=', documentId)
			.execute();
		await emitUploaded(trx, {
			id: documentId,
			contractId: owner.contract_id,
			userId: owner.user_id,
		});
		await keepFile();
		return true;
	});
}

/**
 * Writes the event `document.uploaded` in the transaction that says that the bytes are stored. Its data
 * is the document's record as it is then.
 */
export async function emitUploaded(
	trx: Transaction<Database>,
	document: { id: number; contractId: number; userId: number },
): Promise<void> {
	await emitEvent(trx, {
		name: 'document.uploaded',
		contractId: document.contractId,
		userId: document.userId,
		job: null,
		data: async () => {
			const row = await selectDocuments(trx)
				.where('d.id', '=', document.id)
				.executeTakeFirstOrThrow();
			return JSON.stringify({ document: documentRecord(row) });
		},
	});
}

/** Implements the record of docs/interface-choices.md, "Documents". */
export function documentRecord(row: FoundDocument): DocumentRecord {
	return {
		id: row.id,
		originalname: row.originalname,
		mimetype: row.mimetype,
		size: row.size === null ? null : Number(row.size),
		pageCount: row.page_count,
		status: row.status,
		documentType: row.document_type,
		source: row.source,
		transactionCount: row.transaction_count,
		isReconciled: row.is_reconciled,
		createdAt: row.created_at.toISOString(),
		uploadedAt: row.uploaded_at?.toISOString() ?? null,
		extractedAt: row.extracted_at?.toISOString() ?? null,
		failureReason: failureReason(row),
		project:
			row.project_id === null
				? null
				: {
						id: row.project_id,
						name: row.project_name ?? '',
						parentFolder: row.project_parent_folder,
					},
		customerId: row.customer_id,
	};
}

export function failureReason(row: {
	failure_code: string | null;
	failure_message: string | null;
}): FailureReason | null {
	if (row.failure_code === null) return null;
	return { code: row.failure_code, message: row.failure_message ?? '' };
}
