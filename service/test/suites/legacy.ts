import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { SignJWT, UnsecuredJWT } from 'jose';
import { generateStatement } from '../../../test/documents/index.ts';
import type { StatementTruth } from '../../../test/documents/index.ts';
import { differences } from '../../../test/documents/differences.ts';
import { encryptedPdf, scanOnlyPdf, truncatedPdf } from '../../../test/documents/hostile.ts';
import { MasterKey } from '../../src/accounts/masterKey.ts';
import { Client, errorOf, member, put, request } from '../client.ts';
import type { Answer } from '../client.ts';
import { ENCRYPTED_ROWS, ENCRYPTIONS, encryptedStatement } from '../encryptedStatement.ts';
import { accountsOfGrouped } from '../groupedAccounts.ts';
import { recordedEvents, subscribe } from '../recordedEvents.ts';
import type { RunningService } from '../runningService.ts';
import { addSecondContract } from '../secondContract.ts';
import { storedPasswords } from '../storedPasswords.ts';
import type { Start } from './start.ts';

type Row = Record<string, unknown>;

const PDF = 'application/pdf';
const LIMIT = 200_000;
const WEEK = 7 * 24 * 60 * 60;

/** Sections 2.1 to 2.3, 2.5, 2.7, 2.8 and 4.1: the legacy surface without its fraud endpoints. */
export function legacySuite(start: Start): void {
	describe('legacy surface', () => {
		let service: RunningService;
		let client: Client;
		let second: { accessToken: string; jwt: string };
		let pdf: Buffer;
		let truth: StatementTruth;
		before(async () => {
			service = await start({ env: { MAX_UPLOAD_BYTES: String(LIMIT) } });
			await service.stop();
			second = await addSecondContract(service.dataDir, service.databaseUrl);
			await service.start();
			client = new Client(service);
			({ pdf, truth } = await generateStatement('usChecking', { seed: 11, transactions: 12 }));
		});
		after(() => service.remove());

		const arriving = async (): Promise<string[]> =>
			await readdir(join(service.dataDir, 'storage-arriving'));
		const stored = async (): Promise<number> =>
			(
				await readdir(join(service.dataDir, 'storage'), { recursive: true, withFileTypes: true })
			).filter((entry) => entry.isFile()).length;
		const fileForm = (
			bytes: Uint8Array,
			{ name = 'statement.pdf', type = PDF }: { name?: string; type?: string } = {},
		): FormData => {
			const form = new FormData();
			form.append('document', new Blob([new Uint8Array(bytes)], { type }), name);
			return form;
		};
		const uploaded = async (bytes: Uint8Array = pdf): Promise<number> => {
			const answer = await client.legacyForm(fileForm(bytes));
			assert.equal(answer.status, 201, answer.text);
			return Number(member(answer, 'document', 'id'));
		};
		const bytesOf = async (id: number): Promise<Buffer> => {
			const answer = await client.legacy('GET', `/document/${id}/downloads3`);
			assert.equal(answer.status, 200, answer.text);
			const file = await fetch(String(member(answer, 'url')));
			return Buffer.from(await file.arrayBuffer());
		};
		/** A form as bytes, for what `FormData` does not make. */
		const rawForm = async (parts: string, headers: Record<string, string> = {}): Promise<Answer> =>
			await request(`${service.site}/api/v1/protected/document`, {
				method: 'POST',
				headers: {
					authorization: `Bearer ${service.credentials.jwt}`,
					'content-type': 'multipart/form-data; boundary=cut',
					...headers,
				},
				body: parts.replaceAll('\n', '\r\n'),
			});
		const headersOf = (disposition: string, type = PDF): string =>
			`--cut\nContent-Disposition: form-data; ${disposition}\nContent-Type: ${type}\n\n`;

		describe('upload as a form', () => {
			it('stores the bytes, counts the pages, and shows the same document on both surfaces', async () => {
				const long = await generateStatement('germanGiro', { seed: 2, pages: 3 });
				const answer = await client.legacyForm(fileForm(long.pdf, { name: 'März 2026.pdf' }));
				const id = member(answer, 'document', 'id');
				assert.equal(answer.status, 201, answer.text);
				assert.deepEqual(answer.body, {
					document: { id, originalname: 'März 2026.pdf', mimetype: PDF },
					pdfInfo: { pageCount: 3 },
				});
				const document = await client.agent('GET', `/documents/${String(id)}`);
				assert.equal(member(document, 'status'), 'uploaded');
				assert.equal(member(document, 'size'), long.pdf.length);
				assert.equal(member(document, 'source'), 'api');
				assert.equal(member(document, 'customerId'), null);
				assert.ok((await bytesOf(Number(id))).equals(long.pdf));
				const job = await client.ended(await client.createJob([Number(id)]));
				assert.equal(member(job, 'status'), 'Succeeded');
			});

			it('gives what the file says of itself when it is asked', async () => {
				const asked = await client.legacyForm(fileForm(pdf), '?metadata=1');
				const [entry] = member(asked, 'metadata') as Row[];
				assert.equal(entry?.['title'], 'Account statement');
				assert.match(String(entry?.['creationDate']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
				assert.equal(typeof entry?.['producer'], 'string');
				const picture = await client.legacyForm(
					fileForm(PNG, { name: 'a.png', type: 'image/png' }),
					'?metadata=1',
				);
				assert.deepEqual(member(picture, 'metadata'), []);
				for (const query of ['', '?metadata=0']) {
					const answer = await client.legacyForm(fileForm(pdf), query);
					assert.deepEqual(Object.keys(answer.body ?? {}), ['document', 'pdfInfo']);
				}
				assert.equal(
					errorOf(await client.legacyForm(fileForm(pdf), '?metadata=2')),
					'400 invalid_request metadata',
				);
			});

			it('does not look into the file first when asyncProcessing is true', async () => {
				const answer = await client.legacyForm(fileForm(pdf), '?asyncProcessing=true&metadata=1');
				assert.equal(answer.status, 201);
				assert.deepEqual(Object.keys(answer.body ?? {}), ['document', 'metadata']);
				assert.deepEqual(member(answer, 'metadata'), []);
				const other = await client.legacyForm(fileForm(pdf), '?asyncProcessing=false');
				assert.equal(member(other, 'pdfInfo', 'pageCount'), truth.pageCount);
				assert.equal(
					errorOf(await client.legacyForm(fileForm(pdf), '?asyncProcessing=later')),
					'400 invalid_request asyncProcessing',
				);
			});

			it('leaves pdfInfo out for what cannot be counted', async () => {
				const png = fileForm(PNG, { name: 'a.png', type: 'image/png' });
				const encrypted = fileForm((await encryptedPdf()).bytes);
				const cut = fileForm((await truncatedPdf()).bytes);
				const text = fileForm(Buffer.from('no PDF at all'));
				for (const form of [png, encrypted, cut, text]) {
					const answer = await client.legacyForm(form);
					assert.equal(answer.status, 201, answer.text);
					assert.deepEqual(Object.keys(answer.body ?? {}), ['document']);
				}
				const scan = await client.legacyForm(fileForm((await scanOnlyPdf()).bytes));
				assert.equal(member(scan, 'pdfInfo', 'pageCount'), 1);
			});

			it('takes the type from the content where the form does not know it', async () => {
				const unknown = await client.legacyForm(
					fileForm(pdf, { type: 'application/octet-stream', name: 'statement' }),
				);
				assert.equal(member(unknown, 'document', 'mimetype'), PDF);
				assert.equal(member(unknown, 'pdfInfo', 'pageCount'), truth.pageCount);
				const before = await stored();
				const text = await client.legacyForm(
					fileForm(Buffer.from('plain text'), { type: 'application/octet-stream' }),
				);
				assert.equal(errorOf(text), '400 unsupported_type document');
				assert.equal(await stored(), before);
				const noName = await rawForm(`${headersOf('name="document"')}%PDF-1.4\n--cut--\n`);
				assert.equal(noName.status, 201, noName.text);
				assert.equal(member(noName, 'document', 'originalname'), 'document');
				const path = await rawForm(
					`${headersOf('name="document"; filename="../../etc/\u0001a.pdf"')}%PDF-1.4\n--cut--\n`,
				);
				assert.equal(member(path, 'document', 'originalname'), 'a.pdf');
				const quoted = await client.legacyForm(fileForm(pdf, { name: 'a "b"\r\n50%20.pdf' }));
				assert.equal(member(quoted, 'document', 'originalname'), 'a "b"  50%20.pdf');
			});

			it('ignores parts that the interface does not name', async () => {
				const form = new FormData();
				form.append('comment', 'before');
				form.append('attachment', new Blob(['x'.repeat(5000)], { type: 'text/csv' }), 'a.csv');
				form.append('document', new Blob([new Uint8Array(pdf)], { type: PDF }), 'a.pdf');
				form.append('folder', new Blob(['{"broken'], { type: 'application/json' }), 'b.json');
				const before = await stored();
				const answer = await client.legacyForm(form);
				assert.equal(answer.status, 201, answer.text);
				assert.equal(await stored(), before + 1);
				assert.ok((await bytesOf(Number(member(answer, 'document', 'id')))).equals(pdf));
			});

			it('refuses forms without one whole file, says why, and keeps nothing of them', async () => {
				const before = await stored();
				const two = fileForm(pdf);
				two.append('document', new Blob([new Uint8Array(pdf)], { type: PDF }), 'b.pdf');
				const field = new FormData();
				field.append('document', 'a text');
				const fileAndField = fileForm(pdf);
				fileAndField.append('document', 'a text');
				const other = new FormData();
				other.append('file', new Blob([new Uint8Array(pdf)], { type: PDF }), 'a.pdf');
				const many = new FormData();
				for (let count = 0; count < 200; count++) many.append(`field${count}`, 'x');
				const named = 'name="document"; filename="a.pdf"';
				const cases: Array<[string, Promise<Answer>, string]> = [
					['two files', client.legacyForm(two), '400 invalid_request document'],
					['a field', client.legacyForm(field), '400 invalid_request document'],
					['a file and a field', client.legacyForm(fileAndField), '400 invalid_request document'],
					['another part', client.legacyForm(other), '400 invalid_request document'],
					['an empty form', client.legacyForm(new FormData()), '400 invalid_request document'],
					['many parts', client.legacyForm(many), '400 invalid_request'],
					[
						'an empty file',
						client.legacyForm(fileForm(Buffer.alloc(0))),
						'400 empty_file document',
					],
					[
						'another type',
						client.legacyForm(fileForm(pdf, { type: 'text/csv' })),
						'400 unsupported_type document',
					],
					['too large', client.legacyForm(fileForm(Buffer.alloc(LIMIT + 1))), '413 file_too_large'],
					[
						'far too large',
						client.legacyForm(fileForm(Buffer.alloc(20_000_000))),
						'413 file_too_large',
					],
					['no end', rawForm(`${headersOf(named)}%PDF-1.4 and`), '400 incomplete_upload'],
					[
						'no end after a whole file',
						rawForm(`${headersOf(named)}%PDF-1.4\n--cut\nContent-Disposition: form-data; name="x"`),
						'400 incomplete_upload',
					],
					['no parts', rawForm('nothing of this is a form'), '400 incomplete_upload'],
					['nothing', rawForm(''), '400 invalid_request document'],
					[
						'a prototype',
						rawForm(`${headersOf('name="__proto__"; filename="a"')}x\n--cut--\n`),
						'400 invalid_request',
					],
					[
						'broken JSON',
						rawForm(`${headersOf('name="a"', 'application/json')}{"x\n--cut--\n`),
						'400 invalid_request document',
					],
					[
						'no boundary',
						rawForm('x', { 'content-type': 'multipart/form-data' }),
						'400 invalid_request',
					],
					[
						'JSON',
						client.legacy('POST', '/document', { document: 1 }),
						'415 unsupported_media_type',
					],
					['no body', client.legacy('POST', '/document'), '415 unsupported_media_type'],
				];
				for (const [what, answer, error] of cases) {
					assert.equal(errorOf(await answer), error, what);
				}
				assert.deepEqual(await arriving(), []);
				assert.equal(await stored(), before);
				assert.equal((await client.legacyForm(fileForm(Buffer.alloc(LIMIT, 'x')))).status, 201);
			});

			it('lets a client that writes all before it reads see a refusal, also without a length', async () => {
				const chunks = async function* (): AsyncGenerator<Uint8Array> {
					yield Buffer.from(
						'--cut\r\nContent-Disposition: form-data; name="document"; filename="a.pdf"\r\n' +
							'Content-Type: application/pdf\r\n\r\n',
					);
					for (let count = 0; count < 100; count++) yield Buffer.alloc(100_000);
					yield Buffer.from('\r\n--cut--\r\n');
				};
				const answer = await request(`${service.site}/api/v1/protected/document`, {
					method: 'POST',
					headers: {
						authorization: `Bearer ${service.credentials.jwt}`,
						'content-type': 'multipart/form-data; boundary=cut',
					},
					body: ReadableStream.from(chunks()),
					duplex: 'half',
				});
				assert.equal(errorOf(answer), '413 file_too_large');
				const stranger = await request(`${service.site}/api/v1/protected/document`, {
					method: 'POST',
					body: fileForm(Buffer.alloc(5_000_000)),
				});
				assert.equal(errorOf(stranger), '401 unauthorized');
				assert.deepEqual(await arriving(), []);
			});

			it('keeps nothing of an upload that is broken off', async () => {
				const before = await stored();
				for (const ending of ['end', 'destroy'] as const) {
					for (const framing of ['Content-Length: 50000', 'Transfer-Encoding: chunked']) {
						const socket = connect(service.port, '127.0.0.1');
						let answer = '';
						socket.on('data', (text: Buffer) => (answer += text.toString()));
						socket.on('error', () => undefined);
						const body =
							'--cut\r\nContent-Disposition: form-data; name="document"; filename="a.pdf"\r\n' +
							`Content-Type: application/pdf\r\n\r\n${'x'.repeat(30_000)}`;
						const chunk = `${body.length.toString(16)}\r\n${body}\r\n`;
						socket.write(
							`POST /api/v1/protected/document HTTP/1.1\r\nHost: x\r\n` +
								`Authorization: Bearer ${service.credentials.jwt}\r\n` +
								`Content-Type: multipart/form-data; boundary=cut\r\n${framing}\r\n\r\n` +
								(framing.startsWith('Transfer') ? chunk : body),
						);
						await until(async () => (await arriving()).length === 1);
						socket[ending]();
						await until(async () => (await arriving()).length === 0);
						socket.destroy();
						assert.doesNotMatch(answer, / 20[01] /);
					}
				}
				assert.equal(await stored(), before);
				assert.equal((await request(`${service.site}/healthz`)).status, 200);
			});

			it('gives the same document for the same Idempotency-Key, and keeps one copy', async () => {
				const headers = { 'idempotency-key': 'form-1' };
				const before = await stored();
				const answers = await Promise.all(
					Array.from({ length: 5 }, () => client.legacyForm(fileForm(pdf), '', headers)),
				);
				const ids = answers.map((answer) => member(answer, 'document', 'id'));
				assert.ok(answers.every(({ status }) => status === 201));
				assert.equal(new Set(ids).size, 1);
				assert.equal(await stored(), before + 1);
				assert.ok((await bytesOf(Number(ids[0]))).equals(pdf));
				const other = await client.legacyForm(fileForm(Buffer.from('%PDF-')), '', headers);
				assert.equal(errorOf(other), '409 idempotency_mismatch Idempotency-Key');
				assert.deepEqual(await arriving(), []);
			});
		});

		describe('presigned upload', () => {
			const presigned = async (body: unknown, query = ''): Promise<Answer> =>
				await client.legacy('POST', `/document/uploads3${query}`, body);
			const plain = { filename: 'a.pdf', mimetype: PDF };

			it('gives an address that takes the bytes, and a document that both surfaces see', async () => {
				const answer = await presigned({
					...plain,
					customerId: 'customer 7',
					password: null,
					s3ETag: null,
				});
				assert.equal(answer.status, 200);
				const id = Number(member(answer, 'document', 'id'));
				const s3Key = String(member(answer, 'document', 's3Key'));
				assert.deepEqual(answer.body, {
					url: member(answer, 'url'),
					expiresIn: 3600,
					document: { id, s3Key, s3Path: `/storage/${s3Key}` },
				});
				assert.equal(new URL(String(member(answer, 'url'))).pathname, `/storage/${s3Key}`);
				const document = await client.agent('GET', `/documents/${id}`);
				assert.equal(member(document, 'customerId'), 'customer 7');
				assert.equal(member(document, 'status'), 'waiting');

				const complete = `/document/${id}/uploads3/complete`;
				assert.equal((await client.legacy('POST', complete)).text, '{}');
				assert.equal(member(await client.agent('GET', `/documents/${id}`), 'status'), 'waiting');
				const url = String(member(answer, 'url'));
				assert.equal(
					errorOf(await put(url, pdf, { 'content-type': 'image/png' })),
					'400 content_type_mismatch',
				);
				assert.equal((await put(url, pdf, { 'content-type': PDF })).status, 200);
				const completed = await client.legacy('POST', complete);
				assert.equal(completed.status, 200);
				assert.deepEqual(completed.body, {});
				assert.equal(member(await client.agent('GET', `/documents/${id}`), 'status'), 'uploaded');
				assert.ok((await bytesOf(id)).equals(pdf));
			});

			it('lets the address end when the request wants it', async () => {
				const seconds = async (query: string): Promise<number> => {
					const answer = await presigned(plain, query);
					const expires = new URL(String(member(answer, 'url'))).searchParams.get('expires');
					const left = Number(expires) - Date.now() / 1000;
					assert.ok(Math.abs(left - Number(member(answer, 'expiresIn'))) < 10);
					return Number(member(answer, 'expiresIn'));
				};
				assert.equal(await seconds(''), 3600);
				assert.equal(await seconds('?expiresIn=60'), 60);
				assert.equal(await seconds(`?expiresIn=${WEEK}`), WEEK);
				for (const wrong of ['0', '-1', '', 'soon', String(WEEK + 1), '99999999999999999999']) {
					const answer = await presigned(plain, `?expiresIn=${wrong}`);
					assert.equal(errorOf(answer), '400 invalid_request expiresIn', wrong);
				}
				const short = String(member(await presigned(plain, '?expiresIn=1'), 'url'));
				await sleep(2100);
				assert.equal(
					errorOf(await put(short, pdf, { 'content-type': PDF })),
					'403 address_expired',
				);
			});

			it('compares the bytes with s3ETag', async () => {
				const md5 = createHash('md5').update(pdf).digest('hex');
				for (const s3ETag of [md5, `"${md5}"`, md5.toUpperCase(), '']) {
					const url = String(member(await presigned({ ...plain, s3ETag }), 'url'));
					assert.equal((await put(url, pdf, { 'content-type': PDF })).status, 200, s3ETag);
				}
				const answer = await presigned({ ...plain, s3ETag: md5 });
				const url = String(member(answer, 'url'));
				const before = await stored();
				const other = await put(url, Buffer.from('other bytes'), { 'content-type': PDF });
				assert.equal(errorOf(other), '400 etag_mismatch');
				assert.deepEqual(await arriving(), []);
				assert.equal(await stored(), before);
				const id = String(member(answer, 'document', 'id'));
				assert.equal(member(await client.agent('GET', `/documents/${id}`), 'status'), 'waiting');
				assert.equal((await put(url, pdf, { 'content-type': PDF })).status, 200);
				for (const wrong of ['abc', `${md5}-2`, `${md5}0`]) {
					assert.equal(
						errorOf(await presigned({ ...plain, s3ETag: wrong })),
						'400 invalid_request s3ETag',
					);
				}
			});

			it('refuses bodies that are wrong, with the field', async () => {
				for (const [body, error] of [
					[{ mimetype: PDF }, '400 invalid_request filename'],
					[{ filename: 'a.pdf' }, '400 invalid_request mimetype'],
					[{ ...plain, filename: ' ' }, '400 invalid_request filename'],
					[{ ...plain, filename: 7 }, '400 invalid_request filename'],
					[{ ...plain, mimetype: 'text/csv' }, '400 unsupported_type mimetype'],
					[{ ...plain, customerId: 7 }, '400 invalid_request customerId'],
					[{ ...plain, customerId: 'a\u0000b' }, '400 invalid_request customerId'],
					[{ ...plain, customerId: 'a'.repeat(501) }, '400 invalid_request customerId'],
					[{ ...plain, password: true }, '400 invalid_request password'],
					[{ ...plain, s3ETag: {} }, '400 invalid_request s3ETag'],
					[[], '400 invalid_request'],
				] as const) {
					assert.equal(errorOf(await presigned(body)), error, JSON.stringify(body).slice(0, 60));
				}
				const text = member(await presigned({ ...plain, customerId: 7 }), 'error', 'message');
				assert.equal(text, '`customerId` must be a string or null.');
			});

			it('gives the same document for the same Idempotency-Key', async () => {
				const send = async (body: unknown): Promise<Answer> =>
					await client.legacy('POST', '/document/uploads3', body, {
						'idempotency-key': 'presigned-1',
					});
				const first = await send({ ...plain, password: 'one' });
				const again = await send({ ...plain, password: 'one' });
				assert.equal(member(again, 'document', 'id'), member(first, 'document', 'id'));
				assert.equal(
					errorOf(await send({ ...plain, customerId: 'x' })),
					'409 idempotency_mismatch Idempotency-Key',
				);
			});
		});

		describe('presigned download', () => {
			it('gives the bytes as they came, under their name', async () => {
				const name = 'Kontoauszug "März" 50%.pdf';
				const { id, url } = await client.uploadUrl(name);
				const early = await client.legacy('GET', `/document/${id}/downloads3`);
				assert.equal(errorOf(early), '404 not_found');
				await put(url, pdf, { 'content-type': PDF });
				const answer = await client.legacy('GET', `/document/${id}/downloads3?expiresIn=90`);
				assert.deepEqual(answer.body, {
					url: member(answer, 'url'),
					expiresIn: 90,
					document: { id, originalname: name, mimetype: PDF },
				});
				const file = await fetch(String(member(answer, 'url')));
				assert.equal(file.status, 200);
				assert.equal(file.headers.get('content-type'), PDF);
				assert.equal(file.headers.get('content-length'), String(pdf.length));
				assert.equal(file.headers.get('x-content-type-options'), 'nosniff');
				assert.equal(
					file.headers.get('content-disposition'),
					'attachment; filename="Kontoauszug _M_rz_ 50_.pdf"; ' +
						"filename*=UTF-8''Kontoauszug%20%22M%C3%A4rz%22%2050%25.pdf",
				);
				assert.ok(Buffer.from(await file.arrayBuffer()).equals(pdf));
			});

			it('has addresses that cannot be used for anything else', async () => {
				const id = await uploaded();
				const other = await uploaded();
				const download = async (of: number, query = ''): Promise<string> =>
					String(member(await client.legacy('GET', `/document/${of}/downloads3${query}`), 'url'));
				const { url: upload, id: waiting } = await client.uploadUrl();
				const url = await download(id);
				const writing = await put(url, pdf, { 'content-type': PDF });
				assert.equal(errorOf(writing), '403 signature_mismatch');
				assert.equal(errorOf(await request(upload)), '403 signature_mismatch');
				await put(upload, pdf, { 'content-type': PDF });
				assert.equal(errorOf(await request(upload)), '403 signature_mismatch');
				assert.equal((await request(await download(waiting))).status, 200);

				const moved = new URL(await download(other));
				moved.search = new URL(url).search;
				const later = new URL(url);
				later.searchParams.set('expires', String(Number(later.searchParams.get('expires')) + 1));
				const bare = new URL(url);
				bare.search = '';
				const outside = new URL(url);
				outside.pathname = '/storage/documents/1/..%2f..%2fmaster.key';
				for (const address of [moved, later, bare, outside]) {
					assert.equal(errorOf(await request(String(address))), '403 signature_mismatch');
				}
				assert.equal((await request(url, { method: 'HEAD' })).status, 404);
				const short = await download(id, '?expiresIn=1');
				await sleep(2100);
				assert.equal(errorOf(await request(short)), '403 address_expired');
				for (const wrong of ['0', 'x', String(WEEK + 1)]) {
					assert.equal(
						errorOf(await client.legacy('GET', `/document/${id}/downloads3?expiresIn=${wrong}`)),
						'400 invalid_request expiresIn',
					);
				}
			});

			it('says that a file is not there, whoever removed it', async () => {
				const id = await uploaded();
				const address = await client.legacy('GET', `/document/${id}/downloads3`);
				const key = new URL(String(member(address, 'url'))).pathname.slice('/storage/'.length);
				await rm(join(service.dataDir, 'storage', key), { recursive: true });
				assert.equal(errorOf(await request(String(member(address, 'url')))), '404 not_found');
				assert.equal(
					errorOf(await client.legacy('GET', `/document/${id}/downloads3`)),
					'404 not_found',
				);
			});

			it('does not find ids that are none', async () => {
				for (const id of ['0', '-1', '999999', 'abc', '1.5', '99999999999', '%00']) {
					for (const [method, path] of [
						['GET', `/document/${id}/downloads3`],
						['POST', `/document/${id}/uploads3/complete`],
					] as const) {
						assert.equal(errorOf(await client.legacy(method, path)), '404 not_found', path);
					}
				}
			});
		});

		describe('export', () => {
			let first: number;
			let other: number;
			let otherTruth: StatementTruth;
			let jobId: number;
			before(async () => {
				const giro = await generateStatement('germanGiro', { seed: 4, transactions: 7 });
				otherTruth = giro.truth;
				first = await uploaded();
				other = await client.upload(giro.pdf);
				const job = await client.legacy('POST', '/job', {
					jobName: 'May',
					documents: [other, String(first)],
					enableBankMode: true,
				});
				assert.equal(job.status, 201, job.text);
				jobId = Number(member(job, 'id'));
				assert.equal(member(await client.ended(jobId), 'status'), 'Succeeded');
			});

			const exported = async (more: Row, id: number | string = jobId): Promise<Answer> =>
				await client.legacy('POST', `/job/${id}/export`, {
					jobType: 'FieldsToExcel1',
					flattenTables: false,
					...more,
				});
			const rowsOf = (answer: Answer): Row[] => member(answer, 'transactions') as Row[];

			it('gives the grouped shape, with the digits of the page', async () => {
				const answer = await exported({});
				assert.equal(answer.status, 200);
				assert.equal(answer.text, (await client.agent('GET', `/jobs/${jobId}/data`)).text);
				assert.deepEqual(differences(truth, accountsOfGrouped(answer.text, first)), []);
				assert.deepEqual(differences(otherTruth, accountsOfGrouped(answer.text, other)), []);
				const selected = await exported({ selectedFieldNames: ['bankMode'], format: 'json' });
				assert.equal(selected.text, answer.text);
			});

			it('gives one object a transaction when tables are flattened', async () => {
				const answer = await exported({ flattenTables: true });
				assert.equal(answer.text, (await client.agent('GET', `/jobs/${jobId}/transactions`)).text);
				const rows = [otherTruth, truth].flatMap(({ accounts }) =>
					accounts.flatMap(({ transactions }) => transactions),
				);
				assert.equal(member(answer, 'count'), rows.length);
				assert.deepEqual(
					[...answer.text.matchAll(/"amount":(-?[\d.]+)/g)].map((match) => match[1]),
					rows.map(({ amount }) => amount),
				);
			});

			it('gives a CSV file over all documents', async () => {
				const answer = await exported({ format: 'csv', flattenTables: true });
				assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/);
				assert.equal(
					answer.headers.get('content-disposition'),
					`attachment; filename="job-${jobId}-transactions.csv"`,
				);
				const parts = await Promise.all(
					[other, first].map(
						async (id) =>
							(await client.agent('GET', `/documents/${id}/transactions?format=csv`)).text,
					),
				);
				const [head = '', ...rest] = (parts[0] ?? '').split('\r\n');
				const secondRows = (parts[1] ?? '').split('\r\n').slice(1);
				assert.equal(answer.text, [head, ...rest.slice(0, -1), ...secondRows].join('\r\n'));
				assert.equal((await exported({ format: 'csv' })).text, answer.text);
			});

			it('restricts the documents, in the order of the job', async () => {
				const one = await exported({ documentIds: [String(first)] });
				assert.deepEqual(Object.keys(one.body ?? {}), [String(first)]);
				const both = await exported({ flattenTables: true, documentIds: [first, other, first] });
				assert.deepEqual(
					[...new Set(rowsOf(both).map((row) => row['documentId']))],
					[other, first],
				);
				const csv = await exported({ format: 'csv', documentIds: [other] });
				const records = parse(csv.text, { columns: true }) as Row[];
				assert.ok(records.every((row) => row['documentId'] === String(other)));
				assert.equal(records.length, otherTruth.accounts[0]?.transactions.length);
				assert.equal((await exported({ documentIds: [] })).text, (await exported({})).text);
			});

			it('restricts the fields of rows', async () => {
				const flat = await exported({
					flattenTables: true,
					selectedFieldNames: ['bankMode', 'date', 'amount', 'date'],
				});
				assert.deepEqual(Object.keys(rowsOf(flat)[0] ?? {}), ['date', 'amount']);
				const csv = await exported({
					format: 'csv',
					selectedFieldNames: ['amount', 'descriptionLines', 'rowNumber', 'documentId'],
				});
				const records = parse(csv.text, { columns: true }) as Row[];
				assert.deepEqual(Object.keys(records[0] ?? {}), [
					'amount',
					'descriptionLines',
					'rowNumber',
					'documentId',
				]);
				const all = rowsOf(await exported({ flattenTables: true }));
				assert.deepEqual(
					records.map((row) => [row['rowNumber'], row['descriptionLines']]),
					all.map((row) => [
						String(row['rowNumber']),
						(row['descriptionLines'] as string[]).join('\n'),
					]),
				);
				const grouped = await exported({ selectedFieldNames: ['date'] });
				assert.equal(grouped.text, (await exported({})).text);
			});

			it('refuses what cannot be exported, with the field', async () => {
				const unrelated = await uploaded();
				for (const [more, error] of [
					[{ jobType: 'Invoice' }, '400 invalid_request jobType'],
					[{ jobType: 'Form' }, '400 invalid_request jobType'],
					[{ jobType: 'ExtractData' }, '400 invalid_request jobType'],
					[{ jobType: undefined }, '400 invalid_request jobType'],
					[{ flattenTables: undefined }, '400 invalid_request flattenTables'],
					[{ flattenTables: 'true' }, '400 invalid_request flattenTables'],
					[{ format: 'xlsx' }, '400 invalid_request format'],
					[{ selectedFieldNames: 'date' }, '400 invalid_request selectedFieldNames'],
					[{ selectedFieldNames: ['date', 7] }, '400 invalid_request selectedFieldNames[1]'],
					[{ selectedFieldNames: ['date', 'colour'] }, '400 invalid_request selectedFieldNames[1]'],
					[{ selectedFieldNames: ['__proto__'] }, '400 invalid_request selectedFieldNames[0]'],
					[{ documentIds: [true] }, '400 invalid_request documentIds[0]'],
					[{ documentIds: [first, unrelated] }, '404 not_found documentIds[1]'],
					[{ documentIds: ['x'] }, '404 not_found documentIds[0]'],
				] as const) {
					assert.equal(errorOf(await exported(more)), error, JSON.stringify(more));
				}
				for (const id of ['0', '999999', 'abc', '99999999999']) {
					assert.equal(errorOf(await exported({}, id)), '404 not_found', id);
				}
			});

			it('has nothing for jobs that have not ended or have failed', async () => {
				const long = await generateStatement('longLedger', { seed: 1, pages: 20 });
				const running = await client.createJob([await client.upload(long.pdf)]);
				assert.equal(errorOf(await exported({}, running)), '409 job_not_finished');
				for (const [more, jobType] of [
					[{ jobType: 'Invoice' }, 'Invoice'],
					[{ jobType: 'Form' }, 'Form'],
					[{ enableBankMode: false }, 'FieldsToExcel1'],
				] as const) {
					const job = await client.legacy('POST', '/job', {
						jobName: '',
						documents: [first],
						...more,
					});
					const id = Number(member(job, 'id'));
					assert.equal(member(await client.ended(id), 'status'), 'Failed');
					const answer = await exported({ jobType }, id);
					assert.equal(errorOf(answer), '409 job_failed');
					assert.match(String(member(answer, 'error', 'message')), /does not extract/);
				}
				assert.equal(member(await client.ended(running), 'status'), 'Succeeded');
			});
		});

		describe('passwords', () => {
			const right = 'Grüne-Schildkröte-17';

			const withPassword = async (password: string | null, bytes?: Buffer): Promise<number> => {
				const answer = await client.legacy('POST', '/document/uploads3', {
					filename: 'encrypted.pdf',
					mimetype: PDF,
					password,
				});
				assert.equal(answer.status, 200, answer.text);
				const url = String(member(answer, 'url'));
				const file = bytes ?? (await encryptedStatement(right));
				assert.equal((await put(url, file, { 'content-type': PDF })).status, 200);
				return Number(member(answer, 'document', 'id'));
			};
			const resultOf = async (id: number): Promise<unknown> => {
				const job = await client.ended(await client.createJob([id]));
				return member(job, 'failureReason', 'code') ?? member(job, 'status');
			};

			it('open a PDF; a missing and a wrong one are different failures', async () => {
				for (const encryption of ENCRYPTIONS) {
					// Before 1.7 a password has one byte a character.
					const password = encryption === '1.7ext3' ? right : 'Green-Turtle-17';
					const id = await withPassword(password, await encryptedStatement(password, encryption));
					assert.equal(await resultOf(id), 'Succeeded', encryption);
					const data = await client.agent('GET', `/documents/${id}/transactions`);
					assert.equal(member(data, 'count'), ENCRYPTED_ROWS);
				}
				const open = await withPassword('not needed', pdf);
				assert.equal(await resultOf(open), 'Succeeded');
				assert.equal(await resultOf(await withPassword(null)), 'password_required');
				assert.equal(await resultOf(await withPassword('')), 'password_required');
				assert.equal(await resultOf(await withPassword('wrong one')), 'wrong_password');
			});

			it('serve all jobs that wait for them, and are forgotten afterwards', async () => {
				const id = await withPassword(right);
				const jobs = await Promise.all([client.createJob([id]), client.createJob([id])]);
				for (const job of jobs) {
					assert.equal(member(await client.ended(job), 'status'), 'Succeeded');
				}
				assert.equal(await resultOf(id), 'password_required');
				const document = await client.agent('GET', `/documents/${id}`);
				assert.equal(member(document, 'status'), 'extracted', 'its rows stay');
			});

			it('are still there when the service is killed before the document is read', async () => {
				const id = await withPassword(right);
				const job = await client.createJob([id]);
				await service.kill();
				await service.start();
				assert.equal(member(await client.ended(job), 'status'), 'Succeeded');
				assert.equal(await resultOf(id), 'password_required');
			});

			it('are neither in the log nor readable in the database, and go when they are used', async () => {
				const secret = 'Zwölf-Blaue-Elefanten-8841';
				const used = await withPassword(secret);
				assert.equal(await resultOf(used), 'wrong_password');
				const waiting = await withPassword(secret);
				const refused = await client.legacy('POST', '/document/uploads3', {
					filename: 'a.pdf',
					mimetype: 'text/csv',
					password: secret,
				});
				assert.ok(!refused.text.includes(secret));
				await service.stop();
				const rows = await storedPasswords(service.dataDir, service.databaseUrl);
				assert.ok(rows.some(({ documentId }) => documentId === waiting));
				assert.ok(!rows.some(({ documentId }) => documentId === used));
				assert.ok(rows.every(({ sealed }) => !sealed.includes(secret)));
				assert.ok(!service.output.includes(secret));
				// Uploads that were broken off and forms that were broken are no faults of the service.
				assert.doesNotMatch(service.output, /"level":50/);
				for (const bytes of await everyFile(service.dataDir)) {
					assert.ok(!bytes.includes(secret));
					assert.ok(!bytes.includes(Buffer.from(secret).toString('base64').slice(0, 30)));
				}
				await service.start();
				assert.equal(await resultOf(waiting), 'wrong_password');
			});
		});

		describe('who may do what', () => {
			it('keeps documents and jobs of contracts apart, on every route', async () => {
				const documentId = await uploaded();
				const jobId = await client.createJob([documentId]);
				await client.ended(jobId);
				const theirs = { authorization: `Bearer ${second.jwt}` };
				const exportBody = { jobType: 'FieldsToExcel1', flattenTables: true };
				const routes: Array<[string, string, unknown]> = [
					['GET', `/document/${documentId}/downloads3`, undefined],
					['POST', `/document/${documentId}/uploads3/complete`, undefined],
					['GET', `/job/${jobId}`, undefined],
					['POST', `/job/${jobId}/export`, exportBody],
				];
				for (const [method, path, body] of routes) {
					const answer = await client.legacy(method, path, body, theirs);
					const missing = path.replace(/\d+/, '999999');
					assert.equal(errorOf(answer), '404 not_found', path);
					assert.equal(answer.text, (await client.legacy(method, missing, body, theirs)).text);
					assert.equal((await client.legacy(method, path, body)).status, 200, path);
				}
				const job = { jobName: '', documents: [documentId] };
				assert.equal(
					errorOf(await client.legacy('POST', '/job', job, theirs)),
					'404 not_found documents[0]',
				);
				const own = await client.legacyForm(fileForm(pdf), '', theirs);
				const ownId = Number(member(own, 'document', 'id'));
				const mixed = await client.legacy('POST', `/job/${jobId}/export`, {
					...exportBody,
					documentIds: [ownId],
				});
				assert.equal(errorOf(mixed), '404 not_found documentIds[0]');
				assert.equal(errorOf(await client.agent('GET', `/documents/${ownId}`)), '404 not_found');
				const token = { authorization: `Bearer ${second.accessToken}` };
				const seen = await client.agent('GET', `/documents/${ownId}`, undefined, token);
				assert.equal(seen.status, 200, 'the token of the same contract sees it');
			});

			it('refuses every route with JWTs that are forged, expired, of others or incomplete', async () => {
				const secret = (await readFile(join(service.dataDir, 'master.key'), 'utf8')).trim();
				const key = new MasterKey(Buffer.from(secret, 'hex')).keyFor('json web tokens');
				const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
				const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' });
				const issuer = 'document-extraction-service';
				const now = Math.floor(Date.now() / 1000);
				const claims = { iss: issuer, sub: '1', contract: 1, exp: now + 600 };
				const sign = async (payload: Row, alg = 'HS256', by: unknown = key): Promise<string> =>
					await new SignJWT(payload).setProtectedHeader({ alg, typ: 'JWT' }).sign(by as Uint8Array);
				const without = (name: keyof typeof claims): Row =>
					Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name));
				const good = await sign(claims);
				const [head = '', payload = '', signature = ''] = good.split('.');
				const encoded = (value: unknown): string =>
					Buffer.from(JSON.stringify(value)).toString('base64url');

				const refused: Array<[string, string]> = [
					['alg none', new UnsecuredJWT(claims).encode()],
					['alg None', `${encoded({ alg: 'None' })}.${payload}.`],
					['alg none with a signature', `${encoded({ alg: 'none' })}.${payload}.${signature}`],
					['no signature', `${head}.${payload}.`],
					['RS256', await sign(claims, 'RS256', rsa.privateKey)],
					['the public key as secret', await sign(claims, 'HS256', Buffer.from(publicPem))],
					[
						'HS512 with the right key',
						await sign(claims, 'HS512', new Uint8Array([...key, ...key])),
					],
					[
						'HS384 with the right key',
						await sign(claims, 'HS384', new Uint8Array([...key, ...key])),
					],
					['an empty key', await sign(claims, 'HS256', new Uint8Array(32))],
					[
						'a key of its own',
						`${encoded({ alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' } })}.${payload}.${signature}`,
					],
					[
						'other claims below the signature',
						`${head}.${encoded({ ...claims, sub: '2' })}.${signature}`,
					],
					['expired', await sign({ ...claims, exp: now - 1 })],
					['not valid yet', await sign({ ...claims, nbf: now + 600 })],
					['another issuer', await sign({ ...claims, iss: 'somebody' })],
					['an issuer in a list', await sign({ ...claims, iss: [issuer] })],
					['no issuer', await sign(without('iss'))],
					['no exp', await sign(without('exp'))],
					['exp as text', await sign({ ...claims, exp: String(now + 600) })],
					['no sub', await sign(without('sub'))],
					['no contract', await sign(without('contract'))],
					["another contract's user", await sign({ ...claims, contract: 2 })],
					['a user that is not there', await sign({ ...claims, sub: '999999' })],
					['a user that cannot be', await sign({ ...claims, sub: '99999999999' })],
					['a contract that cannot be', await sign({ ...claims, contract: 1e15 })],
					['contract as text', await sign({ ...claims, contract: '1' })],
					['an access token', service.credentials.accessToken],
				];
				const status = async (token: string, method: string, path: string): Promise<string> =>
					errorOf(
						await request(`${service.site}/api/v1/protected${path}`, {
							method,
							headers: { authorization: `Bearer ${token}` },
						}),
					);
				assert.equal(await status(good, 'GET', '/job/999999'), '404 not_found');
				for (const [what, token] of refused) {
					assert.equal(await status(token, 'GET', '/job/1'), '401 unauthorized', what);
				}
				const routes: Array<[string, string]> = [
					['POST', '/document'],
					['POST', '/document/uploads3'],
					['POST', '/document/1/uploads3/complete'],
					['GET', '/document/1/downloads3'],
					['POST', '/job'],
					['GET', '/job/1'],
					['POST', '/job/1/export'],
				];
				for (const [method, path] of routes) {
					for (const [what, token] of refused.slice(0, 4)) {
						assert.equal(await status(token, method, path), '401 unauthorized', `${path} ${what}`);
					}
				}
			});
		});
	});

	legacyEventsSuite(start);
	legacyLogSuite(start);
}

/** Not even the parsers that are not ours may write a token to the log. */
function legacyLogSuite(start: Start): void {
	describe('log of the legacy upload', () => {
		it('holds no token and no password at its most talkative level', async () => {
			const service = await start({ env: { LOG_LEVEL: 'trace' } });
			try {
				const client = new Client(service);
				const form = new FormData();
				form.append('document', new Blob(['%PDF-1.4'], { type: PDF }), 'a.pdf');
				assert.equal((await client.legacyForm(form)).status, 201);
				const password = 'Zwölf-Blaue-Elefanten-8841';
				const presigned = await client.legacy('POST', '/document/uploads3', {
					filename: 'b.pdf',
					mimetype: PDF,
					password,
				});
				const url = String(member(presigned, 'url'));
				await put(url, Buffer.from('%PDF-1.4'), { 'content-type': PDF });
				const id = Number(member(presigned, 'document', 'id'));
				await client.ended(await client.createJob([id]));
				await service.stop();
				assert.match(service.output, /"level":10/);
				assert.match(service.output, /busboyOptions/);
				const signature = new URL(url).searchParams.get('signature') ?? '';
				const { jwt, accessToken } = service.credentials;
				for (const secret of [jwt, accessToken, password, signature]) {
					assert.ok(!service.output.includes(secret), secret.slice(0, 12));
				}
			} finally {
				await service.remove();
			}
		});
	});
}

/** Section 6: a form is an upload like any other. */
function legacyEventsSuite(start: Start): void {
	describe('events of the legacy upload', () => {
		it('says once that a document is uploaded, whichever way it came', async () => {
			const service = await start();
			try {
				await service.stop();
				await subscribe(service, ['document.uploaded']);
				await service.start();
				const client = new Client(service);
				const bytes = Buffer.from('%PDF-1.4');
				const sent = async (type: string, key: string): Promise<Answer> => {
					const form = new FormData();
					form.append('document', new Blob([bytes], { type }), 'a.pdf');
					return await client.legacyForm(form, '', { 'idempotency-key': key });
				};
				const first = await sent(PDF, 'one');
				await sent(PDF, 'one');
				assert.equal((await sent('text/csv', 'two')).status, 400);
				const presigned = await client.legacy('POST', '/document/uploads3', {
					filename: 'b.pdf',
					mimetype: PDF,
					customerId: 'customer 7',
				});
				const url = String(member(presigned, 'url'));
				await put(url, bytes, { 'content-type': PDF });
				await service.stop();
				const events = await recordedEvents(service);
				assert.deepEqual(
					events.map(({ name, job, data }) => ({
						name,
						job,
						id: member(data, 'document', 'id'),
						status: member(data, 'document', 'status'),
						size: member(data, 'document', 'size'),
						customerId: member(data, 'document', 'customerId'),
					})),
					[first, presigned].map((answer, index) => ({
						name: 'document.uploaded',
						job: null,
						id: member(answer, 'document', 'id'),
						status: 'uploaded',
						size: bytes.length,
						customerId: index === 0 ? null : 'customer 7',
					})),
				);
			} finally {
				await service.remove();
			}
		});
	});
}

/** A picture of one pixel. */
const PNG = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
	'base64',
);

async function everyFile(folder: string): Promise<Buffer[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return await Promise.all(
		entries
			.filter((entry) => entry.isFile())
			.map(async (entry) => await readFile(join(entry.parentPath, entry.name))),
	);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
	const end = Date.now() + 10_000;
	while (!(await condition())) {
		if (Date.now() > end) throw new Error('It did not happen in 10 seconds.');
		await sleep(30);
	}
}
