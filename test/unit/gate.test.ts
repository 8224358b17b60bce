import { gate } from '../../nodes/shared/transport/gate';

describe('gate', () => {
	it('lets so many through at once, in order, and goes on after a failure', async () => {
		const pass = gate(2);
		let inside = 0;
		let most = 0;
		const order: number[] = [];
		const results = await Promise.allSettled(
			[0, 1, 2, 3, 4].map(async (number) =>
				pass(async () => {
					most = Math.max(most, ++inside);
					order.push(number);
					await new Promise((resolve) => setTimeout(resolve, 5));
					inside--;
					if (number === 1) throw new Error('one of them fails');
					return number;
				}),
			),
		);
		expect(most).toBe(2);
		expect(order).toEqual([0, 1, 2, 3, 4]);
		expect(results.map(({ status }) => status)).toEqual([
			'fulfilled',
			'rejected',
			'fulfilled',
			'fulfilled',
			'fulfilled',
		]);
	});
});
