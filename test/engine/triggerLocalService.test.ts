import { generateStatement, type GeneratedStatement } from '../documents/index.ts';
import { LocalService } from './localService';
import { TriggerHost } from './triggerHost';

jest.setTimeout(120_000);

const BANK = 'bank_statement.extraction.completed';
const FAILED = 'document.extraction.failed';

interface Delivery {
	id: string;
	eventId: string;
	event: string;
	status: string;
}

let service: LocalService;
let host: TriggerHost;
let statement: GeneratedStatement;

beforeAll(async () => {
	service = await LocalService.start();
	statement = await generateStatement('usChecking', { seed: 3 });
});

afterAll(async () => {
	await service.stop();
});

beforeEach(async () => {
	host = await new TriggerHost(
		() => service.baseUrl,
		{ output: 'transactions' },
		service.accessToken,
	).start();
});

afterEach(async () => {
	jest.restoreAllMocks();
	await host.deactivate();
	await host.stop();
});

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
	const response = await fetch(service.baseUrl + path, {
		method,
		headers: {
			Authorization: `Bearer ${service.accessToken}`,
			...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
	return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** The webhooks that deliver to the host. */
async function own(url = host.url): Promise<Array<{ id: string; events: string[] }>> {
	const { webhooks } = await ask<{
		webhooks: Array<{ id: string; url: string; events: string[] }>;
	}>('GET', '/agent/webhooks');
	return webhooks.filter((webhook) => webhook.url === url);
}

async function extract(content: Buffer): Promise<void> {
	const { url, document } = await ask<{ url: string; document: { id: string } }>(
		'POST',
		'/agent/documents/upload-url',
		{ filename: 'statement.pdf', mimetype: 'application/pdf' },
	);
	const headers = { 'Content-Type': 'application/pdf' };
	await fetch(url, { method: 'PUT', body: new Uint8Array(content), headers });
	await ask('POST', '/agent/jobs', { documents: [document.id] });
}

async function deliveries(): Promise<Delivery[]> {
	const [webhook] = await own();
	const answer = await ask<{ deliveries: Delivery[] }>(
		'GET',
		`/agent/webhooks/${webhook!.id}/deliveries`,
	);
	return answer.deliveries;
}

/** Waits until every delivery has ended. */
async function ended(count: number): Promise<Delivery[]> {
	for (let tries = 0; tries < 900; tries++) {
		const all = await deliveries();
		const isOver = all.every(({ status }) => ['delivered', 'dead-letter'].includes(status));
		if (all.length >= count && isOver) return all;
		await new Promise((done) => setTimeout(done, 100));
	}
	throw new Error('the deliveries did not end');
}

it('a statement runs the workflow once, with the rows that are printed on it', async () => {
	await host.activate();
	expect((await own()).map(({ events }) => [...events].sort())).toEqual([[BANK, FAILED]]);
	await extract(statement.pdf);
	expect((await ended(1)).map(({ status }) => status)).toEqual(['delivered']);
	await host.settled(1);
	const expected = statement.truth.accounts.flatMap(({ account, transactions }) =>
		transactions.map(({ amount }) => [account, Number(amount)]),
	);
	const rows = host.runs[0]!.items.map(({ json }) => [json.account, Number(json.amount)]);
	expect(rows).toEqual(expected);
	expect(host.runs[0]!.items[0]!.json).toMatchObject({ eventName: BANK, verdict: 'reconciled' });

	// By hand, with the same event: answered, and not run again.
	const [delivery] = await deliveries();
	await ask('POST', `/agent/webhooks/deliveries/${delivery!.id}/retry`);
	expect((await ended(1)).map(({ status }) => status)).toEqual(['delivered']);
	expect(host.started).toBe(1);

	await host.deactivate();
	expect(await own()).toEqual([]);
});

it('a file that cannot be read is one item with the reason', async () => {
	await host.activate();
	await extract(Buffer.from('this is no PDF at all'));
	await ended(1);
	await host.settled(1);
	expect(host.runs[0]!.items.map(({ json }) => json)).toEqual([
		expect.objectContaining({
			eventName: FAILED,
			data: expect.objectContaining({ failureReason: expect.anything() as unknown }) as unknown,
		}),
	]);
});

it('a sample is delivered and runs', async () => {
	await host.activate();
	const [webhook] = await own();
	await ask('POST', `/agent/webhooks/${webhook!.id}/test`, { event: BANK });
	expect((await ended(1)).map(({ status }) => status)).toEqual(['delivered']);
	await host.settled(1);
	expect(host.runs[0]!.items.length).toBeGreaterThan(0);
});

it('is settled after everything that can happen to its webhook', async () => {
	const works = async () => {
		await host.activate();
		const [webhook, ...others] = await own();
		expect(others).toEqual([]);
		expect(host.kept.webhookId).toBe(webhook!.id);
		const before = host.runs.length;
		const sent = (await deliveries()).length;
		await ask('POST', `/agent/webhooks/${webhook!.id}/test`, { event: FAILED });
		const [newest] = await ended(sent + 1);
		expect(newest).toMatchObject({ status: 'delivered', event: FAILED });
		await host.settled(before + 1);
		expect(host.ranWithItems).toHaveLength(before + 1);
		return webhook!.id;
	};
	const first = await works();
	host.nodeName = 'Renamed';
	expect(await works()).toBe(first);
	await ask('PUT', `/agent/webhooks/${first}`, { events: ['fraud.detected'], enabled: false });
	expect(await works()).toBe(first);
	await service.killAndStartAgain();
	expect(await works()).toBe(first);
	await ask('DELETE', `/agent/webhooks/${first}`);
	expect(await works()).not.toBe(first);
	await ask('POST', '/agent/webhooks', { url: host.url, events: [FAILED] });
	await works();
});

it('a secret that was regenerated elsewhere is refused, and known again after a new start', async () => {
	await host.activate();
	const [webhook] = await own();
	await ask('POST', `/agent/webhooks/${webhook!.id}/regenerate-secret`);
	await ask('POST', `/agent/webhooks/${webhook!.id}/test`, {});
	expect((await ended(1)).map(({ status }) => status)).toEqual(['dead-letter']);
	expect(host.runs).toEqual([]);
	expect(host.warnings.join()).toContain('activate it again');
	await host.deactivate();
	await host.activate();
	const [next] = await own();
	await ask('POST', `/agent/webhooks/${next!.id}/test`, {});
	expect((await ended(1)).map(({ status }) => status)).toEqual(['delivered']);
});

it('a test listens with a webhook of its own', async () => {
	await host.activate();
	await host.activate({ isTest: true, mode: 'manual', activation: 'manual' });
	expect([(await own()).length, (await own(host.testUrl)).length]).toEqual([1, 1]);
	await host.deactivate({ isTest: true });
	expect([(await own()).length, (await own(host.testUrl)).length]).toEqual([1, 0]);
});

it('offers the events of the service', async () => {
	const options = await host.eventOptions();
	expect(options.map(({ value }) => value)).toEqual(
		expect.arrayContaining([BANK, FAILED, 'fraud.detected']),
	);
});
