const MINUTE_MS = 60_000;
/** Some hundred kilobytes. Beyond that the job that was asked for longest ago is forgotten first. */
const MOST_JOBS = 10_000;

/**
 * Counts how often each job is asked for (section 8: sustained tight polling is rate limited). A whole
 * minute's worth may come at once; after that one more is due every `60 / perMinute` seconds. So whoever
 * asks too often waits for moments, and not for the rest of a minute.
 *
 * Ids of jobs are unique over all contracts, and only jobs that were found for their own contract are
 * counted: nobody can use up the polls of somebody else.
 */
export class JobPolls {
	readonly perMinute: number;
	readonly #pauseMs: number;
	readonly #now: () => number;
	/** When each job will have been asked for as often as is due; the latest poll last. */
	readonly #usedUntil = new Map<number, number>();

	/** @param now milliseconds of a clock that is never set back */
	constructor(perMinute: number, now: () => number = () => performance.now()) {
		this.perMinute = perMinute;
		this.#pauseMs = MINUTE_MS / perMinute;
		this.#now = now;
	}

	/** Counts one poll. 0 when it may be answered; otherwise the milliseconds until the next one may. */
	take(jobId: number): number {
		const now = this.#now();
		const usedUntil = Math.max(this.#usedUntil.get(jobId) ?? now, now) + this.#pauseMs;
		const tooEarlyMs = usedUntil - now - MINUTE_MS;
		// A poll that is refused does not count: otherwise whoever keeps asking would never get through.
		// Sums of fractions are a little off.
		if (tooEarlyMs > 0.001) return tooEarlyMs;
		this.#usedUntil.delete(jobId);
		this.#usedUntil.set(jobId, usedUntil);
		this.#forget(now);
		return 0;
	}

	/** Jobs that are remembered at the moment. */
	get size(): number {
		return this.#usedUntil.size;
	}

	#forget(now: number): void {
		for (const [jobId, usedUntil] of this.#usedUntil) {
			if (usedUntil > now && this.#usedUntil.size <= MOST_JOBS) return;
			this.#usedUntil.delete(jobId);
		}
	}
}
