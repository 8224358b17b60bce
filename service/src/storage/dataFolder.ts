import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The data folder cannot be used. The message is for a person. */
export class DataFolderError extends Error {
	constructor(message: string, cause?: unknown) {
		super(message, { cause });
		this.name = 'DataFolderError';
	}
}

/** Creates the folder, readable by its owner alone. */
export async function prepareDataFolder(dataDir: string): Promise<void> {
	try {
		await makeFolder(dataDir);
		const probe = join(dataDir, `.write-probe-${randomBytes(6).toString('hex')}`);
		await (await open(probe, 'wx', 0o600)).close();
		await rm(probe);
	} catch (error) {
		throw new DataFolderError(
			`The folder ${dataDir} cannot be written. Choose another one with DATA_DIR, or make it ` +
				'writable for the user that runs the service.',
			error,
		);
	}
}

/**
 * Keeps every other process out of the folder until `release` or the end of this process.
 *
 * The lock is one of the operating system (taken through SQLite, since Node has no call for it), not
 * a file with a process id: it disappears with its process however that ends, and it also holds
 * between containers that share a volume, where process ids say nothing.
 *
 * @throws DataFolderError when another process has it
 */
export function lockDataFolder(dataDir: string): { release(): void } {
	const lock = new DatabaseSync(join(dataDir, 'service.lock'));
	try {
		lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
	} catch (error) {
		lock.close();
		throw new DataFolderError(
			`Another service is already running on the folder ${dataDir}. Stop that one first, or give ` +
				'this one its own folder with DATA_DIR and its own PORT.',
			error,
		);
	}
	return { release: () => lock.close() };
}

/** Replaces a file as a whole, readable by its owner alone: a reader sees the old or the new text. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
	const temporary = await writeBeside(path, text);
	await rename(temporary, path);
	await syncFolder(dirname(path));
}

/**
 * Reads a private file, or creates it with `text` if there is none. Two processes that start at the
 * same time end up with the same text.
 */
export async function readOrCreatePrivateFile(path: string, text: string): Promise<string> {
	const existing = await readIfPresent(path);
	if (existing !== null) return existing;
	const temporary = await writeBeside(path, text);
	try {
		// Unlike a rename, a link fails when somebody else was first.
		await link(temporary, path);
		await syncFolder(dirname(path));
		return text;
	} catch (error) {
		if (!isErrno(error, 'EEXIST')) throw error;
		return await readFile(path, 'utf8');
	} finally {
		await rm(temporary, { force: true });
	}
}

/** Null where there is no such file. */
export async function readIfPresent(path: string): Promise<string | null> {
	try {
		return await readFile(path, 'utf8');
	} catch (error) {
		if (isErrno(error, 'ENOENT')) return null;
		throw error;
	}
}

/** Makes a new or renamed entry of the folder survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
	// Windows does not open folders; there the file system journals the entry itself.
	if (process.platform === 'win32') return;
	const handle = await open(folder, 'r');
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}

export function isErrno(error: unknown, code: string): boolean {
	return error instanceof Error && 'code' in error && error.code === code;
}

/** Not `mkdir` with `recursive`: where a folder cannot exist, as below /proc, that never returns. */
async function makeFolder(path: string): Promise<void> {
	try {
		await mkdir(path, { mode: 0o700 });
	} catch (error) {
		if (isErrno(error, 'EEXIST')) return;
		if (!isErrno(error, 'ENOENT') || dirname(path) === path) throw error;
		await makeFolder(dirname(path));
		await mkdir(path, { mode: 0o700 });
	}
}

async function writeBeside(path: string, text: string): Promise<string> {
	const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
	const handle = await open(temporary, 'wx', 0o600);
	try {
		await handle.writeFile(text);
		await handle.sync();
	} finally {
		await handle.close();
	}
	return temporary;
}
