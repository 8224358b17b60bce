import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isErrno, syncFolder } from './dataFolder.ts';

/** Bytes that have arrived completely but have no place of their own yet. */
export interface ArrivedFile {
	temporaryPath: string;
	size: number;
	/** MD5, hexadecimal: what storage services give as the ETag of a plain upload. */
	etag: string;
}

/** Bytes that have arrived completely but belong to no document yet. */
export interface ReceivedFile extends ArrivedFile {
	/** Name under which `keep` stores it. */
	name: string;
}

/** A stored file that is being read. Whoever opened it reads it to its end or destroys the stream. */
export interface OpenedFile {
	bytes: Readable;
	size: number;
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
		return this.named(key, await this.arrive(body, length, limit));
	}

	/**
	 * `receive` for bytes whose key is not known before they have arrived.
	 *
	 * @param length null where it was not announced: then the stream has to fail when it ends early
	 * @throws IncompleteBodyError, BodyTooLargeError
	 */
	async arrive(body: Readable, length: number | null, limit: number): Promise<ArrivedFile> {
		const temporaryPath = join(this.#arriving, randomUUID());
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
		if (length !== null && size !== length) {
			await rm(temporaryPath, { force: true });
			throw new IncompleteBodyError();
		}
		return { temporaryPath, size, etag: digest.digest('hex') };
	}

	/** Gives bytes that have arrived their place below a document's key. Nothing is moved yet. */
	named(key: string, file: ArrivedFile): ReceivedFile {
		return { ...file, name: `${key}/${basename(file.temporaryPath)}` };
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
	async discard(file: ArrivedFile): Promise<void> {
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

	/** Opens a stored file; null when somebody removed it from the folder. */
	async open(name: string): Promise<OpenedFile | null> {
		let handle: FileHandle;
		try {
			handle = await open(this.pathOf(name), 'r');
		} catch (error) {
			if (isErrno(error, 'ENOENT')) return null;
			throw error;
		}
		try {
			const { size } = await handle.stat();
			// Not a byte more than the size that was announced, whatever happens to the file.
			return { bytes: handle.createReadStream({ start: 0, end: Math.max(0, size - 1) }), size };
		} catch (error) {
			await handle.close();
			throw error;
		}
	}

	/** The name of the file at a path that `pathOf` gave. */
	nameOf(path: string): string {
		return relative(this.#files, path).replaceAll(sep, '/');
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
