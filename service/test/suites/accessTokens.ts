import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { generateStatement } from '../../../test/documents/index.ts';
import { openDatabase } from '../../src/database/database.ts';
import { Client, errorOf, member, request } from '../client.ts';
import type { Answer } from '../client.ts';
import type { RunningService } from '../runningService.ts';
import { addSecondContract } from '../secondContract.ts';
import type { Start } from './start.ts';

const TOKEN = /^dex_pat_[A-Za-z0-9_-]{43}$/;
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

interface ListedToken {
	id: number;
	name: string;
	createdAt: string;
	revokedAt: string | null;
}

/** Section 5.3, and docs/interface-choices.md, "Access tokens and JWTs". */
export function accessTokensSuite(start: Start): void {
	describe('access tokens', () => {
		let service: RunningService;
		let client: Client;
		let second: { accessToken: string; jwt: string };
		before(async () => {
			service = await start({ env: { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1:9' } });
			await service.stop();
			second = await addSecondContract(service.dataDir, service.databaseUrl);
			await service.start();
			client = new Client(service);
		});
		after(() => service.remove());

		const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

		async function create(name: string): Promise<{ id: number; token: string }> {
			const answer = await client.legacy('POST', '/accessTokens', { name });
			assert.equal(answer.status, 201, answer.text);
			return { id: Number(member(answer, 'id')), token: String(member(answer, 'token')) };
		}

		async function listed(headers = {}): Promise<ListedToken[]> {
			const answer = await client.legacy('GET', '/accessTokens', undefined, headers);
			assert.equal(answer.status, 200, answer.text);
			return member(answer, 'accessTokens') as ListedToken[];
		}

		/** What the access token is answered at an address that exists. */
		async function status(token: string): Promise<number> {
			return (await client.agent('GET', '/webhooks/events', undefined, bearer(token))).status;
		}

		it('are made, shown once, listed without the token, and kept as a hash', async () => {
			const before = await listed();
			assert.deepEqual(
				before.map(({ name, revokedAt }) => [name, revokedAt]),
				[['credentials.json', null]],
			);
			const answer = await client.legacy('POST', '/accessTokens', { name: 'Büro n8n' });
			assert.equal(answer.status, 201, answer.text);
			assert.equal(answer.headers.get('cache-control'), 'no-store');
			const token = String(member(answer, 'token'));
			assert.match(token, TOKEN);
			assert.equal(await status(token), 200);

			const list = await client.legacy('GET', '/accessTokens');
			const record = member(list, 'accessTokens', 1) as Record<string, unknown>;
			assert.deepEqual({ ...record, token }, answer.body);
			assert.deepEqual(Object.keys(record).toSorted(), ['createdAt', 'id', 'name', 'revokedAt']);
			assert.ok(Math.abs(Date.parse(String(record['createdAt'])) - Date.now()) < 60_000);
			const hash = createHash('sha256').update(token).digest('hex');
			for (const secret of [token, token.slice(8), hash]) {
				assert.ok(!list.text.includes(secret));
				assert.ok(!service.output.includes(secret), 'the log holds a token');
			}

			await service.stop();
			const { db, close } = await openDatabase(service.dataDir, service.databaseUrl, SILENT);
			const rows = await db.selectFrom('access_tokens').selectAll().execute();
			await close();
			await service.start();
			assert.ok(rows.some(({ token_hash }) => token_hash === hash));
			assert.ok(!JSON.stringify(rows).includes(token.slice(8)));
			assert.equal(await status(token), 200, 'a token outlives a restart');
		});

		it('are refused names that nobody could read', async () => {
			const before = await listed();
			for (const [body, error] of [
				[{}, '400 invalid_request name'],
				[{ name: '' }, '400 invalid_request name'],
				[{ name: '   ' }, '400 invalid_request name'],
				[{ name: 7 }, '400 invalid_request name'],
				[{ name: null }, '400 invalid_request name'],
				[{ name: 'x'.repeat(201) }, '400 invalid_request name'],
				[{ name: 'a\u0000b' }, '400 invalid_request name'],
				[{ name: 'a\nb' }, '400 invalid_request name'],
				[{ name: '\ud800' }, '400 invalid_request name'],
				[[], '400 invalid_request'],
				['name', '400 invalid_request'],
			] as const) {
				const answer = await client.legacy('POST', '/accessTokens', body);
				assert.equal(errorOf(answer), error, JSON.stringify(body));
			}
			assert.deepEqual(await listed(), before);
			const longest = await client.legacy('POST', '/accessTokens', { name: 'x'.repeat(200) });
			assert.equal(longest.status, 201, longest.text);
		});

		it('are managed with a JWT alone', async () => {
			const { id } = await create('managed');
			for (const [method, path, body] of [
				['GET', '/accessTokens', undefined],
				['POST', '/accessTokens', { name: 'more' }],
				['DELETE', `/accessTokens/${id}`, undefined],
			] as const) {
				for (const authorization of [
					'Bearer nothing',
					`Bearer ${service.credentials.accessToken}`,
				]) {
					const answer = await client.legacy(method, path, body, { authorization });
					assert.equal(errorOf(answer), '401 unauthorized', `${method} ${path}`);
				}
			}
			assert.equal((await listed()).find((token) => token.id === id)?.revokedAt, null);
			for (const unknown of ['999999', '0', '-1', 'x', '99999999999']) {
				const answer = await client.legacy('DELETE', `/accessTokens/${unknown}`);
				assert.equal(errorOf(answer), '404 not_found', unknown);
			}
		});

		it('of another contract are neither listed nor revoked', async () => {
			const { id, token } = await create('mine');
			const theirs = await listed(bearer(second.jwt));
			assert.deepEqual(
				theirs.map(({ name }) => name),
				['test'],
			);
			const answer = await client.legacy(
				'DELETE',
				`/accessTokens/${id}`,
				undefined,
				bearer(second.jwt),
			);
			assert.equal(errorOf(answer), '404 not_found');
			assert.equal(await status(token), 200);
			assert.equal((await client.legacy('DELETE', `/accessTokens/${theirs[0]?.id}`)).status, 404);
			assert.equal(await status(second.accessToken), 200);
		});

		it('are worth nothing from the moment they are revoked, on every endpoint', async () => {
			const { id, token } = await create('short-lived');
			assert.equal(await status(token), 200);
			const revoke = () => client.legacy('DELETE', `/accessTokens/${id}`);
			const answer = await revoke();
			assert.equal(answer.status, 204, answer.text);
			assert.equal(answer.text, '');
			for (const [method, path, body] of [
				['POST', '/documents/upload-url', { filename: 'a.pdf', mimetype: 'application/pdf' }],
				['GET', '/documents/1', undefined],
				['GET', '/documents/1/transactions', undefined],
				['GET', '/documents/1/data', undefined],
				['POST', '/jobs', { documents: [1] }],
				['GET', '/jobs/1', undefined],
				['GET', '/jobs/1/data', undefined],
				['GET', '/jobs/1/transactions', undefined],
				['GET', '/projects', undefined],
				['GET', '/projects/1/documents', undefined],
				['GET', '/webhooks', undefined],
				['POST', '/webhooks', { url: 'https://example.com/', events: ['document.uploaded'] }],
				['GET', '/webhooks/events', undefined],
				['GET', '/webhooks/1', undefined],
				['PUT', '/webhooks/1', {}],
				['DELETE', '/webhooks/1', undefined],
				['POST', '/webhooks/1/test', {}],
				['POST', '/webhooks/1/regenerate-secret', undefined],
				['GET', '/webhooks/1/deliveries', undefined],
				['POST', '/webhooks/deliveries/1/retry', undefined],
			] as const) {
				const refused = await client.agent(method, path, body, bearer(token));
				assert.equal(errorOf(refused), '401 unauthorized', `${method} ${path}`);
			}
			const [record] = (await listed()).filter((one) => one.id === id);
			assert.ok(Math.abs(Date.parse(String(record?.revokedAt)) - Date.now()) < 60_000);
			assert.equal((await revoke()).status, 204, 'revoking again is no error');
			assert.deepEqual(
				(await listed()).filter((one) => one.id === id),
				[record],
			);
		});

		it('that are revoked leave the jobs and webhooks that were made with them', async () => {
			const { id, token } = await create('leaver');
			const asLeaver = async (method: string, path: string, body?: unknown): Promise<Answer> =>
				await client.agent(method, path, body, bearer(token));
			const { pdf } = await generateStatement('usChecking', { seed: 8, transactions: 3 });
			const documentId = await client.upload(pdf);
			const job = await asLeaver('POST', '/jobs', { documents: [documentId] });
			const webhook = await asLeaver('POST', '/webhooks', {
				// Nobody listens there.
				url: 'http://127.0.0.1:9/',
				events: ['fraud.detected'],
			});
			assert.deepEqual([job.status, webhook.status], [201, 201], job.text + webhook.text);
			assert.equal((await client.legacy('DELETE', `/accessTokens/${id}`)).status, 204);

			const ended = await client.ended(Number(member(job, 'jobId')));
			assert.equal(member(ended, 'status'), 'Succeeded', ended.text);
			const path = `/webhooks/${String(member(webhook, 'id'))}`;
			assert.equal((await client.agent('GET', path)).status, 200);
			assert.equal((await client.agent('DELETE', path)).status, 204);
		});

		it('of credentials.json that are revoked are replaced at the next start', async () => {
			const { accessToken } = service.credentials;
			const own = (await listed()).find(({ name }) => name === 'credentials.json');
			assert.equal((await client.legacy('DELETE', `/accessTokens/${own?.id}`)).status, 204);
			assert.equal(await status(accessToken), 401);
			const { jwt } = service.credentials;
			await service.stop();
			await service.start();
			assert.notEqual(service.credentials.accessToken, accessToken);
			assert.equal(service.credentials.jwt, jwt);
			assert.equal(await status(service.credentials.accessToken), 200);
			assert.equal(await status(accessToken), 401);
			assert.deepEqual(
				(await listed())
					.filter(({ name }) => name === 'credentials.json')
					.map(({ revokedAt }) => revokedAt === null),
				[false, true],
			);
		});

		it('are looked for in the header alone', async () => {
			const { token } = await create('header');
			const answer = await request(
				`${service.site}/api/v1/agent/webhooks/events?access_token=${token}`,
			);
			assert.equal(errorOf(answer), '401 unauthorized');
		});
	});
}
