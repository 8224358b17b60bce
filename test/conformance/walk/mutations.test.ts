import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../../../service/test/runningService.ts';
import { descriptionOf } from './description.ts';
import { LocalStage } from './localStage.ts';
import { MutatingProxy, withBody } from './mutatingProxy.ts';
import type { Mutation } from './mutatingProxy.ts';
import { mutations } from './mutations.ts';
import type { RowId } from './rows.ts';
import type { Stage } from './stage.ts';
import { walk } from './walk.ts';

/** Long enough for what comes, short enough for what never does. */
const DELIVERED_WITHIN_MS = 6000;

/** Takes long, and the test of the whole walk passes it too. */
const LONG_ROW = '8 download_transactions rows';

/** A service and a receiver behind proxies that change what goes through them. */
describe('a service that does not keep the interface', { concurrency: 1 }, () => {
	let service: MutatingProxy;
	let deliveries: MutatingProxy;
	let local: LocalStage;
	let stage: Stage;

	before(async () => {
		service = await MutatingProxy.start();
		deliveries = await MutatingProxy.start();
		local = await LocalStage.start({ PUBLIC_URL: service.url });
		service.target = local.main.site;
		const port = await freePort();
		deliveries.target = `http://127.0.0.1:${port}`;
		stage = {
			...local.stage,
			deliveryMs: DELIVERED_WITHIN_MS,
			receiver: { port, publicUrl: deliveries.url },
		};
	});

	after(async () => {
		await local?.end();
		await service?.stop();
		await deliveries?.stop();
	});

	async function failedRows(
		only: readonly RowId[],
		mutation: { service?: Mutation; deliveries?: Mutation },
	): Promise<string[]> {
		service.mutation = mutation.service ?? {};
		deliveries.mutation = mutation.deliveries ?? {};
		try {
			const { results } = await walk(stage, { rows: only });
			return results
				.filter(({ outcome }) => outcome !== 'pass')
				.map(({ row, outcome, seen }) => `${row.id}: ${outcome}, ${seen}`);
		} finally {
			service.mutation = {};
			deliveries.mutation = {};
		}
	}

	it('passes all rows that are used here while nothing is changed', async () => {
		const used = new Set(mutations.flatMap(({ fails, passes }) => [...fails, ...passes]));
		used.delete(LONG_ROW);
		assert.deepEqual(await failedRows([...used], {}), []);
	});

	it('fails the row that got an answer which the OpenAPI document does not describe', async () => {
		const { validate } = await descriptionOf(stage);
		const only: RowId[] = ['4.1 GET /protected/job/{id}', '4.2 GET /agent/jobs/{id}'];
		// The interface allows further members; the document names them all.
		service.mutation = withBody(['GET', /\/protected\/job\/\d+$/], (body) => ({
			...(body as object),
			surprise: true,
		}));
		try {
			const { results, passed } = await walk(stage, { rows: only, validate });
			const failed = results.filter(({ outcome }) => outcome === 'fail');
			assert.equal(passed, false);
			assert.deepEqual(
				failed.map(({ row }) => row.id),
				['4.1 GET /protected/job/{id}'],
			);
			assert.match(failed[0]?.seen ?? '', /against the OpenAPI document: .*surprise/);
		} finally {
			service.mutation = {};
		}
	});

	for (const { name, fails, passes, ...mutation } of mutations) {
		it(`fails where ${name}`, async (t) => {
			const failed = await failedRows([...fails, ...passes], mutation);
			t.diagnostic(failed.join('\n'));
			assert.deepEqual(
				failed.map((line) => line.slice(0, line.indexOf(': '))).toSorted(),
				fails.toSorted(),
				failed.join('\n'),
			);
			assert.ok(failed.every((line) => line.includes(': fail, ')));
		});
	}
});
