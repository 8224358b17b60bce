import { lstat, opendir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { displayName } from '../documents/displayName.ts';
import type { Logger } from '../logging.ts';
import { FolderProjects } from '../projects/folderProjects.ts';
import { endsAsComplete, typeOfFile } from './fileContent.ts';
import { FileMemory } from './fileMemory.ts';
import type { RememberedFile } from './fileMemory.ts';
import { isIgnoredFile, isIgnoredFolder } from './ignoredNames.ts';
import { SaidOnce } from './saidOnce.ts';
import {
	ReadingStoppedError,
	SourceChangedError,
	SourceFile,
	SourceUnreadableError,
	stampOf,
} from './sourceFile.ts';
import { isTaken, takeFile } from './takeFile.ts';
import type { TakenFile, TakingParts } from './takeFile.ts';

export interface FolderWatcherOptions extends TakingParts {
	/** The watched folder. It need not exist yet. */
	folder: string;
	/** The service's own folder, in which nothing is ever looked for. */
	dataDir: string;
	/** Pause between two looks, milliseconds. */
	intervalMs: number;
	/**
	 * How long a file without the mark of a complete end has to stay the same before it is taken all
	 * the same, milliseconds.
	 */
	quietMs?: number;
	log: Logger;
}

/** Something that was found and is to be looked into. */
interface Candidate {
	path: string;
	name: string;
	/** Path of its folder below the watched folder, with slashes. */
	folder: string;
	modified: bigint;
	remembered: RememberedFile;
}

/** A file that is ready, with content that its project does not have. */
interface Wanted {
	candidate: Candidate;
	file: TakenFile;
}

const QUIET_MS = 30_000;
const SETTLED_CHECKS_A_LOOK = 1000;
const LONGEST_RETRY_MS = 60_000;
const CHANGES_UNTIL_SAID = 3;
/** Files that are read at the same time: after a restart all of them are read once. */
const READ_AT_ONCE = 4;
/** Names that are read from a folder at once. */
const NAMES_AT_ONCE = 256;

/**
 * Watches a folder (docs/watched-folder.md) by looking at it again and again, which works on network
 * folders too. Files are read, never changed or moved. One file is taken at a time.
 *
 * What was taken is known from the database by its content, so nothing depends on what is remembered
 * here: that only saves work.
 */
export class FolderWatcher {
	readonly #options: FolderWatcherOptions;
	readonly #quietMs: number;
	readonly #projects: FolderProjects;
	readonly #files = new FileMemory(SETTLED_CHECKS_A_LOOK);
	readonly #said = new SaidOnce();
	readonly #stopping = new AbortController();
	#timer: NodeJS.Timeout | null = null;
	#running: Promise<void> = Promise.resolve();

	constructor(options: FolderWatcherOptions) {
		this.#options = options;
		this.#quietMs = options.quietMs ?? QUIET_MS;
		this.#projects = new FolderProjects(
			options.db,
			options.account.contractId,
			basename(options.folder),
		);
	}

	start(): void {
		this.#options.log.info({ folder: this.#options.folder }, 'A folder is watched for documents.');
		this.#next(0);
	}

	/** Breaks off what is under way (the next start takes it up again) and waits for its end. */
	async stop(): Promise<void> {
		this.#stopping.abort();
		if (this.#timer !== null) clearTimeout(this.#timer);
		await this.#running;
	}

	#next(pauseMs: number): void {
		if (this.#stopping.signal.aborted) return;
		this.#timer = setTimeout(() => {
			this.#running = this.#lookSafely().finally(() => this.#next(this.#options.intervalMs));
		}, pauseMs);
	}

	async #lookSafely(): Promise<void> {
		const { log } = this.#options;
		try {
			await this.look();
			this.#said.over('look');
		} catch (error) {
			if (error instanceof ReadingStoppedError) return;
			const reason = error instanceof Error ? error.message : String(error);
			if (this.#said.isNew('look', reason)) {
				log.error(
					{ err: error },
					'The watched folder could not be worked on. Its files stay where they are, and it is ' +
						'tried again and again.',
				);
			}
		}
	}

	/** One look at the whole folder: takes every file that is ready. */
	async look(): Promise<void> {
		const root = await this.#root();
		if (root === null) return;
		this.#files.beginLook();
		const candidates: Candidate[] = [];
		const whole = await this.#lookInto(root.path, '', root.dataDir, candidates);
		if (whole) this.#files.forgetUnseen();
		// Oldest first, so that what came last is the newest document of its project.
		candidates.sort((left, right) =>
			left.modified === right.modified
				? left.path < right.path
					? -1
					: 1
				: left.modified < right.modified
					? -1
					: 1,
		);
		for (let at = 0; at < candidates.length; at += READ_AT_ONCE) {
			// Several are read at the same time, but taken one after the other, in their order.
			const examined = await Promise.allSettled(
				candidates
					.slice(at, at + READ_AT_ONCE)
					.map((candidate) =>
						this.#tryWith(candidate, (source) => this.#examine(candidate, source)),
					),
			);
			for (const result of examined) {
				if (result.status === 'rejected') throw result.reason;
				const wanted = result.value;
				if (wanted === null) continue;
				await this.#tryWith(wanted.candidate, (source) => this.#take(wanted, source));
			}
		}
	}

	/** The real paths of the watched folder and of the service's own one; null while there is none. */
	async #root(): Promise<{ path: string; dataDir: string } | null> {
		const { folder, dataDir, log } = this.#options;
		try {
			const path = await realpath(folder);
			if (!(await lstat(path)).isDirectory()) throw new NoFolderError();
			if (this.#said.over('root')) log.info({ folder }, 'The watched folder is there now.');
			return { path, dataDir: await realpath(dataDir) };
		} catch (error) {
			const problem =
				error instanceof NoFolderError
					? 'is a file and no folder. Name a folder in INGEST_DIR'
					: codeOf(error) === 'ENOENT'
						? 'does not exist. Create it, or correct INGEST_DIR'
						: `cannot be opened (${codeOf(error)}). Give the user that runs the service the right to read it`;
			if (this.#said.isNew('root', problem)) {
				log.warn(
					{ folder },
					`The watched folder ${problem}. It is used as soon as it can be read; the service runs without it until then.`,
				);
			}
			return null;
		}
	}

	/**
	 * Collects what is ready in a folder and below it.
	 *
	 * @returns false when a part of it could not be looked at
	 */
	async #lookInto(
		path: string,
		folder: string,
		dataDir: string,
		candidates: Candidate[],
	): Promise<boolean> {
		await this.#projects.idOf(folder);
		const below: string[] = [];
		let whole = true;
		try {
			for await (const entry of await opendir(path, { bufferSize: NAMES_AT_ONCE })) {
				if (this.#stopping.signal.aborted) throw new ReadingStoppedError();
				if (entry.isDirectory()) {
					if (!isIgnoredFolder(entry.name)) below.push(entry.name);
				} else if (entry.isFile()) {
					if (!isIgnoredFile(entry.name)) await this.#see(path, folder, entry.name, candidates);
				} else this.#sayOnce(join(path, entry.name), entry.isSymbolicLink() ? LINK : NO_FILE);
			}
			this.#said.over(path);
		} catch (error) {
			if (error instanceof ReadingStoppedError || codeOf(error) === null) throw error;
			whole = false;
			// A folder that was removed in the middle of the look is nothing to speak of.
			if (codeOf(error) !== 'ENOENT' || path.includes(UNKNOWN_CHARACTER)) {
				this.#sayOnce(path, unreadable(codeOf(error), path));
			}
		}
		for (const name of below) {
			const inner = join(path, name);
			if (inner === dataDir) continue;
			const innerFolder = folder === '' ? name : `${folder}/${name}`;
			whole = (await this.#lookInto(inner, innerFolder, dataDir, candidates)) && whole;
		}
		return whole;
	}

	/** Looks at one file's size and time, and makes it a candidate when they are the same as before. */
	async #see(
		folderPath: string,
		folder: string,
		name: string,
		candidates: Candidate[],
	): Promise<void> {
		const path = join(folderPath, name);
		if (!this.#files.isDue(path)) return;
		let stats;
		try {
			stats = await lstat(path, { bigint: true });
		} catch (error) {
			// Renamed or removed meanwhile, as temporary files are.
			if (codeOf(error) === 'ENOENT' && !name.includes(UNKNOWN_CHARACTER)) return;
			if (codeOf(error) === null) throw error;
			this.#sayOnce(path, unreadable(codeOf(error), path));
			return;
		}
		if (!stats.isFile()) return;
		const { file, sighting } = this.#files.note(path, stampOf(stats), performance.now());
		if (sighting === 'unchanged' && !file.settled && performance.now() >= file.retryAt) {
			candidates.push({ path, name, folder, modified: stats.mtimeNs, remembered: file });
		}
	}

	/**
	 * Opens a file for `work`. What is wrong with the file is dealt with here: it is said once and tried
	 * again later.
	 *
	 * @returns null when there is nothing to do with the file, or nothing could be done
	 */
	async #tryWith<T>(
		{ path, remembered }: Candidate,
		work: (source: SourceFile) => Promise<T | null>,
	): Promise<T | null> {
		try {
			const source = await SourceFile.open(path, remembered.stamp, this.#stopping.signal);
			try {
				return await work(source);
			} finally {
				await source.close();
			}
		} catch (error) {
			if (error instanceof ReadingStoppedError) throw error;
			remembered.failures++;
			remembered.retryAt =
				performance.now() +
				Math.min(LONGEST_RETRY_MS, this.#options.intervalMs * 2 ** remembered.failures);
			if (error instanceof SourceChangedError) {
				// The next look sees the change. A size that is never that of the content is another thing.
				if (remembered.failures >= CHANGES_UNTIL_SAID) this.#sayOnce(path, NEVER_THE_SAME);
				return null;
			}
			// Not the fault of the file. The look ends, and the next one does not begin with this file.
			if (!(error instanceof SourceUnreadableError)) throw error;
			if (error.code === 'ENOENT' && !path.includes(UNKNOWN_CHARACTER)) return null;
			this.#sayOnce(path, unreadable(error.code, path));
			return null;
		}
	}

	/** @returns what is to be taken; null when the file is settled, or has to wait */
	async #examine(candidate: Candidate, source: SourceFile): Promise<Wanted | null> {
		const { path, name, folder, remembered } = candidate;
		const quietAt = remembered.since + this.#quietMs;
		const quiet = performance.now() >= quietAt;
		const settle = (message: string | null): null => {
			remembered.settled = true;
			if (message === null) this.#said.over(path);
			else this.#sayOnce(path, message);
			return null;
		};
		const wait = (): null => {
			remembered.retryAt = quietAt;
			return null;
		};

		// Whoever creates a file writes into it later, as a rule.
		if (source.size === 0) return quiet ? settle(EMPTY) : wait();
		const { head, tail } = await source.ends();
		const mimetype = typeOfFile(name, head);
		// The beginning may be written last, so this verdict waits as well.
		if (mimetype === null) return quiet ? settle(OTHER_TYPE) : wait();
		if (source.size > this.#options.maxUploadBytes) {
			return settle(
				`The file is larger than ${this.#options.maxUploadBytes} bytes, so it is not taken. Split ` +
					'it, or raise MAX_UPLOAD_BYTES.',
			);
		}
		if (!quiet && !endsAsComplete(mimetype, tail)) return wait();

		const projectId = await this.#projects.idOf(folder);
		const sha256 = await source.sha256();
		if (await isTaken(this.#options.db, projectId, sha256)) return settle(null);
		const originalname = displayName(name) || 'document';
		return { candidate, file: { projectId, sha256, originalname, mimetype } };
	}

	async #take({ candidate, file }: Wanted, source: SourceFile): Promise<null> {
		const documentId = await takeFile(this.#options, source, file);
		candidate.remembered.settled = true;
		this.#said.over(candidate.path);
		if (documentId !== null) {
			this.#options.log.info(
				{ file: candidate.path, projectId: file.projectId, documentId },
				'A file was taken from the watched folder.',
			);
		}
		return null;
	}

	#sayOnce(path: string, message: string): void {
		if (this.#said.isNew(path, message)) this.#options.log.warn({ file: path }, message);
	}
}

class NoFolderError extends Error {}

/** Stands in names for what is no valid UTF-8; such a name cannot be opened. */
const UNKNOWN_CHARACTER = '\uFFFD';
const LINK =
	'This is a link. Links in the watched folder are not followed: put the file itself there.';
const NEVER_THE_SAME =
	'The file is never the same twice while it is read. It is taken when that ends; check the program ' +
	'that writes it, or the connection to the folder.';
const NO_FILE = 'This is neither a file nor a folder, so it is ignored.';
const EMPTY = 'The file is empty, so it is not taken.';
const OTHER_TYPE =
	'The file is no PDF, PNG, JPEG or TIFF, by its content and by its name, so it is ignored.';

function unreadable(code: string | null, path: string): string {
	const then = 'It is tried again.';
	if (path.includes(UNKNOWN_CHARACTER)) {
		return `The name has characters that are no valid UTF-8, so it cannot be opened. Rename it. ${then}`;
	}
	switch (code) {
		case 'EACCES':
		case 'EPERM':
			return `It cannot be read: the user that runs the service has no right to. Give it that right. ${then}`;
		case 'EBUSY':
			return `It cannot be read, because another program has it open. Close it there. ${then}`;
		case 'ELOOP':
			return LINK;
		case 'EMFILE':
		case 'ENFILE':
			return `It cannot be read, because too many files are open on this machine (${code}). ${then}`;
		default:
			return `It cannot be read (${code ?? 'unknown'}). Check the disk or the connection to it. ${then}`;
	}
}

/** The system's code of an error; null for an error of another kind. */
function codeOf(error: unknown): string | null {
	if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return null;
	return typeof error.code === 'string' ? error.code : null;
}
