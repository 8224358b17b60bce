import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { SharedOrAlone } from '../../src/queue/sharedOrAlone.ts';

it('runs shared work together, other work alone, and goes on after a failure', async () => {
	const turns = new SharedOrAlone();
	const running = new Set<string>();
	const seen: string[] = [];
	const ends = new Map<string, () => void>();
	const run = (name: string, alone: boolean): Promise<void> =>
		turns.run(alone, async () => {
			running.add(name);
			seen.push([...running].toSorted().join('+'));
			await new Promise<void>((resolve) => ends.set(name, resolve));
			running.delete(name);
			if (name === 'b') throw new Error('b failed');
		});
	const end = async (name: string): Promise<void> => {
		ends.get(name)?.();
		await turn();
	};

	const all = [run('a', false), run('b', false), run('alone', true), run('c', false)];
	const settled = Promise.allSettled(all);
	await turn();
	assert.deepEqual(seen, ['a', 'a+b']);
	await end('a');
	assert.deepEqual(seen, ['a', 'a+b'], 'alone waits for b, and c does not overtake it');
	await end('b');
	assert.deepEqual(seen, ['a', 'a+b', 'alone']);
	await end('alone');
	assert.deepEqual(seen, ['a', 'a+b', 'alone', 'c']);
	await end('c');
	assert.deepEqual(
		(await settled).map(({ status }) => status),
		['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
	);
});
