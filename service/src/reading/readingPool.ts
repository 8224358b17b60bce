import { Worker } from 'node:worker_threads';
import type { ExtractedDocument } from '../documents/extractedDocument.ts';
import type { UnreadableCode } from '../extraction/unreadable.ts';
import type { FraudAnalysis } from '../fraud/analysis/fraudSignal.ts';
import type { PdfInspection } from './pdf/inspectPdf.ts';

/** What a reading thread is told. */
export interface ReadingOrder {
	path: string;
	mimetype: string;
	maxPages: number;
}

/** An order as a thread gets it. */
export type ThreadOrder =
	({ kind: 'read'; password: string | null } & ReadingOrder) | { kind: 'inspect'; path: string };

interface Extracted {
	kind: 'extracted';
	document: ExtractedDocument;
	/** Null where the analysis itself failed: the rows are not lost to it. */
	fraud: FraudAnalysis | null;
}

interface Inspected {
	kind: 'inspected';
	pdf: PdfInspection;
}

/** How an order may end without its result. */
type NoResult =
	| { kind: 'unreadable'; code: UnreadableCode; message: string }
	| { kind: 'fault'; code: string; place: string }
	| { kind: 'too slow' }
	| { kind: 'too much memory' }
	/** The pool was stopped; the document is not to blame. */
	| { kind: 'stopped' };

/** What a reading thread answers. */
export type ThreadMessage =
	{ kind: 'ready' } | Extracted | Inspected | Extract<NoResult, { kind: 'unreadable' | 'fault' }>;

export type ReadingAnswer = Extracted | NoResult;
export type InspectionAnswer = Inspected | NoResult;
type ThreadAnswer = Extracted | Inspected | NoResult;

export interface PoolLimits {
	threads: number;
	timeoutMs: number;
	memoryMb: number;
}

/** How often the memory of a busy thread is looked at. */
const MEMORY_CHECK_MS = 200;
/** A thread that does not even start in this time never will. */
const START_TIMEOUT_MS = 30_000;

/**
 * A few threads that read documents. A thread that takes too long, needs too much memory or crashes
 * is ended and replaced; the process goes on. At most `threads` documents are read at once, further
 * ones wait.
 */
export class ReadingPool {
	readonly #limits: PoolLimits;
	readonly #passwordOf: (path: string) => Promise<string | null>;
	readonly #idle: ReadingThread[] = [];
	readonly #busy = new Set<ReadingThread>();
	readonly #waiting: Array<() => void> = [];
	#stopped = false;

	/** @param passwordOf gives the password of the file at a path; asked when a thread takes the file */
	constructor(
		limits: PoolLimits,
		passwordOf: (path: string) => Promise<string | null> = async () => null,
	) {
		this.#limits = limits;
		this.#passwordOf = passwordOf;
	}

	/** Starts the first thread ahead of its first document: loading the PDF library takes a moment. */
	warmUp(): void {
		if (this.#idle.length === 0) this.#idle.push(new ReadingThread(this.#limits));
	}

	/** Never rejects because of the document. */
	async read(order: ReadingOrder): Promise<ReadingAnswer> {
		const answer = await this.#run(async () => ({
			kind: 'read',
			...order,
			password: await this.#passwordOf(order.path),
		}));
		return answer.kind === 'inspected' ? unexpected(answer) : answer;
	}

	/** Looks at a PDF without reading its pages. Never rejects because of the document. */
	async inspect(path: string): Promise<InspectionAnswer> {
		const answer = await this.#run(async () => ({ kind: 'inspect', path }));
		return answer.kind === 'extracted' ? unexpected(answer) : answer;
	}

	async #run(order: () => Promise<ThreadOrder>): Promise<ThreadAnswer> {
		while (!this.#stopped && this.#busy.size >= this.#limits.threads) {
			await new Promise<void>((resolve) => this.#waiting.push(resolve));
		}
		if (this.#stopped) return { kind: 'stopped' };
		const thread = this.#idle.pop() ?? new ReadingThread(this.#limits);
		this.#busy.add(thread);
		try {
			return await thread.run(await order());
		} finally {
			this.#busy.delete(thread);
			if (thread.alive && !this.#stopped) this.#idle.push(thread);
			this.#waiting.shift()?.();
		}
	}

	/** Ends all threads at once; running orders are answered with `stopped`. */
	async stop(): Promise<void> {
		this.#stopped = true;
		for (const wake of this.#waiting.splice(0)) wake();
		await Promise.all([...this.#idle, ...this.#busy].map((thread) => thread.stop()));
	}
}

/** A thread answers the order that it got, so this is a fault of ours. */
function unexpected({ kind }: ThreadAnswer): NoResult {
	return { kind: 'fault', code: `answered_${kind}`, place: '' };
}

class ReadingThread {
	readonly #worker: Worker;
	readonly #limits: PoolLimits;
	readonly #ready: Promise<void>;
	#answer: ((answer: ThreadAnswer) => void) | null = null;
	alive = true;

	constructor(limits: PoolLimits) {
		this.#limits = limits;
		this.#worker = new Worker(new URL('./readingThread.ts', import.meta.url), {
			// No environment: a thread that reads strangers' files has no use for keys and addresses.
			env: {},
			resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb, stackSizeMb: 4 },
			stdout: true,
			stderr: true,
		});
		// What a PDF library prints about a document stays out of the log.
		this.#worker.stdout.resume();
		this.#worker.stderr.resume();
		this.#worker.unref();
		this.#ready = new Promise((resolve) => {
			this.#worker.on('message', (message: ThreadMessage) => {
				if (message.kind === 'ready') resolve();
				else this.#settle(message);
			});
		});
		this.#worker.on('error', (error: unknown) => this.#fail(error));
		this.#worker.on('exit', () => this.#fail(null));
	}

	async run(order: ThreadOrder): Promise<ThreadAnswer> {
		return await new Promise<ThreadAnswer>((resolve) => {
			let timer = setTimeout(() => this.#end({ kind: 'too slow' }), START_TIMEOUT_MS);
			const memory = setInterval(() => void this.#checkMemory(), MEMORY_CHECK_MS);
			this.#answer = (answer) => {
				clearTimeout(timer);
				clearInterval(memory);
				resolve(answer);
			};
			if (!this.alive) return this.#settle({ kind: 'fault', code: 'thread_ended', place: '' });
			void this.#ready.then(() => {
				if (this.#answer === null) return;
				// The time counts from here: starting a thread is not the document's doing.
				clearTimeout(timer);
				timer = setTimeout(() => this.#end({ kind: 'too slow' }), this.#limits.timeoutMs);
				this.#worker.postMessage(order);
			});
		});
	}

	async stop(): Promise<void> {
		this.#settle({ kind: 'stopped' });
		this.alive = false;
		await this.#worker.terminate();
	}

	/**
	 * The limit of the engine covers objects only. What a PDF unpacks to lies in buffers outside its
	 * heap, so that is looked at from here; it works while the thread is in the middle of a loop.
	 */
	async #checkMemory(): Promise<void> {
		if (!this.alive) return;
		try {
			const { used_heap_size, external_memory } = await this.#worker.getHeapStatistics();
			if (used_heap_size + external_memory > this.#limits.memoryMb * 1024 * 1024) {
				this.#end({ kind: 'too much memory' });
			}
		} catch {
			// The thread ended while it was asked; its own events say how.
		}
	}

	#fail(error: unknown): void {
		this.alive = false;
		const code = error instanceof Error && 'code' in error ? String(error.code) : 'thread_ended';
		if (code === 'ERR_WORKER_OUT_OF_MEMORY') this.#settle({ kind: 'too much memory' });
		else this.#settle({ kind: 'fault', code, place: '' });
	}

	#end(answer: ThreadAnswer): void {
		this.alive = false;
		this.#settle(answer);
		void this.#worker.terminate();
	}

	#settle(answer: ThreadAnswer): void {
		const answering = this.#answer;
		this.#answer = null;
		answering?.(answer);
	}
}
