import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, errorOf, member, put, request } from '../client.ts';
import type { RunningService } from '../runningService.ts';
import type { Start } from './start.ts';

const PDF = { 'content-type': 'application/pdf' };
const LIMIT = 200_000;

/** Sections 2.2 and 4.2: the address for an upload, and the upload itself. */
export function uploadsSuite(start: Start): void {
	describe('uploads', () => {
		let service: RunningService;
		let client: Client;
		before(async () => {
			service = await start({
				env: { MAX_UPLOAD_BYTES: String(LIMIT), UPLOAD_ADDRESS_SECONDS: '600' },
			});
			client = new Client(service);
		});
		after(() => service.remove());

		const statusOf = async (id: number): Promise<unknown> =>
			member(await client.agent('GET', `/documents/${id}`), 'status');
		const arriving = async (): Promise<string[]> =>
			await readdir(join(service.dataDir, 'storage-arriving'));
		const stored = async (): Promise<number> =>
			(
				await readdir(join(service.dataDir, 'storage'), { recursive: true, withFileTypes: true })
			).filter((entry) => entry.isFile()).length;

		it('gives an address, a document and its key', async () => {
			const answer = await client.agent('POST', '/documents/upload-url', {
				filename: 'März 2026.pdf',
				mimetype: 'application/pdf',
				customerId: 'ignored',
			});
			assert.equal(answer.status, 201);
			assert.equal(member(answer, 'expiresIn'), 600);
			const key = String(member(answer, 'document', 's3Key'));
			const url = new URL(String(member(answer, 'url')));
			assert.equal(url.origin, service.site);
			assert.equal(url.pathname, `/storage/${key}`);
			assert.equal(typeof member(answer, 'document', 's3Path'), 'string');
			const id = Number(member(answer, 'document', 'id'));
			const document = await client.agent('GET', `/documents/${id}`);
			assert.equal(member(document, 'originalname'), 'März 2026.pdf');
			assert.equal(member(document, 'status'), 'waiting');
			assert.equal(member(document, 'size'), null);
			assert.equal(member(document, 'source'), 'api');
		});

		const refused: Array<[string, unknown, string]> = [
			['no filename', { mimetype: 'application/pdf' }, '400 invalid_request filename'],
			['no mimetype', { filename: 'a.pdf' }, '400 invalid_request mimetype'],
			['empty filename', { filename: '', mimetype: 'a/b' }, '400 invalid_request filename'],
			[
				'blank filename',
				{ filename: ' \t', mimetype: 'image/png' },
				'400 invalid_request filename',
			],
			['number as filename', { filename: 2, mimetype: 'a/b' }, '400 invalid_request filename'],
			['unknown type', { filename: 'a.exe', mimetype: 'a/b' }, '400 unsupported_type mimetype'],
			[
				'very long filename',
				{ filename: 'a'.repeat(501), mimetype: 'application/pdf' },
				'400 invalid_request filename',
			],
			['an array', [], '400 invalid_request'],
			['null', null, '400 invalid_request'],
		];
		for (const [what, body, error] of refused) {
			it(`refuses ${what}`, async () => {
				assert.equal(errorOf(await client.agent('POST', '/documents/upload-url', body)), error);
			});
		}

		it('refuses malformed JSON, other content types and large bodies with the same object', async () => {
			const send = async (body: string, contentType: string) =>
				errorOf(
					await request(`${service.site}/api/v1/agent/documents/upload-url`, {
						method: 'POST',
						headers: {
							authorization: `Bearer ${service.credentials.accessToken}`,
							'content-type': contentType,
						},
						body,
					}),
				);
			assert.equal(await send('{"filename":', 'application/json'), '400 invalid_request');
			assert.equal(await send('', 'application/json'), '400 invalid_request');
			assert.equal(
				await send('{"__proto__":{"a":1},"filename":"a","mimetype":"b"}', 'application/json'),
				'400 invalid_request',
			);
			assert.equal(await send('a=b', 'text/csv'), '415 unsupported_media_type');
			assert.equal(
				await send(JSON.stringify({ filename: 'x'.repeat(2_000_000) }), 'application/json'),
				'413 body_too_large',
			);
			assert.equal(errorOf(await request(`${service.site}/nowhere`)), '404 not_found');
			assert.equal(errorOf(await request(`${service.site}/api/v1/agent`)), '404 not_found');
			assert.equal(errorOf(await request(`${service.site}/%zz`)), '400 invalid_request');
		});

		it('stores the bytes and says their MD5 as ETag', async () => {
			const { id, url } = await client.uploadUrl();
			const bytes = Buffer.from('%PDF-1.4 something');
			const answer = await put(url, bytes, PDF);
			assert.equal(answer.status, 200);
			assert.equal(answer.text, '{}');
			const md5 = createHash('md5').update(bytes).digest('hex');
			assert.equal(answer.headers.get('etag'), `"${md5}"`);
			const document = await client.agent('GET', `/documents/${id}`);
			assert.equal(member(document, 'status'), 'uploaded');
			assert.equal(member(document, 'size'), bytes.length);
			assert.ok(Date.parse(String(member(document, 'uploadedAt'))) > 0);
		});

		it('takes the bytes again before a job uses them, and keeps one copy', async () => {
			const { id, url } = await client.uploadUrl();
			const before = await stored();
			assert.equal((await put(url, Buffer.from('first'), PDF)).status, 200);
			assert.equal((await put(url, Buffer.from('second one'), PDF)).status, 200);
			assert.equal(await stored(), before + 1);
			assert.equal(member(await client.agent('GET', `/documents/${id}`), 'size'), 10);
		});

		it('refuses new bytes once a job uses the document', async () => {
			const { id, url } = await client.uploadUrl();
			await put(url, Buffer.from('not a pdf'), PDF);
			await client.ended(await client.createJob([id]));
			assert.equal(errorOf(await put(url, Buffer.from('other'), PDF)), '409 document_in_use');
		});

		it('refuses another type, and a type with parameters', async () => {
			const { id, url } = await client.uploadUrl();
			for (const type of ['image/png', 'application/pdf; charset=utf-8', '']) {
				const answer = await put(url, Buffer.from('x'), { 'content-type': type });
				assert.equal(errorOf(answer), '400 content_type_mismatch', type);
			}
			assert.equal(await statusOf(id), 'waiting');
		});

		it('refuses addresses that were changed or have expired', async () => {
			const { url } = await client.uploadUrl();
			const other = await client.uploadUrl();
			const changed = new URL(url);
			changed.searchParams.set('expires', String(Number(changed.searchParams.get('expires')) + 1));
			const signature = new URL(url).searchParams.get('signature') ?? '';
			const tampered = new URL(url);
			tampered.searchParams.set(
				'signature',
				signature.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')),
			);
			const moved = new URL(other.url);
			moved.search = new URL(url).search;
			const bare = new URL(url);
			bare.search = '';
			const huge = new URL(url);
			huge.searchParams.set('expires', '9'.repeat(40));
			for (const address of [changed, tampered, moved, bare, huge]) {
				const answer = await put(String(address), Buffer.from('x'), PDF);
				assert.equal(errorOf(answer), '403 signature_mismatch', address.search);
			}
			const get = await request(url);
			assert.equal(errorOf(get), '403 signature_mismatch');
		});

		it('refuses files over the limit before and while they arrive', async () => {
			const { id, url } = await client.uploadUrl();
			const answer = await put(url, Buffer.alloc(LIMIT + 1), PDF);
			assert.equal(errorOf(answer), '413 file_too_large');
			assert.equal((await put(url, Buffer.alloc(LIMIT), PDF)).status, 200);
			assert.equal(await statusOf(id), 'uploaded');
			assert.deepEqual(await arriving(), []);
		});

		it('lets a client that writes all before it reads see why a large file is refused', async () => {
			const { url } = await client.uploadUrl();
			const answer = await put(url, Buffer.alloc(20_000_000), PDF);
			assert.equal(errorOf(answer), '413 file_too_large');
		});

		it('refuses an empty file, and a body without a length', async () => {
			const { id, url } = await client.uploadUrl();
			assert.equal(errorOf(await put(url, Buffer.alloc(0), PDF)), '400 empty_file');
			const chunked = await rawRequest(service.port, [
				`PUT ${new URL(url).pathname}${new URL(url).search} HTTP/1.1`,
				'Host: x',
				'Content-Type: application/pdf',
				'Transfer-Encoding: chunked',
				'Connection: close',
				'',
				'3\r\nabc\r\n0\r\n\r\n',
			]);
			assert.match(chunked, /^HTTP\/1\.1 411 /);
			assert.match(chunked, /"code":"length_required"/);
			assert.equal(await statusOf(id), 'waiting');
		});

		it('keeps nothing of a body that ends early', async () => {
			const { id, url } = await client.uploadUrl();
			const before = await stored();
			const { pathname, search } = new URL(url);
			for (const ending of ['end', 'destroy'] as const) {
				const socket = connect(service.port, '127.0.0.1');
				let answer = '';
				socket.on('data', (text: Buffer) => (answer += text.toString()));
				socket.on('error', () => undefined);
				socket.write(
					`PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Type: application/pdf\r\n` +
						`Content-Length: 5000\r\n\r\n${'x'.repeat(3000)}`,
				);
				await sleep(150);
				assert.equal((await arriving()).length, 1, 'the upload has begun');
				socket[ending]();
				await until(async () => (await arriving()).length === 0);
				socket.destroy();
				assert.doesNotMatch(answer, / 200 /);
			}
			assert.equal(await stored(), before);
			assert.equal(await statusOf(id), 'waiting');
			assert.equal((await put(url, Buffer.from('whole'), PDF)).status, 200);
		});

		it('gives the same document for the same Idempotency-Key, also to ten at once', async () => {
			const headers = { 'idempotency-key': 'upload-1' };
			const answers = await Promise.all(
				Array.from({ length: 10 }, () => client.uploadUrl('a.pdf', 'application/pdf', headers)),
			);
			assert.equal(new Set(answers.map(({ id }) => id)).size, 1);
			const other = await client.agent(
				'POST',
				'/documents/upload-url',
				{ filename: 'b.pdf', mimetype: 'application/pdf' },
				headers,
			);
			assert.equal(errorOf(other), '409 idempotency_mismatch Idempotency-Key');
			const long = await client.agent(
				'POST',
				'/documents/upload-url',
				{ filename: 'b.pdf', mimetype: 'application/pdf' },
				{ 'idempotency-key': 'k'.repeat(201) },
			);
			assert.equal(errorOf(long), '400 invalid_request Idempotency-Key');
		});
	});

	describe('uploads with addresses that live one second', () => {
		it('refuses the expired address and says so', async () => {
			const service = await start({ env: { UPLOAD_ADDRESS_SECONDS: '1' } });
			try {
				const { url } = await new Client(service).uploadUrl();
				await sleep(2100);
				assert.equal(errorOf(await put(url, Buffer.from('x'), PDF)), '403 address_expired');
			} finally {
				await service.remove();
			}
		});
	});
}

async function rawRequest(port: number, lines: string[]): Promise<string> {
	return await new Promise((resolve, reject) => {
		const socket = connect(port, '127.0.0.1');
		let answer = '';
		socket.on('data', (text: Buffer) => (answer += text.toString()));
		socket.on('close', () => resolve(answer));
		socket.on('error', reject);
		socket.write(lines.join('\r\n'));
	});
}

async function until(condition: () => Promise<boolean>): Promise<void> {
	const end = Date.now() + 10_000;
	while (!(await condition())) {
		if (Date.now() > end) throw new Error('It did not happen in 10 seconds.');
		await sleep(30);
	}
}
