import { open, readFile, rm } from 'node:fs/promises';
import { PlainError } from '../processes/plainError.ts';

const isAlive = (pid: number): boolean => {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
};

/**
 * Keeps two scripts from installing n8n into the same folder at once. A lock whose process is gone
 * does not count. Returns the function that takes the lock away.
 */
export const acquireInstallLock = async (file: string): Promise<() => Promise<void>> => {
	for (let attempt = 0; attempt < 3; attempt++) {
		try {
			const lock = await open(file, 'wx');
			await lock.writeFile(String(process.pid));
			await lock.close();
			return async () => await rm(file, { force: true });
		} catch (error) {
			const code = error instanceof Error && 'code' in error ? error.code : undefined;
			if (code !== 'EEXIST') throw error;
			const holder = Number(await readFile(file, 'utf8').catch(() => ''));
			if (holder > 0 && holder !== process.pid && isAlive(holder)) {
				throw new PlainError(
					`Process ${holder} is installing n8n at the moment. Wait until it has finished, then run the same command again.`,
				);
			}
			await rm(file, { force: true });
		}
	}
	throw new PlainError(`${file} cannot be created. Remove it and run the same command again.`);
};
