import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { checkReceiver } from '../../src/webhooks/receiver/checkReceiver.ts';
import { ReceiverClient } from '../../src/webhooks/receiver/receiverClient.ts';
import type { ReceiverClientOptions } from '../../src/webhooks/receiver/receiverClient.ts';
import type { ReceiverPolicy } from '../../src/webhooks/receiver/receiverPolicy.ts';
import type { ResolveName } from '../../src/webhooks/receiver/resolveName.ts';
import { RawReceiver } from './rawReceiver.ts';
import { testCertificate } from './testCertificate.ts';
import type { TestCertificate } from './testCertificate.ts';

const HOSTED: ReceiverPolicy = { ownMachine: false, allowedHosts: [] };
const OWN: ReceiverPolicy = { ownMachine: true, allowedHosts: [] };
const BODY = Buffer.from('{}');
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const PUBLIC = '93.184.215.14';

/** A name server that gives these answers one after the other, and the last one for ever. */
function changing(...answers: string[][]): ResolveName & { asked: number } {
	const resolve = Object.assign(
		async (): Promise<string[]> => {
			const answer = answers[Math.min(resolve.asked, answers.length - 1)];
			resolve.asked++;
			return answer ?? [];
		},
		{ asked: 0 },
	);
	return resolve;
}

function clientOf(
	t: TestContext,
	policy: ReceiverPolicy,
	options: Partial<ReceiverClientOptions>,
): ReceiverClient {
	const client = new ReceiverClient(policy, { timeoutMs: 5000, ...options });
	t.after(async () => await client.close());
	return client;
}

async function receiverOf(t: TestContext, host: string, port = 0): Promise<RawReceiver> {
	const receiver = await RawReceiver.start((socket) => socket.write(OK), { host, port });
	t.after(async () => await receiver.stop());
	return receiver;
}

describe('a name that changes its address', () => {
	it('between registration and attempt is refused, and nothing is connected to', async (t) => {
		const receiver = await receiverOf(t, '127.0.0.1');
		for (const second of [['127.0.0.1'], ['::1'], [PUBLIC, '127.0.0.1'], ['10.0.0.1']]) {
			const resolve = changing([PUBLIC], second);
			const url = `https://rebind.example:${receiver.port}/`;
			assert.equal(await checkReceiver(url, HOSTED, resolve), null);
			const result = await clientOf(t, HOSTED, { resolve }).post(url, {}, BODY);
			assert.match(result.error ?? '', /this machine, into a private network/);
			assert.equal(resolve.asked, 2);
		}
		await sleep(50);
		assert.equal(receiver.connections.length, 0);
	});

	it('within an attempt is not noticed: it is looked up once and that address is used', async (t) => {
		const first = await receiverOf(t, '127.0.0.1');
		const second = await receiverOf(t, '127.0.0.2', first.port);
		const resolve = changing(['127.0.0.1'], ['127.0.0.2']);
		const client = clientOf(t, OWN, { resolve });
		const url = `http://rebind.example:${first.port}/`;
		assert.equal((await client.post(url, {}, BODY)).ok, true);
		assert.deepEqual([resolve.asked, first.requests.length, second.requests.length], [1, 1, 0]);
		assert.match(first.requests[0] ?? '', /\r\nhost: rebind\.example:/i);
		// The open connection leads to where the name no longer leads, so it is not used.
		assert.equal((await client.post(url, {}, BODY)).ok, true);
		assert.deepEqual([resolve.asked, first.requests.length, second.requests.length], [2, 1, 1]);
		assert.equal((await client.post(url, {}, BODY)).ok, true);
		assert.deepEqual([second.requests.length, second.connections.length], [2, 1]);
	});

	it('to a private one is refused although a connection is still open', async (t) => {
		const receiver = await receiverOf(t, '127.0.0.1');
		const resolve = changing(['127.0.0.1'], ['10.0.0.1']);
		const client = clientOf(t, OWN, { resolve });
		const url = `http://rebind.example:${receiver.port}/`;
		assert.equal((await client.post(url, {}, BODY)).ok, true);
		assert.match((await client.post(url, {}, BODY)).error ?? '', /private/);
		assert.equal(receiver.requests.length, 1);
	});

	it('of several addresses, another one is tried when the first does not answer', async (t) => {
		const receiver = await receiverOf(t, '127.0.0.2');
		const resolve = changing(['127.0.0.1', '127.0.0.2']);
		const url = `http://several.example:${receiver.port}/`;
		assert.equal((await clientOf(t, OWN, { resolve }).post(url, {}, BODY)).ok, true);
		assert.equal(receiver.requests.length, 1);
	});

	it('and whose lookup never ends costs the limit', async (t) => {
		const resolve: ResolveName = async () => await new Promise(() => undefined);
		const client = clientOf(t, HOSTED, { resolve, timeoutMs: 300 });
		const result = await client.post('https://slow.example/', {}, BODY);
		assert.equal(result.error, 'The receiver did not answer within 0.3 seconds.');
		assert.ok(result.durationMs < 2000);
		const control = new AbortController();
		const patient = clientOf(t, HOSTED, { resolve, timeoutMs: 20_000 });
		setTimeout(() => control.abort(), 50);
		const stopped = await patient.post('https://slow.example/', {}, BODY, control.signal);
		assert.equal(stopped.aborted, true);
	});
});

describe('an encrypted connection', () => {
	/** A receiver with this certificate, and what the clients asked for. */
	async function tlsReceiver(
		t: TestContext,
		certificate: TestCertificate,
	): Promise<{ port: number; names: unknown[]; protocols: unknown[]; connections: () => number }> {
		const names: unknown[] = [];
		const protocols: unknown[] = [];
		let connections = 0;
		const server = createServer({ ...certificate }, (request, response) => {
			request.resume();
			request.on('end', () => response.end('ok'));
		});
		server.on('connection', () => connections++);
		server.on('secureConnection', (socket: TLSSocket) => {
			names.push(Reflect.get(socket, 'servername'));
			protocols.push(socket.alpnProtocol);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		t.after(() => {
			server.closeAllConnections();
			server.close();
		});
		const { port } = server.address() as AddressInfo;
		return { port, names, protocols, connections: () => connections };
	}

	it('is made to the checked address and verified by the name', async (t) => {
		const certificate = testCertificate(['hook.example']);
		const receiver = await tlsReceiver(t, certificate);
		const client = clientOf(t, OWN, {
			resolve: changing(['127.0.0.1']),
			authorities: [certificate.cert],
		});
		for (const host of ['hook.example', 'HOOK.example', 'hook.example.']) {
			const result = await client.post(`https://${host}:${receiver.port}/`, {}, BODY);
			assert.deepEqual([result.ok, result.error], [true, null]);
		}
		// The dot makes another host of it, and so another connection.
		assert.deepEqual(receiver.names, ['hook.example', 'hook.example']);
		assert.deepEqual(receiver.protocols, ['http/1.1', 'http/1.1']);

		for (const host of ['other.example', 'x.hook.example', '127.0.0.1', 'localhost']) {
			const result = await client.post(`https://${host}:${receiver.port}/`, {}, BODY);
			assert.equal(result.error, "The receiver's certificate belongs to another name.", host);
			assert.equal(result.statusCode, null);
		}
	});

	it('to an address is verified by the address', async (t) => {
		const certificate = testCertificate([], { addresses: ['127.0.0.1'] });
		const receiver = await tlsReceiver(t, certificate);
		const client = clientOf(t, OWN, { authorities: [certificate.cert] });
		const result = await client.post(`https://127.0.0.1:${receiver.port}/`, {}, BODY);
		assert.deepEqual([result.ok, result.error], [true, null]);
		const other = await client.post(`https://localhost:${receiver.port}/`, {}, BODY);
		assert.equal(other.error, "The receiver's certificate belongs to another name.");
	});

	it('is not made with a certificate of nobody, whatever the environment says', async (t) => {
		const certificate = testCertificate(['hook.example']);
		const receiver = await tlsReceiver(t, certificate);
		process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
		t.after(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']);
		const client = clientOf(t, OWN, { resolve: changing(['127.0.0.1']) });
		const result = await client.post(`https://hook.example:${receiver.port}/`, {}, BODY);
		assert.match(result.error ?? '', /not from an authority that this machine knows/);
	});

	it('is not made with a certificate that has expired', async (t) => {
		const certificate = testCertificate(['hook.example'], { validUntil: Date.now() - 60_000 });
		const receiver = await tlsReceiver(t, certificate);
		const client = clientOf(t, OWN, {
			resolve: changing(['127.0.0.1']),
			authorities: [certificate.cert],
		});
		const result = await client.post(`https://hook.example:${receiver.port}/`, {}, BODY);
		assert.equal(result.error, "The receiver's certificate has expired.");
	});

	it('that never gets ready costs the limit and is closed', async (t) => {
		const receiver = await RawReceiver.start(() => undefined);
		t.after(async () => await receiver.stop());
		const client = clientOf(t, OWN, { timeoutMs: 300 });
		const result = await client.post(`https://127.0.0.1:${receiver.port}/`, {}, BODY);
		assert.equal(result.error, 'The receiver did not answer within 0.3 seconds.');
		await sleep(100);
		assert.equal(receiver.openConnections, 0);
	});

	it('cannot be made to a receiver that speaks plainly', async (t) => {
		const receiver = await RawReceiver.start(() => undefined, {
			onConnection: (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'),
		});
		t.after(async () => await receiver.stop());
		const client = clientOf(t, OWN, {});
		const result = await client.post(`https://127.0.0.1:${receiver.port}/`, {}, BODY);
		assert.equal(result.error, 'No encrypted connection to the receiver could be made.');
	});
});
