import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode } from './engine';
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

async function run(operation: string, parameters: INodeParameters = {}) {
	return await runNode({
		parameters: { resource: 'webhook', operation, ...parameters },
		items: [{ json: {} }],
		credentials: {
			documentExtractionApi: { baseUrl: service.baseUrl, accessToken: service.accessToken },
		},
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
