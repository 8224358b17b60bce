import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks again and again until `condition` gives something other than undefined. Throws `onTimeout()`
 * when `limitMs` has passed.
 */
export const waitUntil = async <T>(
	condition: () => Promise<T | undefined>,
	options: { limitMs: number; intervalMs?: number; onTimeout: () => Error },
): Promise<T> => {
	const end = Date.now() + options.limitMs;
	for (;;) {
		const result = await condition();
		if (result !== undefined) return result;
		if (Date.now() >= end) throw options.onTimeout();
		await pause(options.intervalMs ?? 200);
	}
};
