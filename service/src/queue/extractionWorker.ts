import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import type { FailureReason } from '../documents/documents.ts';
import { attemptsSoFar, beginReading, finishReading, giveBack } from '../jobs/jobLifecycle.ts';
import type { ReadingResult, ReadingTask } from '../jobs/jobLifecycle.ts';
import type { Logger } from '../logging.ts';
import type { ReadingAnswer, ReadingPool } from '../reading/readingPool.ts';
import type { FileStore } from '../storage/fileStore.ts';
import { SharedOrAlone } from './sharedOrAlone.ts';

export interface ExtractionWorkerOptions {
	db: Kysely<Database>;
	store: FileStore;
	pool: ReadingPool;
	maxPages: number;
	readingTimeoutMs: number;
	readingMemoryMb: number;
	readingAttempts: number;
	log: Logger;
}

/** Reads one document of one job: from the queue's message to the stored result. */
export class ExtractionWorker {
	readonly #options: ExtractionWorkerOptions;
	readonly #turns = new SharedOrAlone();

	constructor(options: ExtractionWorkerOptions) {
		this.#options = options;
	}

	/**
	 * Handles one message of the queue. Throws only for faults outside the document (the database does
	 * not answer, the process stops); the queue then brings the message again.
	 */
	async handle(message: { jobId: number; documentId: number }): Promise<void> {
		const attempts = await attemptsSoFar(this.#options.db, message.jobId, message.documentId);
		// What was interrupted before is read alone: if it ends the process again, no other document is
		// interrupted with it.
		await this.#turns.run(attempts > 0, () => this.#handleNow(message));
	}

	async #handleNow(message: { jobId: number; documentId: number }): Promise<void> {
		const { db, readingAttempts, log } = this.#options;
		const task = await beginReading(db, message.jobId, message.documentId, readingAttempts);
		if (task === null) return;
		const begun = performance.now();
		const answer = await this.#read(task);
		if (answer.kind === 'stopped') {
			await giveBack(db, task);
			throw new Error('The service is stopping; the document is read at the next start.');
		}
		if (answer.kind === 'fault') {
			log.error(
				{ ...message, fault: answer.code, place: answer.place },
				'A document could not be read because of a fault in the service.',
			);
		}
		const counted = await finishReading(db, task, this.#resultOf(answer));
		log.info(
			{
				...message,
				attempt: task.attempt,
				result: answer.kind,
				counted,
				milliseconds: Math.round(performance.now() - begun),
			},
			'A document was read.',
		);
	}

	async #read(
		task: ReadingTask,
	): Promise<ReadingAnswer | { kind: 'refused'; reason: FailureReason }> {
		const refusal = unsupportedKind(task);
		if (refusal !== null) return { kind: 'refused', reason: refusal };
		const { store, pool, maxPages } = this.#options;
		if (task.storedFile === '' || !(await store.has(task.storedFile))) {
			return {
				kind: 'refused',
				reason: {
					code: 'file_missing',
					message:
						'The file is no longer in the storage of the service. Upload it again as a new document.',
				},
			};
		}
		return await pool.read({
			path: store.pathOf(task.storedFile),
			mimetype: task.mimetype,
			maxPages,
		});
	}

	#resultOf(
		answer:
			Exclude<ReadingAnswer, { kind: 'stopped' }> | { kind: 'refused'; reason: FailureReason },
	): ReadingResult {
		const { readingTimeoutMs, readingMemoryMb } = this.#options;
		switch (answer.kind) {
			case 'extracted':
				return answer;
			case 'unreadable':
				return { kind: 'failed', reason: { code: answer.code, message: answer.message } };
			case 'refused':
				return { kind: 'failed', reason: answer.reason };
			case 'too slow':
				return failed(
					'reading_took_too_long',
					`Reading took longer than ${readingTimeoutMs / 1000} seconds and was stopped. Split the ` +
						'document, or raise READING_TIMEOUT_MS of the service.',
				);
			case 'too much memory':
				return failed(
					'reading_needed_too_much_memory',
					`Reading needed more than ${readingMemoryMb} MB of memory and was stopped. Split the ` +
						'document, or raise READING_MEMORY_MB of the service.',
				);
			case 'fault':
				return failed(
					'reading_failed',
					'The service has a fault that keeps it from reading this document. Print the document ' +
						'into a new PDF and try that one, and report the fault with the log of the service.',
				);
		}
	}
}

function failed(code: string, message: string): ReadingResult {
	return { kind: 'failed', reason: { code, message } };
}

const UNSUPPORTED_TYPES: Record<string, string> = {
	Invoice: 'invoices',
	Form: 'tax forms',
	Ocr: 'the text of documents of any kind',
	Template: 'documents by custom templates',
};

function unsupportedKind(task: ReadingTask): FailureReason | null {
	const kind =
		UNSUPPORTED_TYPES[task.jobType] ?? (task.subType === 'checkImages' ? 'check images' : null);
	if (kind === null) return null;
	return {
		code: 'unsupported_document_kind',
		message:
			`This version does not extract ${kind} yet. It extracts bank and credit card statements: ` +
			'create the job without jobType, subType and templateId, and in bank mode.',
	};
}
