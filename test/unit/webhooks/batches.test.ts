import fc from 'fast-check';

import { Batches } from '../../../nodes/DocumentExtractionTrigger/deliver/batches';

/** Reads and writes in two steps, as n8n does, so that two at once would lose one. */
function store() {
	let known: string[] = [];
	const calls: string[][] = [];
	const ask = async (keys: string[]) => {
		calls.push(keys);
		const before = known;
		await new Promise((done) => setImmediate(done));
		const news = keys.filter((key) => !before.includes(key));
		known = [...before, ...news];
		return new Set(news);
	};
	return { calls, ask };
}

it('asks at once, and together about what comes meanwhile', async () => {
	const batches = new Batches();
	const { calls, ask } = store();
	const keys = ['a', 'b', 'a', 'c', 'c'];
	const news = await Promise.all(keys.map(async (key) => await batches.isNew('p', key, ask)));
	expect(news).toEqual([true, true, false, true, false]);
	expect(calls).toEqual([['a'], ['b', 'a', 'c']]);
	expect(await batches.isNew('p', 'b', ask)).toBe(false);
});

it('places do not wait for each other', async () => {
	const batches = new Batches();
	const { ask } = store();
	const never = async () => await new Promise<Set<string>>(() => {});
	void batches.isNew('stuck', 'a', never);
	expect(await batches.isNew('free', 'a', ask)).toBe(true);
});

it('tells a fault to everyone it is about, and goes on', async () => {
	const batches = new Batches();
	const { ask } = store();
	const fails = async () => await Promise.reject(new Error('gone'));
	const first = batches.isNew('p', 'a', fails);
	const second = batches.isNew('p', 'a', fails);
	const third = batches.isNew('p', 'b', ask);
	await expect(first).rejects.toThrow('gone');
	await expect(second).rejects.toThrow('gone');
	await expect(third).rejects.toThrow('gone');
	expect(await batches.isNew('p', 'a', ask)).toBe(true);
});

it('gives each key once, whenever it is asked for', async () => {
	const question = fc.record({ key: fc.constantFrom('a', 'b', 'c'), after: fc.nat({ max: 4 }) });
	await fc.assert(
		fc.asyncProperty(fc.array(question, { maxLength: 30 }), async (questions) => {
			const batches = new Batches();
			const { calls, ask } = store();
			const news = await Promise.all(
				questions.map(async ({ key, after }) => {
					for (let turn = 0; turn < after; turn++) await new Promise((done) => setImmediate(done));
					return (await batches.isNew('p', key, ask)) ? [key] : [];
				}),
			);
			const wanted = new Set(questions.map(({ key }) => key));
			expect([...news.flat()].sort()).toEqual([...wanted].sort());
			expect(calls.length).toBeLessThanOrEqual(questions.length);
		}),
	);
});
