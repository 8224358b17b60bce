import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateStatement } from '../../../test/documents/index.ts';
import { Client, errorOf, member, request } from '../client.ts';
import type { Answer } from '../client.ts';
import type { RunningService } from '../runningService.ts';
import { addSecondContract } from '../secondContract.ts';
import { signatureOf, TestReceiver, until } from '../webhooks/testReceiver.ts';
import type { Arrived } from '../webhooks/testReceiver.ts';
import type { Start } from './start.ts';

type Delivery = Record<string, unknown>;
interface Hook {
	id: string;
	secret: string;
}

const BACKOFF_MS = 200;
const ROUTES: Array<[string, string]> = [
	['GET', '/webhooks'],
	['POST', '/webhooks'],
	['GET', '/webhooks/1'],
	['PUT', '/webhooks/1'],
	['DELETE', '/webhooks/1'],
	['POST', '/webhooks/1/test'],
	['POST', '/webhooks/1/regenerate-secret'],
	['GET', '/webhooks/1/deliveries'],
	['POST', '/webhooks/deliveries/1/retry'],
	['GET', '/webhooks/events'],
];

/** Sections 2.10, 3, 4.4, 5.5, 5.6 and 6: webhooks, events and deliveries. */
export function webhooksSuite(start: Start): void {
	describe('webhooks', () => {
		let service: RunningService;
		let client: Client;
		let receiver: TestReceiver;
		let second: { accessToken: string };
		let pdf: Buffer;
		let paths = 0;
		before(async () => {
			receiver = await TestReceiver.start();
			service = await start({
				env: { DELIVERY_BACKOFF_MS: String(BACKOFF_MS), DELIVERY_TIMEOUT_MS: '4000' },
			});
			await service.stop();
			second = await addSecondContract(service.dataDir, service.databaseUrl);
			await service.start();
			client = new Client(service);
			({ pdf } = await generateStatement('usChecking', { seed: 21, transactions: 12 }));
		});
		after(async () => {
			await service.remove();
			await receiver.stop();
		});

		const asSecond = { authorization: '' };
		before(() => {
			asSecond.authorization = `Bearer ${second.accessToken}`;
		});

		/** A path of the receiver that no other test uses. */
		const newPath = (): string => `/hook-${++paths}`;

		const hook = async (
			path: string,
			events: string[] = ['document.uploaded'],
			headers: Record<string, string> = {},
		): Promise<Hook> => {
			const url = receiver.url(path);
			const answer = await client.agent('POST', '/webhooks', { url, events }, headers);
			assert.equal(answer.status, 201, answer.text);
			return { id: String(member(answer, 'id')), secret: String(member(answer, 'secret')) };
		};

		const sample = async (id: string, body?: unknown): Promise<Delivery> => {
			const answer = await client.agent('POST', `/webhooks/${id}/test`, body);
			assert.equal(answer.status, 202, answer.text);
			return answer.body ?? {};
		};

		const deliveries = async (id: string, query = ''): Promise<Delivery[]> => {
			const answer = await client.agent('GET', `/webhooks/${id}/deliveries${query}`);
			assert.equal(answer.status, 200, answer.text);
			return member(answer, 'deliveries') as Delivery[];
		};

		/** Waits until all deliveries of a webhook have ended, and there are at least so many. */
		const ended = async (id: string, count = 1): Promise<Delivery[]> => {
			const haveEnded = (list: Delivery[]): boolean =>
				list.length >= count &&
				list.every(({ status }) => status === 'delivered' || status === 'dead-letter');
			await until(async () => haveEnded(await deliveries(id)), `${count} ended deliveries`);
			return await deliveries(id);
		};

		const remove = async (id: string): Promise<void> => {
			assert.equal((await client.agent('DELETE', `/webhooks/${id}`)).status, 204);
		};

		it('need the access token', async () => {
			for (const [method, path] of ROUTES) {
				for (const authorization of ['', `Bearer ${service.credentials.jwt}`]) {
					const answer = await request(`${service.site}/api/v1/agent${path}`, {
						method,
						headers: { authorization },
					});
					assert.equal(errorOf(answer), '401 unauthorized', `${method} ${path}`);
				}
			}
		});

		it('are created with a secret that is shown once, listed, changed and deleted', async () => {
			const url = receiver.url(newPath());
			const events = ['document.uploaded', 'document.extraction.failed'];
			const created = await client.agent('POST', '/webhooks', { url, events, extra: 1 });
			assert.equal(created.status, 201, created.text);
			const { secret, secretShownOnce, ...shown } = created.body ?? {};
			assert.match(String(secret), /^[0-9a-f]{64}$/);
			assert.equal(secretShownOnce, true);
			const { id, createdAt, updatedAt } = shown;
			assert.match(String(id), /^\d+$/);
			assert.equal(typeof id, 'string');
			for (const moment of [createdAt, updatedAt]) {
				assert.equal(new Date(String(moment)).toISOString(), moment);
			}
			const rest = { url, events, enabled: true, version: '2024-01-01' };
			assert.deepEqual(shown, { id, ...rest, createdAt, updatedAt });

			const got = await client.agent('GET', `/webhooks/${String(id)}`);
			assert.equal(got.status, 200);
			assert.deepEqual(got.body, shown);
			const later = await hook(newPath());
			const list = member(await client.agent('GET', '/webhooks'), 'webhooks') as Delivery[];
			assert.deepEqual(
				list.map((one) => one['id']),
				[id, later.id],
			);
			assert.deepEqual(list[0], shown);

			const otherUrl = receiver.url(newPath());
			for (const change of [
				{ url: otherUrl },
				{ events: ['fraud.detected'] },
				{ enabled: false },
			]) {
				const changed = await client.agent('PUT', `/webhooks/${String(id)}`, change);
				assert.equal(changed.status, 200, changed.text);
				Object.assign(shown, change);
				assert.deepEqual({ ...changed.body, updatedAt: 0 }, { ...shown, updatedAt: 0 });
			}
			assert.equal((await client.agent('PUT', `/webhooks/${String(id)}`, {})).status, 200);

			const deleted = await client.agent('DELETE', `/webhooks/${String(id)}`);
			assert.deepEqual([deleted.status, deleted.text], [204, '']);
			assert.equal(
				errorOf(await client.agent('DELETE', `/webhooks/${String(id)}`)),
				'404 not_found',
			);
			await remove(later.id);
			assert.equal((await client.agent('GET', '/webhooks')).text, '{"webhooks":[]}');
		});

		it('refuse what cannot be, and name the field', async () => {
			const url = receiver.url(newPath());
			const events = ['document.uploaded'];
			const { id } = await hook(newPath());
			const wrongUrls: Array<[unknown, string]> = [
				[7, '400 invalid_request url'],
				[null, '400 invalid_request url'],
				['', '400 invalid_request url'],
				[`${url}/${'x'.repeat(2000)}`, '400 invalid_request url'],
				[`${url}\n`, '400 invalid_request url'],
				[`${url} `, '400 invalid_request url'],
				[`${url}\u0000`, '400 invalid_request url'],
				['receiver', '400 receiver_not_allowed url'],
				['ftp://127.0.0.1/x', '400 receiver_not_allowed url'],
				['file:///etc/passwd', '400 receiver_not_allowed url'],
				['http://user:password@127.0.0.1/x', '400 receiver_not_allowed url'],
				['https://10.0.0.1/x', '400 receiver_not_allowed url'],
				['http://169.254.169.254/latest', '400 receiver_not_allowed url'],
			];
			const wrongEvents: Array<[unknown, string]> = [
				[[], '400 invalid_request events'],
				['document.uploaded', '400 invalid_request events'],
				[['document.uploaded', 'nothing'], '400 invalid_request events[1]'],
				[['Document.Uploaded'], '400 invalid_request events[0]'],
				[[7], '400 invalid_request events[0]'],
				[['document.uploaded', 'document.uploaded'], '400 invalid_request events[1]'],
				[Array.from({ length: 21 }, () => 'document.uploaded'), '400 invalid_request events'],
			];
			const bodies: Array<[unknown, string]> = [
				...wrongUrls.map(([value, error]): [unknown, string] => [{ url: value, events }, error]),
				...wrongEvents.map(([value, error]): [unknown, string] => [{ url, events: value }, error]),
			];
			for (const [body, error] of bodies) {
				const text = JSON.stringify(body).slice(0, 100);
				assert.equal(errorOf(await client.agent('POST', '/webhooks', body)), error, text);
				assert.equal(errorOf(await client.agent('PUT', `/webhooks/${id}`, body)), error, text);
			}
			const missing: Array<[unknown, string]> = [
				[{ events }, '400 invalid_request url'],
				[{ url }, '400 invalid_request events'],
				[undefined, '400 invalid_request'],
			];
			for (const [body, error] of missing) {
				assert.equal(errorOf(await client.agent('POST', '/webhooks', body)), error);
			}
			const enabled = { enabled: 'false' };
			assert.equal(
				errorOf(await client.agent('PUT', `/webhooks/${id}`, enabled)),
				'400 invalid_request enabled',
			);
			for (const event of ['nothing', 7]) {
				assert.equal(
					errorOf(await client.agent('POST', `/webhooks/${id}/test`, { event })),
					'400 invalid_request event',
				);
			}
			const queries = [
				['limit', '0'],
				['limit', '201'],
				['limit', 'x'],
				['offset', '-1'],
				['status', 'lost'],
				['since', 'yesterday'],
				['since', '2024-13-01'],
				['since', '0000-01-01'],
				['since', '9999-12-31T23:59:59-01:00'],
			];
			for (const [name = '', value = ''] of queries) {
				const answer = await client.agent('GET', `/webhooks/${id}/deliveries?${name}=${value}`);
				assert.equal(errorOf(answer), `400 invalid_request ${name}`, value);
			}
			// Nothing of it was kept.
			const list = member(await client.agent('GET', '/webhooks'), 'webhooks') as Delivery[];
			assert.deepEqual(
				list.map((one) => one['id']),
				[id],
			);
			await remove(id);
		});

		it('need no body where none says anything, also when its type is named', async () => {
			const { id } = await hook(newPath());
			const type = { 'content-type': 'application/json' };
			const ask = async (method: string, path: string): Promise<Answer> =>
				await client.agent(method, path, undefined, type);
			assert.equal((await ask('POST', `/webhooks/${id}/test`)).status, 202);
			assert.equal((await ask('POST', `/webhooks/${id}/regenerate-secret`)).status, 200);
			assert.equal(errorOf(await ask('POST', '/webhooks')), '400 invalid_request');
			assert.equal(errorOf(await ask('PUT', `/webhooks/${id}`)), '400 invalid_request');
			assert.equal((await ask('DELETE', `/webhooks/${id}`)).status, 204);
		});

		it('cannot be more than 100 for a contract', async () => {
			const url = receiver.url(newPath());
			const events = ['fraud.detected'];
			const answers: Answer[] = [];
			for (let count = 0; count < 100; count += 10) {
				// Together, so that counting them is put to the test.
				answers.push(
					...(await Promise.all(
						Array.from({ length: count === 90 ? 13 : 10 }, () =>
							client.agent('POST', '/webhooks', { url, events }),
						),
					)),
				);
			}
			const made = answers.filter(({ status }) => status === 201);
			const refused = answers.filter(({ status }) => status !== 201);
			assert.equal(made.length, 100);
			assert.deepEqual(refused.map(errorOf), Array(3).fill('400 too_many_webhooks'));
			assert.equal(new Set(made.map((answer) => member(answer, 'secret'))).size, 100);
			for (const answer of made) await remove(String(member(answer, 'id')));
		});

		it('are not there for ids that are none, and for another contract', async () => {
			const path = newPath();
			const { id } = await hook(path);
			const delivery = String((await sample(id))['id']);
			await ended(id);
			const put = { enabled: false };
			const requests = (webhook: string, delivered: string): Array<[string, string, unknown]> => [
				['GET', `/webhooks/${webhook}`, undefined],
				['PUT', `/webhooks/${webhook}`, put],
				['POST', `/webhooks/${webhook}/test`, undefined],
				['POST', `/webhooks/${webhook}/regenerate-secret`, undefined],
				['GET', `/webhooks/${webhook}/deliveries`, undefined],
				['POST', `/webhooks/deliveries/${delivered}/retry`, undefined],
				['DELETE', `/webhooks/${webhook}`, undefined],
			];
			for (const none of ['0', '-1', '999999', 'abc', '1e3', '99999999999', '%00', "'"]) {
				for (const [method, address, body] of requests(none, none)) {
					const answer = await client.agent(method, address, body);
					assert.equal(errorOf(answer), '404 not_found', `${method} ${address}`);
				}
			}
			for (const [method, address, body] of requests(id, delivery)) {
				const answer = await client.agent(method, address, body, asSecond);
				assert.equal(errorOf(answer), '404 not_found', `${method} ${address}`);
			}
			const list = await client.agent('GET', '/webhooks', undefined, asSecond);
			assert.equal(list.text, '{"webhooks":[]}');
			assert.equal((await client.agent('GET', `/webhooks/${id}`)).status, 200);
			assert.equal(receiver.at(path).length, 1);
			await remove(id);
		});

		it('get signed events of an upload and of an extraction, with the data of the job', async () => {
			const path = newPath();
			const events = [
				'document.uploaded',
				'bank_statement.extraction.completed',
				'document.extraction.completed',
				'document.extraction.failed',
			];
			const { id, secret } = await hook(path, events);
			const { documentId, jobId, job } = await client.extract(pdf);
			assert.equal(member(job, 'status'), 'Succeeded', job.text);
			const arrived = await receiver.count(path, 3);
			for (const one of arrived) assertSigned(one, id, secret);
			const named = new Map(arrived.map((one) => [one.headers['x-service-event'] ?? '', one]));
			assert.deepEqual([...named.keys()].sort(), events.slice(0, 3).sort());

			const uploaded = bodyOf(named.get('document.uploaded'));
			assert.equal(uploaded['job'], null);
			assert.equal(member(uploaded, 'data', 'document', 'id'), documentId);
			assert.equal(member(uploaded, 'data', 'document', 'status'), 'uploaded');
			assert.equal(member(uploaded, 'data', 'document', 'size'), pdf.length);
			const record = await client.agent('GET', `/documents/${documentId}`);
			assert.deepEqual(
				Object.keys(member(uploaded, 'data', 'document') as object),
				Object.keys(record.body ?? {}),
			);

			const data = await client.agent('GET', `/jobs/${jobId}/data`);
			for (const name of events.slice(1, 3)) {
				const completed = named.get(name);
				assert.deepEqual(bodyOf(completed)['job'], { id: String(jobId), status: 'Succeeded' });
				// Digit for digit what the data endpoint gives.
				assert.ok(completed?.body.toString().endsWith(`,"data":${data.text}}`), name);
			}
			assert.equal(new Set(arrived.map((one) => one.headers['x-service-event-id'])).size, 3);
			const log = await ended(id, 3);
			assert.ok(log.every((one) => one['status'] === 'delivered' && one['attempts'] === 1));
			await remove(id);
		});

		it('get the reason of a failed extraction', async () => {
			const path = newPath();
			const { id, secret } = await hook(path, ['document.extraction.failed']);
			const good = await client.upload(pdf);
			const damaged = await client.upload(Buffer.from('%PDF-1.7 nothing'), {
				filename: 'damaged.pdf',
			});
			const jobId = await client.createJob([good, damaged]);
			const job = await client.ended(jobId);
			const [arrived] = await receiver.count(path, 1);
			assertSigned(arrived, id, secret);
			const body = bodyOf(arrived);
			assert.deepEqual(body['job'], { id: String(jobId), status: 'Failed' });
			const failureReason = member(job, 'documents', 1, 'failureReason');
			assert.deepEqual(body['data'], {
				failureReason: member(job, 'failureReason'),
				documents: [
					{ id: good, originalname: 'statement.pdf', status: 'extracted', failureReason: null },
					{ id: damaged, originalname: 'damaged.pdf', status: 'failed', failureReason },
				],
			});
			await remove(id);
		});

		it('get events of their own contract only', async () => {
			const [mine, theirs] = [newPath(), newPath()];
			const first = await hook(mine);
			const other = await hook(theirs, ['document.uploaded'], asSecond);
			await client.upload(pdf);
			const [arrived] = await receiver.count(mine, 1);
			assertSigned(arrived, first.id, first.secret);
			const answer = await client.agent(
				'POST',
				'/documents/upload-url',
				{ filename: 'a.pdf', mimetype: 'application/pdf' },
				asSecond,
			);
			const put = await request(String(member(answer, 'url')), {
				method: 'PUT',
				headers: { 'content-type': 'application/pdf' },
				body: new Uint8Array(pdf),
			});
			assert.equal(put.status, 200);
			const [foreign] = await receiver.count(theirs, 1);
			assertSigned(foreign, other.id, other.secret);
			await sleep(200);
			assert.equal(receiver.at(mine).length, 1);
			assert.equal(receiver.at(theirs).length, 1);
			await remove(first.id);
			const deleted = await client.agent('DELETE', `/webhooks/${other.id}`, undefined, asSecond);
			assert.equal(deleted.status, 204);
		});

		it('get three attempts with growing pauses; redirects are failures; a replay is the same', async () => {
			const path = newPath();
			const elsewhere = newPath();
			const { id, secret } = await hook(path);
			let works = false;
			receiver.answer(path, (response) => {
				if (works) return response.end('well');
				response.writeHead(302, { location: receiver.url(elsewhere) });
				return response.end(`moved ${'x'.repeat(5000)}`);
			});
			await client.upload(pdf);
			await until(async () => (await deliveries(id))[0]?.['status'] === 'retrying', 'a pause');
			const [retrying] = await deliveries(id);
			assert.ok(Date.parse(String(retrying?.['nextAttemptAt'])) > 0);
			const early = await client.agent(
				'POST',
				`/webhooks/deliveries/${String(retrying?.['id'])}/retry`,
			);
			assert.equal(errorOf(early), '409 delivery_under_way');

			const [dead] = await ended(id);
			const arrived = receiver.at(path);
			assert.equal(arrived.length, 3);
			const times = arrived.map(({ at }) => at);
			assert.ok((times[1] ?? 0) - (times[0] ?? 0) >= BACKOFF_MS - 20);
			assert.ok((times[2] ?? 0) - (times[1] ?? 0) >= BACKOFF_MS * 4 - 20);
			const { createdAt, attemptLog } = dead ?? {};
			assert.deepEqual(
				{ ...dead, attemptLog: null },
				{
					id: retrying?.['id'],
					webhookId: id,
					eventId: arrived[0]?.headers['x-service-event-id'],
					event: 'document.uploaded',
					status: 'dead-letter',
					test: false,
					attempts: 3,
					createdAt,
					nextAttemptAt: null,
					deliveredAt: null,
					attemptLog: null,
				},
			);
			const log = attemptLog as Delivery[];
			assert.deepEqual(
				log.map((entry) => [entry['attempt'], entry['replay'], entry['statusCode']]),
				[1, 2, 3].map((attempt) => [attempt, 0, 302]),
			);
			for (const entry of log) {
				assert.match(String(entry['error']), /302/);
				assert.match(String(entry['responseBody']), /^moved x/);
				assert.ok(String(entry['responseBody']).length <= 4096);
				assert.ok(Number(entry['durationMs']) >= 0);
				assert.ok(Date.parse(String(entry['startedAt'])) >= Date.parse(String(createdAt)) - 5);
			}
			await sleep(300);
			assert.equal(receiver.at(path).length, 3);

			works = true;
			const replay = `/webhooks/deliveries/${String(dead?.['id'])}/retry`;
			for (const replays of [1, 2]) {
				// The second time it is one that was delivered.
				const answer = await client.agent('POST', replay);
				assert.equal(answer.status, 202, answer.text);
				assert.equal(member(answer, 'status'), 'pending');
				assert.equal(member(answer, 'attempts'), 0);
				await receiver.count(path, 3 + replays);
				const [again] = await ended(id);
				assert.equal(again?.['status'], 'delivered');
				assert.ok(Date.parse(String(again?.['deliveredAt'])) > 0);
				const last = (again?.['attemptLog'] as Delivery[]).at(-1);
				assert.deepEqual(
					[last?.['replay'], last?.['attempt'], last?.['statusCode'], last?.['error']],
					[replays, 1, 200, null],
				);
				assert.equal(last?.['responseBody'], 'well');
			}
			for (const one of receiver.at(path)) {
				assertSigned(one, id, secret);
				assert.ok(one.body.equals(arrived[0]?.body ?? Buffer.alloc(0)));
			}
			assert.equal(receiver.at(elsewhere).length, 0);
			await remove(id);
		});

		it('get the new signature on the next attempt after the secret was regenerated', async () => {
			const path = newPath();
			const { id, secret } = await hook(path);
			receiver.answer(path, (response, one) => {
				response.statusCode = one.headers['x-service-signature'] === wanted(one) ? 204 : 401;
				response.end();
			});
			let renewed = 'not yet';
			const wanted = (one: Arrived): string => signatureOf(renewed, one.body);
			await sample(id);
			await receiver.count(path, 1);
			const answer = await client.agent('POST', `/webhooks/${id}/regenerate-secret`);
			assert.equal(answer.status, 200);
			renewed = String(member(answer, 'secret'));
			assert.match(renewed, /^[0-9a-f]{64}$/);
			assert.notEqual(renewed, secret);
			assert.equal(member(answer, 'secretShownOnce'), true);
			const [delivered] = await ended(id);
			assert.equal(delivered?.['status'], 'delivered');
			const [first, next] = receiver.at(path);
			assertSigned(first, id, secret);
			assertSigned(receiver.at(path).at(-1), id, renewed);
			assert.ok(first?.body.equals(next?.body ?? Buffer.alloc(0)));
			const shown = await client.agent('GET', `/webhooks/${id}`);
			assert.equal(member(shown, 'secret'), undefined);
			await remove(id);
		});

		it('get a sample of every event on demand, which says that it is one', async () => {
			const path = newPath();
			const { id, secret } = await hook(path, ['fraud.detected', 'document.uploaded']);
			const names = member(await client.agent('GET', '/webhooks/events'), 'events') as string[];
			assert.equal(names.length, 8);
			const first = await sample(id);
			assert.deepEqual(
				[first['event'], first['status'], first['test'], first['webhookId'], first['attempts']],
				['fraud.detected', 'pending', true, id, 0],
			);
			for (const event of names) assert.equal((await sample(id, { event }))['event'], event);
			const arrived = await receiver.count(path, 9);
			for (const one of arrived) {
				assertSigned(one, id, secret);
				assert.equal(member(bodyOf(one), 'event', 'test'), true);
				assert.match(one.body.toString(), /sample/);
			}
			assert.deepEqual(
				arrived.map((one) => one.headers['x-service-event']).sort(),
				[...names, 'fraud.detected'].sort(),
			);
			await remove(id);
		});

		it('have a log that can be filtered and read in pages', async () => {
			const path = newPath();
			const { id } = await hook(path);
			let refuses = false;
			receiver.answer(path, (response) => {
				response.statusCode = refuses ? 500 : 200;
				response.end();
			});
			for (let count = 0; count < 3; count++) await sample(id);
			await ended(id, 3);
			await sleep(20);
			const since = new Date().toISOString();
			refuses = true;
			await sample(id);
			const all = await ended(id, 4);
			const ids = all.map((one) => Number(one['id']));
			assert.deepEqual(
				ids,
				ids.toSorted((left, right) => right - left),
			);
			const page = await client.agent('GET', `/webhooks/${id}/deliveries?limit=2&offset=1`);
			assert.deepEqual(page.body, {
				deliveries: all.slice(1, 3),
				total: 4,
				limit: 2,
				offset: 1,
			});
			const unlimited = await client.agent('GET', `/webhooks/${id}/deliveries`);
			assert.deepEqual([member(unlimited, 'limit'), member(unlimited, 'offset')], [50, 0]);
			assert.deepEqual(await deliveries(id, '?status=dead-letter'), all.slice(0, 1));
			assert.deepEqual(await deliveries(id, '?status=delivered'), all.slice(1));
			assert.deepEqual(await deliveries(id, '?status=pending'), []);
			assert.deepEqual(await deliveries(id, `?since=${since}`), all.slice(0, 1));
			assert.deepEqual(await deliveries(id, '?since=2000-01-01'), all);
			await remove(id);
		});

		it('that are disabled get nothing, and what waits for them ends with a reason', async () => {
			const path = newPath();
			const { id } = await hook(path);
			receiver.answer(path, (response) => {
				response.statusCode = 503;
				response.end();
			});
			await client.upload(pdf);
			await receiver.count(path, 1);
			await client.agent('PUT', `/webhooks/${id}`, { enabled: false });
			const [dead] = await ended(id);
			assert.equal(dead?.['status'], 'dead-letter');
			const last = (dead?.['attemptLog'] as Delivery[]).at(-1);
			assert.match(String(last?.['error']), /disabled/);
			const before = receiver.at(path).length;
			await client.upload(pdf);
			await sleep(200);
			assert.equal((await deliveries(id)).length, 1);
			assert.equal(receiver.at(path).length, before);
			await remove(id);
		});

		it('that hang or break the connection fail with words, and delay no other', async () => {
			const [hanging, broken, good] = [newPath(), newPath(), newPath()];
			receiver.answer(hanging, () => undefined);
			receiver.answer(broken, (response) => response.socket?.resetAndDestroy());
			const hangs = await hook(hanging);
			const breaks = await hook(broken);
			const works = await hook(good);
			for (let count = 0; count < 30; count++) await sample(hangs.id);
			await receiver.count(hanging, 4);
			const begun = Date.now();
			for (let count = 0; count < 5; count++) await sample(works.id);
			await receiver.count(good, 5);
			assert.ok(Date.now() - begun < 3900, 'sooner than the first of the others times out');
			await sample(breaks.id);
			const [dead] = await ended(breaks.id);
			for (const entry of dead?.['attemptLog'] as Delivery[]) {
				assert.equal(entry['statusCode'], null);
				assert.ok(String(entry['error']).length > 10);
			}
			await until(async () => {
				const list = await deliveries(hangs.id);
				return list.some((one) => (one['attemptLog'] as Delivery[]).length > 0);
			}, 'the first has timed out');
			const timedOut = (await deliveries(hangs.id)).find(
				(one) => (one['attemptLog'] as Delivery[]).length > 0,
			);
			const [entry] = timedOut?.['attemptLog'] as Delivery[];
			assert.match(String(entry?.['error']), /4 seconds/);
			// Deleted with everything that waits.
			for (const one of [hangs, breaks, works]) await remove(one.id);
			const count = receiver.at(hanging).length;
			await sleep(4200);
			assert.ok(receiver.at(hanging).length <= count + 4);
		});

		it('get what is under way when the process is killed after the next start', async () => {
			const path = newPath();
			const { id, secret } = await hook(path);
			receiver.answer(path, () => undefined);
			const statement = await client.upload(pdf);
			await receiver.count(path, 1);
			await service.kill();
			receiver.answer(path, (response) => response.end());
			await service.start();
			const [delivered] = await ended(id);
			assert.deepEqual([delivered?.['status'], delivered?.['attempts']], ['delivered', 1]);
			const arrived = receiver.at(path);
			assert.ok(arrived.length >= 2);
			for (const one of arrived) {
				assertSigned(one, id, secret);
				assert.ok(one.body.equals(arrived[0]?.body ?? Buffer.alloc(0)));
			}
			assert.equal(member(bodyOf(arrived[0]), 'data', 'document', 'id'), statement);
			await remove(id);
		});

		it('do not hold up a stop, and get what was broken off at the next start', async () => {
			const path = newPath();
			const { id } = await hook(path);
			receiver.answer(path, () => undefined);
			await sample(id);
			await receiver.count(path, 1);
			const begun = Date.now();
			assert.equal(await service.stop(), 0);
			assert.ok(Date.now() - begun < 8_000);
			receiver.answer(path, (response) => response.end());
			await service.start();
			// The stop came before the attempt had timed out, so it does not count.
			const [delivered] = await ended(id);
			assert.deepEqual([delivered?.['status'], delivered?.['attempts']], ['delivered', 1]);
			await remove(id);
		});

		it('get 500 deliveries once each, with the right signature', async (t) => {
			const hooks: Array<Hook & { path: string }> = [];
			for (let count = 0; count < 5; count++) {
				const path = newPath();
				hooks.push({ path, ...(await hook(path)) });
			}
			const begun = performance.now();
			for (let round = 0; round < 100; round += 10) {
				await Promise.all(hooks.flatMap(({ id }) => Array.from({ length: 10 }, () => sample(id))));
			}
			const ids = (path: string): Set<string | undefined> =>
				new Set(receiver.at(path).map((one) => one.headers['x-service-event-id']));
			for (const { path } of hooks) await until(() => ids(path).size === 100, path, 60_000);
			const seconds = (performance.now() - begun) / 1000;
			t.diagnostic(`${Math.round(500 / seconds)} a second, asked for over HTTP and delivered`);
			for (const { id, path, secret } of hooks) {
				const all = '?status=delivered&limit=200';
				await until(async () => (await deliveries(id, all)).length === 100, path);
				const attempts = (await deliveries(id, all)).map((one) => Number(one['attempts']));
				// On a busy machine an attempt may time out; nothing comes that is not in the log.
				assert.ok(receiver.at(path).length <= attempts.reduce((sum, count) => sum + count, 0));
				assert.equal(ids(path).size, 100);
				for (const one of receiver.at(path)) assertSigned(one, id, secret);
				await remove(id);
			}
		});

		it('leave no secret in the log, in the database answers or in the errors', async () => {
			const path = newPath();
			const { id, secret } = await hook(path);
			await sample(id);
			await ended(id);
			const log = await client.agent('GET', `/webhooks/${id}/deliveries`);
			const hash = createHash('sha256').update(secret).digest('hex');
			for (const text of [
				service.output,
				log.text,
				(await client.agent('GET', '/webhooks')).text,
			]) {
				assert.ok(!text.includes(secret));
				assert.ok(!text.includes(hash));
			}
			await remove(id);
		});
	});
}

/** The headers and members of section 6, and the signature over the raw bytes. */
function assertSigned(arrived: Arrived | undefined, webhookId: string, secret: string): void {
	assert.ok(arrived);
	const { headers, body } = arrived;
	assert.equal(arrived.method, 'POST');
	assert.equal(headers['content-type'], 'application/json');
	assert.equal(headers['x-service-version'], '2024-01-01');
	assert.equal(headers['x-service-signature'], signatureOf(secret, body));
	assert.match(headers['x-service-event-id'] ?? '', /^evt_[A-Za-z0-9_-]+$/);
	assert.equal(headers['content-length'], String(body.length));
	for (const name of [
		'Content-Type',
		'X-Service-Event',
		'X-Service-Event-Id',
		'X-Service-Version',
		'X-Service-Signature',
	]) {
		assert.equal(arrived.headerNames.filter((sent) => sent === name).length, 1, name);
	}
	assert.equal(headers['authorization'], undefined);
	const parsed = bodyOf(arrived);
	assert.deepEqual(Object.keys(parsed), ['event', 'job', 'user', 'webhook', 'data']);
	assert.equal(member(parsed, 'event', 'id'), headers['x-service-event-id']);
	assert.equal(member(parsed, 'event', 'name'), headers['x-service-event']);
	assert.equal(member(parsed, 'event', 'version'), '2024-01-01');
	const createdAt = String(member(parsed, 'event', 'createdAt'));
	assert.equal(new Date(createdAt).toISOString(), createdAt);
	assert.deepEqual(parsed['webhook'], { id: webhookId });
	assert.match(String(member(parsed, 'user', 'id')), /^\d+$/);
}

function bodyOf(arrived: Arrived | undefined): Record<string, unknown> {
	return JSON.parse(arrived?.body.toString() ?? 'null') as Record<string, unknown>;
}
