interface Line {
	last: Promise<unknown>;
	length: number;
}

const lines = new Map<string, Line>();
/** One that runs and one that waits. */
const LONGEST = 2;

/**
 * Runs one after the other what has the same key: n8n begins a poll whether or not the one before
 * has ended, and two at a time would put the same out twice. One waits; a third gets undefined.
 */
export async function inTurn<T>(key: string, run: () => Promise<T>): Promise<T | undefined> {
	const line = lines.get(key) ?? { last: Promise.resolve(), length: 0 };
	if (line.length >= LONGEST) return undefined;
	const result = line.last.then(run);
	line.last = result.catch(() => {});
	line.length++;
	lines.set(key, line);
	try {
		return await result;
	} finally {
		line.length--;
		if (line.length === 0) lines.delete(key);
	}
}
