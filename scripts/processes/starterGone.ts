import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const checkMs = 1_000;

/** The parent of a process; undefined when the process is gone or nothing can be said. */
const parentOf = async (pid: number): Promise<number | undefined> => {
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
	if (stat !== undefined) {
		// The name in brackets may hold anything, so the fields are counted from its end.
		return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
	}
	const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=', '-p', String(pid)]).catch(
		() => ({ stdout: '' }),
	);
	return stdout.trim() === '' ? undefined : Number(stdout);
};

/**
 * Resolves when npm, which started this script, is gone: ended by a signal it does not pass on. The
 * script would otherwise run on without a terminal. Outside npm it never resolves.
 */
export const starterGone = async (): Promise<string> => {
	if (process.env.npm_lifecycle_event === undefined) return await new Promise(() => {});
	// npm's shell starts tsx, and tsx starts this process.
	const runner = process.ppid;
	const starter = await parentOf(runner);
	for (;;) {
		await pause(checkMs, undefined, { ref: false });
		if (process.ppid !== runner || (await parentOf(runner)) !== starter) return 'npm is gone';
	}
};
