/** Runs what it is given, but no more than so many at once; the others wait for their turn. */
export type Gate = <T>(run: () => Promise<T>) => Promise<T>;

/** How many requests one node has under way: many jobs shall not look like an attack. */
export const REQUESTS_AT_ONCE = 8;

export function gate(width: number): Gate {
	let free = width;
	const waiting: Array<() => void> = [];
	return async (run) => {
		if (free > 0) free--;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		try {
			return await run();
		} finally {
			const next = waiting.shift();
			if (next === undefined) free++;
			else next();
		}
	};
}
