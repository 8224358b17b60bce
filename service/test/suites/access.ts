import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SignJWT, UnsecuredJWT } from 'jose';
import { generateStatement } from '../../../test/documents/index.ts';
import { Client, errorOf, member, request } from '../client.ts';
import type { RunningService } from '../runningService.ts';
import { addSecondContract } from '../secondContract.ts';
import type { Start } from './start.ts';

/** Section 5: who may do what. */
export function accessSuite(start: Start): void {
	describe('access', () => {
		let service: RunningService;
		let client: Client;
		let second: { accessToken: string; jwt: string };
		before(async () => {
			service = await start();
			await service.stop();
			second = await addSecondContract(service.dataDir, service.databaseUrl);
			await service.start();
			client = new Client(service);
		});
		after(() => service.remove());

		const agentRoutes: Array<[string, string]> = [
			['POST', '/documents/upload-url'],
			['POST', '/jobs'],
			['GET', '/jobs/1'],
			['GET', '/jobs/1/data'],
			['GET', '/jobs/1/transactions'],
			['GET', '/documents/1'],
			['GET', '/documents/1/transactions'],
			['GET', '/documents/1/data'],
			['GET', '/webhooks/events'],
		];

		it('refuses every agent route without a token, with a wrong one and with a JWT', async () => {
			const { accessToken, jwt } = service.credentials;
			const wrong = `${accessToken.slice(0, -1)}${accessToken.endsWith('A') ? 'B' : 'A'}`;
			const headers = [
				undefined,
				'',
				'Bearer',
				`Bearer ${wrong}`,
				`Bearer ${jwt}`,
				`Basic ${accessToken}`,
				`Bearer ${accessToken} x`,
			];
			for (const [method, path] of agentRoutes) {
				for (const authorization of headers) {
					const answer = await request(`${service.site}/api/v1/agent${path}`, {
						method,
						headers: {
							'content-type': 'application/json',
							...(authorization === undefined ? {} : { authorization }),
						},
						...(method === 'POST' ? { body: '{broken' } : {}),
					});
					assert.equal(errorOf(answer), '401 unauthorized', `${method} ${path} ${authorization}`);
					assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
				}
			}
		});

		it('takes the right token', async () => {
			assert.equal((await client.agent('GET', '/webhooks/events')).status, 200);
			const lowerCase = await request(`${service.site}/api/v1/agent/webhooks/events`, {
				headers: { authorization: `bearer ${service.credentials.accessToken}` },
			});
			assert.equal(lowerCase.status, 200);
		});

		it('refuses JWTs that are foreign, unsigned, expired or endless, and access tokens', async () => {
			const claims = { contract: 1 };
			const issuer = 'document-extraction-service';
			const foreignKey = new Uint8Array(32).fill(7);
			const foreign = await new SignJWT(claims)
				.setProtectedHeader({ alg: 'HS256' })
				.setIssuer(issuer)
				.setSubject('1')
				.setExpirationTime('1h')
				.sign(foreignKey);
			const unsigned = new UnsecuredJWT(claims)
				.setIssuer(issuer)
				.setSubject('1')
				.setExpirationTime('1h')
				.encode();
			const [head = '', payload = ''] = service.credentials.jwt.split('.');
			const tokens = [
				foreign,
				unsigned,
				`${head}.${payload}.`,
				service.credentials.accessToken,
				'x.y.z',
			];
			for (const token of tokens) {
				const answer = await request(`${service.site}/api/v1/protected/job/1`, {
					headers: { authorization: `Bearer ${token}` },
				});
				assert.equal(errorOf(answer), '401 unauthorized', token.slice(0, 20));
			}
			assert.equal(
				errorOf(await request(`${service.site}/api/v1/protected/job/1`)),
				'401 unauthorized',
			);
		});

		it('shows nothing of one contract to another', async () => {
			const { pdf } = await generateStatement('usChecking', { seed: 3, transactions: 5 });
			const { documentId, jobId } = await client.extract(pdf);
			const other = new Client(service);
			const mine = service.credentials;
			const asSecond = async (method: string, path: string, body?: unknown) =>
				await other.agent(method, path, body, {
					authorization: `Bearer ${second.accessToken}`,
				});

			for (const path of [
				`/jobs/${jobId}`,
				`/jobs/${jobId}/data`,
				`/jobs/${jobId}/transactions`,
				`/documents/${documentId}`,
				`/documents/${documentId}/transactions`,
				`/documents/${documentId}/transactions?format=csv`,
				`/documents/${documentId}/data`,
			]) {
				const theirs = await asSecond('GET', path);
				const missing = await asSecond('GET', path.replace(/\d+/, '999999'));
				assert.equal(errorOf(theirs), '404 not_found', path);
				assert.equal(theirs.text, missing.text, 'the answer must not tell that the id exists');
				assert.equal((await client.agent('GET', path)).status, 200, path);
			}
			assert.equal(
				errorOf(await asSecond('POST', '/jobs', { documents: [documentId] })),
				'404 not_found documents[0]',
			);
			const legacy = await request(`${service.site}/api/v1/protected/job/${jobId}`, {
				headers: { authorization: `Bearer ${second.jwt}` },
			});
			assert.equal(errorOf(legacy), '404 not_found');
			assert.equal(service.credentials, mine);
		});

		it('keeps the Idempotency-Keys of two contracts apart', async () => {
			const headers = { 'idempotency-key': 'shared' };
			const mine = await client.uploadUrl('a.pdf', 'application/pdf', headers);
			const theirs = await client.agent(
				'POST',
				'/documents/upload-url',
				{ filename: 'a.pdf', mimetype: 'application/pdf' },
				{ ...headers, authorization: `Bearer ${second.accessToken}` },
			);
			assert.equal(theirs.status, 201);
			assert.notEqual(member(theirs, 'document', 'id'), mine.id);
		});

		it('answers the legacy job with the same record', async () => {
			const { pdf } = await generateStatement('usChecking', { seed: 4, transactions: 5 });
			const { jobId } = await client.extract(pdf);
			const legacy = await client.legacy('GET', `/job/${jobId}`);
			assert.equal(legacy.status, 200);
			assert.deepEqual(legacy.body, (await client.agent('GET', `/jobs/${jobId}`)).body);
			assert.equal(errorOf(await client.legacy('GET', '/job/999999')), '404 not_found');
		});

		it('creates legacy jobs, in bank mode unless it is switched off', async () => {
			const { pdf } = await generateStatement('usChecking', { seed: 5, transactions: 5 });
			const documentId = await client.upload(pdf);
			const create = async (body: unknown) => await client.legacy('POST', '/job', body);
			const ended = async (body: unknown) => {
				const created = await create(body);
				assert.equal(created.status, 201, created.text);
				return await client.ended(Number(member(created, 'id')));
			};

			const bank = await ended({
				jobName: 'May',
				documents: [String(documentId)],
				templateId: null,
			});
			assert.equal(member(bank, 'status'), 'Succeeded');
			assert.equal(member(bank, 'name'), 'May');
			assert.equal(member(bank, 'transactionCount'), 5);
			for (const [more, kind] of [
				[{ jobType: 'Invoice' }, 'Invoice'],
				[{ jobType: 'Form', enableBankMode: true }, 'Form'],
				[{ enableBankMode: false }, 'Ocr'],
				[{ enableBankMode: false, templateId: 'own' }, 'Template'],
			] as const) {
				const other = await ended({ jobName: '', documents: [documentId], ...more });
				assert.equal(member(other, 'status'), 'Failed');
				assert.equal(member(other, 'failureReason', 'code'), 'unsupported_document_kind');
				assert.equal(member(other, 'jobType'), kind);
				assert.equal(member(other, 'name'), null);
			}

			for (const [body, error] of [
				[{ documents: [documentId] }, '400 invalid_request jobName'],
				[{ jobName: '' }, '400 invalid_request documents'],
				[{ jobName: '', documents: [] }, '400 invalid_request documents'],
				[
					{ jobName: '', documents: [documentId], enableBankMode: 'false' },
					'400 invalid_request enableBankMode',
				],
				[
					{ jobName: '', documents: [documentId], jobType: 'ExtractData' },
					'400 invalid_request jobType',
				],
				[{ jobName: '', documents: [999999] }, '404 not_found documents[0]'],
			] as const) {
				assert.equal(errorOf(await create(body)), error);
			}
		});

		it('writes no token, no signature and no text of a document to its log', async () => {
			const { accessToken, jwt } = service.credentials;
			assert.ok(service.output.includes('/storage/documents/'), 'uploads are logged');
			for (const secret of [accessToken, jwt, second.accessToken, 'signature=', 'expires=']) {
				assert.ok(!service.output.includes(secret), `the log holds ${secret.slice(0, 12)}…`);
			}
		});
	});
}
