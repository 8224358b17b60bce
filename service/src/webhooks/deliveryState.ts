import type { DeliveryStatus } from '../database/schema.ts';

/** Section 8: after so many failed attempts a delivery becomes dead-letter. */
export const MOST_ATTEMPTS = 3;

/** The third attempt waits so many times as long as the second. */
const BACKOFF_FACTOR = 4;
/** A pause is longer by up to this part of it, so that receivers are not hit all at once. */
const JITTER = 0.25;

/** Where a delivery stands. */
export interface DeliveryState {
	status: DeliveryStatus;
	/** Attempts that count since it was created or last replayed: 0 to 3. */
	attempts: number;
	/** How often it was replayed by hand. */
	replays: number;
}

export type DeliveryHappening =
	/** A worker takes it, or takes it over from one that died. */
	| 'begun'
	/** The receiver answered 2xx. */
	| 'succeeded'
	/** Any other answer, none in time, or the attempt could not be made. */
	| 'failed'
	/** The attempt was broken off because the service stops or was killed: it does not count. */
	| 'given back'
	/** Its webhook is disabled, so there is nobody to deliver to. */
	| 'webhook disabled'
	/** Replay by hand. */
	| 'replayed';

export interface DeliveryStep extends DeliveryState {
	/** Milliseconds until the next attempt is due; null while one is under way and after the end. */
	nextAttemptInMs: number | null;
}

export interface Backoff {
	/** Pause before the second attempt, milliseconds. */
	baseMs: number;
	/** From 0 to 1, drawn anew for every step. */
	random: number;
}

/**
 * The states of section 3 and their transitions (docs/webhooks.md). Pure.
 *
 * @returns null when this cannot happen in the state: nothing changes
 */
export function nextDelivery(
	state: DeliveryState,
	happening: DeliveryHappening,
	backoff: Backoff,
): DeliveryStep | null {
	const underWay = state.status === 'in-progress';
	const ended = hasEnded(state.status);
	switch (happening) {
		case 'begun':
			return ended ? null : { ...state, status: 'in-progress', nextAttemptInMs: null };
		case 'given back':
			if (!underWay) return null;
			return {
				...state,
				status: state.attempts === 0 ? 'pending' : 'retrying',
				nextAttemptInMs: 0,
			};
		case 'replayed':
			if (!ended) return null;
			return { status: 'pending', attempts: 0, replays: state.replays + 1, nextAttemptInMs: 0 };
	}
	if (!underWay) return null;
	const counted = { ...state, attempts: state.attempts + 1 };
	if (happening === 'succeeded') return { ...counted, status: 'delivered', nextAttemptInMs: null };
	if (happening === 'webhook disabled' || counted.attempts >= MOST_ATTEMPTS) {
		return { ...counted, status: 'dead-letter', nextAttemptInMs: null };
	}
	return {
		...counted,
		status: 'retrying',
		nextAttemptInMs: pauseAfter(counted.attempts, backoff),
	};
}

/** True for the states in which nothing more happens by itself. */
export function hasEnded(status: DeliveryStatus): boolean {
	return status === 'delivered' || status === 'dead-letter';
}

/** Pause after so many failed attempts, in whole milliseconds. */
function pauseAfter(attempts: number, { baseMs, random }: Backoff): number {
	const pause = baseMs * BACKOFF_FACTOR ** (attempts - 1);
	return Math.round(pause * (1 + JITTER * random));
}
