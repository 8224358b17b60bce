import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { generateStatement } from '../documents/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'statements-'));
after(() => rmSync(folder, { recursive: true }));

const write = (...args: string[]) =>
	spawnSync(
		process.execPath,
		[fileURLToPath(new URL('../documents/write.ts', import.meta.url)), ...args],
		{ encoding: 'utf8' },
	);

it('writes the PDF and its truth into a folder', async () => {
	const { status, stdout } = write(
		'ukCurrent',
		'--out',
		folder,
		'--seed',
		'12',
		'--transactions',
		'9',
	);
	assert.equal(status, 0);
	assert.match(stdout, /ukCurrent-12\.pdf {2}1 page\n/);
	assert.deepEqual(readdirSync(folder).sort(), ['ukCurrent-12.pdf', 'ukCurrent-12.truth.json']);
	const { pdf, truth } = await generateStatement('ukCurrent', { seed: 12, transactions: 9 });
	assert.ok(readFileSync(join(folder, 'ukCurrent-12.pdf')).equals(pdf));
	const written: unknown = JSON.parse(
		readFileSync(join(folder, 'ukCurrent-12.truth.json'), 'utf8'),
	);
	assert.deepEqual(written, truth);
});

it('says what is wrong with its arguments', () => {
	const nothing = write();
	assert.equal(nothing.status, 1);
	assert.match(nothing.stderr, /Layouts: usChecking/);
	const layout = write('nonesuch', '--out', folder);
	assert.equal(layout.status, 1);
	assert.match(layout.stderr, /There is no layout "nonesuch"/);
	const seed = write('usChecking', '--out', folder, '--seed', 'x');
	assert.equal(seed.status, 1);
	assert.match(seed.stderr, /--seed has to be a whole number/);
});
