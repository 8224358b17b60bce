import type { IExecuteFunctions } from 'n8n-workflow';

import type { Answer } from './answer';
import type { Clock } from './clock';
import {
	BROKE_OFF,
	cancelledFailure,
	connectionReason,
	operationFailure,
	type Task,
} from './failures';
import type { Attempt } from './request';
import { retryAfterMs } from './retryAfter';

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const LEAST_TIMEOUT_MS = 60_000;
/** Slower than this, in bytes a second, a transfer is given up. */
const SLOWEST_RATE = 64 * 1024;

/** How long a transfer of so many bytes may take, in milliseconds. */
export function transferTimeoutMs(size: number): number {
	return LEAST_TIMEOUT_MS + Math.ceil((size / SLOWEST_RATE) * 1000);
}

/** What a transfer that broke off is called, and where to look. */
export interface Broken {
	message: string;
	description: string;
}

/**
 * Moves the bytes of a file, and again after a failure that passes (no answer, 429, 5xx), at most
 * three times. `Retry-After` is honoured up to a minute. Gives the last answer, whatever its
 * status. Throws NodeOperationError where there was none, or where the execution was cancelled.
 */
export async function transfer(
	this: IExecuteFunctions,
	once: () => Promise<Attempt>,
	task: Task,
	broken: Broken,
	clock: Clock,
): Promise<Answer> {
	const node = this.getNode();
	let pauseMs = FIRST_PAUSE_MS;
	for (let number = 1; ; number++) {
		const result = await once();
		if (result.kind === 'cancelled') throw cancelledFailure(node, task.itemIndex, task.details);
		const answer = result.kind === 'answer' ? result.answer : undefined;
		const passes = answer === undefined || answer.status === 429 || answer.status >= 500;
		const asked = retryAfterMs(answer?.headers, clock.now()) ?? 0;
		const next = Math.max(asked, pauseMs * (1 + clock.random() / 4));
		if (passes && number < ATTEMPTS && next <= LONGEST_PAUSE_MS) {
			await clock.pause(next, this.getExecutionCancelSignal());
			pauseMs *= 2;
			continue;
		}
		if (answer !== undefined) return answer;
		const why = result.kind === 'noAnswer' ? connectionReason(result) : undefined;
		const reason = why === undefined || why === BROKE_OFF ? '' : `: ${why}`;
		throw operationFailure(node, `${broken.message}${reason}`, {
			...(task.itemIndex === undefined ? {} : { itemIndex: task.itemIndex }),
			description: `The node tried three times. ${broken.description}`,
			details: { ...task.details, code: result.kind === 'noAnswer' ? result.code : undefined },
		});
	}
}
