import fc from 'fast-check';

import { SeenEvents } from '../../../nodes/DocumentExtractionTrigger/receive/seenEvents';

const DAY_MS = 24 * 60 * 60_000;

it('the first may go on, and the others wait until it is taken', async () => {
	const seen = new SeenEvents();
	const settle = await seen.claim('a');
	let second: unknown = 'waits';
	const waiting = seen.claim('a').then((claim) => (second = claim));
	await Promise.resolve();
	expect(second).toBe('waits');
	settle?.(true);
	await waiting;
	expect(second).toBeUndefined();
	expect(await seen.claim('a')).toBeUndefined();
	expect(await seen.claim('b')).toBeInstanceOf(Function);
});

it('one of those that wait goes on when the first is not taken', async () => {
	const seen = new SeenEvents();
	const first = await seen.claim('a');
	const claims = [seen.claim('a'), seen.claim('a'), seen.claim('a')];
	let next: ((taken: boolean) => void) | undefined;
	for (const claim of claims) void claim.then((settle) => (next ??= settle));
	first?.(false);
	first?.(true);
	await new Promise((done) => setImmediate(done));
	next?.(true);
	const results = await Promise.all(claims);
	expect(results.filter((settle) => settle !== undefined)).toHaveLength(1);
});

it('forgets the oldest when it is full, and each after a day', async () => {
	let now = 0;
	const seen = new SeenEvents(2, () => now);
	for (const key of ['a', 'b', 'c']) (await seen.claim(key))?.(true);
	expect(await seen.claim('b')).toBeUndefined();
	expect(await seen.claim('a')).toBeInstanceOf(Function);
	now = DAY_MS + 1;
	expect(await seen.claim('c')).toBeInstanceOf(Function);
});

it('lets each event through once, in whatever order deliveries come and fail', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.record({ key: fc.constantFrom('a', 'b'), taken: fc.boolean() }), {
				maxLength: 20,
			}),
			async (deliveries) => {
				const seen = new SeenEvents();
				const taken: string[] = [];
				let tries = 0;
				await Promise.all(
					deliveries.map(async (delivery) => {
						const settle = await seen.claim(delivery.key);
						if (settle === undefined) return;
						tries++;
						await new Promise((done) => setImmediate(done));
						if (delivery.taken) taken.push(delivery.key);
						settle(delivery.taken);
					}),
				);
				expect(new Set(taken).size).toBe(taken.length);
				const wanted = new Set(deliveries.filter(({ taken: is }) => is).map(({ key }) => key));
				expect(new Set(taken)).toEqual(wanted);
				expect(tries).toBeLessThanOrEqual(deliveries.length);
			},
		),
		{ numRuns: 100 },
	);
});
