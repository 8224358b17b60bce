import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fuzz } from './fuzzer.ts';
import type { FuzzReport } from './fuzzer.ts';
import { setScene } from './scene.ts';
import type { Scene } from './scene.ts';

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 20_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

describe('requests made from the described interface', () => {
	let scene: Scene;
	let report: FuzzReport;
	before(async () => {
		scene = await setScene();
	});
	after(async () => {
		await scene.remove();
	});

	it(`fit the description, all ${REQUESTS} of seed ${SEED}`, async () => {
		const { service, pool, files, kept, fileBase64, receiverUrl } = scene;
		report = await fuzz({
			siteUrl: service.site,
			credentials: { accessToken: service.credentials.accessToken, jwt: service.credentials.jwt },
			seed: SEED,
			requests: REQUESTS,
			pool,
			files,
			kept,
			hints: { fileBase64, url: [receiverUrl] },
		});
		print(report);
		assert.equal(report.counterexample, null, report.counterexample ?? '');
		assert.ok(report.requests >= REQUESTS, `${report.requests} requests were sent.`);
	});

	it('are answered with success by every operation', () => {
		assert.deepEqual(report.neverSucceeded, []);
	});

	it('leave the service alive and well', async () => {
		const { service } = scene;
		const answer = await fetch(`${service.site}/healthz`);
		assert.equal(answer.status, 200);
		assert.equal(service.output.match(/A request ended with a fault/g), null, service.output);
	});
});

function print({ requests, milliseconds, statuses }: FuzzReport): void {
	const seconds = milliseconds / 1000;
	const lines = [...statuses].sort().map(([operation, counts]) => {
		const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
		const each = [...counts].sort(([left], [right]) => left - right);
		return `${String(total).padStart(6)}  ${operation}  ${each.map(([status, count]) => `${status}: ${count}`).join(', ')}`;
	});
	console.log(
		`${lines.join('\n')}\n${requests} requests in ${seconds.toFixed(1)} s, ` +
			`${Math.round(requests / seconds)} a second, seed ${SEED}`,
	);
}
