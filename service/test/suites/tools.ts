import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateStatement } from '../../../test/documents/index.ts';
import { Client, errorOf, member, put, request } from '../client.ts';
import type { Answer } from '../client.ts';
import { encryptedStatement } from '../encryptedStatement.ts';
import { injectionStatement } from '../injectionStatement.ts';
import { recordedEvents, subscribe } from '../recordedEvents.ts';
import type { RunningService } from '../runningService.ts';
import { addSecondContract } from '../secondContract.ts';
import { ToolClient } from '../toolClient.ts';
import { arrived, projectsOf, WatchedFolder } from '../watchedFolder.ts';
import type { ListedDocument } from '../watchedFolder.ts';
import type { Start } from './start.ts';

const NAMES = [
	'convert_bank_statement',
	'download_transactions',
	'get_transactions',
	'upload_url',
	'convert_document',
	'get_job_status',
	'list_projects',
	'list_documents',
	'get_document',
	'get_document_transactions',
];

const MOST_ROWS = 10_000;
const LARGEST_FILE = 10 * 1024 * 1024;

type Parameters = Record<string, unknown>;

/** Section 4.5: the tool dispatcher, over HTTP and over the Model Context Protocol. */
export function toolsSuite(start: Start): void {
	describe('tools', () => {
		let service: RunningService;
		let client: Client;
		let protocol: ToolClient;
		let folder: WatchedFolder;
		let second: { accessToken: string; jwt: string };
		let statement: Buffer;
		before(async () => {
			folder = await WatchedFolder.make();
			service = await start({ env: folder.env });
			await service.stop();
			second = await addSecondContract(service.dataDir, service.databaseUrl);
			await subscribe(service, ['document.uploaded', 'bank_statement.extraction.completed']);
			await service.start();
			client = new Client(service);
			protocol = await ToolClient.connect(service);
			statement = await injectionStatement();
		});
		after(async () => {
			await protocol.close();
			await service.remove();
			await folder.remove();
		});

		const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
		const fileOf = (bytes: Uint8Array, mimetype = 'application/pdf'): Parameters => ({
			filename: 'statement.pdf',
			mimetype,
			fileBase64: Buffer.from(bytes).toString('base64'),
		});

		async function run(
			name: string,
			parameters?: unknown,
			headers: Record<string, string> = {},
		): Promise<Answer> {
			return await client.agent('POST', `/mcp/tools/${name}`, parameters, headers);
		}

		/** The result of a tool that has to succeed, the same over both ways. */
		async function result(name: string, parameters: Parameters): Promise<Answer> {
			const answer = await run(name, parameters);
			assert.equal(answer.status, 200, answer.text);
			assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
			const called = await protocol.call(name, parameters);
			assert.deepEqual(called, { isError: false, text: answer.text });
			return answer;
		}

		/** The rows of a JSON text as they are written, with every digit. */
		function rowsText(text: string): string {
			const start = text.indexOf('"transactions":');
			assert.notEqual(start, -1, text);
			return text.slice(start);
		}

		it('are ten, with a description and a JSON Schema, the same over both ways', async () => {
			const answer = await client.agent('GET', '/mcp/tools');
			assert.equal(answer.status, 200);
			const tools = member(answer, 'tools') as Array<{
				name: string;
				description: string;
				inputSchema: { type: string; properties: object; required?: string[] };
			}>;
			assert.deepEqual(
				tools.map(({ name }) => name),
				NAMES,
			);
			for (const { description, inputSchema } of tools) {
				assert.ok(description.length > 40);
				assert.equal(inputSchema.type, 'object');
			}
			assert.deepEqual(tools[0]?.inputSchema.required, ['filename', 'mimetype', 'fileBase64']);
			assert.equal(
				member(tools[0]?.inputSchema, 'properties', 'fileBase64', 'contentEncoding'),
				'base64',
			);
			const listed = await protocol.list();
			assert.deepEqual(
				listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
				tools,
			);
			assert.deepEqual(
				listed
					.filter(({ annotations }) => annotations?.readOnlyHint !== true)
					.map((one) => one.name),
				['convert_bank_statement', 'upload_url', 'convert_document'],
			);
		});

		it('convert a statement in one step, with the rows of the other routes', async () => {
			const json = await run('convert_bank_statement', fileOf(statement));
			assert.equal(json.status, 200, json.text);
			const jobId = Number(member(json, 'jobId'));
			const rows = await client.agent('GET', `/jobs/${jobId}/transactions`);
			assert.equal(rowsText(json.text), rowsText(rows.text));
			const { transactions, ...rest } = json.body ?? {};
			assert.equal((transactions as unknown[]).length, 4);
			assert.deepEqual(rest, {
				documentId: member(json, 'documentId'),
				jobId,
				status: 'Succeeded',
				format: 'json',
				count: 4,
				total: 4,
				truncated: false,
			});

			const called = await protocol.call('convert_bank_statement', {
				...fileOf(statement),
				format: 'csv',
			});
			assert.equal(called.isError, false, called.text);
			const csv: unknown = JSON.parse(called.text);
			const documentId = String(member(csv, 'documentId'));
			const file = await client.agent('GET', `/documents/${documentId}/transactions?format=csv`);
			assert.equal(member(csv, 'csv'), file.text);
			assert.match(file.text, /'=HYPERLINK/);
			assert.deepEqual([member(csv, 'format'), member(csv, 'count')], ['csv', 4]);
			assert.equal(member(csv, 'transactions'), undefined);
		});

		it('convert a statement step by step, for files of any size', async () => {
			const file = { filename: 'a.pdf', mimetype: 'application/pdf' };
			const address = await run('upload_url', file);
			assert.equal(address.status, 200, address.text);
			assert.deepEqual(Object.keys(address.body ?? {}).sort(), ['document', 'expiresIn', 'url']);
			const called = await protocol.call('upload_url', file);
			const other: unknown = JSON.parse(called.text);
			for (const one of [address.body, other]) {
				const type = { 'content-type': 'application/pdf' };
				const stored = await put(String(member(one, 'url')), statement, type);
				assert.equal(stored.status, 200, stored.text);
			}
			const ids = [member(address, 'document', 'id'), String(member(other, 'document', 'id'))];
			const started = await run('convert_document', { documentIds: ids });
			assert.equal(started.status, 200, started.text);
			assert.deepEqual(Object.keys(started.body ?? {}).sort(), ['jobId', 'status']);
			const jobId = Number(member(started, 'jobId'));
			await client.ended(jobId);
			const again = await protocol.call('convert_document', { documentIds: [ids[1]] });
			await client.ended(Number(member(JSON.parse(again.text), 'jobId')));

			assert.deepEqual((await result('get_job_status', { jobId })).body, {
				jobId,
				status: 'Succeeded',
				transactionCount: 8,
				failureReason: null,
			});
			const rows = await client.agent('GET', `/jobs/${jobId}/transactions`);
			for (const name of ['download_transactions', 'get_transactions']) {
				const json = await result(name, { jobId: String(jobId) });
				assert.equal(rowsText(json.text), rowsText(rows.text));
				const csv = await result(name, { jobId, format: 'csv' });
				const { csv: text, ...rest } = csv.body ?? {};
				assert.equal(String(text).split('\r\n').length, 10);
				assert.deepEqual(rest, { jobId, format: 'csv', count: 8, total: 8, truncated: false });
			}
		});

		it('list projects and documents, and reach what no job of a client has brought', async () => {
			await folder.write('bank/one.pdf', statement);
			await folder.write('bank/two.pdf', Buffer.from('%PDF-1.7 broken %%EOF'));
			await arrived(client, 2);
			const projects = await result('list_projects', {});
			assert.deepEqual(projects.body, (await client.agent('GET', '/projects')).body);
			assert.deepEqual((await run('list_projects')).body, projects.body);
			const project = (await projectsOf(client)).find(({ name }) => name === 'bank');
			assert.ok(project);

			const documents = await result('list_documents', { projectId: project.id });
			const route = await client.agent('GET', `/projects/${project.id}/documents`);
			assert.deepEqual(documents.body, route.body);
			const page = await result('list_documents', {
				projectId: String(project.id),
				limit: 1,
				offset: 1,
			});
			assert.deepEqual(
				[member(page, 'total'), member(page, 'limit'), member(page, 'offset')],
				[2, 1, 1],
			);
			const found = (member(documents, 'documents') as ListedDocument[]).find(
				({ status }) => status === 'extracted',
			);
			assert.ok(found);
			assert.equal(found.transactionCount, 4);

			const document = await result('get_document', { documentId: found.id });
			assert.deepEqual(document.body, (await client.agent('GET', `/documents/${found.id}`)).body);
			const path = `/documents/${found.id}/transactions`;
			const json = await result('get_document_transactions', { documentId: found.id });
			assert.equal(rowsText(json.text), rowsText((await client.agent('GET', path)).text));
			assert.deepEqual(
				[member(json, 'documentId'), member(json, 'format'), member(json, 'count')],
				[found.id, 'json', 4],
			);
			const csv = await result('get_document_transactions', {
				documentId: String(found.id),
				format: 'csv',
			});
			assert.equal(member(csv, 'csv'), (await client.agent('GET', `${path}?format=csv`)).text);
		});

		it('say what is wrong, over both ways in the same words', async () => {
			const waiting = (await client.uploadUrl()).id;
			const broken = await client.extract(Buffer.from('%PDF-1.7 broken'));
			const pdf = fileOf(statement);
			const cut = String(pdf['fileBase64']).slice(0, -1);
			const cases: Array<[name: string, parameters: Parameters, error: string, message: RegExp]> = [
				['convert_bank_statement', {}, '400 invalid_request filename', /missing/],
				[
					'convert_bank_statement',
					{ ...pdf, filename: 7 },
					'400 invalid_request filename',
					/string/,
				],
				[
					'convert_bank_statement',
					{ ...pdf, filename: ' ' },
					'400 invalid_request filename',
					/empty/,
				],
				[
					'convert_bank_statement',
					{ ...pdf, mimetype: 'text/csv' },
					'400 unsupported_type mimetype',
					/application\/pdf/,
				],
				[
					'convert_bank_statement',
					{ ...pdf, format: 'xml' },
					'400 invalid_request format',
					/"json", "csv"/,
				],
				[
					'convert_bank_statement',
					{ ...pdf, subType: 'x' },
					'400 invalid_request subType',
					/checkImages/,
				],
				[
					'convert_bank_statement',
					{ ...pdf, fileBase64: '' },
					'400 empty_file fileBase64',
					/empty/,
				],
				[
					'convert_bank_statement',
					{ ...pdf, fileBase64: ' \n' },
					'400 empty_file fileBase64',
					/empty/,
				],
				[
					'convert_bank_statement',
					{ ...pdf, fileBase64: 'no base64!' },
					'400 invalid_request fileBase64',
					/characters/,
				],
				[
					'convert_bank_statement',
					{ ...pdf, fileBase64: cut },
					'400 invalid_request fileBase64',
					/cut off/,
				],
				[
					'convert_bank_statement',
					{ ...pdf, fileBase64: `data:application/pdf;base64,${cut}` },
					'400 invalid_request fileBase64',
					/comma/,
				],
				[
					'convert_bank_statement',
					fileOf(Buffer.from('%PDF-1.7 broken')),
					'409 job_failed',
					/Failed/,
				],
				[
					'convert_bank_statement',
					fileOf(await encryptedStatement('secret')),
					'409 job_failed',
					/password/,
				],
				['convert_bank_statement', fileOf(statement, 'image/png'), '409 job_failed', /content/],
				[
					'convert_bank_statement',
					{ ...pdf, subType: 'checkImages' },
					'409 job_failed',
					/check images/,
				],
				['upload_url', { filename: 'a.pdf' }, '400 invalid_request mimetype', /missing/],
				[
					'upload_url',
					{ filename: 'a', mimetype: 'text/csv' },
					'400 unsupported_type mimetype',
					/application\/pdf/,
				],
				['convert_document', { documentIds: [] }, '400 invalid_request documentIds', /at least 1/],
				[
					'convert_document',
					{ documentIds: ['1', {}] },
					'400 invalid_request documentIds[1]',
					/integer or a string/,
				],
				['convert_document', { documentIds: [999999] }, '404 not_found documentIds[0]', /document/],
				[
					'convert_document',
					{ documentIds: [waiting] },
					'400 document_not_uploaded documentIds[0]',
					/arrived/,
				],
				[
					'convert_document',
					{ documentIds: [waiting, String(waiting)] },
					'400 invalid_request documentIds[1]',
					/second time/,
				],
				[
					'convert_document',
					{ documentIds: [1], jobType: 'Ocr' },
					'400 invalid_request jobType',
					/Invoice/,
				],
				['list_documents', {}, '400 invalid_request projectId', /missing/],
				['list_documents', { projectId: 'x' }, '404 not_found projectId', /project/],
				['list_documents', { projectId: 1, limit: 201 }, '400 invalid_request limit', /200/],
				['list_documents', { projectId: 1, limit: '5' }, '400 invalid_request limit', /integer/],
				['get_document', {}, '400 invalid_request documentId', /missing/],
				[
					'get_document',
					{ documentId: null },
					'400 invalid_request documentId',
					/integer or a string/,
				],
				[
					'get_document',
					{ documentId: 1.5 },
					'400 invalid_request documentId',
					/integer or a string/,
				],
				['get_document', { documentId: 999999 }, '404 not_found documentId', /document/],
				[
					'get_document_transactions',
					{ documentId: 'abc' },
					'404 not_found documentId',
					/document/,
				],
				[
					'get_document_transactions',
					{ documentId: waiting },
					'409 document_not_extracted',
					/not been extracted/,
				],
				[
					'get_document_transactions',
					{ documentId: broken.documentId },
					'409 document_not_extracted',
					/could not/,
				],
				['no_such_tool', {}, '404 not_found toolName', /list_projects/],
				['Convert_Bank_Statement', {}, '404 not_found toolName', /convert_bank_statement/],
			];
			for (const name of ['get_job_status', 'download_transactions', 'get_transactions']) {
				cases.push(
					[name, {}, '400 invalid_request jobId', /missing/],
					[name, { jobId: [] }, '400 invalid_request jobId', /integer or a string/],
					[name, { jobId: 999999 }, '404 not_found jobId', /job/],
					[name, { jobId: "1' or '1'='1" }, '404 not_found jobId', /job/],
				);
			}
			for (const name of ['download_transactions', 'get_transactions']) {
				cases.push([name, { jobId: broken.jobId }, '409 job_failed', /Failed/]);
			}
			const withFailure = new Set<string>();
			for (const [name, parameters, error, message] of cases) {
				const answer = await run(name, parameters);
				assert.equal(errorOf(answer), error, `${name} ${answer.text}`);
				const text = String(member(answer, 'error', 'message'));
				assert.match(text, message);
				const called = await protocol.call(name, parameters);
				assert.equal(called.isError, true, called.text);
				// The ids of two documents and two jobs differ.
				const likeIt = (one: string) => one.replace(/Document \d+/, 'Document');
				assert.equal(likeIt(called.text), likeIt(text));
				withFailure.add(name);
			}
			assert.deepEqual(
				NAMES.filter((name) => !withFailure.has(name)),
				// It has no parameters, so there is nothing that could be wrong with them.
				['list_projects'],
			);
			for (const body of [[], 'text', 7]) {
				assert.equal(errorOf(await run('list_projects', body)), '400 invalid_request');
			}
			// The connection goes on.
			assert.equal((await protocol.call('list_projects', {})).isError, false);
		});

		it('take base64 with line breaks, and files of 10 MiB and not a byte more', async () => {
			const { fileBase64, ...rest } = fileOf(statement);
			const lines = `${String(fileBase64).replaceAll(/.{76}/g, '$&\r\n')}\n`;
			const broken = await run('convert_bank_statement', { ...rest, fileBase64: lines });
			assert.equal(member(broken, 'count'), 4, broken.text);

			const large = Buffer.alloc(LARGEST_FILE + 1, '%PDF-1.7 broken ');
			const whole = await run('convert_bank_statement', fileOf(large.subarray(0, LARGEST_FILE)));
			assert.equal(errorOf(whole), '409 job_failed', whole.text.slice(0, 500));
			const one = await run('convert_bank_statement', fileOf(large));
			assert.equal(errorOf(one), '413 file_too_large fileBase64');
			assert.match(String(member(one, 'error', 'message')), /upload_url.*convert_document/);
			const called = await protocol.call('convert_bank_statement', fileOf(large));
			assert.deepEqual(called, { isError: true, text: member(one, 'error', 'message') });
			// Larger than any body of this tool, and of any other.
			const twice = fileOf(Buffer.concat([large, large]));
			assert.equal(
				errorOf(await run('convert_bank_statement', twice)),
				'413 file_too_large fileBase64',
			);
			assert.equal(errorOf(await run('get_document', fileOf(large))), '413 body_too_large');
		});

		it('store a file once for each Idempotency-Key', async () => {
			const key = { 'idempotency-key': 'tool-1' };
			const first = await run('convert_bank_statement', fileOf(statement), key);
			const again = await run('convert_bank_statement', fileOf(statement), key);
			assert.equal(first.status, 200, first.text);
			assert.equal(again.text, first.text);
			const other = fileOf(Buffer.concat([statement, Buffer.from('\n')]));
			assert.equal(
				errorOf(await run('convert_bank_statement', other, key)),
				'409 idempotency_mismatch Idempotency-Key',
			);
		});

		it('download only what the very token has started, and show no other contract anything', async () => {
			const made = await client.legacy('POST', '/accessTokens', { name: 'other' });
			const colleague = bearer(String(member(made, 'token')));
			const stranger = bearer(second.accessToken);
			const own = await run('convert_bank_statement', fileOf(statement));
			const jobId = Number(member(own, 'jobId'));
			const documentId = Number(member(own, 'documentId'));
			// A job that the agent surface has made with the token counts as well; one of the JWT does not.
			const routed = await client.createJob([documentId]);
			await client.ended(routed);
			const legacy = await client.legacy('POST', '/job', { jobName: '', documents: [documentId] });
			const legacyJob = Number(member(legacy, 'id'));
			await client.ended(legacyJob);

			const statuses = async (name: string, parameters: Parameters) =>
				await Promise.all(
					[{}, colleague, stranger].map(
						async (headers) => (await run(name, parameters, headers)).status,
					),
				);
			for (const name of ['download_transactions', 'get_transactions']) {
				assert.deepEqual(await statuses(name, { jobId }), [200, 404, 404]);
				assert.deepEqual(await statuses(name, { jobId: routed }), [200, 404, 404]);
				assert.deepEqual(await statuses(name, { jobId: legacyJob }), [404, 404, 404]);
			}
			assert.deepEqual(await statuses('get_job_status', { jobId: legacyJob }), [200, 200, 404]);
			assert.deepEqual(await statuses('get_document', { documentId }), [200, 200, 404]);
			assert.deepEqual(
				await statuses('get_document_transactions', { documentId }),
				[200, 200, 404],
			);
			assert.deepEqual(
				await statuses('convert_document', { documentIds: [documentId] }),
				[200, 200, 404],
			);
			const [project] = await projectsOf(client);
			assert.deepEqual(
				await statuses('list_documents', { projectId: project?.id }),
				[200, 200, 404],
			);
			assert.deepEqual((await run('list_projects', {}, stranger)).body, { projects: [] });

			const others = await ToolClient.connect(service, second.accessToken);
			for (const [name, parameters] of [
				['download_transactions', { jobId }],
				['get_job_status', { jobId }],
				['get_document', { documentId }],
				['get_document_transactions', { documentId }],
				['convert_document', { documentIds: [documentId] }],
			] as const) {
				const called = await others.call(name, parameters);
				assert.equal(called.isError, true, name);
				assert.match(called.text, /^There is no such (job|document)\.$/);
			}
			await others.close();
		});

		it('need an access token, and speak the protocol with POST alone', async () => {
			for (const headers of [{ authorization: '' }, bearer('wrong'), bearer(second.jwt)]) {
				const list = await client.agent('GET', '/mcp/tools', undefined, headers);
				assert.equal(errorOf(list), '401 unauthorized');
				assert.equal(errorOf(await run('list_projects', {}, headers)), '401 unauthorized');
				const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
				const answer = await client.agent('POST', '/mcp', message, headers);
				assert.equal(errorOf(answer), '401 unauthorized');
			}
			await assert.rejects(ToolClient.connect(service, 'wrong'), /401|Unauthorized|unauthorized/);

			for (const method of ['GET', 'DELETE']) {
				const answer = await client.agent(method, '/mcp');
				assert.equal(errorOf(answer), '405 method_not_allowed');
				assert.equal(answer.headers.get('allow'), 'POST');
			}
			const accept = { accept: 'application/json, text/event-stream' };
			const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
			assert.equal(errorOf(await client.agent('POST', '/mcp', ping)), '406 not_acceptable');
			for (const [body, error] of [
				[{ jsonrpc: '1.0', id: 1, method: 'ping' }, '400 invalid_request'],
				[{ jsonrpc: '2.0' }, '400 invalid_request'],
				['text', '400 invalid_request'],
				[[], '400 invalid_request'],
				[new Array<unknown>(11).fill(ping), '400 invalid_request'],
			] as const) {
				const answer = await client.agent('POST', '/mcp', body, accept);
				assert.match(errorOf(answer), new RegExp(`^${error}`), answer.text);
			}
			const version = { ...accept, 'mcp-protocol-version': '1999-01-01' };
			assert.equal(
				errorOf(await client.agent('POST', '/mcp', ping, version)),
				'400 invalid_request',
			);
			// Without an id nobody wants an answer.
			const notice = { jsonrpc: '2.0', method: 'notifications/initialized' };
			const noticed = await client.agent('POST', '/mcp', notice, accept);
			assert.deepEqual([noticed.status, noticed.text], [202, '']);
			const unknown = await client.agent('POST', '/mcp', { ...ping, method: 'no/such' }, accept);
			assert.match(unknown.text, /-32601/);
			const two = await client.agent('POST', '/mcp', [ping, { ...ping, id: 'b' }], accept);
			assert.equal(two.status, 200);
			assert.equal(two.text.match(/"result":\{\}/g)?.length, 2, two.text);
		});

		it('serve several protocol clients at once, each with its own account', async () => {
			const other = await ToolClient.connect(service, second.accessToken);
			const calls = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? protocol : other));
			const results = await Promise.all(
				calls.map((one) => one.call('convert_bank_statement', fileOf(statement))),
			);
			const documents = results.map(({ text }) => Number(member(JSON.parse(text), 'documentId')));
			assert.equal(new Set(documents).size, 6);
			for (const [index, documentId] of documents.entries()) {
				for (const [one, isError] of [
					[calls[index], false],
					[calls[index] === other ? protocol : other, true],
				] as const) {
					const called = await one?.call('get_document', { documentId });
					assert.equal(called?.isError, isError, called?.text);
				}
			}
			await other.close();
		});

		it('give at most 10000 rows of a job, and all rows of a document', async () => {
			const { pdf } = await generateStatement('longLedger', { seed: 1, pages: 165 });
			const documentIds = [await client.upload(pdf), await client.upload(pdf)];
			const started = await run('convert_document', { documentIds });
			const jobId = Number(member(started, 'jobId'));
			await client.ended(jobId);
			const all = await client.agent('GET', `/jobs/${jobId}/transactions`);
			const rows = member(all, 'transactions') as unknown[];
			assert.ok(rows.length > MOST_ROWS, `only ${rows.length} rows`);

			const json = await run('download_transactions', { jobId });
			const { transactions, ...rest } = json.body ?? {};
			assert.deepEqual(transactions, rows.slice(0, MOST_ROWS));
			assert.deepEqual(rest, {
				jobId,
				format: 'json',
				count: MOST_ROWS,
				total: rows.length,
				truncated: true,
			});
			const called = await protocol.call('get_transactions', { jobId, format: 'csv' });
			const csv: unknown = JSON.parse(called.text);
			assert.deepEqual(
				[member(csv, 'count'), member(csv, 'total'), member(csv, 'truncated')],
				[MOST_ROWS, rows.length, true],
			);
			const exported = await client.legacy('POST', `/job/${jobId}/export`, {
				jobType: 'FieldsToExcel1',
				flattenTables: true,
				format: 'csv',
			});
			assert.ok(exported.text.startsWith(String(member(csv, 'csv'))));
			const lines = (text: string) => text.match(/\r\n/g)?.length ?? 0;
			assert.equal(
				lines(exported.text) - lines(String(member(csv, 'csv'))),
				rows.length - MOST_ROWS,
			);

			const [documentId] = documentIds;
			const document = await run('get_document_transactions', { documentId });
			const first = rows.filter((row) => member(row, 'documentId') === documentId);
			assert.deepEqual(member(document, 'transactions'), first);
		});

		it('go on when a client leaves while its statement is converted', async () => {
			const { pdf } = await generateStatement('longLedger', { seed: 3, pages: 60 });
			const [leaving, calling] = [new AbortController(), new AbortController()];
			const pending = [
				request(`${service.site}/api/v1/agent/mcp/tools/convert_bank_statement`, {
					method: 'POST',
					headers: {
						...bearer(service.credentials.accessToken),
						'content-type': 'application/json',
					},
					body: JSON.stringify(fileOf(pdf)),
					signal: leaving.signal,
				}),
				protocol.call('convert_bank_statement', fileOf(pdf), calling.signal),
			];
			await sleep(200);
			leaving.abort();
			calling.abort();
			const ends = await Promise.allSettled(pending);
			assert.deepEqual(
				ends.map(({ status }) => status),
				['rejected', 'rejected'],
			);
			assert.equal((await protocol.call('list_projects', {})).isError, false);
			const after = await run('convert_bank_statement', fileOf(statement));
			assert.equal(member(after, 'status'), 'Succeeded', after.text);
		});

		it('answer without rows when the service stops while they wait', async () => {
			// Others come first, so that these two cannot have ended.
			const { pdf } = await generateStatement('longLedger', { seed: 4, pages: 60 });
			const long = await client.upload(pdf);
			for (let job = 0; job < 4; job++) await client.createJob([long]);
			const accept = { accept: 'application/json, text/event-stream' };
			const message = {
				jsonrpc: '2.0',
				id: 1,
				method: 'tools/call',
				params: { name: 'convert_bank_statement', arguments: fileOf(statement) },
			};
			const pending = Promise.all([
				run('convert_bank_statement', fileOf(statement)),
				client.agent('POST', '/mcp', message, accept),
			]);
			await sleep(300);
			const begun = performance.now();
			assert.equal(await service.stop(), 0);
			const milliseconds = performance.now() - begun;
			assert.ok(milliseconds < 10_000, `stopping took ${milliseconds} ms`);
			const [answer, called] = await pending;
			assert.equal(answer.status, 200, answer.text);
			assert.match(String(member(answer, 'status')), /^(Queued|InProgress)$/);
			assert.match(String(member(answer, 'message')), /get_job_status/);
			assert.equal(member(answer, 'transactions'), undefined);
			assert.match(called.text, /\\"status\\":\\"(Queued|InProgress)\\"/);

			const events = await recordedEvents(service);
			const uploaded = events.filter(({ name }) => name === 'document.uploaded');
			assert.ok(
				uploaded.some(
					({ data }) => member(data, 'document', 'id') === member(answer, 'documentId'),
				),
			);
			// The job has lost nothing: it is taken up at the next start.
			await service.start();
			const job = await client.ended(Number(member(answer, 'jobId')));
			assert.equal(member(job, 'status'), 'Succeeded', job.text);
		});
	});

	describe('tools that wait or are asked too often', () => {
		let service: RunningService;
		let client: Client;
		before(async () => {
			const env = { TOOL_WAIT_SECONDS: '0', JOB_POLLS_PER_MINUTE: '5', PAGE_ALLOWANCE: '1' };
			service = await start({ env });
			client = new Client(service);
		});
		after(() => service.remove());

		it('answer with the status of the job, whose rows come later, until the pages are used up', async () => {
			const parameters = {
				filename: 'a.pdf',
				mimetype: 'application/pdf',
				fileBase64: (await injectionStatement()).toString('base64'),
				format: 'csv',
			};
			const answer = await client.agent('POST', '/mcp/tools/convert_bank_statement', parameters);
			assert.equal(answer.status, 200, answer.text);
			const { documentId, jobId, status, format, message, ...rest } = answer.body ?? {};
			assert.deepEqual(rest, {});
			assert.equal(typeof documentId, 'number');
			assert.match(String(status), /^(Queued|InProgress)$/);
			assert.match(String(message), /get_job_status.*download_transactions/);
			assert.equal(format, 'csv');

			const path = '/mcp/tools/download_transactions';
			let rows = await client.agent('POST', path, { jobId });
			const until = Date.now() + 60_000;
			while (errorOf(rows) === '409 job_not_finished' && Date.now() < until) {
				await sleep(100);
				rows = await client.agent('POST', path, { jobId });
			}
			assert.equal(member(rows, 'count'), 4, rows.text);

			const protocol = await ToolClient.connect(service);
			for (let poll = 0; poll < 5; poll++) {
				assert.equal((await protocol.call('get_job_status', { jobId })).isError, false);
			}
			const refused = await protocol.call('get_job_status', { jobId });
			assert.equal(refused.isError, true);
			assert.match(refused.text, /too often.*Ask again in \d+ s/);
			const polled = await client.agent('POST', '/mcp/tools/get_job_status', { jobId });
			assert.equal(errorOf(polled), '429 rate_limited');
			assert.match(polled.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
			await protocol.close();

			const late = await client.agent('POST', '/mcp/tools/convert_bank_statement', parameters);
			const lateJob = member(late, 'jobId');
			let refusal = await client.agent('POST', path, { jobId: lateJob });
			while (errorOf(refusal) === '409 job_not_finished' && Date.now() < until) {
				await sleep(100);
				refusal = await client.agent('POST', path, { jobId: lateJob });
			}
			assert.equal(errorOf(refusal), '409 job_failed');
			assert.match(String(member(refusal, 'error', 'message')), /OutOfCredits.*used up/);
		});
	});
}
