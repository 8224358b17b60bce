import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isErrno, syncFolder } from './dataFolder.ts';

/** Bytes that have arrived completely but belong to no document yet. */
export interface ReceivedFile {
	/** Name under which `keep` stores it. */
	name: string;
	temporaryPath: string;
	size: number;
	/** MD5, hexadecimal: what storage services give as the ETag of a plain upload. */
	etag: string;
}

/** Fewer or more bytes arrived than announced, or the sender went away. */
export class IncompleteBodyError extends Error {
	constructor() {
		super('The body ended before its announced length.');
		this.name = 'IncompleteBodyError';
	}
}

export class BodyTooLargeError extends Error {
	constructor() {
		super('The body is larger than allowed.');
		this.name = 'BodyTooLargeError';
	}
}

/** A temporary file this old belongs to no upload that is still running. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * The files of documents in one folder. Every upload has a name of its own below the document's key,
 * so replacing the bytes of a document never leaves it with half of the old and half of the new.
 */
export class FileStore {
	readonly #files: string;
	readonly #arriving: string;

	constructor(dataDir: string) {
		this.#files = join(dataDir, 'storage');
		this.#arriving = join(dataDir, 'storage-arriving');
	}

	/**
	 * Creates the folders and removes what interrupted uploads left.
	 *
	 * @param alone true when no other process uses the folder: then every temporary file is abandoned
	 */
	async prepare(alone: boolean): Promise<void> {
		await mkdir(this.#files, { recursive: true, mode: 0o700 });
		await mkdir(this.#arriving, { recursive: true, mode: 0o700 });
		for (const name of await readdir(this.#arriving)) {
			const path = join(this.#arriving, name);
			if (alone || (await ageOf(path)) > ABANDONED_AFTER_MS) await rm(path, { force: true });
		}
	}

	/**
	 * Writes a stream to disk in constant memory and makes it durable. Nothing stays behind when it
	 * fails.
	 *
	 * @param length announced size in bytes; both more and less is an error
	 * @throws IncompleteBodyError, BodyTooLargeError
	 */
	async receive(key: string, body: Readable, length: number, limit: number): Promise<ReceivedFile> {
		const upload = randomUUID();
		const temporaryPath = join(this.#arriving, upload);
		const digest = createHash('md5');
		let size = 0;
		const measure = new Transform({
			transform(chunk: Buffer, _encoding, done) {
				size += chunk.length;
				if (size > limit) return done(new BodyTooLargeError());
				digest.update(chunk);
				done(null, chunk);
			},
		});
		try {
			await pipeline(
				body,
				measure,
				createWriteStream(temporaryPath, { flags: 'wx', mode: 0o600, flush: true }),
			);
		} catch (error) {
			await rm(temporaryPath, { force: true });
			if (error instanceof BodyTooLargeError) throw error;
			if (isInterruption(error)) throw new IncompleteBodyError();
			throw error;
		}
		if (size !== length) {
			await rm(temporaryPath, { force: true });
			throw new IncompleteBodyError();
		}
		return { name: `${key}/${upload}`, temporaryPath, size, etag: digest.digest('hex') };
	}

	/** Moves received bytes to their final name. Atomic, and durable when it returns. */
	async keep(file: ReceivedFile): Promise<void> {
		const path = this.pathOf(file.name);
		const folder = dirname(path);
		await mkdir(folder, { recursive: true, mode: 0o700 });
		await rename(file.temporaryPath, path);
		await syncFolder(folder);
	}

	/** Forgets received bytes that were not kept. */
	async discard(file: ReceivedFile): Promise<void> {
		await rm(file.temporaryPath, { force: true });
	}

	/** Removes every other upload of the same document: replaced ones, and ones whose answer was lost. */
	async removeOthers(name: string): Promise<void> {
		const path = this.pathOf(name);
		const folder = dirname(path);
		for (const entry of await readdir(folder)) {
			const other = join(folder, entry);
			if (other !== path) await rm(other, { force: true });
		}
	}

	/** Where the bytes lie. `name` comes from `receive`, never from outside. */
	pathOf(name: string): string {
		const path = join(this.#files, name);
		if (!path.startsWith(this.#files + sep)) throw new Error('A stored name left the folder.');
		return path;
	}

	/** False when somebody removed the file from the folder. */
	async has(name: string): Promise<boolean> {
		try {
			const handle = await open(this.pathOf(name), 'r');
			await handle.close();
			return true;
		} catch (error) {
			if (isErrno(error, 'ENOENT')) return false;
			throw error;
		}
	}
}

async function ageOf(path: string): Promise<number> {
	try {
		return Date.now() - (await stat(path)).mtimeMs;
	} catch (error) {
		if (isErrno(error, 'ENOENT')) return 0;
		throw error;
	}
}

function isInterruption(error: unknown): boolean {
	return ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE', 'ETIMEDOUT', 'ABORT_ERR'].some(
		(code) => isErrno(error, code),
	);
}
