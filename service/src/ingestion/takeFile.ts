import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Owner } from '../accounts/accessTokens.ts';
import type { Database } from '../database/schema.ts';
import { endingOf } from '../documents/acceptedTypes.ts';
import { emitUploaded } from '../documents/documents.ts';
import { createJob } from '../jobs/jobs.ts';
import type { ExtractionQueue } from '../queue/extractionQueue.ts';
import type { FileStore } from '../storage/fileStore.ts';
import { SourceChangedError } from './sourceFile.ts';
import type { SourceFile } from './sourceFile.ts';

export interface TakingParts {
	db: Kysely<Database>;
	queue: ExtractionQueue;
	store: FileStore;
	/** Whom the watched folder belongs to. */
	account: Owner;
	maxUploadBytes: number;
}

export interface TakenFile {
	projectId: number;
	/** Of the content, hexadecimal. */
	sha256: string;
	originalname: string;
	mimetype: string;
}

/** True when the project has taken this content before, under whatever name. */
export async function isTaken(
	db: Kysely<Database>,
	projectId: number,
	sha256: string,
): Promise<boolean> {
	const row = await db
		.selectFrom('ingested_files')
		.select('document_id')
		.where('project_id', '=', projectId)
		.where('sha256', '=', sha256)
		.executeTakeFirst();
	return row !== undefined;
}

/**
 * Takes a file of the watched folder: its bytes are stored and durable first, then the document, the
 * mark that the project has this content, the job (which no client sees), its place in the queue and
 * the event `document.uploaded` are committed in one transaction. A process that ends in between has
 * taken nothing, and the next look takes the file.
 *
 * @returns id of the document; null when the project has this content already
 * @throws SourceChangedError, SourceUnreadableError, ReadingStoppedError
 */
export async function takeFile(
	{ db, queue, store, account, maxUploadBytes }: TakingParts,
	source: SourceFile,
	{ projectId, sha256, originalname, mimetype }: TakenFile,
): Promise<number | null> {
	// Always the same key for the same content, so that bytes which an interrupted attempt left are
	// found below that key and removed.
	const s3Key = `documents/${account.contractId}/${projectId}-${sha256}.${endingOf(mimetype) ?? 'bin'}`;
	const digest = createHash('sha256');
	const content = Readable.from(withDigest(source.chunks(), digest), { objectMode: false });
	const file = await store.receive(s3Key, content, source.size, maxUploadBytes);
	let documentId: number | null;
	try {
		if (digest.digest('hex') !== sha256) throw new SourceChangedError();
		await source.assertUnchanged();
		documentId = await db.transaction().execute(async (trx) => {
			// One file of a project at a time: two processes may watch the same folder, and documents
			// become visible in the order of their ids.
			const lockName = `watched folder ${projectId}`;
			await sql`select pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`.execute(trx);
			if (await isTaken(trx, projectId, sha256)) return null;
			await store.keep(file);
			const { id } = await trx
				.insertInto('documents')
				.values({
					contract_id: account.contractId,
					user_id: account.userId,
					project_id: projectId,
					originalname,
					mimetype,
					s3_key: s3Key,
					stored_file: file.name,
					size: file.size,
					status: 'uploaded',
					source: 'folder',
					uploaded_at: new Date(),
				})
				.returning('id')
				.executeTakeFirstOrThrow();
			await trx
				.insertInto('ingested_files')
				.values({ project_id: projectId, sha256, document_id: id })
				.execute();
			await createJob(
				trx,
				queue,
				{ ...account, accessTokenId: null },
				{ documents: [id], jobType: 'ExtractData', subType: null, name: null },
				false,
			);
			await emitUploaded(trx, { id, ...account });
			return id;
		});
	} finally {
		await store.discard(file);
	}
	if (documentId !== null) await store.removeOthers(file.name);
	return documentId;
}

async function* withDigest(
	chunks: AsyncGenerator<Buffer>,
	digest: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
	for await (const chunk of chunks) {
		digest.update(chunk);
		yield chunk;
	}
}
