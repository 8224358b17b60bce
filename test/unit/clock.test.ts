/** `sleep` of an older n8n, which ignores the signal. */
jest.mock('n8n-workflow', () => ({
	sleep: async (ms: number) => {
		await new Promise((resolve) => setTimeout(resolve, ms).unref());
	},
}));

import { systemClock } from '../../nodes/shared/transport/clock';

describe('pauses where sleep ignores the signal', () => {
	it('end at once when aborted', async () => {
		const controller = new AbortController();
		const start = Date.now();
		setTimeout(() => controller.abort(), 30);
		await systemClock.pause(20_000, controller.signal);
		expect(Date.now() - start).toBeLessThan(2_000);
	});

	it('do not begin when aborted before', async () => {
		const start = Date.now();
		await systemClock.pause(20_000, AbortSignal.abort());
		expect(Date.now() - start).toBeLessThan(2_000);
	});

	it('take their time otherwise', async () => {
		const start = Date.now();
		await systemClock.pause(60, new AbortController().signal);
		await systemClock.pause(60);
		expect(Date.now() - start).toBeGreaterThanOrEqual(115);
	});
});
