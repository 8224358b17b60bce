import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { JobPolls } from '../../src/jobs/jobPolls.ts';

/** A limit with a clock that the test moves. */
function limit(perMinute: number) {
	const clock = { now: 1_000_000.3 };
	return { clock, polls: new JobPolls(perMinute, () => clock.now) };
}

describe('polls of a job', () => {
	it('may come at once up to the number of a minute, and then as they become due', () => {
		const { clock, polls } = limit(120);
		for (let poll = 1; poll <= 120; poll++) assert.equal(polls.take(7), 0, `poll ${poll}`);
		assert.ok(Math.abs(polls.take(7) - 500) < 0.01);
		clock.now += 300;
		assert.ok(Math.abs(polls.take(7) - 200) < 0.01, 'asking early does not make the wait longer');
		clock.now += 200;
		assert.equal(polls.take(7), 0);
		assert.ok(polls.take(7) > 0);
		clock.now += 60_000;
		for (let poll = 1; poll <= 120; poll++) assert.equal(polls.take(7), 0, `poll ${poll} again`);
		assert.ok(polls.take(7) > 0);
	});

	it('are counted for each job alone', () => {
		const { polls } = limit(1);
		assert.equal(polls.take(1), 0);
		assert.equal(polls.take(2), 0);
		assert.equal(polls.take(1), 60_000);
		assert.equal(polls.take(2), 60_000);
	});

	it('are remembered for a minute at most, and for 10000 jobs at most', () => {
		const { clock, polls } = limit(120);
		for (let jobId = 1; jobId <= 25_000; jobId++) {
			clock.now += 0.001;
			polls.take(jobId);
			assert.ok(polls.size <= 10_000);
		}
		assert.equal(polls.size, 10_000);
		clock.now += 60_000;
		polls.take(1);
		assert.equal(polls.size, 1);
	});

	it('are never more than twice the number in any minute, and whoever waits as told gets through', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 300 }),
				fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 400 }),
				(perMinute, pauses) => {
					const { clock, polls } = limit(perMinute);
					const answered: number[] = [];
					for (const pause of pauses) {
						clock.now += pause;
						const wait = polls.take(1);
						assert.ok(wait >= 0 && wait <= 60_000 / perMinute + 0.01);
						if (wait === 0) answered.push(clock.now);
						else {
							clock.now += wait;
							assert.equal(polls.take(1), 0);
							answered.push(clock.now);
						}
					}
					answered.forEach((from, index) => {
						const within = answered.slice(index).filter((at) => at < from + 60_000);
						assert.ok(within.length <= 2 * perMinute);
					});
				},
			),
		);
	});
});
