import { createHmac } from 'node:crypto';

import type { IDataObject, INodeType } from 'n8n-workflow';

import { documentPayload, row } from './scriptedService';
import { FakeResponse, processedData, TriggerHost } from './triggerHost';

const SECRET = '5f'.repeat(32);
const BANK = 'bank_statement.extraction.completed';
const RECEIVED = '{"received":true}';

let host: TriggerHost;

beforeEach(async () => {
	processedData.rows.clear();
	processedData.broken = false;
	host = await new TriggerHost(() => 'http://127.0.0.1:9/api/v1').start();
	host.parameters = { output: 'transactions' };
	host.staticData = { 'node:Trigger': { webhookId: '1', secret: SECRET, url: host.url } };
});

afterEach(async () => {
	jest.restoreAllMocks();
	await host.stop();
});

const sign = (body: string | Buffer, secret = SECRET) =>
	createHmac('sha256', secret).update(body).digest('hex');

let events = 0;
const newId = () => `evt_${++events}`;

interface Fields {
	id?: string;
	name?: string;
	data?: unknown;
	test?: boolean;
}

function bodyOf({ id = newId(), name = BANK, data, ...more }: Fields = {}): string {
	return JSON.stringify({
		event: { id, name, version: '2024-01-01', ...more },
		job: { id: '17', status: 'Succeeded' },
		user: { id: '3' },
		webhook: { id: '1' },
		data: data ?? { '42': documentPayload([row('a', -1.5), row('b', -2)]) },
	});
}

/** The item with which an execution begins. */
function handedOver(id: string, body: string) {
	const delivery = { key: id, eventId: id, eventName: BANK, body: JSON.parse(body) as IDataObject };
	return { json: { documentExtractionDelivery: { delivery } } };
}

async function deliver(body: string | Buffer, headers: Record<string, string> = {}, url?: string) {
	return await host.deliver(body, { 'X-Service-Signature': sign(body), ...headers }, url);
}

async function itemsOf(body: string | Buffer, headers: Record<string, string> = {}) {
	const before = host.runs.length;
	expect(await deliver(body, headers)).toEqual({ status: 200, body: RECEIVED });
	await host.settled(before + 1);
	return host.runs[before]?.items ?? [];
}

describe('a delivery that is signed right', () => {
	it('is answered and gives one item for each transaction', async () => {
		const items = await itemsOf(bodyOf({ id: 'evt_rows' }));
		expect(items).toHaveLength(2);
		expect(items[0]).toEqual({
			json: expect.objectContaining({
				eventId: 'evt_rows',
				eventName: BANK,
				jobId: '17',
				documentId: '42',
				account: '000123',
				amount: -1.5,
				dateIso: '2026-03-04',
				verdict: 'nothing to check against',
			}) as IDataObject,
			pairedItem: { item: 0 },
		});
		expect(host.warnings).toEqual([]);
	});

	it.each([
		['accounts', { account: '000123', transactionCount: 2 }],
		['documents', { documentId: '42', transactionCount: 2 }],
	])('gives %s', async (output, expected) => {
		host.parameters = { output };
		const items = await itemsOf(bodyOf());
		expect(items.map(({ json }) => json)).toEqual([
			expect.objectContaining({ eventName: BANK, jobId: '17', ...expected }) as IDataObject,
		]);
	});

	it('gives the delivery as it came, without a top-level error', async () => {
		host.parameters = { output: 'delivery' };
		const body = { ...(JSON.parse(bodyOf({ id: 'evt_d' })) as IDataObject), error: 'x' };
		const [item, ...others] = await itemsOf(JSON.stringify(body));
		const { error, ...rest } = body;
		expect(others).toEqual([]);
		expect(item?.json).toEqual({
			eventId: 'evt_d',
			eventName: BANK,
			jobId: '17',
			...rest,
			serviceError: error,
		});
	});

	it('keeps every digit', async () => {
		const body = bodyOf().replace('"amount":-1.5', '"amount":12345678901234567.89');
		const [item] = await itemsOf(body);
		expect(item?.json.amount).toBe('12345678901234567.89');
	});

	it.each([
		['document.extraction.failed', { failureReason: { code: 'unreadable' }, documents: [] }],
		['document.uploaded', { document: { id: '42' } }],
		['account.limit.approaching', { pagesUsed: 80 }],
		['fraud.detected', { document: { id: '42' }, signals: [] }],
		[BANK, null],
	])('gives one item with the delivery for %s', async (name, data) => {
		host.parameters = { ...host.parameters, events: [name] };
		const body = JSON.stringify({ ...JSON.parse(bodyOf({ name })), data } as IDataObject);
		const items = await itemsOf(body);
		expect(items.map(({ json }) => json)).toEqual([
			expect.objectContaining({ eventName: name, data }) as IDataObject,
		]);
	});

	it('gives the invoices and forms of other kinds', async () => {
		host.parameters = { ...host.parameters, events: ['invoice.extraction.completed'] };
		const data = { '7': { number: 'R-1', total: 10 } };
		const items = await itemsOf(bodyOf({ name: 'invoice.extraction.completed', data }));
		expect(items.map(({ json }) => json)).toEqual([
			expect.objectContaining({ documentId: '7', number: 'R-1' }) as IDataObject,
		]);
	});

	it('says so where there are no rows', async () => {
		await itemsOf(bodyOf({ data: { '42': documentPayload([]) } }));
		expect(host.runs[0]).toMatchObject({ items: [], hints: [expect.stringContaining('no rows')] });
	});

	it('is understood with uppercase digits', async () => {
		const body = bodyOf();
		const upper = sign(body).toUpperCase();
		expect(await itemsOf(body, { 'X-Service-Signature': upper })).toHaveLength(2);
	});

	it.each([
		['text', 'this is no JSON ✓', { raw: 'this is no JSON ✓' }],
		['cut JSON', '{"event":{"id":"evt_x"', { raw: '{"event":{"id":"evt_x"' }],
		['a list', '[1]', { raw: '[1]' }],
		['nothing', '', { raw: '' }],
		['bytes', Buffer.from([0xff, 0x00]), { raw: '\ufffd\u0000', rawBase64: '/wA=' }],
	])('is passed on raw when it is %s', async (_name, body, expected) => {
		const items = await itemsOf(body);
		const none = { eventId: null, eventName: null, jobId: null };
		expect(items.map(({ json }) => json)).toEqual([{ ...none, ...expected }]);
		await deliver(body, { 'X-Service-Event-Id': 'evt_other' });
		expect(host.started).toBe(1);
	});

	it('has its headers in each item when they are asked for, without the signature', async () => {
		host.parameters = { ...host.parameters, additionalOptions: { includeHeaders: true } };
		const items = await itemsOf(bodyOf(), { 'X-Service-Event': BANK, Cookie: 'a=b' });
		for (const { json } of items) {
			expect(json.headers).toMatchObject({ 'x-service-event': BANK });
			expect(json.headers).not.toHaveProperty('x-service-signature');
			expect(json.headers).not.toHaveProperty('cookie');
		}
	});
});

describe('a delivery that is not signed right', () => {
	const forged = async (headers: Record<string, string>, body = bodyOf()) => {
		const result = await host.deliver(body, headers);
		expect(result.status).toBe(401);
		expect(JSON.parse(result.body)).toMatchObject({ received: false });
		expect(host.started).toBe(0);
		const said = [result.body, ...host.warnings].join('\n');
		for (const hidden of [SECRET, sign(body), 'Purchase']) expect(said).not.toContain(hidden);
		return result;
	};
	const signature = (value: string) => ({ 'X-Service-Signature': value });

	it('runs nothing without a signature', async () => {
		await forged({});
	});

	it.each([
		['another secret', sign(bodyOf({ id: 'evt_f' }), 'f5'.repeat(32))],
		['an empty one', ''],
		['a short one', sign('').slice(1)],
		['a long one', `${sign('')}0`],
		['no hexadecimal', 'z'.repeat(64)],
		['a prefix', `sha256=${sign(bodyOf({ id: 'evt_f' }))}`],
		['two of them', `${sign(bodyOf({ id: 'evt_f' }))}, ${sign('')}`],
	])('runs nothing with %s', async (_name, value) => {
		await forged(signature(value), bodyOf({ id: 'evt_f' }));
	});

	it('runs nothing when the body was cut, changed, or written anew', async () => {
		const body = bodyOf();
		const right = sign(body);
		await forged(signature(right), body.slice(0, -1));
		await forged(signature(right), body.replace('-1.5', '-1.6'));
		await forged(signature(right), JSON.stringify(JSON.parse(body), null, 1));
		await forged(signature(right), '');
	});

	it('is not remembered: the right one runs afterwards', async () => {
		const body = bodyOf();
		await forged(signature(sign('')), body);
		expect(await itemsOf(body)).toHaveLength(2);
	});

	it.each([{}, { webhookId: '1', url: 'x' }, { webhookId: '1', url: 'x', secret: '' }])(
		'runs nothing where no secret is known (%j), and the log names the remedy',
		async (kept) => {
			host.staticData = { 'node:Trigger': kept };
			const body = bodyOf();
			await forged(signature(createHmac('sha256', '').update(body).digest('hex')), body);
			expect(host.warnings.join()).toContain('activate it again');
		},
	);

	it('runs nothing over the limit of n8n, and says which one', async () => {
		const body = Buffer.alloc(16 * 1024 * 1024 + 1, 0x20);
		const result = await deliver(body);
		expect(result.status).toBe(413);
		expect(host.runs).toEqual([]);
		expect(host.warnings.join()).toContain('N8N_PAYLOAD_SIZE_MAX');
	});

	it('runs nothing where the body breaks off', async () => {
		const response = new FakeResponse();
		const headers = { 'x-service-signature': sign('') };
		const readRawBody = async () => await Promise.reject(new Error('aborted'));
		await host.receive({ headers, readRawBody }, response);
		expect(response.statusCode).toBe(400);
		expect(host.runs).toEqual([]);
	});

	it('takes the bytes that n8n has read already', async () => {
		const response = new FakeResponse();
		const rawBody = Buffer.from(bodyOf());
		await host.receive({ headers: { 'x-service-signature': sign(rawBody) }, rawBody }, response);
		expect(response.sent).toEqual({ received: true });
		expect(host.runs[0]?.items).toHaveLength(2);
	});
});

describe('what is filtered out starts no execution', () => {
	const checks = { '42': { checks: documentPayload([row('a', -1)])['000123'] } };
	const passes = async (parameters: object, body: string) => {
		const before = host.started;
		host.parameters = { output: 'delivery', ...parameters } as typeof host.parameters;
		expect(await deliver(body)).toEqual({ status: 200, body: RECEIVED });
		return host.started > before;
	};

	it.each([
		[[BANK], true],
		[['invoice.extraction.completed'], false],
	])('by event %j: %s', async (names, expected) => {
		expect(await passes({ events: names }, bodyOf())).toBe(expected);
	});

	it('a sample passes whatever its event', async () => {
		const body = bodyOf({ name: 'fraud.detected', test: true });
		expect(await passes({ events: [BANK] }, body)).toBe(true);
	});

	it.each([
		[BANK, undefined, ['bankStatement'], true],
		[BANK, undefined, ['checks', 'form'], false],
		[BANK, checks, ['checks'], true],
		[BANK, checks, ['bankStatement'], false],
		['invoice.extraction.completed', { '7': {} }, ['invoice'], true],
		['invoice.extraction.completed', { '7': {} }, ['form'], false],
		['form.extraction.completed', { '7': [] }, ['invoice'], false],
		['document.extraction.completed', undefined, ['bankStatement'], true],
		['document.extraction.completed', { '7': [{ form: {} }] }, ['bankStatement'], false],
		['document.extraction.completed', { '7': { total: 1 } }, ['bankStatement'], true],
		['document.extraction.failed', { failureReason: null }, ['invoice'], true],
	])('by kind: %s', async (name, data, documentKinds, expected) => {
		const parameters = { events: [name], filters: { documentKinds } };
		expect(await passes(parameters, bodyOf({ name, data }))).toBe(expected);
	});

	it.each([
		[BANK, undefined, '42', true],
		[BANK, undefined, '41, 43', false],
		['document.uploaded', { document: { id: 42 } }, '7,42', true],
		['document.uploaded', { document: { id: 42 } }, '7', false],
		['document.extraction.failed', { documents: [{ id: '5' }, { id: '6' }] }, '6', true],
		['document.extraction.failed', { documents: [{ id: '5' }, { id: '6' }] }, '7', false],
		['account.limit.approaching', { pagesUsed: 1 }, '7', true],
	])('by document: %s', async (name, data, documentIds, expected) => {
		const parameters = { events: [name], filters: { documentIds } };
		expect(await passes(parameters, bodyOf({ name, data }))).toBe(expected);
	});

	it('rows of other documents of the same delivery are left out', async () => {
		host.parameters = { output: 'transactions', filters: { documentIds: '43' } };
		const data = {
			'42': documentPayload([row('a', -1)]),
			'43': documentPayload([row('b', -2), row('c', -3)]),
		};
		const items = await itemsOf(bodyOf({ data }));
		expect(items.map(({ json }) => json.fitId)).toEqual(['b', 'c']);
	});
});

describe('the same event again', () => {
	it('starts one execution of fifty that come at the same moment', async () => {
		const body = bodyOf();
		const answers = await Promise.all(Array.from({ length: 50 }, async () => await deliver(body)));
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
		await host.settled(1);
		await deliver(body);
		expect(host.started).toBe(1);
		expect(host.runs[0]?.items).toHaveLength(2);
	});

	it('is told by the signed body, not by the header', async () => {
		const body = bodyOf();
		await itemsOf(body, { 'X-Service-Event-Id': 'evt_a' });
		await deliver(body, { 'X-Service-Event-Id': 'evt_b' });
		await itemsOf(bodyOf(), { 'X-Service-Event-Id': 'evt_a' });
		expect(host.runs).toHaveLength(2);
	});

	/** The node as a newly started n8n has it: its memory is empty, the database is not. */
	function restart(): void {
		jest.isolateModules(() => {
			const { DocumentExtractionTrigger } = jest.requireActual<{
				DocumentExtractionTrigger: new () => INodeType;
			}>('../../nodes/DocumentExtractionTrigger/DocumentExtractionTrigger.node');
			host.nodeType = new DocumentExtractionTrigger();
		});
	}

	it('gives no items after a restart of n8n, and says why', async () => {
		const body = bodyOf({ id: 'evt_restart' });
		await itemsOf(body);
		restart();
		expect(await itemsOf(body)).toEqual([]);
		expect(host.ranWithItems).toHaveLength(1);
		expect(host.runs[1]?.hints.join()).toContain('evt_restart');
		await deliver(body);
		expect(host.started).toBe(2);
	});

	it('gives items once, however often n8n is restarted', async () => {
		const body = bodyOf();
		for (let count = 1; count <= 4; count++) {
			restart();
			await itemsOf(body);
		}
		expect(host.runs).toHaveLength(4);
		expect(host.ranWithItems).toHaveLength(1);
	});

	it('gives items once when twenty executions of it run at the same moment', async () => {
		const item = handedOver('evt_twenty', bodyOf());
		const runs = await Promise.all(
			Array.from({ length: 20 }, async () => await host.execute([[item]], 'webhook')),
		);
		expect(runs.filter(({ items }) => items.length > 0)).toHaveLength(1);
	});

	it('runs when n8n did not take it the first time', async () => {
		const body = bodyOf();
		host.failingStarts = 1;
		expect((await deliver(body)).status).toBe(500);
		expect(await itemsOf(body)).toHaveLength(2);
	});

	it('runs once when n8n does not take the first of many', async () => {
		const body = bodyOf();
		host.failingStarts = 1;
		const answers = await Promise.all(Array.from({ length: 20 }, async () => await deliver(body)));
		expect(answers.filter(({ status }) => status === 500)).toHaveLength(1);
		await host.settled(1);
		expect(host.started).toBe(1);
		expect(host.ranWithItems).toHaveLength(1);
	});

	it('does not wait for ever for one whose sender has gone away', async () => {
		const rawBody = Buffer.from(bodyOf());
		const response = new FakeResponse();
		response.closed = true;
		await host.receive({ headers: { 'x-service-signature': sign(rawBody) }, rawBody }, response);
		await host.settled(1);
		expect((await deliver(rawBody)).status).toBe(200);
		await host.settled(2);
		expect(host.ranWithItems).toHaveLength(1);
	});

	it('runs where n8n cannot tell: twice is better than never', async () => {
		processedData.broken = true;
		expect(await itemsOf(bodyOf())).toHaveLength(2);
		expect(host.warnings.join()).toContain('cannot be told apart');
	});

	it('runs each time in a test, and when it is asked for', async () => {
		const body = bodyOf();
		const headers = { 'X-Service-Signature': sign(body) };
		for (let count = 1; count <= 2; count++) {
			expect((await host.deliver(body, headers, host.testUrl)).status).toBe(200);
			await host.settled(count);
		}
		expect(host.ranWithItems).toHaveLength(2);
		host.parameters = { ...host.parameters, additionalOptions: { runRepeated: true } };
		await itemsOf(body);
		await itemsOf(body);
		expect(host.ranWithItems).toHaveLength(4);
	});

	it('runs in each node that receives it', async () => {
		const body = bodyOf();
		await itemsOf(body);
		host.nodeId = 'node-2';
		expect(await itemsOf(body)).toHaveLength(2);
	});

	it('an execution that is tried again in n8n has its items', async () => {
		const item = handedOver('evt_again', bodyOf());
		expect((await host.execute([[item]], 'webhook')).items).toHaveLength(2);
		expect((await host.execute([[item]], 'webhook')).items).toEqual([]);
		expect((await host.execute([[item]], 'retry')).items).toHaveLength(2);
	});

	it('items that are no delivery are passed on', async () => {
		const items = [{ json: { a: 1 } }, { json: { b: 2 } }];
		const run = await host.execute([items], 'manual');
		expect(run.items.map(({ json }) => json)).toEqual([{ a: 1 }, { b: 2 }]);
	});
});
