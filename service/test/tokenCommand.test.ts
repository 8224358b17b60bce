import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from './client.ts';
import { startService } from './runningService.ts';
import type { RunningService } from './runningService.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TSX = join(ROOT, 'node_modules/.bin/tsx');
const MAIN = join(ROOT, 'scripts/token/main.ts');

interface Run {
	code: number;
	out: string;
	words: string;
}

/** Runs the command as `npm run token` does. */
async function token(dataDir: string, ...words: string[]): Promise<Run> {
	return await new Promise((resolve) => {
		const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
		execFile(TSX, [MAIN, ...words], { env }, (error, out, said) => {
			resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, words: said });
		});
	});
}

describe('npm run token', () => {
	let service: RunningService;
	before(async () => {
		service = await startService();
	});
	after(() => service.remove());

	async function status(accessToken: string): Promise<number> {
		const headers = { authorization: `Bearer ${accessToken}` };
		const client = new Client(service);
		return (await client.agent('GET', '/webhooks/events', undefined, headers)).status;
	}

	it('creates a token and prints nothing else to the output, lists it, and revokes it', async () => {
		const created = await token(service.dataDir, 'create', 'office', 'n8n');
		assert.equal(created.code, 0, created.words);
		assert.match(created.out, /^dex_pat_[A-Za-z0-9_-]{43}\n$/);
		assert.match(created.words, /shown this once/);
		assert.ok(!created.words.includes('dex_pat_'));
		const accessToken = created.out.trim();
		assert.equal(await status(accessToken), 200);

		const listed = await token(service.dataDir, 'list');
		assert.equal(listed.code, 0, listed.words);
		const [head, first, second, ...more] = listed.out.trimEnd().split('\n');
		assert.match(head ?? '', /^ID +Created \(UTC\) +State +Name$/);
		assert.match(first ?? '', /^\d+ +\d{4}-\d\d-\d\d \d\d:\d\d +valid +credentials\.json$/);
		const id = /^(\d+) +\d{4}-\d\d-\d\d \d\d:\d\d +valid +office n8n$/.exec(second ?? '')?.[1];
		assert.ok(id, listed.out);
		assert.deepEqual(more, []);
		assert.ok(!listed.out.includes('dex_pat_'));

		const revoked = await token(service.dataDir, 'revoke', id);
		assert.equal(revoked.code, 0, revoked.words);
		assert.equal(revoked.out, '');
		assert.match(revoked.words, new RegExp(`Access token ${id} is revoked`));
		assert.equal(await status(accessToken), 401);
		assert.match((await token(service.dataDir, 'list')).out, /revoked \d{4}-.* office n8n/);
	});

	it('says what is wrong with what it was told', async () => {
		for (const [words, said] of [
			[[], /npm run token -- list/],
			[['show'], /npm run token -- list/],
			[['create'], /npm run token -- list/],
			[['list', 'all'], /npm run token -- list/],
			[['revoke'], /npm run token -- list/],
			[['revoke', '999999'], /There is no such access token.*-- list shows/],
			[['revoke', '../job'], /no id of an access token/],
			[['create', 'x'.repeat(201)], /`name` must not have more than 200 characters/],
		] as Array<[string[], RegExp]>) {
			const run = await token(service.dataDir, ...words);
			assert.equal(run.code, 1, words.join(' '));
			assert.equal(run.out, '');
			assert.match(run.words, said);
			assert.doesNotMatch(run.words, /\n\s+at /, 'a person sees no stack');
		}
	});

	it('says what is wrong with the service or its credentials', async () => {
		const folder = join(service.dataDir, 'elsewhere');
		const file = join(folder, 'credentials.json');
		await mkdir(folder);
		const answersTo = async (content: string): Promise<string> => {
			await writeFile(file, content);
			const { code, out, words } = await token(folder, 'list');
			assert.deepEqual([code, out], [1, '']);
			assert.doesNotMatch(words, /\n\s+at /);
			return words;
		};
		const { baseUrl, jwt } = service.credentials;
		const other = createServer((_request, response) => response.end('<html>'));
		await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
		const { port } = other.address() as AddressInfo;
		try {
			const address = `http://127.0.0.1:${port}/api/v1`;
			const strange = await answersTo(JSON.stringify({ baseUrl: address, jwt }));
			assert.match(strange, /is not the service/);
			assert.ok(!strange.includes(jwt));
		} finally {
			await new Promise((resolve) => other.close(resolve));
		}
		const down = await answersTo(
			JSON.stringify({ baseUrl: `http://127.0.0.1:${port}/api/v1`, jwt }),
		);
		assert.match(down, /does not answer at .*ECONNREFUSED.*npm run service/);
		const expired = await answersTo(JSON.stringify({ baseUrl, jwt: 'x.y.z' }));
		assert.match(expired, /does not take the JWT/);
		for (const content of ['', '{', '[]', '{}', '{"baseUrl":"x","jwt":"y"}', 'null']) {
			assert.match(await answersTo(content), /is damaged/);
		}
		await rm(file);
		const missing = await token(folder, 'list');
		assert.deepEqual([missing.code, missing.out], [1, '']);
		assert.match(missing.words, /There is no .*credentials\.json.*npm run service/);
	});
});
