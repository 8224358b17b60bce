import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextDelivery } from '../../src/webhooks/deliveryState.ts';
import type { DeliveryHappening, DeliveryState } from '../../src/webhooks/deliveryState.ts';

const backoff = { baseMs: 1000, random: 0 };

/** Runs happenings one after the other; every one of them has to be possible. */
function after(happenings: DeliveryHappening[], random = 0): DeliveryState & { ms: number | null } {
	let state: DeliveryState = { status: 'pending', attempts: 0, replays: 0 };
	let ms: number | null = 0;
	for (const happening of happenings) {
		const step = nextDelivery(state, happening, { baseMs: 1000, random });
		assert.ok(step !== null, `${state.status}: ${happening}`);
		const { nextAttemptInMs, ...next } = step;
		state = next;
		ms = nextAttemptInMs;
	}
	return { ...state, ms };
}

describe('the states of a delivery', () => {
	it('end as delivered with the first 2xx', () => {
		const first = { status: 'delivered', attempts: 1, replays: 0, ms: null };
		assert.deepEqual(after(['begun', 'succeeded']), first);
		assert.deepEqual(after(['begun', 'failed', 'begun', 'failed', 'begun', 'succeeded']), {
			...first,
			attempts: 3,
		});
	});

	it('pause for 1 s and 4 s, and end as dead-letter after the third failure', () => {
		const retrying = { status: 'retrying', replays: 0 };
		assert.deepEqual(after(['begun', 'failed']), { ...retrying, attempts: 1, ms: 1000 });
		assert.deepEqual(after(['begun', 'failed'], 1), { ...retrying, attempts: 1, ms: 1250 });
		const two: DeliveryHappening[] = ['begun', 'failed', 'begun', 'failed'];
		assert.deepEqual(after(two), { ...retrying, attempts: 2, ms: 4000 });
		assert.deepEqual(after(two, 0.5), { ...retrying, attempts: 2, ms: 4500 });
		assert.deepEqual(after([...two, 'begun', 'failed']), {
			status: 'dead-letter',
			attempts: 3,
			replays: 0,
			ms: null,
		});
	});

	it('do not count what the service itself broke off', () => {
		assert.deepEqual(after(['begun', 'given back']), {
			status: 'pending',
			attempts: 0,
			replays: 0,
			ms: 0,
		});
		assert.deepEqual(after(['begun', 'failed', 'begun', 'given back']), {
			status: 'retrying',
			attempts: 1,
			replays: 0,
			ms: 0,
		});
		// Taken over from a worker that died.
		assert.deepEqual(after(['begun', 'begun', 'succeeded']).attempts, 1);
	});

	it('end at once when the webhook is disabled', () => {
		assert.deepEqual(after(['begun', 'webhook disabled']), {
			status: 'dead-letter',
			attempts: 1,
			replays: 0,
			ms: null,
		});
	});

	it('begin anew with a replay, again with three attempts', () => {
		const dead: DeliveryHappening[] = ['begun', 'failed', 'begun', 'failed', 'begun', 'failed'];
		assert.deepEqual(after([...dead, 'replayed']), {
			status: 'pending',
			attempts: 0,
			replays: 1,
			ms: 0,
		});
		const twice = after([...dead, 'replayed', ...dead, 'replayed', 'begun', 'succeeded']);
		assert.deepEqual([twice.status, twice.attempts, twice.replays], ['delivered', 1, 2]);
		assert.equal(after(['begun', 'succeeded', 'replayed']).status, 'pending');
	});

	it('stay as they are when something comes that cannot be', () => {
		const impossible: Array<[DeliveryState['status'], DeliveryHappening[]]> = [
			['pending', ['succeeded', 'failed', 'given back', 'webhook disabled', 'replayed']],
			['retrying', ['succeeded', 'failed', 'given back', 'webhook disabled', 'replayed']],
			['in-progress', ['replayed']],
			['delivered', ['begun', 'succeeded', 'failed', 'given back', 'webhook disabled']],
			['dead-letter', ['begun', 'succeeded', 'failed', 'given back', 'webhook disabled']],
		];
		for (const [status, happenings] of impossible) {
			for (const happening of happenings) {
				const state = { status, attempts: 1, replays: 0 };
				assert.equal(nextDelivery(state, happening, backoff), null, `${status}: ${happening}`);
			}
		}
	});
});
