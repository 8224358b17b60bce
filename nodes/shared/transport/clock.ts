import { sleep } from 'n8n-workflow';

/** Time, as waiting needs it. Tests bring their own. */
export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** From 0 up to, but not including, 1. */
	random(): number;
	/** Ends after `ms`, or at once when the signal is aborted. Never throws. */
	pause(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Older versions of n8n ignore the signal in `sleep`, so this listens for it as well. */
async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	if (signal === undefined) return await sleep(ms);
	if (signal.aborted) return;
	let stop = () => {};
	const aborted = new Promise<void>((resolve) => {
		stop = resolve;
		signal.addEventListener('abort', stop, { once: true });
	});
	// `sleep` rejects when it is aborted. Who pauses looks at the signal afterwards.
	const slept = sleep(ms, signal).catch(() => {});
	await Promise.race([slept, aborted]);
	signal.removeEventListener('abort', stop);
}

export const systemClock: Clock = { now: () => Date.now(), random: () => Math.random(), pause };
