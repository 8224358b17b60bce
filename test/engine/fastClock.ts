import { resolve } from 'node:path';

import type * as ClockModule from '../../nodes/shared/transport/clock';

/**
 * Shortens the pauses of the built node, so that a test of what happens after a minute takes a
 * second. Returns the pauses that were asked for, in milliseconds.
 */
export function shortenPauses(factor: number): number[] {
	const path = resolve(__dirname, '../../dist/nodes/shared/transport/clock.js');
	const { systemClock } = jest.requireActual<typeof ClockModule>(path);
	const pause = systemClock.pause;
	const asked: number[] = [];
	jest.spyOn(systemClock, 'pause').mockImplementation(async (ms, signal) => {
		asked.push(ms);
		await pause(ms / factor, signal);
	});
	return asked;
}
