import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { descriptionOf } from './description.ts';
import { LocalStage } from './localStage.ts';
import { notServedYet } from './notServedYet.ts';
import { summary } from './report.ts';
import { walk } from './walk.ts';

describe('the local service', () => {
	it('keeps every row of the interface, in answers that its OpenAPI document describes', async (t) => {
		const local = await LocalStage.start();
		try {
			const started = Date.now();
			const { validate, held } = await descriptionOf(local.stage);
			const result = await walk(local.stage, { validate });
			const text = summary(result, (Date.now() - started) / 1000);
			t.diagnostic(text);
			assert.ok(result.passed, text);
			const missing = result.results.filter(({ outcome }) => outcome === 'not served yet');
			assert.deepEqual(
				missing.map(({ row }) => row.id).toSorted(),
				Object.keys(notServedYet).toSorted(),
			);
			// An answer that nobody looks at is described by anything.
			assert.equal(held(), result.requests);
		} finally {
			await local.end();
		}
	});
});
