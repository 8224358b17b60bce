import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fuzz } from './fuzzer.ts';
import type { FuzzReport } from './fuzzer.ts';
import { rawCases, sendRaw } from './rawRequests.ts';
import { setScene } from './scene.ts';
import type { Scene } from './scene.ts';

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 20_000);
/** The same for everybody, so that a fault that appears is one of the change. `random` looks further. */
const SEED = seedOf(process.env['FUZZ_SEED'] ?? '20261121');
/** Far below the time after which an idle connection is closed. */
const RAW_ANSWERS_WITHIN_MS = 20_000;

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

	it('that are none, or not whole, are refused or dropped at once', async () => {
		const { service } = scene;
		const { accessToken, jwt } = service.credentials;
		for (const token of [accessToken, jwt]) {
			for (const raw of rawCases(`127.0.0.1:${service.port}`, `Bearer ${token}`)) {
				const answer = await sendRaw(service.port, raw, RAW_ANSWERS_WITHIN_MS);
				assert.ok(answer.closedOrAnswered, `${raw.what}: nothing happened`);
				assert.ok(answer.status === null || answer.status < 500, `${raw.what}: ${answer.text}`);
			}
		}
	});

	it('leave the service alive and well', async () => {
		const { service } = scene;
		const answer = await fetch(`${service.site}/healthz`);
		assert.equal(answer.status, 200);
		assert.equal(service.output.match(/A request ended with a fault/g), null, service.output);
	});
});

function seedOf(text: string): number {
	return text === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(text);
}

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
