import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Client, request } from '../client.ts';
import { RawConnection } from '../rawConnection.ts';
import type { RawAnswer } from '../rawConnection.ts';
import type { RunningService } from '../runningService.ts';
import { parametersOf, serviceRoutes } from '../serviceRoutes.ts';
import type { ServiceRoute } from '../serviceRoutes.ts';
import type { Start } from './start.ts';

const MIB = 1024 * 1024;
const LARGEST_FILE = 2 * MIB;

/** What is sent as a body. `chunked` announces no length. */
interface SentBody {
	type?: string;
	encoding?: string;
	bytes: Uint8Array;
	chunked?: boolean;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const JSON_BODY = text('{"limit":1}');

/** docs/interface-choices.md, "Bodies of requests": what is too large, and what is of another type. */
export function requestBodiesSuite(start: Start): void {
	describe('bodies of requests', () => {
		let service: RunningService;
		let routes: ServiceRoute[];
		before(async () => {
			service = await start({ env: { MAX_UPLOAD_BYTES: String(LARGEST_FILE) } });
			routes = (await serviceRoutes()).filter(({ method }) => method !== 'HEAD');
		});
		after(() => service.remove());

		/** The address of a route, for what does not exist. */
		function addressOf({ path }: ServiceRoute): string {
			return parametersOf(path).reduce(
				(address, name) => address.replace(`:${name}`, '999999'),
				path,
			);
		}

		function authorizationOf({ path }: ServiceRoute): Record<string, string> {
			const { accessToken, jwt } = service.credentials;
			if (path.startsWith('/api/v1/agent')) return { authorization: `Bearer ${accessToken}` };
			if (path.startsWith('/api/v1/protected')) return { authorization: `Bearer ${jwt}` };
			return {};
		}

		/**
		 * Sends a body whole before the answer is looked at, as simple clients do, and then asks for
		 * something else on the same connection: neither may hang or break off.
		 */
		async function send(
			method: string,
			path: string,
			headers: Record<string, string>,
			{ type, encoding, bytes, chunked = false }: SentBody,
		): Promise<RawAnswer> {
			const connection = await RawConnection.to(service.port);
			try {
				connection.head(method, path, {
					...headers,
					...(type === undefined ? {} : { 'content-type': type }),
					...(encoding === undefined ? {} : { 'content-encoding': encoding }),
					...(chunked
						? { 'transfer-encoding': 'chunked' }
						: { 'content-length': String(bytes.length) }),
				});
				if (chunked) {
					for (let from = 0; from < bytes.length; from += 65_536) {
						await connection.chunk(bytes.subarray(from, from + 65_536));
					}
					await connection.chunk(new Uint8Array());
				} else {
					await connection.body(bytes);
				}
				const answer = await connection.answer();
				connection.head('GET', '/healthz', {});
				const next = await connection.answer();
				assert.equal(next.status, 200, `${method} ${path}: the connection is of no use afterwards`);
				return answer;
			} finally {
				connection.close();
			}
		}

		async function sent(route: ServiceRoute, body: SentBody): Promise<RawAnswer> {
			return await send(route.method, addressOf(route), authorizationOf(route), body);
		}

		function errorOf({ status, text: body }: RawAnswer): string {
			const { error } = JSON.parse(body) as { error: { code: string; message: string } };
			assert.ok(error.message.length > 10, body);
			return `${status} ${error.code}`;
		}

		/** `{"x":"aaa…"}` of so many bytes. */
		function jsonOf(length: number): Uint8Array {
			return text(`{"x":"${'a'.repeat(length - 8)}"}`);
		}

		it('are 413 above the limit of their route, announced or not', async (t) => {
			const takers = routes.filter(({ body }) => body === 'json');
			assert.ok(takers.length >= 8, 'there are routes that take JSON');
			for (const route of takers) {
				const name = `${route.method} ${route.path}`;
				assert.ok(route.bodyLimit >= MIB && route.bodyLimit <= 32 * MIB, name);
				const bytes = jsonOf(route.bodyLimit + 1);
				for (const chunked of [false, true]) {
					const answer = await sent(route, { type: 'application/json', bytes, chunked });
					assert.match(errorOf(answer), /^413 (body|file)_too_large$/, name);
				}
			}
			const largest = await sent(takers[0] as ServiceRoute, {
				type: 'application/json',
				bytes: jsonOf((takers[0] as ServiceRoute).bodyLimit),
			});
			assert.notEqual(largest.status, 413, 'exactly the limit is not too much');
			t.diagnostic(`${takers.length} routes take JSON`);
		});

		it('are 415 where they are not JSON, or are compressed', async () => {
			for (const route of routes.filter(({ body }) => body === 'json')) {
				const name = `${route.method} ${route.path}`;
				for (const body of [
					{ type: 'text/plain', bytes: JSON_BODY },
					{ type: 'text/plain', bytes: JSON_BODY, chunked: true },
					{ type: 'text/xml', bytes: text('<a/>') },
					{ type: 'application/x-www-form-urlencoded', bytes: text('a=b') },
					{ type: 'multipart/form-data; boundary=x', bytes: text('--x--\r\n') },
					{ type: 'multipart/form-data', bytes: text('--x--\r\n') },
					{ type: 'application/jsonp', bytes: JSON_BODY },
					{ type: 'application/merge-patch+json', bytes: JSON_BODY },
					{ type: 'application/json; charset=utf-16le', bytes: JSON_BODY },
					{ type: 'application/json; charset=iso-8859-1', bytes: JSON_BODY },
					{ type: 'nonsense', bytes: JSON_BODY },
					{ type: '', bytes: JSON_BODY },
					{ bytes: JSON_BODY },
					{ bytes: JSON_BODY, chunked: true },
					{ type: 'application/json', encoding: 'gzip', bytes: gzipSync(JSON_BODY) },
					{ type: 'application/json', encoding: 'br', bytes: JSON_BODY, chunked: true },
					// Not even looked at, so it does not matter that it is too large as well.
					{ type: 'text/plain', bytes: jsonOf(route.bodyLimit + 1) },
				] satisfies SentBody[]) {
					const answer = await sent(route, body);
					const what = `${name} ${body.type} ${body.encoding} ${body.bytes.length}`;
					assert.equal(errorOf(answer), '415 unsupported_media_type', what);
				}
			}
		});

		it('are taken as JSON with any way to write its type, and have to be UTF-8', async () => {
			for (const route of routes.filter(({ body }) => body === 'json')) {
				const name = `${route.method} ${route.path}`;
				for (const type of [
					'application/json',
					'Application/JSON',
					'application/json; charset=utf-8',
					'application/json;charset="UTF-8"',
					'application/json; charset=us-ascii; x=y',
				]) {
					const { status } = await sent(route, { type, bytes: JSON_BODY });
					assert.ok([200, 201, 202, 400, 404].includes(status), `${name} ${type}: ${status}`);
				}
				const type = 'application/json';
				for (const bytes of [
					Buffer.from('{"x":"\xe9"}', 'latin1'),
					text('{"x":'),
					text('nothing'),
					Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
				]) {
					assert.equal(errorOf(await sent(route, { type, bytes })), '400 invalid_request', name);
				}
				const identity = await sent(route, { type, encoding: 'identity', bytes: JSON_BODY });
				assert.notEqual(identity.status, 415, name);
			}
		});

		it('are dropped where none is taken, whatever they are', async (t) => {
			const routesWithout = routes.filter(({ body }) => body === 'none');
			for (const route of routesWithout) {
				const name = `${route.method} ${route.path}`;
				const { status } = await sent(route, { bytes: new Uint8Array() });
				assert.ok(status < 500, name);
				for (const body of [
					{ type: 'application/json', bytes: new Uint8Array() },
					{ type: 'application/json', bytes: JSON_BODY },
					{ type: 'application/json', bytes: text('{broken') },
					{ type: 'application/json', encoding: 'gzip', bytes: text('{broken'), chunked: true },
					{ type: 'text/plain', bytes: text('anything') },
					{ type: 'nonsense', bytes: text('anything') },
					{ bytes: text('anything'), chunked: true },
					{ type: 'application/json', bytes: jsonOf(3 * MIB) },
					{ type: 'multipart/form-data', bytes: jsonOf(3 * MIB), chunked: true },
				] satisfies SentBody[]) {
					const answer = await sent(route, body);
					assert.equal(answer.status, status, `${name} ${body.type}: ${answer.text}`);
				}
			}
			t.diagnostic(`${routesWithout.length} routes take no body`);
		});

		it('are not looked at without a credential, and not at an address that does not exist', async () => {
			const bytes = jsonOf(3 * MIB);
			for (const route of routes.filter(({ path }) => path.startsWith('/api/v1/'))) {
				const type = 'text/plain';
				const answer = await send(route.method, addressOf(route), {}, { type, bytes });
				assert.equal(errorOf(answer), '401 unauthorized', `${route.method} ${route.path}`);
			}
			for (const body of [
				{ type: 'application/json', bytes },
				{ type: 'application/json', bytes: text('{broken') },
				{ type: 'text/plain', bytes, chunked: true },
			]) {
				assert.equal(errorOf(await send('POST', '/nowhere', {}, body)), '404 not_found');
			}
		});

		it('of forms: other types, compression, no boundary and too much', async () => {
			const path = '/api/v1/protected/document';
			const form = routes.find((route) => route.path === path && route.method === 'POST');
			assert.ok(form);
			const part = (length: number) =>
				text(
					'--x\r\nContent-Disposition: form-data; name="document"; filename="a.pdf"\r\n' +
						`Content-Type: application/pdf\r\n\r\n${'a'.repeat(length)}\r\n--x--\r\n`,
				);
			const type = 'multipart/form-data; boundary=x';
			const tooMuch = LARGEST_FILE + 1;
			for (const [body, error] of [
				[{ type: 'application/json', bytes: JSON_BODY }, '415 unsupported_media_type'],
				[{ type: 'nonsense', bytes: part(10) }, '415 unsupported_media_type'],
				[{ bytes: part(10) }, '415 unsupported_media_type'],
				[{ bytes: part(10), chunked: true }, '415 unsupported_media_type'],
				[{ type, encoding: 'gzip', bytes: gzipSync(part(10)) }, '415 unsupported_media_type'],
				[{ type: 'multipart/form-data', bytes: part(10) }, '400 invalid_request'],
				[{ type: 'multipart/form-data; boundary=', bytes: part(10) }, '400 invalid_request'],
				[{ type, bytes: part(tooMuch) }, '413 file_too_large'],
				[{ type, bytes: part(tooMuch), chunked: true }, '413 file_too_large'],
				[{ type, bytes: part(tooMuch + 2 * MIB) }, '413 file_too_large'],
			] as Array<[SentBody, string]>) {
				const answer = await sent(form, body);
				assert.equal(errorOf(answer), error, `${body.type} ${body.bytes.length} ${answer.text}`);
			}
			const plain = `${type}; charset=utf-8`;
			assert.equal((await sent(form, { type: plain, bytes: part(10) })).status, 201);
		});

		it('of files: compression and too much', async () => {
			const { url } = await new Client(service).uploadUrl();
			const { pathname, search } = new URL(url);
			const type = 'application/pdf';
			for (const [body, error] of [
				[{ type, encoding: 'gzip', bytes: text('x') }, '415 unsupported_media_type'],
				[{ type, bytes: new Uint8Array(LARGEST_FILE + 1) }, '413 file_too_large'],
				[{ type, bytes: text('x'), chunked: true }, '411 length_required'],
				[{ bytes: text('x') }, '400 content_type_mismatch'],
			] as Array<[SentBody, string]>) {
				const answer = await send('PUT', pathname + search, {}, body);
				assert.equal(errorOf(answer), error, answer.text);
			}
			const whole = await send('PUT', pathname + search, {}, { type, bytes: text('%PDF-1.7') });
			assert.equal(whole.status, 200);
		});

		it('do not take the answer along where the connection closes with it', async () => {
			const size = 24 * MIB;
			for (let round = 0; round < 8; round++) {
				const connection = await RawConnection.to(service.port);
				try {
					connection.head('POST', '/api/v1/protected/document', {
						connection: 'close',
						'content-type': 'multipart/form-data; boundary=x',
						'content-length': String(size),
					});
					// Sent as it is taken, without a look at the answer.
					for (let sent = 0; sent < size; sent += MIB) await connection.body(new Uint8Array(MIB));
					assert.equal((await connection.answer()).status, 401);
				} finally {
					connection.close();
				}
			}
		});

		it('that never end are answered all the same', async () => {
			const connection = await RawConnection.to(service.port);
			try {
				connection.head('POST', '/api/v1/agent/jobs', {
					authorization: `Bearer ${service.credentials.accessToken}`,
					'content-type': 'application/json',
					'transfer-encoding': 'chunked',
				});
				for (let sentBytes = 0; sentBytes <= MIB; sentBytes += 65_536) {
					await connection.chunk(new Uint8Array(65_536).fill(0x20));
				}
				assert.equal(errorOf(await connection.answer()), '413 body_too_large');
			} finally {
				connection.close();
			}
			assert.equal((await request(`${service.site}/healthz`)).status, 200);
		});
	});
}
