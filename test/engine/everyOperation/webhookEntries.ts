import type { IDataObject } from 'n8n-workflow';

import {
	byId,
	emptyId,
	NOWHERE,
	unknownId,
	withJson,
	wrongLimit,
	type Entry,
	type Item,
} from './entry';
import type { World } from './world';

const webhookId = byId('={{ $json.webhookId }}');
const unknown = unknownId('webhookId', 'webhook', 'Webhook');
const noId = emptyId('webhookId', 'Webhook');
const PATHS = ['a', 'b', 'c'];
const EVENT = 'document.uploaded';

/** Three webhooks, made without the node. */
async function webhookItems({ direct, receiver }: World): Promise<Item[]> {
	const made = await Promise.all(
		PATHS.map(async (path) => {
			const body = { url: `${receiver.address}/${path}`, events: [EVENT] };
			return await direct.request('accessToken', 'POST', '/agent/webhooks', body);
		}),
	);
	return made.map(({ id, url, secret }) => ({
		json: { webhookId: id, url, secretBefore: secret },
	}));
}

/** Three webhooks, each with a sample that was sent; missed ones where the receiver refuses. */
async function deliveryItems(world: World, status: number): Promise<Item[]> {
	const { direct, receiver } = world;
	receiver.status = status;
	const items = await webhookItems(world);
	const deliveries = await Promise.all(
		items.map(async ({ json }) => {
			const path = `/agent/webhooks/${String(json.webhookId)}/test`;
			await direct.request('accessToken', 'POST', path, { event: EVENT });
			return (await direct.endedDeliveries(String(json.webhookId)))[0];
		}),
	);
	receiver.status = 200;
	return items.map(({ json }, index) => ({
		json: { ...json, deliveryId: deliveries[index]?.id, eventId: deliveries[index]?.eventId },
	}));
}

async function recordOf({ direct }: World, id: unknown): Promise<IDataObject> {
	return await direct.get(`/agent/webhooks/${String(id)}`);
}

/** The secret that the node gave signs what arrives from then on. */
async function checkSecret(world: World, id: unknown, secret: unknown, url: unknown) {
	expect(secret).toMatch(/^[0-9a-f]{64}$/);
	await world.direct.request('accessToken', 'POST', `/agent/webhooks/${String(id)}/test`, {});
	await world.direct.endedDeliveries(String(id));
	expect(world.receiver.isSignedWith(String(secret), new URL(String(url)).pathname)).toBe(true);
}

/** What was replayed has arrived, with the same event as before, and is in the log. */
async function checkReplay(results: Item[], { json }: Item, world: World): Promise<void> {
	const { direct, receiver } = world;
	const { webhookId: id, deliveryId, eventId } = json;
	expect(results).toHaveLength(1);
	expect(results[0]?.json).toMatchObject({ webhookId: id, deliveryId, eventId, replayed: true });
	const [entry] = await direct.endedDeliveries(String(id));
	expect(entry).toMatchObject({ id: deliveryId, status: 'delivered', attempts: 1 });
	expect(receiver.received.at(-1)).toBeDefined();
	expect(receiver.received.filter((one) => one.eventId === eventId).length).toBeGreaterThan(1);
}

const resource = 'webhook';
const authentication = 'accessToken';

export const webhookEntries: Entry[] = [
	{
		resource,
		operation: 'create',
		authentication,
		parameters: { url: '={{ $json.url }}', events: '={{ $json.events }}' },
		items: ({ receiver }) =>
			PATHS.map((path) => ({ json: { url: `${receiver.address}/${path}`, events: [EVENT] } })),
		check: async (results, { json: { url, events } }, world) => {
			expect(results).toHaveLength(1);
			const { secret, secretShownOnce, ...fields } = results[0]!.json;
			const record = await recordOf(world, fields.webhookId);
			expect(fields).toEqual({ ...record, webhookId: record.id });
			expect(record).toMatchObject({ url, events, enabled: true });
			expect(secretShownOnce).toBe(true);
			await checkSecret(world, fields.webhookId, secret, url);
		},
		outputSchema: 'asDescribed',
		failures: [
			{
				name: 'an address that the service does not deliver to',
				spoil: withJson({ url: 'http://192.168.1.1/x' }),
				message: 'The service did not create the webhook',
				description: "'URL'",
			},
			{
				name: 'an event that there is not',
				spoil: withJson({ events: ['nothing'] }),
				message: 'must be one of',
				description: "'Event Names or IDs'",
			},
		],
	},
	{
		resource,
		operation: 'delete',
		authentication,
		parameters: { webhookId },
		items: webhookItems,
		check: async (results, { json: { webhookId: id } }, { direct }) => {
			expect(results.map(({ json }) => json)).toEqual([{ deleted: true, webhookId: id }]);
			const path = `/agent/webhooks/${String(id)}`;
			expect((await direct.response('accessToken', 'GET', path)).status).toBe(404);
		},
		outputSchema: 'asDescribed',
		failures: [unknown, noId],
	},
	{
		resource,
		operation: 'get',
		authentication,
		parameters: { webhookId },
		items: webhookItems,
		check: async (results, { json: { webhookId: id, url } }, world) => {
			const record = await recordOf(world, id);
			expect(results.map(({ json }) => json)).toEqual([{ ...record, webhookId: id }]);
			expect(record.url).toBe(url);
		},
		outputSchema: 'asDescribed',
		failures: [unknown, noId],
	},
	{
		resource,
		operation: 'getDeliveries',
		authentication,
		parameters: { webhookId, returnAll: false, limit: '={{ $json.limit ?? 50 }}' },
		items: async (world) => await deliveryItems(world, 200),
		check: async (results, { json: { webhookId: id, deliveryId } }, { direct }) => {
			const log = await direct.deliveries(String(id));
			expect(results).toHaveLength(1);
			expect(results[0]?.json).toMatchObject({
				...log[0],
				webhookId: id,
				deliveryId,
				status: 'delivered',
				lastStatusCode: 200,
				lastError: null,
			});
		},
		outputSchema: 'asDescribed',
		failures: [unknown, wrongLimit],
	},
	{
		resource,
		operation: 'getEventNames',
		authentication,
		parameters: {},
		// It asks for nothing of an item. What may differ is the service: by an expression in the credential.
		credential: { baseUrl: '={{ $json.service }}' },
		items: ({ service: { baseUrl } }) => PATHS.map(() => ({ json: { service: baseUrl } })),
		check: async (results, _item, { direct }) => {
			const { events } = await direct.get('/agent/webhooks/events');
			expect(results.map(({ json }) => json.name)).toEqual(events);
			expect(events).toHaveLength(8);
			for (const { json } of results) expect(json.description).toMatch(/^[A-Z].* /);
		},
		outputSchema: 'asDescribed',
		failures: [
			{
				name: 'a service that is not there',
				// The port that nothing ever listens at.
				spoil: withJson({ service: 'http://127.0.0.1:1/api/v1' }),
				message: 'The service could not be reached: nothing answers there',
				description: "'Base URL'",
			},
			{
				name: 'an address of another version',
				spoil: withJson({ service: 'http://127.0.0.1:1/api/v2' }),
				message: 'The address in the credential cannot be used',
				description: "'Base URL'",
			},
		],
	},
	{
		resource,
		operation: 'getMany',
		authentication,
		parameters: { returnAll: false, limit: '={{ $json.limit }}' },
		items: async (world) => {
			await webhookItems(world);
			return [3, 1, 2].map((limit) => ({ json: { limit } }));
		},
		check: async (results, { json: { limit } }, { direct }) => {
			const records = await direct.webhooks();
			expect(records).toHaveLength(3);
			expect(results.map(({ json }) => json)).toEqual(
				records.slice(0, Number(limit)).map((record) => ({ ...record, webhookId: record.id })),
			);
		},
		outputSchema: 'asDescribed',
		failures: [wrongLimit],
	},
	{
		resource,
		operation: 'recoverMissedDeliveries',
		authentication,
		parameters: { webhookId, since: '={{ $json.since ?? "" }}' },
		items: async (world) => await deliveryItems(world, 503),
		check: checkReplay,
		outputSchema: 'asDescribed',
		failures: [
			unknown,
			{
				name: 'a time that is none',
				spoil: withJson({ since: 'yesterday evening' }),
				message: "'Since'",
				description: "'Since'",
			},
		],
	},
	{
		resource,
		operation: 'regenerateSecret',
		authentication,
		parameters: { webhookId },
		items: webhookItems,
		check: async (results, { json: { webhookId: id, url, secretBefore } }, world) => {
			expect(results).toHaveLength(1);
			const { secret, secretShownOnce, ...fields } = results[0]!.json;
			expect(fields).toEqual({ ...(await recordOf(world, id)), webhookId: id });
			expect(secretShownOnce).toBe(true);
			expect(secret).not.toBe(secretBefore);
			await checkSecret(world, id, secret, url);
		},
		outputSchema: 'asDescribed',
		failures: [unknown, noId],
	},
	{
		resource,
		operation: 'retryDelivery',
		authentication,
		parameters: { deliveryId: '={{ $json.deliveryId }}' },
		items: async (world) => await deliveryItems(world, 200),
		check: checkReplay,
		outputSchema: 'asDescribed',
		failures: [
			unknownId('deliveryId', 'delivery', 'Delivery ID'),
			{
				name: 'no id',
				spoil: withJson({ deliveryId: '' }),
				message: "No ID is given in 'Delivery ID'",
				description: 'Webhook: Get Deliveries',
			},
			{
				name: 'an id that is none',
				spoil: withJson({ deliveryId: `${NOWHERE}?x` }),
				message: "The ID in 'Delivery ID' is not valid",
				description: 'Webhook: Get Deliveries',
			},
		],
	},
	{
		resource,
		operation: 'sendTest',
		authentication,
		parameters: { webhookId, options: { event: '={{ $json.event ?? "fraud.detected" }}' } },
		items: webhookItems,
		check: async (results, { json: { webhookId: id } }, { direct, receiver }) => {
			expect(results).toHaveLength(1);
			const { json } = results[0]!;
			expect(json).toMatchObject({ webhookId: id, event: 'fraud.detected', test: true });
			const log = await direct.endedDeliveries(String(id));
			expect(log.map((entry) => [entry.id, entry.status])).toEqual([
				[json.deliveryId, 'delivered'],
			]);
			expect(receiver.received.map(({ eventId }) => eventId)).toContain(json.eventId);
		},
		outputSchema: 'asDescribed',
		failures: [
			unknown,
			{
				name: 'an event that there is not',
				spoil: withJson({ event: 'nothing' }),
				message: 'must be one of',
				description: "'Event Name or ID'",
			},
		],
	},
	{
		resource,
		operation: 'update',
		authentication,
		parameters: {
			webhookId,
			updateFields: { enabled: false, url: '={{ $json.newUrl ?? $json.url + "/new" }}' },
		},
		items: webhookItems,
		check: async (results, { json: { webhookId: id, url } }, world) => {
			const record = await recordOf(world, id);
			expect(results.map(({ json }) => json)).toEqual([{ ...record, webhookId: id }]);
			expect(record).toMatchObject({ url: `${String(url)}/new`, enabled: false, events: [EVENT] });
		},
		outputSchema: 'asDescribed',
		failures: [
			unknown,
			{
				name: 'an address that the service does not deliver to',
				spoil: withJson({ newUrl: 'http://192.168.1.1/x' }),
				message: 'The service did not change the webhook',
				description: "'URL'",
			},
		],
	},
];
