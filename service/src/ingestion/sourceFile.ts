import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { END_BYTES } from './fileContent.ts';

/** The file is another one, or has other content, than when it was looked at. */
export class SourceChangedError extends Error {
	constructor() {
		super('The file changed while it was read.');
		this.name = 'SourceChangedError';
	}
}

/** The file cannot be read. `cause` is the system's error. */
export class SourceUnreadableError extends Error {
	/** The system's code, such as EACCES. */
	readonly code: string;

	constructor(cause: unknown) {
		super('The file cannot be read.', { cause });
		this.name = 'SourceUnreadableError';
		this.code =
			cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
				? cause.code
				: 'unknown';
	}
}

/** The service stops. */
export class ReadingStoppedError extends Error {
	constructor() {
		super('The service is stopping.');
		this.name = 'ReadingStoppedError';
	}
}

/**
 * What changes when a file's content does. The time of the last change of the entry is part of it,
 * since programs that copy often set the time of the content back to that of the original. The inode
 * is not: some network folders give another one at every look.
 */
export function stampOf(stats: BigIntStats): string {
	return `${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

const CHUNK_BYTES = 256 * 1024;
/**
 * A link that has taken the file's place is not followed, and a pipe does not hold up the opening.
 * Windows has neither flag.
 */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A file of the watched folder that is open for reading. It is never written. */
export class SourceFile {
	/** Bytes. */
	readonly size: number;
	readonly #handle: FileHandle;
	readonly #stamp: string;
	readonly #signal: AbortSignal;

	private constructor(handle: FileHandle, size: number, stamp: string, signal: AbortSignal) {
		this.#handle = handle;
		this.size = size;
		this.#stamp = stamp;
		this.#signal = signal;
	}

	/**
	 * @param stamp the stamp that the file had when it was looked at
	 * @param signal ends reading with `ReadingStoppedError`
	 * @throws SourceChangedError, SourceUnreadableError
	 */
	static async open(path: string, stamp: string, signal: AbortSignal): Promise<SourceFile> {
		const handle = await fromSystem(() => open(path, OPEN_FLAGS));
		try {
			const stats = await fromSystem(() => handle.stat({ bigint: true }));
			if (!stats.isFile() || stampOf(stats) !== stamp) throw new SourceChangedError();
			return new SourceFile(handle, Number(stats.size), stamp, signal);
		} catch (error) {
			await handle.close();
			throw error;
		}
	}

	/** The first and the last bytes, `END_BYTES` each; less where the file is shorter. */
	async ends(): Promise<{ head: Buffer; tail: Buffer }> {
		const length = Math.min(this.size, END_BYTES);
		const head = await this.#bytesAt(0, length);
		const tail = await this.#bytesAt(this.size - length, length);
		return { head, tail };
	}

	/** Of the whole content, hexadecimal. */
	async sha256(): Promise<string> {
		const digest = createHash('sha256');
		for await (const chunk of this.chunks()) digest.update(chunk);
		await this.assertUnchanged();
		return digest.digest('hex');
	}

	/** The whole content, a few hundred kilobytes at a time. More or less than `size` is an error. */
	async *chunks(): AsyncGenerator<Buffer> {
		let position = 0;
		for (;;) {
			if (this.#signal.aborted) throw new ReadingStoppedError();
			// A new buffer for each chunk: whoever writes it may still hold the one before.
			const chunk = await this.#bytesAt(position, CHUNK_BYTES);
			position += chunk.length;
			if (position > this.size) throw new SourceChangedError();
			if (chunk.length === 0) break;
			yield chunk;
		}
		if (position !== this.size) throw new SourceChangedError();
	}

	/** @throws SourceChangedError when the file was written to since it was looked at */
	async assertUnchanged(): Promise<void> {
		const stats = await fromSystem(() => this.#handle.stat({ bigint: true }));
		if (stampOf(stats) !== this.#stamp) throw new SourceChangedError();
	}

	async close(): Promise<void> {
		await this.#handle.close();
	}

	async #bytesAt(position: number, length: number): Promise<Buffer> {
		const buffer = Buffer.allocUnsafe(length);
		const { bytesRead } = await fromSystem(() => this.#handle.read(buffer, 0, length, position));
		return buffer.subarray(0, bytesRead);
	}
}

async function fromSystem<T>(call: () => Promise<T>): Promise<T> {
	try {
		return await call();
	} catch (error) {
		throw new SourceUnreadableError(error);
	}
}
