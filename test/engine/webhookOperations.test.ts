import type { INodeParameters } from 'n8n-workflow';

import { byId, runsAgainst, serviceForEachTest } from './scriptedRuns';

const SECRET = 'f'.repeat(64);

const service = serviceForEachTest();
const run = runsAgainst(service, { resource: 'webhook' });

const hook = (id: string | number, more = {}) => ({
	id,
	url: `https://receiver.example/${id}`,
	events: ['document.extraction.failed'],
	enabled: true,
	version: '2024-01-01',
	createdAt: '2026-03-01T00:00:00.000Z',
	...more,
});
const delivery = (id: string | number, status: string, more = {}) => ({
	id,
	webhookId: '7',
	eventId: `evt_${id}`,
	event: 'document.extraction.failed',
	status,
	test: false,
	attempts: 3,
	createdAt: `2026-03-01T00:00:${String(Number(id) % 60).padStart(2, '0')}.000Z`,
	attemptLog: [
		{ attempt: 2, replay: 0, startedAt: '2026-03-01T00:01:00.000Z', statusCode: 500, error: null },
		{ attempt: 3, replay: 0, startedAt: '2026-03-01T00:02:00.000Z', statusCode: 503, error: null },
	],
	...more,
});

const bodyOf = (at: number) => JSON.parse(service.seen[at]!.body.toString()) as object;
const items = [{ json: { id: 1 } }, { json: { id: 2 } }, { json: { id: 3 } }];
const linksOf = (result: { items: Array<{ pairedItem?: unknown }> }) =>
	result.items.map(({ pairedItem }) => pairedItem);

/** What each operation asks for, with one item for each answer. */
const SINGLE: Array<[string, INodeParameters, string, RegExp, (id: string) => unknown, object]> = [
	[
		'create',
		{ url: '=https://receiver.example/{{ $json.id }}', events: ['document.uploaded'] },
		'POST',
		/\/agent\/webhooks$/,
		() => hook('9', { secret: SECRET, secretShownOnce: true }),
		{ webhookId: '9', secret: SECRET },
	],
	[
		'delete',
		{ webhookId: byId('={{ $json.id }}') },
		'DELETE',
		/\/agent\/webhooks\/([13])$/,
		() => undefined,
		{ deleted: true },
	],
	[
		'get',
		{ webhookId: byId('={{ $json.id }}') },
		'GET',
		/\/agent\/webhooks\/([13])$/,
		(id) => hook(Number(id)),
		{ enabled: true },
	],
	[
		'getDeliveries',
		{ webhookId: byId('={{ $json.id }}') },
		'GET',
		/\/agent\/webhooks\/([13])\/deliveries\?limit=50&offset=0$/,
		() => ({ deliveries: [delivery(5, 'delivered')], total: 1, limit: 50, offset: 0 }),
		{ deliveryId: '5', lastStatusCode: 503, lastAttemptAt: '2026-03-01T00:02:00.000Z' },
	],
	[
		'regenerateSecret',
		{ webhookId: byId('={{ $json.id }}') },
		'POST',
		/\/agent\/webhooks\/([13])\/regenerate-secret$/,
		(id) => hook(id, { secret: SECRET, secretShownOnce: true }),
		{ secret: SECRET },
	],
	[
		'retryDelivery',
		{ deliveryId: '={{ $json.id }}' },
		'POST',
		/\/agent\/webhooks\/deliveries\/([13])\/retry$/,
		(id) => delivery(id, 'pending'),
		{ replayed: true, status: 'pending' },
	],
	[
		'recoverMissedDeliveries',
		{ webhookId: byId('={{ $json.id }}') },
		'GET',
		/\/agent\/webhooks\/([13])\/deliveries\?limit=200&offset=0$/,
		(id) => [delivery(id, 'dead-letter')],
		{ replayed: true, status: 'pending' },
	],
	[
		'sendTest',
		{ webhookId: byId('={{ $json.id }}') },
		'POST',
		/\/agent\/webhooks\/([13])\/test$/,
		() => delivery(8, 'pending', { test: true }),
		{ deliveryId: '8', test: true },
	],
	[
		'update',
		{ webhookId: byId('={{ $json.id }}'), updateFields: { enabled: false } },
		'PUT',
		/\/agent\/webhooks\/([13])$/,
		(id) => hook(id, { enabled: false }),
		{ enabled: false },
	],
];

describe.each(SINGLE)('%s', (operation, parameters, method, pattern, answer, expected) => {
	beforeEach(() => {
		if (operation === 'delete') service.on('GET', /webhooks\/[123]$/, { body: hook(1) });
		if (operation === 'recoverMissedDeliveries') {
			service.on('POST', /deliveries\/(\d+)\/retry$/, (_request, [id]) => ({
				status: 202,
				body: delivery(id!, 'pending'),
			}));
		}
	});

	const ok = (_request: unknown, [id]: string[]) => ({
		status: method === 'DELETE' ? 204 : 200,
		body: answer(id!),
	});

	it('gives an item for each of three, linked to its own', async () => {
		const open = new RegExp(pattern.source.replace('[13]', '\\d'));
		service.on(method, open, ok);
		const result = await run({ operation, ...parameters }, { items });
		expect(result.error).toBeUndefined();
		expect(linksOf(result)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		for (const { json } of result.items) {
			expect(json).toMatchObject(expected);
			expect(json).not.toHaveProperty('error');
		}
		expect(service.seen[0]?.headers.authorization).toBe('Bearer dex_pat_right');
	});

	it('stops at what fails', async () => {
		const first = operation === 'delete' ? 'GET' : method;
		service.on(first, /.*/, { status: 404, body: { error: { code: 'not_found', message: 'x' } } });
		const result = await run({ operation, ...parameters }, { items });
		expect(result.error?.message).toContain('[item 0]');
		expect(result.items).toEqual([]);
		expect(service.seen).toHaveLength(1);
	});

	it('goes on after what fails, with the error in its own output', async () => {
		if (operation === 'create') {
			service.on(method, pattern, (request) =>
				request.body.toString().includes('/2')
					? { status: 400, body: { error: { message: 'not allowed', field: 'url' } } }
					: { status: 201, body: answer('9') },
			);
		} else {
			service.on(method, pattern, ok);
		}
		if (operation === 'delete') service.on('GET', /webhooks\/2$/, { status: 404, body: {} });
		const result = await run(
			{ operation, ...parameters },
			{ items, onError: 'continueErrorOutput' },
		);
		expect(linksOf(result)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(result.errors.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
			[2, { item: 1 }],
		]);
		const regular = await run(
			{ operation, ...parameters },
			{ items, onError: 'continueRegularOutput' },
		);
		expect(linksOf(regular)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(regular.items[1]?.json.error).toContain('[item 1]');
	});
});

describe('create and regenerate', () => {
	it('sends the address and the events, each once', async () => {
		service.on('POST', /webhooks$/, { status: 201, body: hook(1, { secret: SECRET }) });
		const events = ['document.uploaded', 'fraud.detected', 'document.uploaded'];
		await run({ operation: 'create', url: ' https://receiver.example/x ', events });
		expect(bodyOf(0)).toEqual({
			url: 'https://receiver.example/x',
			events: ['document.uploaded', 'fraud.detected'],
		});
	});

	it('takes the events from an expression', async () => {
		service.on('POST', /webhooks$/, { status: 201, body: hook(1, { secret: SECRET }) });
		const parameters = { operation: 'create', url: 'https://r.example', events: '={{ $json.e }}' };
		await run(parameters, { items: [{ json: { e: 'document.uploaded, fraud.detected' } }] });
		expect(bodyOf(0)).toMatchObject({ events: ['document.uploaded', 'fraud.detected'] });
	});

	it.each([
		[{ url: '={{ "" }}', events: ['document.uploaded'] }, "'URL'"],
		[{ url: 'receiver.example', events: ['document.uploaded'] }, "'URL'"],
		[{ url: 'https://r.example', events: '={{ [] }}' }, "'Event Names or IDs'"],
	])('refuses %p by itself', async (parameters, field) => {
		const result = await run({ operation: 'create', ...parameters });
		expect(`${result.error?.message} ${result.error?.description}`).toContain(field);
		expect(service.seen).toEqual([]);
	});

	it('makes one webhook, whatever Retry On Fail repeats', async () => {
		let made = 0;
		service.on('POST', /webhooks$/, (request) => {
			if (request.body.toString().includes('/2') && made === 1) {
				made++;
				return { status: 400, body: { message: 'not now' } };
			}
			made++;
			return { status: 201, body: hook(made, { secret: SECRET }) };
		});
		const parameters = {
			operation: 'create',
			url: '=https://receiver.example/{{ $json.id }}',
			events: ['document.uploaded'],
		};
		const result = await run(parameters, { items: items.slice(0, 2), retryOnFail: true });
		expect(result.error).toBeUndefined();
		const sent = service.seen.map((_one, at) => (bodyOf(at) as { url: string }).url.at(-1));
		expect(sent).toEqual(['1', '2', '2']);
		expect(result.items.map(({ json }) => json.secret)).toEqual([SECRET, SECRET]);
	});

	it('is not sent twice where no answer came, and says so without the secret', async () => {
		service.on('POST', /webhooks$/, { reset: true });
		const parameters = { url: 'https://receiver.example', events: ['document.uploaded'] };
		const result = await run({ operation: 'create', ...parameters });
		expect(service.seen).toHaveLength(1);
		expect(result.error?.message).toContain('No answer came');
	});

	it('an answer that is no webhook never shows a secret in its error', async () => {
		service.on('POST', /.*/, { status: 200, body: { secret: SECRET, ok: true } });
		for (const operation of ['create', 'regenerateSecret']) {
			const parameters = { url: 'https://r.example', events: ['x'], webhookId: byId('7') };
			const result = await run({ operation, ...parameters }, { onError: 'continueErrorOutput' });
			expect(JSON.stringify([result.error, result.errors])).not.toContain(SECRET);
		}
	});

	it('says so where the service gives no secret', async () => {
		service.on('POST', /secret$/, { body: hook(7) });
		const result = await run({ operation: 'regenerateSecret', webhookId: byId('7') });
		expect(result.items[0]?.json).toMatchObject({ webhookId: '7', secret: null });
		expect(result.hints.join()).toContain('Regenerate Secret');
	});
});

describe('delete', () => {
	it('is done where the answer was lost and a second try finds nothing', async () => {
		let tries = 0;
		service.on('GET', /webhooks\/7$/, { body: hook(7) });
		service.on('DELETE', /webhooks\/7$/, () => {
			tries++;
			return tries === 1 ? { reset: true } : { status: 404, body: {} };
		});
		const result = await run({ operation: 'delete', webhookId: byId('7') });
		expect(result.items[0]?.json).toEqual({ deleted: true, webhookId: '7' });
	});

	it('is not tried again for what Retry On Fail repeats', async () => {
		const there = new Set(['1', '2']);
		let failures = 0;
		service.on('GET', /webhooks\/(\d)$/, (_request, [id]) =>
			there.has(id!) ? { body: hook(id!) } : { status: 404, body: {} },
		);
		service.on('DELETE', /webhooks\/(\d)$/, (_request, [id]) => {
			if (id === '2' && failures++ === 0) return { status: 400, body: {} };
			there.delete(id!);
			return { status: 204 };
		});
		const parameters = { operation: 'delete', webhookId: byId('={{ $json.id }}') };
		const result = await run(parameters, { items: items.slice(0, 2), retryOnFail: true });
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(2);
	});
});

describe('update', () => {
	it('sends what is given and nothing else', async () => {
		service.on('PUT', /webhooks\/7$/, { body: hook('7') });
		const updateFields = { url: 'https://other.example' };
		await run({ operation: 'update', webhookId: byId('7'), updateFields });
		expect(bodyOf(0)).toEqual({ url: 'https://other.example' });
	});

	it('needs something to change', async () => {
		const result = await run({ operation: 'update', webhookId: byId('7'), updateFields: {} });
		expect(result.error?.message).toContain("'Update Fields'");
		expect(service.seen).toEqual([]);
	});
});

describe('lists', () => {
	it('Get Many gives the first fifty, or all', async () => {
		const webhooks = Array.from({ length: 60 }, (_one, id) => hook(id + 1));
		service.on('GET', /webhooks$/, { body: { webhooks } });
		const limited = await run({ operation: 'getMany' });
		expect(limited.items).toHaveLength(50);
		const all = await run({ operation: 'getMany', returnAll: true });
		expect(all.items.map(({ json }) => json.webhookId)).toEqual(
			webhooks.map(({ id }) => String(id)),
		);
	});

	it('Get Event Names gives an item for each event, known or not', async () => {
		service.on('GET', /webhooks\/events$/, {
			body: { events: ['document.uploaded', 'document.deleted'] },
		});
		const result = await run({ operation: 'getEventNames' }, { items });
		expect(result.items.slice(0, 2).map(({ json }) => json)).toEqual([
			{ name: 'document.uploaded', description: 'The bytes of a document arrived' },
			{ name: 'document.deleted', description: null },
		]);
		expect(result.items).toHaveLength(6);
	});

	it.each(['getMany', 'getEventNames'])('%s fails with what to do', async (operation) => {
		service.on('GET', /.*/, { status: 401, body: { message: 'no' } });
		const result = await run({ operation }, { items, onError: 'continueErrorOutput' });
		expect(result.errors).toHaveLength(3);
		expect(result.errors[2]?.json.message).toContain('did not accept the credential');
		expect(result.errors[2]?.pairedItem).toEqual({ item: 2 });
	});
});

/** A log that is paged as the local service does, newest first. */
function serveLog(log: () => object[], { newEntryAfterPage = 0 } = {}) {
	let entries = [...log()];
	let pages = 0;
	service.on('GET', /deliveries\?(.*)$/, (_request, [search]) => {
		const query = new URLSearchParams(search);
		const limit = Number(query.get('limit'));
		const offset = Number(query.get('offset'));
		const page = entries.slice(offset, offset + limit);
		const body = { deliveries: page, total: entries.length, limit, offset };
		pages++;
		if (pages === newEntryAfterPage) entries = [delivery(9999, 'pending'), ...entries];
		return { body };
	});
}

describe('Get Deliveries', () => {
	const getDeliveries = { operation: 'getDeliveries', webhookId: byId('7') };
	const log = () => Array.from({ length: 450 }, (_one, at) => delivery(450 - at, 'delivered'));

	it('reads all pages, and no entry twice when one is written meanwhile', async () => {
		serveLog(log, { newEntryAfterPage: 1 });
		const result = await run({ ...getDeliveries, returnAll: true });
		expect(result.items.map(({ json }) => json.deliveryId)).toEqual(
			log().map((entry) => String((entry as { id: number }).id)),
		);
	});

	it('asks for no more than the limit', async () => {
		serveLog(log);
		const result = await run({ ...getDeliveries, limit: 3 });
		expect(result.items).toHaveLength(3);
		expect(service.seen.map(({ path }) => path.split('?')[1])).toEqual(['limit=3&offset=0']);
	});

	it('filters by itself what a service does not filter', async () => {
		serveLog(() => [
			delivery(4, 'delivered'),
			delivery(3, 'dead_letter'),
			delivery(2, 'deadLetter'),
			delivery(1, 'failed'),
		]);
		const filters = { status: 'dead-letter', since: '2026-03-01T00:00:02.000Z' };
		const result = await run({ ...getDeliveries, filters });
		expect(result.items.map(({ json }) => json.deliveryId)).toEqual(['3', '2']);
	});

	it.each([400, 422, 200])('tries other names of the state after %d', async (status) => {
		service.on('GET', /status=/, { status, body: status === 200 ? { deliveries: [] } : {} });
		service.on('GET', /status=dead_letter/, { body: { data: [delivery(1, 'dead_letter')] } });
		const result = await run({ ...getDeliveries, filters: { status: 'dead-letter' } });
		expect(result.items.map(({ json }) => json.deliveryId)).toEqual(['1']);
	});

	it('asks without the filter where every name is refused', async () => {
		serveLog(() => [delivery(1, 'failed'), delivery(2, 'delivered')]);
		service.on('GET', /(status|since)=/, { status: 400, body: { message: 'unknown parameter' } });
		const filters = { status: 'dead-letter', since: '2026-01-01' };
		const result = await run({ ...getDeliveries, filters });
		expect(result.items.map(({ json }) => json.deliveryId)).toEqual(['1']);
	});

	it('does not read a log in which nothing is of that state', async () => {
		serveLog(log);
		service.on('GET', /status=/, { body: { deliveries: [], total: 0, limit: 50, offset: 0 } });
		const result = await run({ ...getDeliveries, filters: { status: 'dead-letter' } });
		expect(result.items).toEqual([]);
		expect(service.seen.every(({ path }) => path.includes('status='))).toBe(true);
	});

	it('stops at entries from before the time', async () => {
		serveLog(() =>
			Array.from({ length: 2000 }, (_one, at) =>
				delivery(2000 - at, 'delivered', {
					createdAt: new Date(Date.UTC(2026, 2, 1) - at * 60_000).toISOString(),
				}),
			),
		);
		const filters = { since: '2026-02-28T22:00:00Z' };
		const result = await run({ ...getDeliveries, returnAll: true, filters });
		expect(result.items).toHaveLength(121);
		expect(service.seen).toHaveLength(2);
	});

	it('refuses a time that is none', async () => {
		const filters = { since: '={{ "soon" }}' };
		const result = await run({ ...getDeliveries, filters });
		expect(result.error?.message).toContain("'Since'");
		expect(service.seen).toEqual([]);
	});
});

describe('Recover Missed Deliveries', () => {
	const recover = { operation: 'recoverMissedDeliveries', webhookId: byId('7') };
	const replayed = () =>
		service.requests('POST', /retry$/).map(({ path }) => /deliveries\/(\w+)\//.exec(path)?.[1]);
	const accept = (state = 'pending') =>
		service.on('POST', /deliveries\/(\w+)\/retry$/, (_request, [id]) => ({
			status: 202,
			body: delivery(id!, state),
		}));

	it('reads the whole log first, then replays each dead letter once, oldest first', async () => {
		serveLog(() =>
			Array.from({ length: 450 }, (_one, at) =>
				delivery(450 - at, at % 100 === 0 ? 'dead-letter' : 'delivered'),
			),
		);
		accept();
		const result = await run(recover);
		expect(replayed()).toEqual(['50', '150', '250', '350', '450']);
		expect(result.items.map(({ json }) => [json.deliveryId, json.replayed, json.status])).toEqual(
			['50', '150', '250', '350', '450'].map((id) => [id, true, 'pending']),
		);
		const methods = service.seen.map(({ method }) => method);
		expect(methods.lastIndexOf('GET')).toBeLessThan(methods.indexOf('POST'));
	});

	it('knows the dead letter of other services', async () => {
		const names = ['dead_letter', 'deadLetter', 'failed', 'DEAD-LETTER', 'delivered', 'retrying'];
		serveLog(() => names.map((name, at) => delivery(at + 1, name)));
		accept();
		await run(recover);
		expect(replayed()).toEqual(['4', '3', '2', '1']);
	});

	it('of a log with an entry for each attempt, replays an event once', async () => {
		serveLog(() => [
			delivery(6, 'delivered', { eventId: 'evt_b' }),
			delivery(5, 'failed', { eventId: 'evt_b' }),
			delivery(4, 'retrying', { eventId: 'evt_c' }),
			delivery(3, 'failed', { eventId: 'evt_c' }),
			delivery(2, 'failed', { eventId: 'evt_a' }),
			delivery(1, 'failed', { eventId: 'evt_a' }),
		]);
		accept();
		await run(recover);
		expect(replayed()).toEqual(['2']);
	});

	it('a delivery that is under way is no failure', async () => {
		serveLog(() => [delivery(1, 'dead-letter')]);
		service.on('POST', /retry$/, { status: 409, body: { error: { code: 'delivery_under_way' } } });
		const result = await run(recover);
		expect(result.error).toBeUndefined();
		expect(result.items[0]?.json).toMatchObject({
			deliveryId: '1',
			replayed: false,
			statusBefore: 'dead-letter',
		});
	});

	it('only what was missed since the time', async () => {
		serveLog(() => [delivery(30, 'dead-letter'), delivery(10, 'dead-letter')]);
		accept();
		await run({ ...recover, since: '2026-03-01T00:00:20.000Z' });
		expect(replayed()).toEqual(['30']);
	});

	it('one that cannot be replayed does not stop the others', async () => {
		serveLog(() => [3, 2, 1].map((id) => delivery(id, 'dead-letter')));
		accept();
		service.on('POST', /deliveries\/2\/retry$/, { status: 404, body: { message: 'expired' } });
		const result = await run(recover, { onError: 'continueErrorOutput' });
		expect(result.items.map(({ json }) => json.deliveryId)).toEqual(['1', '3']);
		expect(result.errors.map(({ json }) => json.message)).toEqual([
			'The delivery 2 was not found [item 0]',
		]);
		const stopped = await run(recover);
		expect(stopped.error?.message).toBe('The delivery 2 was not found [item 0]');
		expect(replayed()).toEqual(['1', '2', '3', '1', '2', '3']);
	});

	it('a service that does not answer stops it', async () => {
		serveLog(() => [3, 2, 1].map((id) => delivery(id, 'dead-letter')));
		accept();
		service.on('POST', /deliveries\/2\/retry$/, { status: 503, body: {} });
		const result = await run(recover, { onError: 'continueErrorOutput' });
		expect(result.items.map(({ json }) => json.deliveryId)).toEqual(['1']);
		expect(result.errors).toHaveLength(1);
		expect(new Set(replayed())).toEqual(new Set(['1', '2']));
	});

	it('replays a delivery once, although two items name its webhook', async () => {
		serveLog(() => [delivery(1, 'dead-letter')]);
		accept();
		const result = await run(recover, { items: items.slice(0, 2) });
		expect(result.items).toHaveLength(1);
		expect(replayed()).toEqual(['1']);
	});
});

it('is refused with a JWT', async () => {
	const result = await run({ authentication: 'jwt', operation: 'getMany' });
	expect(result.error).toBeDefined();
	expect(service.seen).toEqual([]);
});
