import fc from 'fast-check';
import type { ITriggerFunctions } from 'n8n-workflow';

import { systemClock } from '../../nodes/shared/transport/clock';
import { TriggerHost } from './triggerHost';
import { WebhookService, type StoredWebhook } from './webhookService';

const EVENTS = ['bank_statement.extraction.completed', 'document.extraction.failed'];
const OTHER = 'https://other.example.com/hook';

let service: WebhookService;
let host: TriggerHost;

beforeEach(async () => {
	jest.spyOn(systemClock, 'pause').mockResolvedValue();
	service = new WebhookService();
	await service.start();
	host = await new TriggerHost(() => service.baseUrl).start();
});

afterEach(async () => {
	jest.restoreAllMocks();
	await host.stop();
	await service.stop();
});

/** Exactly one webhook, switched on, with these events, whose secret is the one that n8n keeps. */
function expectSettled(events = EVENTS): StoredWebhook {
	const own = service.at(host.url);
	expect(own).toHaveLength(1);
	expect(own[0]).toMatchObject({ enabled: true });
	expect([...own[0]!.events].sort()).toEqual([...events].sort());
	expect(host.kept).toEqual({ webhookId: own[0]!.id, secret: own[0]!.secret, url: host.url });
	return own[0]!;
}

function keep(webhook: StoredWebhook, changes: object = {}): void {
	const { id: webhookId, secret, url } = webhook;
	host.staticData = { 'node:Trigger': { webhookId, secret, url, ...changes } };
}

const changing = () => service.seen.filter(({ method }) => method !== 'GET');

describe('activation', () => {
	it('registers one webhook with the chosen events and keeps its id and secret', async () => {
		await host.activate();
		expectSettled();
		const tokens = service.seen.map(({ headers }) => headers.authorization);
		expect(new Set(tokens)).toEqual(new Set(['Bearer dex_pat_right']));
	});

	it('changes nothing when n8n is restarted', async () => {
		await host.activate();
		const before = expectSettled();
		service.seen.length = 0;
		await host.activate({ activation: 'init' });
		expect(changing()).toEqual([]);
		expect(expectSettled().secret).toBe(before.secret);
	});

	it('adopts the webhook with a new secret when the node was renamed', async () => {
		await host.activate();
		const { id, secret } = expectSettled();
		host.nodeName = 'Statements arrive';
		await host.activate();
		const after = expectSettled();
		expect(after.id).toBe(id);
		expect(host.kept.secret).not.toBe(secret);
	});

	it('adopts the webhook when the secret is lost and the id is not', async () => {
		const webhook = service.add({ url: host.url, events: EVENTS });
		keep(webhook, { secret: undefined });
		await host.activate();
		expect(expectSettled().id).toBe(webhook.id);
	});

	it('keeps the known one of several, and leaves other addresses alone', async () => {
		service.add({ url: host.url, events: EVENTS });
		const known = service.add({ url: host.url, events: EVENTS });
		service.add({ url: host.url, events: ['fraud.detected'] });
		const other = service.add({ url: OTHER, events: EVENTS });
		keep(known);
		await host.activate();
		expect(expectSettled()).toBe(known);
		expect(service.at(OTHER)).toEqual([other]);
	});

	it('adopts one of several of which none is known, rather the one that is right', async () => {
		service.add({ url: host.url, events: ['fraud.detected'] });
		const right = service.add({ url: host.url, events: [...EVENTS].reverse() });
		await host.activate();
		expect(expectSettled().id).toBe(right.id);
		expect(service.requests('PUT', /./)).toEqual([]);
	});

	it('tells the service about changed events and keeps the secret', async () => {
		await host.activate();
		const { id, secret } = expectSettled();
		host.parameters = { events: ['fraud.detected'] };
		await host.activate();
		expect(expectSettled(['fraud.detected'])).toMatchObject({ id, secret });
	});

	it.each([
		['refuses to change it', { status: 405, body: {} }],
		['knows no PUT', { status: 404, body: 'not found' }],
	])('makes it anew where the service %s', async (_name, reply) => {
		await host.activate();
		const { id } = expectSettled();
		service.on('PUT', /./, reply);
		host.parameters = { events: ['fraud.detected'] };
		await host.activate();
		expect(expectSettled(['fraud.detected']).id).not.toBe(id);
	});

	it('makes it anew where the answer still has the old events', async () => {
		await host.activate();
		service.on('PUT', /(\d+)$/, (_request, [id]) =>
			service.with(id, (webhook) => ({ body: service.shown(webhook) })),
		);
		host.parameters = { events: ['fraud.detected'] };
		await host.activate();
		expectSettled(['fraud.detected']);
	});

	it('switches a disabled one on', async () => {
		const webhook = service.add({ url: host.url, events: EVENTS, enabled: false });
		keep(webhook);
		await host.activate();
		expect(expectSettled().id).toBe(webhook.id);
	});

	it('makes a disabled one anew where it cannot be switched on', async () => {
		const webhook = service.add({ url: host.url, events: EVENTS, enabled: false });
		keep(webhook);
		service.on('PUT', /./, { body: service.shown(webhook) });
		await host.activate();
		expect(expectSettled().id).not.toBe(webhook.id);
	});

	it('registers again when it was deleted on the other side', async () => {
		await host.activate();
		service.webhooks.clear();
		await host.activate({ activation: 'init' });
		expectSettled();
	});

	it('makes a new one where secrets cannot be regenerated', async () => {
		const webhook = service.add({ url: host.url, events: EVENTS });
		service.on('POST', /regenerate-secret$/, { status: 404, body: {} });
		await host.activate();
		expect(expectSettled().id).not.toBe(webhook.id);
	});

	it('does not take a webhook of another address for its own, though the id is the kept one', async () => {
		const other = service.add({ url: OTHER, events: EVENTS });
		keep(other, { url: host.url });
		await host.activate();
		expect(expectSettled().id).not.toBe(other.id);
		expect(service.at(OTHER)).toEqual([other]);
	});

	it('leaves the webhook of the n8n alone from which the workflow was copied', async () => {
		const first = service.add({ url: OTHER, events: EVENTS });
		keep(first);
		await host.activate();
		expectSettled();
		await host.deactivate();
		expect([...service.webhooks.values()]).toEqual([first]);
	});

	it('makes a new one at another service', async () => {
		await host.activate();
		const second = new WebhookService();
		await second.start();
		const first = service;
		service = second;
		await host.activate();
		expectSettled();
		await host.deactivate();
		expect(second.webhooks.size).toBe(0);
		expect(first.webhooks.size).toBe(1);
		await first.stop();
	});

	it('reads every page of the list', async () => {
		const own = service.add({ url: host.url, events: EVENTS, id: '500' });
		keep(own);
		for (let id = 0; id < 5; id++) service.add({ url: OTHER });
		service.on('GET', /\/agent\/webhooks(\?.*)?$/, ({ path }) => {
			const offset = Number(new URL(path, service.baseUrl).searchParams.get('offset') ?? '0');
			const all = [...service.webhooks.values()].reverse().map((one) => service.shown(one));
			const items = all.slice(offset, offset + 2);
			return { body: { items, total: all.length, limit: 2, offset } };
		});
		await host.activate();
		expect(expectSettled()).toBe(own);
		expect(changing()).toEqual([]);
	});
});

describe('an activation that cannot be done', () => {
	it.each([
		[401, 'The service did not accept the credential'],
		[403, 'The credential may not list the webhooks'],
		[500, 'The service is unavailable'],
		[404, 'The server does not know the address'],
	])('throws when the list answers %s, and forgets nothing', async (status, message) => {
		await host.activate();
		const before = host.kept;
		service.on('GET', /\/agent\/webhooks$/, { status, body: { message: 'no' } });
		await expect(host.lifeCycle('checkExists')).rejects.toThrow(message);
		await expect(host.lifeCycle('create')).rejects.toThrow(message);
		expect(host.kept).toEqual(before);
		expect(service.webhooks.size).toBe(1);
	});

	it('throws when the service is down', async () => {
		const lonely = await new TriggerHost(() => 'http://127.0.0.1:9/api/v1').start();
		await expect(lonely.activate()).rejects.toThrow('The service could not be reached');
		await lonely.stop();
	});

	it('goes on with what it has when n8n starts before the service', async () => {
		await host.activate();
		const before = host.kept;
		service.on('GET', /\/agent\/webhooks$/, { reset: true });
		for (const activation of ['init', 'leadershipChange'] as const) {
			expect(await host.lifeCycle('checkExists', { activation })).toBe(true);
		}
		expect(host.kept).toEqual(before);
		expect(host.warnings.join()).toContain('taken to be as it was');
		await expect(host.activate({ activation: 'update' })).rejects.toThrow('could not be reached');
	});

	it('throws when n8n starts before the service and there is nothing to go on with', async () => {
		service.on('GET', /\/agent\/webhooks$/, { reset: true });
		await expect(host.activate({ activation: 'init' })).rejects.toThrow('could not be reached');
	});

	it('is set up anew by n8n at each start, because it has a trigger function', async () => {
		expect(await host.nodeType.trigger!.call({} as ITriggerFunctions)).toEqual({});
	});

	it('throws when a web page answers', async () => {
		service.on('GET', /\/agent\/webhooks$/, { body: '<!doctype html><p>hello' });
		await expect(host.activate()).rejects.toThrow('something else than expected');
	});

	it('says where to look when the service does not deliver to this n8n', async () => {
		const error = { code: 'receiver_not_allowed', field: 'url', message: 'not public' };
		service.on('POST', /\/agent\/webhooks$/, { status: 400, body: { error } });
		const failure: unknown = await host.activate().catch((thrown: unknown) => thrown);
		expect(failure).toMatchObject({
			message: `The service does not deliver to ${new URL(host.url).origin}: not public`,
			description: expect.stringContaining('WEBHOOK_URL') as string,
		});
		expect(service.requests('POST', /\/agent\/webhooks$/)).toHaveLength(1);
	});

	it('names the field when an event is not known', async () => {
		const error = { code: 'invalid_request', field: 'events[0]', message: 'unknown event' };
		service.on('POST', /\/agent\/webhooks$/, { status: 400, body: { error } });
		await expect(host.activate()).rejects.toMatchObject({
			description: expect.stringContaining("'Trigger On Events'") as string,
		});
	});

	it.each([[[]], [['']], ['']])('asks for an event when %j is chosen', async (events) => {
		host.parameters = { events };
		await expect(host.activate()).rejects.toThrow('No event is chosen');
		expect(service.seen).toEqual([]);
	});

	it('leaves no webhook behind whose secret nobody was told', async () => {
		const untold = (webhook: StoredWebhook) => ({ body: service.shown(webhook) });
		service.on('POST', /\/agent\/webhooks$/, ({ body }) =>
			untold(service.add(JSON.parse(body.toString()) as StoredWebhook)),
		);
		service.on('POST', /(\d+)\/regenerate-secret$/, (_request, [id]) => service.with(id, untold));
		await expect(host.activate()).rejects.toThrow('told no secret');
		expect(service.webhooks.size).toBe(0);
		expect(host.kept).toEqual({});
	});

	it('gets the secret by regenerating where the creation does not tell it', async () => {
		service.on('POST', /\/agent\/webhooks$/, ({ body }) => ({
			status: 201,
			body: service.shown(service.add(JSON.parse(body.toString()) as StoredWebhook)),
		}));
		await host.activate();
		expectSettled();
	});
});

describe('a creation whose answer is lost', () => {
	it.each([
		['the connection breaks', { reset: true }],
		['a proxy answers 504', { status: 504, body: 'gateway' }],
		['the answer is no JSON', { status: 200, body: 'ok' }],
	])('leaves one webhook when %s', async (_name, reply) => {
		let first = true;
		service.on('POST', /\/agent\/webhooks$/, ({ body }) => {
			const webhook = service.add(JSON.parse(body.toString()) as StoredWebhook);
			if (!first) return { status: 201, body: service.told(webhook) };
			first = false;
			return reply;
		});
		await host.activate();
		expectSettled();
		expect(service.requests('POST', /\/agent\/webhooks$/)).toHaveLength(1);
	});

	it('is tried again where the service did not carry it out', async () => {
		let tries = 0;
		service.on('POST', /\/agent\/webhooks$/, ({ body }) =>
			++tries < 3
				? { status: 503, body: {} }
				: {
						status: 201,
						body: service.told(service.add(JSON.parse(body.toString()) as StoredWebhook)),
					},
		);
		await host.activate();
		expectSettled();
	});

	it('ends as an error after three tries', async () => {
		service.on('POST', /\/agent\/webhooks$/, { status: 503, body: {} });
		await expect(host.activate()).rejects.toThrow('The service is unavailable');
		expect(service.requests('POST', /\/agent\/webhooks$/)).toHaveLength(3);
	});
});

describe('deactivation', () => {
	it('removes the webhook and forgets it', async () => {
		await host.activate();
		const other = service.add({ url: OTHER });
		await host.deactivate();
		expect([...service.webhooks.values()]).toEqual([other]);
		expect(host.kept).toEqual({});
	});

	it('finds the webhook by its address where nothing is kept', async () => {
		service.add({ url: host.url });
		service.add({ url: host.url });
		await host.deactivate();
		expect(service.webhooks.size).toBe(0);
	});

	it('is done where the webhook is gone', async () => {
		await host.activate();
		service.webhooks.clear();
		await host.deactivate();
		expect(host.kept).toEqual({});
	});

	it.each([404, 410])('is done where deleting answers %s', async (status) => {
		await host.activate();
		service.on('DELETE', /./, { status, body: {} });
		await host.deactivate();
		expect(host.kept).toEqual({});
	});

	it.each([401, 403, 409, 500])(
		'throws when deleting answers %s, and can be done again',
		async (status) => {
			await host.activate();
			const before = host.kept;
			service.on('DELETE', /./, { status, body: {} });
			await expect(host.deactivate()).rejects.toThrow();
			expect(host.kept).toEqual(before);
			service.on('DELETE', /\/agent\/webhooks\/(\d+)$/, (_request, [id]) => {
				service.webhooks.delete(id!);
				return { status: 204 };
			});
			await host.deactivate();
			expect(service.webhooks.size).toBe(0);
			expect(host.kept).toEqual({});
		},
	);

	it('is done where nothing was registered and the service is down, and says so', async () => {
		service.on('GET', /\/agent\/webhooks$/, { reset: true });
		await expect(host.activate()).rejects.toThrow('could not be reached');
		await host.deactivate();
		expect(host.warnings.join()).toContain('could not be asked for webhooks to remove');
	});

	it('throws when the service is down, and keeps what it knows', async () => {
		await host.activate();
		const before = host.kept;
		service.on('GET', /\/agent\/webhooks$/, { reset: true });
		await expect(host.deactivate()).rejects.toThrow('The service could not be reached');
		expect(host.kept).toEqual(before);
	});
});

it('a test has a webhook of its own, which goes afterwards', async () => {
	await host.activate();
	const published = expectSettled();
	const kept = host.staticData;
	host.staticData = {};
	await host.activate({ isTest: true, mode: 'manual', activation: 'manual' });
	expect(service.at(host.testUrl)).toHaveLength(1);
	expect(service.at(host.url)).toEqual([published]);
	await host.deactivate({ isTest: true });
	expect(service.at(host.testUrl)).toEqual([]);
	host.staticData = kept;
	expect(expectSettled()).toBe(published);
});

it('whatever is there before, there is one webhook after, and nothing else is touched', async () => {
	const webhook = fc.record({
		own: fc.boolean(),
		enabled: fc.boolean(),
		events: fc.subarray([...EVENTS, 'fraud.detected']),
	});
	await fc.assert(
		fc.asyncProperty(
			fc.array(webhook, { maxLength: 4 }),
			fc.option(fc.nat({ max: 4 })),
			fc.constantFrom('all', 'no secret', 'wrong id', 'nothing'),
			async (there, keptIndex, keeping) => {
				service.webhooks.clear();
				const made = there.map(({ own, ...fields }) =>
					service.add({ ...fields, url: own ? host.url : OTHER }),
				);
				const others = structuredClone(made.filter(({ url }) => url === OTHER));
				host.staticData = {};
				const known = keptIndex === null ? undefined : made[keptIndex];
				if (known !== undefined && keeping !== 'nothing') {
					keep(known, {
						...(keeping === 'no secret' ? { secret: '' } : {}),
						...(keeping === 'wrong id' ? { webhookId: '999999' } : {}),
					});
				}
				await host.activate();
				expectSettled();
				expect(service.at(OTHER)).toEqual(others);
				await host.deactivate();
				expect(service.at(host.url)).toEqual([]);
				expect(service.at(OTHER)).toEqual(others);
			},
		),
		{ numRuns: 40 },
	);
});
