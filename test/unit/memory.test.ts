import { Memory } from '../../nodes/shared/transport/memory';

describe('memory of what was created', () => {
	it('knows nothing without a key', () => {
		const memory = new Memory<string>(3);
		memory.set(undefined, 'a');
		expect(memory.get(undefined)).toBeUndefined();
		expect(memory.get('x')).toBeUndefined();
	});

	it('forgets the oldest when it is full', () => {
		const memory = new Memory<number>(3);
		for (const number of [1, 2, 3]) memory.set(`key ${number}`, number);
		memory.set('key 1', 1);
		memory.set('key 4', 4);
		const known = [1, 2, 3, 4].map((number) => memory.get(`key ${number}`));
		expect(known).toEqual([1, undefined, 3, 4]);
	});

	it('forgets after a day', () => {
		let now = 0;
		const memory = new Memory<string>(3, () => now);
		memory.set('key', 'value');
		now = 24 * 60 * 60_000 - 1;
		expect(memory.get('key')).toBe('value');
		now++;
		expect(memory.get('key')).toBeUndefined();
	});
});
