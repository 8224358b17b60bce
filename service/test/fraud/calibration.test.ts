import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tally } from '../../../test/fraud/calibration.ts';
import { cleanKinds, cleanStatements } from '../../../test/fraud/cleanStatements.ts';
import { tamperedKinds, tamperedStatements } from '../../../test/fraud/tamperedStatements.ts';

// Seeds that `bench/fraud.ts` does not use; it runs the same on 400 statements.
const FROM = 4_000;
const EACH = 2;

test('tampered statements are found, each kind of them', async () => {
	const count = Object.keys(tamperedKinds).length * EACH;
	const kinds = await tally(tamperedStatements(count, FROM), true);
	let found = 0;
	for (const [kind, { accused, wrong }] of kinds) {
		found += accused;
		assert.ok(accused >= 1, `${kind}: ${wrong.join('; ')}`);
	}
	assert.ok(found >= 0.92 * count, `${found} of ${count} found`);
});

test('no clean statement is accused, whatever happened to its file on the way', async () => {
	const count = Object.keys(cleanKinds).length * EACH;
	const kinds = await tally(cleanStatements(count, FROM), false);
	for (const [kind, { total, accused, refused, wrong }] of kinds) {
		assert.equal(total, EACH, kind);
		assert.equal(refused, 0, `${kind}: ${wrong.join('; ')}`);
		assert.equal(accused, 0, `${kind}: ${wrong.join('; ')}`);
	}
});
