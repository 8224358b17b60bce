import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { AttemptResult } from '../../src/webhooks/receiver/attemptResult.ts';
import { ReceiverClient } from '../../src/webhooks/receiver/receiverClient.ts';
import type { ReceiverClientOptions } from '../../src/webhooks/receiver/receiverClient.ts';
import { RawReceiver, drip, flood } from './rawReceiver.ts';

const BODY = Buffer.from('{"amount":"1.10","text":"Grüße"}');
const HEADERS = { 'content-type': 'application/json', 'x-service-signature': 'a1b2' };
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const LIMIT_MS = 700;
/** How much longer than its limit an attempt may take on a busy machine. */
const SLACK_MS = 1500;

function newClient(options: Partial<ReceiverClientOptions> = {}): ReceiverClient {
	return new ReceiverClient(
		{ ownMachine: true, allowedHosts: [] },
		{ timeoutMs: LIMIT_MS, ...options },
	);
}

/** A client and a receiver that end with the test, however it ends. */
function clientOf(t: TestContext, options: Partial<ReceiverClientOptions> = {}): ReceiverClient {
	const client = newClient(options);
	t.after(async () => await client.close());
	return client;
}
async function receiverOf(
	t: TestContext,
	answer: (socket: Socket, request: string) => void,
): Promise<RawReceiver> {
	const receiver = await RawReceiver.start(answer);
	t.after(async () => await receiver.stop());
	return receiver;
}

/** One attempt at a receiver that answers like this, and what is left of the connections. */
async function attempt(
	answer: (socket: Socket, request: string) => void,
	{
		timeoutMs = LIMIT_MS,
		body = BODY,
		onConnection,
	}: { timeoutMs?: number; body?: Uint8Array; onConnection?: (socket: Socket) => void } = {},
): Promise<AttemptResult & { receiver: RawReceiver; written: number }> {
	const receiver = await RawReceiver.start(
		answer,
		onConnection === undefined ? {} : { onConnection },
	);
	const client = newClient({ timeoutMs });
	try {
		const result = await client.post(receiver.url, HEADERS, body);
		assert.ok(
			result.durationMs <= timeoutMs + SLACK_MS,
			`${result.durationMs} ms instead of ${timeoutMs}`,
		);
		assert.equal(result.aborted, false);
		await client.close();
		// A receiver that does not read does not notice the end either.
		for (const { socket } of receiver.connections) socket.resume();
		await eventually(() => receiver.openConnections === 0, 'the connection is closed');
		const written = receiver.connections.reduce((sum, { socket }) => sum + socket.bytesWritten, 0);
		return { ...result, receiver, written };
	} finally {
		await client.close();
		await receiver.stop();
	}
}

async function eventually(holds: () => boolean, what: string): Promise<void> {
	const until = Date.now() + 3000;
	while (!holds()) {
		assert.ok(Date.now() < until, what);
		await sleep(5);
	}
}

describe('what a receiver may do', () => {
	it('gets the bytes and headers as they were given', async () => {
		const { ok, statusCode, error, responseBody, receiver } = await attempt((socket) =>
			socket.end(OK),
		);
		assert.deepEqual([ok, statusCode, error, responseBody], [true, 200, null, 'ok']);
		const [head = '', body = ''] = (receiver.requests[0] ?? '').split('\r\n\r\n');
		assert.equal(Buffer.from(body, 'latin1').compare(BODY), 0);
		assert.deepEqual(
			head.toLowerCase().split('\r\n').sort(),
			[
				'post /hook http/1.1',
				`host: 127.0.0.1:${receiver.port}`,
				'connection: keep-alive',
				'content-type: application/json',
				'x-service-signature: a1b2',
				`content-length: ${BODY.length}`,
			].sort(),
		);
	});

	for (const status of [200, 201, 202, 204, 299]) {
		it(`${status} is delivered`, async () => {
			const result = await attempt((socket) => socket.end(`HTTP/1.1 ${status} X\r\n\r\n`));
			assert.deepEqual([result.ok, result.statusCode, result.error], [true, status, null]);
		});
	}
	for (const status of [400, 401, 404, 410, 429, 500, 503, 599]) {
		it(`${status} is not`, async () => {
			const result = await attempt((socket) =>
				socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 3\r\n\r\nwhy`),
			);
			assert.deepEqual([result.ok, result.statusCode, result.responseBody], [false, status, 'why']);
			assert.equal(result.error, `The receiver answered with status ${status}.`);
		});
	}

	for (const status of [300, 301, 302, 303, 304, 307, 308]) {
		it(`${status} is not followed, wherever it leads`, async () => {
			const other = await RawReceiver.start((socket) => socket.end(OK));
			try {
				const target = `http://127.0.0.1:${other.port}/secret-token`;
				const result = await attempt((socket) =>
					socket.end(`HTTP/1.1 ${status} X\r\nLocation: ${target}\r\nContent-Length: 0\r\n\r\n`),
				);
				assert.deepEqual([result.ok, result.statusCode], [false, status]);
				assert.match(result.error ?? '', /Redirects are not followed/);
				assert.doesNotMatch(result.error ?? '', /secret-token/);
				assert.equal(result.receiver.requests.length, 1);
				await sleep(50);
				assert.equal(other.connections.length, 0);
			} finally {
				await other.stop();
			}
		});
	}

	it('a page or a header that refreshes leads nowhere', async () => {
		const other = await RawReceiver.start((socket) => socket.end(OK));
		try {
			const target = `http://127.0.0.1:${other.port}/`;
			const page = `<meta http-equiv="refresh" content="0;url=${target}">`;
			const result = await attempt((socket) =>
				socket.end(
					`HTTP/1.1 200 OK\r\nRefresh: 0;url=${target}\r\nContent-Location: ${target}\r\n` +
						`Alt-Svc: h2="127.0.0.1:${other.port}"\r\nLink: <${target}>; rel=preload\r\n` +
						`Content-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n${page}`,
				),
			);
			assert.deepEqual([result.ok, result.responseBody], [true, page]);
			await sleep(50);
			assert.equal(other.connections.length, 0);
		} finally {
			await other.stop();
		}
	});

	it('one that never answers costs the limit', async () => {
		const result = await attempt(() => undefined);
		assert.deepEqual([result.ok, result.statusCode, result.responseBody], [false, null, null]);
		assert.equal(result.error, 'The receiver did not answer within 0.7 seconds.');
		assert.ok(result.durationMs >= LIMIT_MS - 20);
	});

	it('one that answers byte by byte costs the limit', async () => {
		for (const text of ['HTTP/1.1 200 OK\r\n', 'x-filler: 1\r\n']) {
			const result = await attempt((socket) => {
				if (text.startsWith('x')) socket.write('HTTP/1.1 200 OK\r\n');
				drip(socket, text === 'x-filler: 1\r\n' ? text : 'HTTP/1.1 200 OK and so on ', 20);
			});
			assert.deepEqual([result.ok, result.statusCode], [false, null]);
			assert.match(result.error ?? '', /did not answer within/);
		}
	});

	it('2xx with a body that never ends is delivered', async () => {
		const result = await attempt((socket) => {
			socket.write('HTTP/1.1 200 OK\r\n\r\n');
			drip(socket, 'slow', 20);
		});
		assert.deepEqual([result.ok, result.statusCode, result.error], [true, 200, null]);
		assert.match(result.responseBody ?? '', /^(slow)+s?l?o?$/);
	});

	it('500 with a body that never ends is not, and its start is kept', async () => {
		const result = await attempt((socket) => {
			socket.write('HTTP/1.1 500 X\r\n\r\n');
			drip(socket, 'slow', 20);
		});
		assert.deepEqual([result.ok, result.statusCode], [false, 500]);
		assert.match(result.responseBody ?? '', /^slow/);
	});

	it('a body is waited for 5 seconds, however long the limit is', async () => {
		const result = await attempt(
			(socket) => {
				socket.write('HTTP/1.1 200 OK\r\n\r\n');
				drip(socket, 'slow', 50);
			},
			{ timeoutMs: 30_000 },
		);
		assert.equal(result.ok, true);
		assert.ok(result.durationMs >= 4900 && result.durationMs < 8000, `${result.durationMs} ms`);
	});

	it('one that resets the connection fails at once', async () => {
		for (const answer of [
			(socket: Socket) => socket.resetAndDestroy(),
			(socket: Socket) => socket.end(),
			(socket: Socket) => socket.end('HTTP/1.1 2'),
			(socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le'),
		]) {
			const result = await attempt(answer, { timeoutMs: 20_000 });
			assert.deepEqual([result.ok, result.statusCode], [false, null]);
			assert.match(result.error ?? '', /ended the connection without an answer|not valid HTTP/);
			assert.ok(result.durationMs < 5000);
			assert.equal(result.receiver.connections.length, 1, 'a new connection is not tried again');
		}
	});

	it('one that resets the connection before the request fails at once', async () => {
		const result = await attempt(() => undefined, {
			onConnection: (socket) => socket.resetAndDestroy(),
			timeoutMs: 20_000,
		});
		assert.match(result.error ?? '', /ended the connection|could not be reached/);
		assert.ok(result.durationMs < 5000);
	});

	it('2xx that breaks off in the body is delivered', async () => {
		for (const end of [
			(socket: Socket) => socket.resetAndDestroy(),
			(socket: Socket) => socket.end(),
		]) {
			const result = await attempt(
				(socket) => {
					socket.write('HTTP/1.1 202 OK\r\nContent-Length: 100\r\n\r\npart');
					setTimeout(() => end(socket), 30);
				},
				{ timeoutMs: 20_000 },
			);
			assert.deepEqual([result.ok, result.statusCode, result.responseBody], [true, 202, 'part']);
		}
	});

	it('one that nobody listens at is refused', async (t) => {
		const client = clientOf(t);
		const result = await client.post(`http://127.0.0.1:1/`, HEADERS, BODY);
		assert.match(result.error ?? '', /nothing listens/);
	});

	it('gigabytes are cut off after the start', async () => {
		const piece = Buffer.alloc(1 << 20, 'x');
		for (const head of [
			'HTTP/1.1 200 OK\r\n\r\n',
			'HTTP/1.1 200 OK\r\nContent-Length: 9000000000000000\r\n\r\n',
			'HTTP/1.1 500 OK\r\nContent-Length: 5000000000\r\n\r\n',
		]) {
			const before = process.memoryUsage().rss;
			const result = await attempt(
				(socket) => {
					socket.write(head);
					flood(socket, piece);
				},
				{ timeoutMs: 20_000 },
			);
			assert.equal(result.ok, head.includes('200'));
			assert.equal(result.responseBody, 'x'.repeat(4096));
			assert.ok(result.durationMs < 5000);
			assert.ok(result.written < 50e6, `${result.written} bytes were written`);
			assert.ok(process.memoryUsage().rss - before < 200e6);
		}
	});

	it('a gzip bomb is not decompressed', async () => {
		const bomb = gzipSync(Buffer.alloc(200e6));
		const result = await attempt((socket) => {
			socket.write(
				`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`,
			);
			socket.end(bomb);
		});
		assert.equal(result.ok, true);
		assert.ok(Buffer.byteLength(result.responseBody ?? '') <= 4096);
		assert.ok(result.responseBody?.startsWith('\u001f'));
	});

	describe('costs little time and memory with', () => {
		const floods: Array<[string, string, string]> = [
			['endless headers', 'HTTP/1.1 200 OK\r\n', 'x-filler: 1234567890\r\n'],
			['one endless header', 'HTTP/1.1 200 OK\r\nx-filler: ', 'y'.repeat(1000)],
			['an endless name of a header', 'HTTP/1.1 200 OK\r\n', 'y'.repeat(1000)],
			['an endless reason phrase', 'HTTP/1.1 200 ', 'y'.repeat(1000)],
			['endless empty lines', '', '\r\n'.repeat(500)],
			['a flood of 100 Continue', '', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50)],
			['a flood of 102 Processing', '', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(50)],
			['a flood of 103 with headers', '', 'HTTP/1.1 103 X\r\nlink: <a>\r\n\r\n'.repeat(50)],
			['garbage', '', '\u0000\u0001\u0002garbage'.repeat(50)],
			['a greeting of another protocol', '220 mail.example ESMTP\r\n', '250 ok\r\n'.repeat(50)],
			[
				'an upgrade',
				'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
				'z'.repeat(999),
			],
			['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '\u0000'.repeat(999)],
			['a wrong length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', 'z'.repeat(999)],
			[
				'two lengths',
				'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
				'z'.repeat(999),
			],
			['a status that is none', 'HTTP/1.1 99999 OK\r\n\r\n', 'z'.repeat(999)],
		];
		for (const [name, start, more] of floods) {
			it(name, async () => {
				const before = process.memoryUsage().rss;
				const result = await attempt(
					(socket) => {
						socket.write(start);
						flood(socket, more);
					},
					{ timeoutMs: 20_000 },
				);
				assert.deepEqual([result.ok, result.statusCode], [false, null]);
				assert.ok((result.error ?? '').length > 10);
				assert.ok(result.durationMs < 3000, `${result.durationMs} ms`);
				assert.ok(result.written < 50e6, `${result.written} bytes were written`);
				assert.ok(process.memoryUsage().rss - before < 200e6);
			});
		}

		const afterHead: Array<[string, string, string]> = [
			['endless trailers', '0\r\n', 'x-filler: 1234567890\r\n'.repeat(50)],
			['an endless extension of a chunk', '1;', 'y'.repeat(1000)],
			['an endless size of a chunk', '', '0'.repeat(1000)],
			['chunks of one byte', '', '1\r\na\r\n'.repeat(200)],
		];
		for (const [name, start, more] of afterHead) {
			it(name, async () => {
				const result = await attempt(
					(socket) => {
						socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${start}`);
						flood(socket, more);
					},
					{ timeoutMs: 20_000 },
				);
				assert.deepEqual([result.ok, result.statusCode], [true, 200]);
				assert.ok(result.durationMs < 3000, `${result.durationMs} ms`);
				assert.ok(result.written < 50e6, `${result.written} bytes were written`);
			});
		}

		it('one that does not read the request', async () => {
			const result = await attempt(() => undefined, {
				body: Buffer.alloc(50e6, 'x'),
				onConnection: (socket) => socket.pause(),
			});
			assert.match(result.error ?? '', /did not answer within/);
		});

		it('an answer before the request has been read', async () => {
			const result = await attempt(() => undefined, {
				body: Buffer.alloc(5e6, 'x'),
				onConnection: (socket) => {
					socket.pause();
					socket.write('HTTP/1.1 413 Too large\r\nContent-Length: 0\r\n\r\n');
				},
				timeoutMs: 5000,
			});
			assert.ok(result.statusCode === 413 || result.statusCode === null);
			assert.equal(result.ok, false);
		});
	});

	it('a few interim answers are passed over', async () => {
		const result = await attempt((socket) =>
			socket.end(`HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early\r\nlink: <a>\r\n\r\n${OK}`),
		);
		assert.deepEqual([result.ok, result.statusCode, result.responseBody], [true, 200, 'ok']);
	});

	it('keeps the start of the answer as text that can be stored', async () => {
		const texts: Array<[Buffer, string]> = [
			[Buffer.from('a\0b'), 'a\uFFFDb'],
			[Buffer.from([0xff, 0x41]), '\uFFFDA'],
			// 4095 bytes and a character of two: it is left out and not torn.
			[Buffer.from('x'.repeat(4095) + 'ü'.repeat(10)), 'x'.repeat(4095)],
			// Each of these bytes becomes three.
			[Buffer.alloc(4096, 0xff), '\uFFFD'.repeat(1365)],
			[Buffer.from('é'.repeat(2048)), 'é'.repeat(2048)],
			[Buffer.from('😀'.repeat(2000)), '😀'.repeat(1024)],
			[Buffer.alloc(0), ''],
		];
		for (const [body, text] of texts) {
			const result = await attempt((socket) => {
				socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`);
				socket.end(body);
			});
			assert.equal(result.responseBody, text);
		}
	});
});

describe('connections to receivers', () => {
	it('are used again, one after the other', async (t) => {
		const receiver = await receiverOf(t, (socket) => socket.write(OK));
		const client = clientOf(t, { timeoutMs: 10_000 });
		for (let turn = 0; turn < 20; turn++) {
			assert.equal((await client.post(receiver.url, HEADERS, BODY)).ok, true);
		}
		assert.equal(receiver.connections.length, 1);
		assert.equal(receiver.requests.length, 20);
	});

	it('are bounded in number when nothing is sent', async (t) => {
		const receiver = await receiverOf(t, (socket) => setTimeout(() => socket.write(OK), 50));
		const client = clientOf(t, { timeoutMs: 10_000 });
		const results = await Promise.all(
			Array.from({ length: 40 }, async () => await client.post(receiver.url, HEADERS, BODY)),
		);
		assert.ok(results.every(({ ok }) => ok));
		await eventually(() => receiver.openConnections <= 8, 'at most 8 are kept');
		assert.ok(receiver.openConnections > 0);
		// And those end, too, when nothing comes for a while.
		await sleep(4500);
		await eventually(() => receiver.openConnections === 0, 'idle ones end');
	});

	it('that the receiver closed meanwhile cost no attempt', async (t) => {
		const receiver = await receiverOf(t, (socket) => socket.write(OK));
		const client = clientOf(t, { timeoutMs: 10_000 });
		for (let turn = 0; turn < 10; turn++) {
			assert.equal((await client.post(receiver.url, HEADERS, BODY)).ok, true);
			const last = receiver.connections.at(-1)?.socket;
			if (turn % 3 === 0) last?.end();
			else last?.resetAndDestroy();
			if (turn % 2 === 0) await sleep(20);
		}
		// One that was read before the end came has been sent twice, with the same event id.
		assert.ok(receiver.requests.length >= 10);
	});

	it('that the receiver closes on the second request cost no attempt', async (t) => {
		let count = 0;
		const receiver = await receiverOf(t, (socket) => {
			count++;
			if (count === 2) socket.resetAndDestroy();
			else socket.write(OK);
		});
		const client = clientOf(t, { timeoutMs: 10_000 });
		assert.equal((await client.post(receiver.url, HEADERS, BODY)).ok, true);
		assert.equal((await client.post(receiver.url, HEADERS, BODY)).ok, true);
		assert.equal(receiver.connections.length, 2);
	});

	it('carry no second answer into the next attempt', async (t) => {
		const receiver = await receiverOf(t, (socket, request) =>
			socket.write(
				request.includes('/first') ? OK + 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged' : OK,
			),
		);
		const client = clientOf(t, { timeoutMs: 10_000 });
		assert.equal((await client.post(`${receiver.url}/first`, HEADERS, BODY)).responseBody, 'ok');
		assert.equal((await client.post(receiver.url, HEADERS, BODY)).responseBody, 'ok');
	});

	it('are ended by the signal, and the attempt says so', async (t) => {
		const receiver = await receiverOf(t, () => undefined);
		const client = clientOf(t, { timeoutMs: 20_000 });
		const control = new AbortController();
		setTimeout(() => control.abort(), 100);
		const result = await client.post(receiver.url, HEADERS, BODY, control.signal);
		assert.deepEqual([result.ok, result.aborted, result.statusCode], [false, true, null]);
		assert.ok(result.durationMs < 5000);
		await eventually(() => receiver.openConnections === 0, 'the connection is closed');
		const late = await client.post(receiver.url, HEADERS, BODY, control.signal);
		assert.equal(late.aborted, true);
		assert.equal(receiver.connections.length, 1);
	});

	it('are ended by close, and afterwards nothing is sent', async (t) => {
		const receiver = await receiverOf(t, () => undefined);
		const client = clientOf(t, { timeoutMs: 20_000 });
		const running = client.post(receiver.url, HEADERS, BODY);
		await eventually(() => receiver.requests.length === 1, 'the request is there');
		await client.close();
		assert.equal((await running).aborted, true);
		await eventually(() => receiver.openConnections === 0, 'the connection is closed');
		assert.equal((await client.post(receiver.url, HEADERS, BODY)).aborted, true);
		assert.equal(receiver.connections.length, 1);
		await receiver.stop();
	});

	it('do not go through a proxy of the environment', async (t) => {
		const proxy = await receiverOf(t, (socket) => socket.end(OK));
		const receiver = await receiverOf(t, (socket) => socket.end(OK));
		const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'];
		for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
		process.env['NODE_USE_ENV_PROXY'] = '1';
		t.after(() => {
			for (const name of [...names, 'NODE_USE_ENV_PROXY']) delete process.env[name];
		});
		const client = clientOf(t);
		assert.equal((await client.post(receiver.url, HEADERS, BODY)).ok, true);
		assert.equal(proxy.connections.length, 0);
	});
});
