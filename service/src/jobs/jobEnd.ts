import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database, JobRow, JobStatus } from '../database/schema.ts';

const END_STATUSES: readonly JobStatus[] = ['Succeeded', 'Failed', 'OutOfCredits'];
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

export function hasEnded(status: JobStatus): boolean {
	return END_STATUSES.includes(status);
}

/**
 * Waits until a job has ended, whichever process works on it. Looks at one row, every second at most.
 *
 * @param longest milliseconds
 * @param signal ends the waiting early
 * @returns the job as it is then, which may not have ended
 */
export async function waitForEnd(
	db: Kysely<Database>,
	jobId: number,
	longest: number,
	signal: AbortSignal,
): Promise<JobRow> {
	const until = performance.now() + longest;
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
		const job = await db
			.selectFrom('jobs')
			.selectAll()
			.where('id', '=', jobId)
			.executeTakeFirstOrThrow();
		const left = until - performance.now();
		if (hasEnded(job.status) || left <= 0 || signal.aborted) return job;
		// Being told to stop is no fault: the job is looked at once more.
		await sleep(Math.min(pause, left), undefined, { signal }).catch(() => undefined);
	}
}
