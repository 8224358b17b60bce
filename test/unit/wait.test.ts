import type { Clock } from '../../nodes/shared/transport/clock';
import type { Job } from '../../nodes/shared/transport/jobs';
import { waitUntilEnded, type Poll, type WaitOptions } from '../../nodes/shared/transport/wait';

/** A clock on which a pause takes no time at all, and every pause is written down. */
class TestClock implements Clock {
	time = 1_000_000;

	pauses: number[] = [];

	constructor(private readonly jitter = 0) {}

	now() {
		return this.time;
	}

	random() {
		return this.jitter;
	}

	async pause(ms: number) {
		this.pauses.push(ms);
		this.time += ms;
	}
}

const job = (state: Job['state'], status: string = state): Poll => ({
	kind: 'job',
	job: { id: '1', status, state, record: {} },
});
const passing = (retryAfterMs?: number): Poll => ({
	kind: 'passing',
	reason: 'no answer',
	...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

async function wait(answers: Poll[], options: Partial<WaitOptions> & { clock: TestClock }) {
	let looks = 0;
	const end = await waitUntilEnded(async () => answers[Math.min(looks++, answers.length - 1)]!, {
		limitMs: 600_000,
		justCreated: true,
		...options,
	});
	return { end, looks };
}

describe('waiting for a job', () => {
	it('first looks after 2 s, then less often, up to every 30 s', async () => {
		const clock = new TestClock();
		const answers = [...Array.from({ length: 9 }, () => job('running')), job('succeeded')];
		const { end, looks } = await wait(answers, { clock });
		expect(end.kind).toBe('ended');
		expect(looks).toBe(10);
		expect(clock.pauses.map((ms) => Math.round(ms))).toEqual([
			2000, 3000, 4500, 6750, 10_125, 15_188, 22_781, 30_000, 30_000, 30_000,
		]);
	});

	it('spreads its looks by up to a quarter', async () => {
		const clock = new TestClock(0.999);
		await wait([job('running'), job('running'), job('succeeded')], { clock });
		expect(clock.pauses[0]).toBe(2000);
		expect(clock.pauses[1]).toBeGreaterThan(3700);
		expect(clock.pauses[1]).toBeLessThan(3750);
	});

	it('looks at once at a job that may have ended', async () => {
		const clock = new TestClock();
		const { looks } = await wait([job('running'), job('succeeded')], { clock, justCreated: false });
		expect(looks).toBe(2);
		expect(clock.pauses).toEqual([0, 2000]);
	});

	it.each(['succeeded', 'failed', 'outOfCredits'] as const)('%s is an end', async (state) => {
		const { end } = await wait([job(state)], { clock: new TestClock() });
		expect(end).toMatchObject({ kind: 'ended', job: { state } });
	});

	it('takes a last look at the limit, and not one later', async () => {
		const clock = new TestClock();
		const { end, looks } = await wait([job('running', 'Queued')], { clock, limitMs: 6_000 });
		expect(end).toEqual({ kind: 'limit', status: 'Queued' });
		expect(clock.pauses).toEqual([2000, 3000, 1000]);
		expect(looks).toBe(3);
		expect(clock.time).toBe(1_006_000);
	});

	it('with a limit of nothing it looks once', async () => {
		const clock = new TestClock();
		const { end, looks } = await wait([job('running', 'Queued')], { clock, limitMs: 0 });
		expect(end.kind).toBe('limit');
		expect(looks).toBe(1);
		expect(clock.time).toBe(1_000_000);
	});

	it('does as Retry-After says, also when that is longer than its own pause', async () => {
		const clock = new TestClock();
		await wait([passing(45_000), passing(1_000), job('succeeded')], { clock });
		expect(clock.pauses).toEqual([2000, 45_000, 4500]);
	});

	it('ends when the service wants to be left alone until after the limit', async () => {
		const clock = new TestClock();
		const { end, looks } = await wait([passing(3_600_000)], { clock, limitMs: 60_000 });
		expect(end).toEqual({ kind: 'limit' });
		expect(looks).toBe(1);
		expect(clock.time).toBe(1_002_000);
	});

	it('survives nine failed looks in a row, and again nine after a good one', async () => {
		const nine = Array.from({ length: 9 }, () => passing());
		const answers = [...nine, job('running'), ...nine, job('succeeded')];
		const { end } = await wait(answers, { clock: new TestClock(), limitMs: 3_600_000 });
		expect(end.kind).toBe('ended');
	});

	it('gives up after the tenth', async () => {
		const { end, looks } = await wait([passing()], { clock: new TestClock(), limitMs: 3_600_000 });
		expect(end).toEqual({ kind: 'unreachable', reason: 'no answer' });
		expect(looks).toBe(10);
	});

	it('does not look again once it is aborted, even where the pause does not notice', async () => {
		const clock = new TestClock();
		const controller = new AbortController();
		const pause = clock.pause.bind(clock);
		clock.pause = async (ms) => {
			await pause(ms);
			if (clock.pauses.length === 2) controller.abort();
		};
		const { end, looks } = await wait([job('running')], { clock, signal: controller.signal });
		expect(end).toEqual({ kind: 'cancelled' });
		expect(looks).toBe(1);
	});
});
