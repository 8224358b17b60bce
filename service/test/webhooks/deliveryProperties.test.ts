import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import {
	DeliveryUnderWayError,
	listDeliveries,
	replayDelivery,
} from '../../src/webhooks/deliveries.ts';
import type { DeliveryRecord } from '../../src/webhooks/deliveries.ts';
import type { DeliveryDispatcher } from '../../src/webhooks/deliveryDispatcher.ts';
import { nextDelivery } from '../../src/webhooks/deliveryState.ts';
import type { DeliveryHappening, DeliveryState } from '../../src/webhooks/deliveryState.ts';
import type { AttemptResult } from '../../src/webhooks/receiver/attemptResult.ts';
import { removeWebhook, updateWebhook } from '../../src/webhooks/webhooks.ts';
import { DeliveryBench } from './deliveryBench.ts';
import type { Received } from './deliveryBench.ts';
import { signatureOf, until } from './testReceiver.ts';

const HAPPENINGS: DeliveryHappening[] = [
	'begun',
	'succeeded',
	'failed',
	'given back',
	'webhook disabled',
	'replayed',
];

/**
 * Section 3 said in another way: not as a table of transitions, but as what follows from all that has
 * happened since the delivery was created or last replayed.
 */
class Expected {
	/** Attempts that count. */
	counted: Array<'succeeded' | 'failed' | 'webhook disabled'> = [];
	isUnderWay = false;
	replays = 0;

	get isOver(): boolean {
		const last = this.counted.at(-1);
		return last === 'succeeded' || last === 'webhook disabled' || this.counted.length === 3;
	}

	get state(): DeliveryState {
		const status = this.isUnderWay
			? 'in-progress'
			: this.isOver
				? this.counted.at(-1) === 'succeeded'
					? 'delivered'
					: 'dead-letter'
				: this.counted.length === 0
					? 'pending'
					: 'retrying';
		return { status, attempts: this.counted.length, replays: this.replays };
	}

	/** @returns whether it can happen now */
	happen(happening: DeliveryHappening): boolean {
		if (happening === 'replayed') {
			if (!this.isOver) return false;
			this.counted = [];
			this.replays++;
			return true;
		}
		if (happening === 'begun') {
			if (this.isOver) return false;
			this.isUnderWay = true;
			return true;
		}
		if (!this.isUnderWay) return false;
		this.isUnderWay = false;
		if (happening !== 'given back') this.counted.push(happening);
		return true;
	}
}

describe('any course of a delivery', () => {
	it('goes through the states of section 3 and no others', () => {
		fc.assert(
			fc.property(
				// Begun more often than the rest, or hardly anything would happen.
				fc.array(fc.tuple(fc.constantFrom<DeliveryHappening>('begun', ...HAPPENINGS), unit()), {
					maxLength: 60,
				}),
				fc.integer({ min: 1, max: 3_600_000 }),
				(happenings, baseMs) => {
					const expected = new Expected();
					let state = expected.state;
					for (const [happening, random] of happenings) {
						const step = nextDelivery(state, happening, { baseMs, random });
						assert.equal(step !== null, expected.happen(happening), happening);
						if (step === null) continue;
						const { nextAttemptInMs, ...next } = step;
						state = next;
						assert.deepEqual(state, expected.state);
						checkPause(state, happening, nextAttemptInMs, baseMs);
					}
				},
			),
			{ numRuns: 5000 },
		);
	});

	it('ends after at most three attempts, whatever is answered, and can be replayed for ever', () => {
		fc.assert(
			fc.property(fc.array(fc.array(fc.boolean(), { minLength: 3, maxLength: 3 })), (rounds) => {
				let state: DeliveryState = { status: 'pending', attempts: 0, replays: 0 };
				const happen = (happening: DeliveryHappening): void => {
					const step = nextDelivery(state, happening, { baseMs: 1000, random: 0.5 });
					assert.ok(step !== null);
					state = { status: step.status, attempts: step.attempts, replays: step.replays };
				};
				for (const answers of rounds) {
					const first = answers.indexOf(true);
					const expected = first < 0 ? 3 : first + 1;
					for (const isGood of answers.slice(0, expected)) {
						happen('begun');
						happen(isGood ? 'succeeded' : 'failed');
					}
					assert.equal(state.status, first < 0 ? 'dead-letter' : 'delivered');
					assert.equal(state.attempts, expected);
					happen('replayed');
				}
				assert.equal(state.replays, rounds.length);
			}),
		);
	});
});

/** Something is due exactly when nothing is under way and nothing is over. */
function checkPause(
	state: DeliveryState,
	happening: DeliveryHappening,
	pause: number | null,
	baseMs: number,
): void {
	const isDue = state.status === 'pending' || state.status === 'retrying';
	assert.equal(pause !== null, isDue, state.status);
	if (pause === null) return;
	const least = happening === 'failed' ? baseMs * 4 ** (state.attempts - 1) : 0;
	assert.ok(pause >= least && pause <= Math.ceil(least * 1.25), `${pause} after ${happening}`);
}

function unit(): fc.Arbitrary<number> {
	return fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
}

const RUN_FOR_MS = 40_000;

/** What a receiver does with one attempt. `held`: nothing, until the end of the run. */
type Outcome = 200 | 202 | 302 | 500 | 'timeout' | 'held';
type Action =
	/** An event happens. */
	| 'event'
	/** The process dies and another begins; what the dead one had under way is never recorded. */
	| 'crash'
	/** The same while all that is under way waits for an answer. */
	| 'crash at rest'
	/** The process stops in good order and another begins. */
	| 'restart'
	/** Another process takes over, because the leases of the first ran out. */
	| 'take over'
	| 'replay'
	| 'disable'
	| 'enable'
	/** Until the receiver has been sent what can be sent. */
	| 'settle'
	/** What was held is answered, also to those who are dead. */
	| 'late answers';

describe('the worker and the database', () => {
	let bench: DeliveryBench;
	before(async () => {
		bench = await DeliveryBench.open();
	});
	after(() => bench.close());

	it('lose and double nothing under any schedule of answers, crashes and replays', async (t) => {
		let run = 0;
		const runUntil = Date.now() + RUN_FOR_MS;
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.constantFrom<Outcome>(200, 202, 302, 500, 500, 'timeout', 'held', 'held'), {
					maxLength: 40,
				}),
				fc.array(
					fc.constantFrom<Action>(
						'event',
						'event',
						'event',
						'crash',
						'crash at rest',
						'crash at rest',
						'restart',
						'take over',
						'replay',
						'disable',
						'enable',
						'settle',
						'settle',
						'settle',
						'late answers',
					),
					{ maxLength: 25 },
				),
				fc.boolean(),
				async (outcomes, actions, lateSuccess) => {
					// A busy machine runs fewer.
					if (Date.now() > runUntil) return;
					run++;
					const schedule = new Schedule(bench, `run-${run}`, outcomes, lateSuccess);
					await schedule.run(['event', ...actions]);
				},
			),
			{ numRuns: 40, endOnFailure: true },
		);
		t.diagnostic(`${run} schedules`);
		assert.ok(run >= 5, `only ${run} schedules were run`);
	});
});

/** One dispatcher, as if it were a process. */
interface Life {
	dispatcher: DeliveryDispatcher | null;
	/** Its leases were taken away while it waited for answers: what it hears now counts for nothing. */
	isDead: boolean;
	ended: Promise<void>;
}

/** An attempt that the receiver has not answered yet. */
interface HeldAttempt {
	life: Life;
	/** The lease under which it was sent. */
	leaseId: string | null;
	release: (answer: Partial<AttemptResult>) => void;
}

/** One random schedule against the real dispatcher and the real tables. */
class Schedule {
	readonly #bench: DeliveryBench;
	readonly #name: string;
	readonly #outcomes: Outcome[];
	readonly #lateSuccess: boolean;
	/** What the receiver answered, one for every attempt that reached it. */
	readonly #answered: Array<{ received: Received; answer: AttemptResult }> = [];
	readonly #held = new Set<HeldAttempt>();
	#current: Life = { dispatcher: null, isDead: false, ended: Promise.resolve() };
	readonly #dead: Life[] = [];
	#webhook = { id: 0, secret: '' };
	#events = 0;
	#isOver = false;

	constructor(bench: DeliveryBench, name: string, outcomes: Outcome[], lateSuccess: boolean) {
		this.#bench = bench;
		this.#name = name;
		this.#outcomes = [...outcomes];
		this.#lateSuccess = lateSuccess;
	}

	async run(actions: Action[]): Promise<void> {
		const { db } = this.#bench;
		this.#webhook = await this.#bench.webhook(this.#name);
		await this.#begin();
		try {
			for (const action of actions) {
				await this.#do(action);
				for (const record of await this.#records()) checkRecord(record);
			}
			await updateWebhook(db, 1, this.#webhook.id, { enabled: true });
			this.#isOver = true;
			// Attempts of dead processes are answered now. Nobody may count that.
			await this.#answerLate();
			await until(async () => {
				const records = await this.#records();
				return records.every(({ status }) => status === 'delivered' || status === 'dead-letter');
			}, 'every delivery ends');
			await this.#check();
		} finally {
			this.#isOver = true;
			for (const { release } of this.#held) release({});
			await this.#bench.stop();
			await removeWebhook(db, 1, this.#webhook.id);
		}
	}

	async #do(action: Action): Promise<void> {
		const { db } = this.#bench;
		const last = this.#current;
		switch (action) {
			case 'event':
				this.#events++;
				await this.#bench.emit();
				return;
			case 'crash at rest':
				await this.#settle();
				last.isDead = true;
				this.#dead.push(last);
				this.#abandon(last);
				await this.#begin();
				return;
			case 'crash':
				this.#abandon(last);
				await this.#begin();
				return;
			case 'restart':
				await last.dispatcher?.stop(0);
				await this.#begin();
				return;
			case 'take over':
				this.#abandon(last);
				await this.#begin(false);
				await db
					.updateTable('deliveries')
					.set({ next_attempt_at: new Date(Date.now() - 1000) })
					.where('status', '=', 'in-progress')
					.execute();
				this.#current.dispatcher?.wake();
				return;
			case 'replay':
				for (const { id } of await this.#records()) await this.#replay(Number(id));
				return;
			case 'disable':
			case 'enable':
				await updateWebhook(db, 1, this.#webhook.id, { enabled: action === 'enable' });
				return;
			case 'settle':
				await this.#settle();
				return;
			case 'late answers':
				await this.#answerLate();
		}
	}

	/** Everything that has not ended waits for an answer that is held back. */
	async #settle(): Promise<void> {
		await until(async () => {
			const rows = await this.#bench.db
				.selectFrom('deliveries')
				.select('lease_id')
				.where('webhook_id', '=', this.#webhook.id)
				.where('status', 'in', ['pending', 'in-progress', 'retrying'])
				.execute();
			const held = new Set([...this.#held].map(({ leaseId }) => leaseId));
			return rows.every(({ lease_id }) => lease_id !== null && held.has(lease_id));
		}, 'everything is sent');
	}

	/** Answers whatever was held. What the dead hear changes nothing. */
	async #answerLate(): Promise<void> {
		await this.#settle();
		const before = await this.#records();
		this.#release(({ isDead }) => isDead);
		await Promise.all(this.#dead.splice(0).map(({ ended }) => ended));
		assert.deepEqual(await this.#records(), before);
		this.#release(() => true);
	}

	#release(isMeant: (life: Life) => boolean): void {
		for (const held of this.#held) {
			if (!isMeant(held.life)) continue;
			this.#held.delete(held);
			held.release(this.#lateSuccess ? {} : refused(503));
		}
	}

	async #begin(alone = true): Promise<void> {
		const life: Life = { dispatcher: null, isDead: false, ended: Promise.resolve() };
		this.#current = life;
		life.dispatcher = await this.#bench.dispatcher({
			alone,
			deliveryBackoffMs: 2,
			receivers: {
				post: async (url, headers, body, signal = new AbortController().signal) => {
					const received = { url, headers, body: Buffer.from(body).toString(), at: Date.now() };
					const answer = { ...SUCCESS, ...(await this.#answer(life, headers, signal)) };
					this.#answered.push({ received, answer });
					return answer;
				},
			},
		});
	}

	/** It takes nothing more, but its attempts go on as if nobody had told them. */
	#abandon(life: Life): void {
		life.ended = life.dispatcher?.stop(2 ** 31 - 1) ?? Promise.resolve();
	}

	async #replay(id: number): Promise<void> {
		const before = (await this.#records()).find((record) => Number(record.id) === id);
		try {
			const record = await replayDelivery(this.#bench.db, 1, id);
			assert.equal(record?.status, 'pending');
			assert.equal(record.attempts, 0);
			assert.deepEqual(record.attemptLog.length >= (before?.attemptLog.length ?? 0), true);
		} catch (error) {
			if (!(error instanceof DeliveryUnderWayError)) throw error;
			// What has ended stays so until it is replayed.
			assert.ok(before?.status !== 'delivered' && before?.status !== 'dead-letter');
		}
	}

	async #answer(
		life: Life,
		headers: Record<string, string>,
		signal: AbortSignal,
	): Promise<Partial<AttemptResult>> {
		const outcome = this.#isOver ? 200 : (this.#outcomes.shift() ?? 200);
		if (outcome === 'timeout') return NO_ANSWER;
		if (outcome !== 'held') return outcome < 300 ? { statusCode: outcome } : refused(outcome);
		const row = await this.#bench.db
			.selectFrom('deliveries')
			.select('lease_id')
			.where('event_id', '=', headerOf(headers, 'x-service-event-id'))
			.executeTakeFirst();
		if (signal.aborted) return { ...NO_ANSWER, aborted: true };
		return await new Promise((resolve) => {
			const held = { life, leaseId: row?.lease_id ?? null, release: resolve };
			this.#held.add(held);
			signal.addEventListener('abort', () => {
				this.#held.delete(held);
				resolve({ ...NO_ANSWER, aborted: true });
			});
		});
	}

	async #records(): Promise<DeliveryRecord[]> {
		const { deliveries } = await listDeliveries(this.#bench.db, this.#webhook.id, {
			limit: 200,
			offset: 0,
			status: null,
			since: null,
		});
		return deliveries;
	}

	/** Everything has ended: compare the log with what the receiver saw. */
	async #check(): Promise<void> {
		const records = await this.#records();
		const bodies = new Map<string, string>();
		for (const { headers, body } of this.#answered.map(({ received }) => received)) {
			const id = headerOf(headers, 'x-service-event-id');
			assert.equal(
				headerOf(headers, 'x-service-signature'),
				signatureOf(this.#webhook.secret, Buffer.from(body)),
			);
			assert.equal(bodies.get(id) ?? body, body, 'every attempt has the same bytes');
			bodies.set(id, body);
		}
		assert.ok(records.length <= this.#events);
		for (const record of records) {
			checkRecord(record);
			const seen = this.#answered
				.filter(
					({ received }) => headerOf(received.headers, 'x-service-event-id') === record.eventId,
				)
				.map(({ answer }) => answer);
			const sent = record.attemptLog.filter(({ error }) => !(error ?? '').includes('disabled'));
			// Every entry stands for one attempt that the receiver saw and answered so.
			for (const code of [200, 202, 302, 500, 503, null]) {
				const logged = sent.filter(({ statusCode }) => statusCode === code).length;
				const came = seen.filter(({ statusCode }) => statusCode === code).length;
				assert.ok(logged <= came, `${logged} times ${code} in the log, ${came} in truth`);
			}
			if (record.status === 'delivered') assert.ok(seen.some(({ ok }) => ok));
		}
	}
}

const SUCCESS: AttemptResult = {
	ok: true,
	statusCode: 200,
	error: null,
	responseBody: '',
	durationMs: 1,
	aborted: false,
};
const NO_ANSWER: Partial<AttemptResult> = {
	ok: false,
	statusCode: null,
	error: 'The receiver did not answer.',
	responseBody: null,
};

function refused(statusCode: number): Partial<AttemptResult> {
	return { ok: false, statusCode, error: `The receiver answered with status ${statusCode}.` };
}

function headerOf(headers: Record<string, string>, name: string): string {
	const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
	return found?.[1] ?? '';
}

/** A record is what its log says: the log, told to the model, leads to the same state. */
function checkRecord(record: DeliveryRecord): void {
	const expected = new Expected();
	for (const [index, entry] of record.attemptLog.entries()) {
		if (entry.replay > expected.replays)
			assert.ok(expected.happen('replayed'), 'replayed too early');
		assert.equal(entry.replay, expected.replays);
		assert.ok(expected.happen('begun'), `attempt ${entry.attempt} after the end, place ${index}`);
		const isGood = entry.statusCode !== null && entry.statusCode < 300;
		assert.equal(entry.error === null, isGood);
		const isDisabled = (entry.error ?? '').includes('disabled');
		expected.happen(isGood ? 'succeeded' : isDisabled ? 'webhook disabled' : 'failed');
		assert.equal(entry.attempt, expected.counted.length);
	}
	// The last replay may not have left a trace yet.
	if (expected.isOver && (record.status === 'pending' || record.attempts === 0)) {
		expected.happen('replayed');
	}
	if (record.status === 'in-progress') assert.ok(expected.happen('begun'));
	assert.equal(record.status, expected.state.status, JSON.stringify(record));
	assert.equal(record.attempts, expected.state.attempts);
	const isDue = record.status === 'pending' || record.status === 'retrying';
	assert.equal(record.nextAttemptAt !== null, isDue, JSON.stringify(record));
	assert.equal(record.deliveredAt !== null, record.status === 'delivered');
}
