import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode, type NodeRun } from './engine';
import { LocalService } from './localService';
import { describedFields } from './outputSchema';

jest.setTimeout(120_000);

interface Received {
	headers: IncomingHttpHeaders;
	body: Buffer;
}

let service: LocalService;
/** What the receiver answers, and what it has received. */
let status = 200;
const received: Received[] = [];
const receiver = createServer((request, response) => {
	const chunks: Buffer[] = [];
	request.on('data', (chunk: Buffer) => chunks.push(chunk));
	request.on('end', () => {
		received.push({ headers: request.headers, body: Buffer.concat(chunks) });
		response.writeHead(status).end('noted');
	});
});
let receiverUrl: string;

beforeAll(async () => {
	service = await LocalService.start();
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});

afterAll(async () => {
	receiver.closeAllConnections();
	await new Promise((resolve) => receiver.close(resolve));
	await service.stop();
});

beforeEach(() => {
	status = 200;
	received.length = 0;
});

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const threeItems = [{ json: { at: 'a' } }, { json: { at: 'b' } }, { json: { at: 'c' } }];

async function run(
	operation: string,
	parameters: INodeParameters = {},
	more: Partial<NodeRun> = {},
) {
	return await runNode({
		parameters: { resource: 'webhook', operation, ...parameters },
		items: [{ json: {} }],
		credentials: {
			documentExtractionApi: { baseUrl: service.baseUrl, accessToken: service.accessToken },
		},
		...more,
	});
}

async function jsons(operation: string, parameters?: INodeParameters): Promise<IDataObject[]> {
	const result = await run(operation, parameters);
	expect(result.error).toBeUndefined();
	for (const { json } of result.items) {
		expect(Object.keys(json).sort()).toEqual(describedFields('webhook', operation));
	}
	return result.items.map(({ json }) => json);
}

async function createOne(at = 'x'): Promise<{ webhookId: string; secret: string }> {
	const events = ['document.uploaded'];
	const [made] = await jsons('create', { url: `${receiverUrl}/${at}`, events });
	return made as unknown as { webhookId: string; secret: string };
}

/** The log of a webhook, once all of its deliveries have ended. */
async function endedLog(webhookId: string): Promise<IDataObject[]> {
	for (let look = 0; look < 200; look++) {
		const log = await jsons('getDeliveries', { webhookId: byId(webhookId), returnAll: true });
		const ended = log.every((one) => ['delivered', 'dead-letter'].includes(one.status as string));
		if (log.length > 0 && ended) return log;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	throw new Error('the deliveries did not end');
}

const signatureOf = (secret: string, { body }: Received) =>
	createHmac('sha256', secret).update(body).digest('hex');

it('create, get, list, update and delete, each for three items', async () => {
	const url = `=${receiverUrl}/{{ $json.at }}`;
	const parameters = { url, events: ['document.uploaded', 'document.extraction.failed'] };
	const created = await run('create', parameters, { items: threeItems });
	expect(created.items.map(({ json, pairedItem }) => [json.url, pairedItem])).toEqual([
		[`${receiverUrl}/a`, { item: 0 }],
		[`${receiverUrl}/b`, { item: 1 }],
		[`${receiverUrl}/c`, { item: 2 }],
	]);
	for (const { json } of created.items) expect(json.secret).toMatch(/^[0-9a-f]{64}$/);
	const items = created.items.map(({ json }) => ({ json: { id: json.webhookId } }));
	const webhookId = byId('={{ $json.id }}');

	const got = await run('get', { webhookId }, { items });
	expect(got.items.map(({ json }) => json.url)).toEqual(created.items.map(({ json }) => json.url));
	expect(JSON.stringify(got.items)).not.toContain('secret');

	const updateFields = { enabled: false, events: ['fraud.detected'] };
	const updated = await run('update', { webhookId, updateFields }, { items });
	expect(updated.items.map(({ json }) => [json.url, json.enabled, json.events])).toEqual(
		['a', 'b', 'c'].map((at) => [`${receiverUrl}/${at}`, false, ['fraud.detected']]),
	);

	const listed = await jsons('getMany', { returnAll: true });
	expect(listed.map((one) => one.webhookId)).toEqual(items.map(({ json }) => json.id));
	expect(await jsons('getMany', { limit: 2 })).toHaveLength(2);

	for (const [operation, { items: made }] of Object.entries({ create: created, update: updated })) {
		const fields = made.map(({ json }) => Object.keys(json).sort());
		for (const one of fields) expect(one).toEqual(describedFields('webhook', operation));
	}

	const deleted = await run('delete', { webhookId }, { items });
	expect(deleted.items.map(({ json }) => json)).toEqual(
		items.map(({ json }) => ({ deleted: true, webhookId: json.id })),
	);
	expect(await jsons('getMany')).toEqual([]);
	const again = await run('delete', { webhookId }, { items, onError: 'continueErrorOutput' });
	expect(again.errors.map(({ pairedItem }) => pairedItem)).toEqual(
		[0, 1, 2].map((item) => ({ item })),
	);
});

it('names the field that the service refuses', async () => {
	const parameters = { url: 'http://192.168.1.1/x', events: ['document.uploaded'] };
	const refused = await run('create', parameters);
	expect(refused.error?.description).toContain("'URL'");
	const unknown = await run('create', {
		...parameters,
		url: receiverUrl,
		events: '={{ ["nothing"] }}',
	});
	expect(unknown.error?.description).toContain("'Event Names or IDs'");
});

it('offers every event that the service knows', async () => {
	const names = (await jsons('getEventNames')).map(({ name }) => name);
	expect(names).toEqual(expect.arrayContaining(['document.uploaded', 'fraud.detected']));
	expect(names).toHaveLength(8);
});

it('a test is delivered, signed with the secret; after a new secret with that one', async () => {
	const { webhookId, secret } = await createOne();
	const [sent] = await jsons('sendTest', { webhookId: byId(webhookId) });
	expect(sent).toMatchObject({ webhookId, test: true, event: 'document.uploaded' });
	const [delivered] = await endedLog(webhookId);
	expect(delivered).toMatchObject({
		deliveryId: sent?.deliveryId,
		status: 'delivered',
		attempts: 1,
		lastStatusCode: 200,
		lastError: null,
	});
	expect(received[0]?.headers['x-service-signature']).toBe(signatureOf(secret, received[0]!));

	const [renewed] = await jsons('regenerateSecret', { webhookId: byId(webhookId) });
	expect(renewed?.secret).toMatch(/^[0-9a-f]{64}$/);
	expect(renewed?.secret).not.toBe(secret);
	const [replayed] = await jsons('retryDelivery', { deliveryId: String(sent?.deliveryId) });
	expect(replayed).toMatchObject({ replayed: true, deliveryId: sent?.deliveryId });
	await endedLog(webhookId);
	expect(received[1]?.body).toEqual(received[0]?.body);
	const signature = signatureOf(renewed!.secret as string, received[1]!);
	expect(received[1]?.headers['x-service-signature']).toBe(signature);
	await jsons('delete', { webhookId: byId(webhookId) });
});

it('what a receiver has missed is recovered, each once, with the same event', async () => {
	const { webhookId } = await createOne();
	status = 503;
	const event = { options: { event: 'fraud.detected' } };
	for (let sent = 0; sent < 3; sent++) {
		await jsons('sendTest', { webhookId: byId(webhookId), ...event });
	}
	const missed = await endedLog(webhookId);
	expect(missed.map((one) => [one.status, one.attempts, one.lastStatusCode])).toEqual([
		['dead-letter', 3, 503],
		['dead-letter', 3, 503],
		['dead-letter', 3, 503],
	]);
	status = 200;
	received.length = 0;
	const later = new Date(Date.now() + 60_000).toISOString();
	expect(
		await jsons('recoverMissedDeliveries', { webhookId: byId(webhookId), since: later }),
	).toEqual([]);
	const recovered = await jsons('recoverMissedDeliveries', { webhookId: byId(webhookId) });
	expect(recovered.map((one) => one.deliveryId)).toEqual(
		missed.map((one) => one.deliveryId).reverse(),
	);
	const log = await endedLog(webhookId);
	expect(log.map((one) => one.status)).toEqual(['delivered', 'delivered', 'delivered']);
	const events = received.map(({ headers }) => headers['x-service-event-id']);
	expect([...events].sort()).toEqual(missed.map((one) => one.eventId).sort());
	expect(await jsons('recoverMissedDeliveries', { webhookId: byId(webhookId) })).toEqual([]);
	const filters = { status: 'dead-letter' };
	expect(await jsons('getDeliveries', { webhookId: byId(webhookId), filters })).toEqual([]);
	expect(
		await jsons('getDeliveries', { webhookId: byId(webhookId), filters: { status: 'delivered' } }),
	).toHaveLength(3);
	await jsons('delete', { webhookId: byId(webhookId) });
});
