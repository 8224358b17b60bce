/** What the watcher remembers of one file, by its path. */
export interface RememberedFile {
	/** Counts the files as they were found; spreads the checks of settled files. */
	readonly number: number;
	/** As `stampOf` gives it, from the last time the file was looked at. */
	stamp: string;
	/** When it was first seen with this stamp, milliseconds of a clock that only goes forward. */
	since: number;
	/** True when there is nothing to do until the stamp changes. */
	settled: boolean;
	/** Not to be tried before; 0: at any time. */
	retryAt: number;
	/** How often it could not be read, with this stamp. */
	failures: number;
	/** Number of the look that last saw it. */
	seenIn: number;
}

export type Sighting = 'new or changed' | 'unchanged';

/**
 * The files of the watched folder as they were at the last looks. It makes a look cheap: the names of
 * a folder with ten thousand files cost a few milliseconds, but asking for the size and time of each
 * costs a hundred times more. So files with which nothing is to be done are asked in turn, a fixed
 * number at each look.
 */
export class FileMemory {
	readonly #files = new Map<string, RememberedFile>();
	readonly #settledAtOnce: number;
	#found = 0;
	#look = 0;
	#rounds = 1;

	/** @param settledAtOnce settled files that are checked at each look */
	constructor(settledAtOnce: number) {
		this.#settledAtOnce = settledAtOnce;
	}

	get size(): number {
		return this.#files.size;
	}

	beginLook(): void {
		this.#look++;
		this.#rounds = Math.max(1, Math.ceil(this.#files.size / this.#settledAtOnce));
	}

	/** Notes that the name is there. @returns true when its size and time have to be asked for */
	isDue(path: string): boolean {
		const file = this.#files.get(path);
		if (file === undefined) return true;
		file.seenIn = this.#look;
		return !file.settled || file.number % this.#rounds === this.#look % this.#rounds;
	}

	/** Notes the stamp of a file. */
	note(path: string, stamp: string, now: number): { file: RememberedFile; sighting: Sighting } {
		const known = this.#files.get(path);
		if (known?.stamp === stamp) return { file: known, sighting: 'unchanged' };
		const file: RememberedFile = {
			number: known?.number ?? this.#found++,
			stamp,
			since: now,
			settled: false,
			retryAt: 0,
			failures: 0,
			seenIn: this.#look,
		};
		this.#files.set(path, file);
		return { file, sighting: 'new or changed' };
	}

	/** Ends a look that saw the whole folder: what it did not see is gone. */
	forgetUnseen(): void {
		for (const [path, file] of this.#files) {
			if (file.seenIn !== this.#look) this.#files.delete(path);
		}
	}
}
