import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BinaryDataService } from 'n8n-core';
import { Container } from '@n8n/di';
import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

import { storedFile } from './engine';
import { byId, JWT, runsAgainst, serviceForEachTest } from './scriptedRuns';
import { documentPayload, row, type Reply, type SeenRequest } from './scriptedService';

/** What the real service cannot be made to show: odd answers, refusals, broken connections. */
const service = serviceForEachTest();
const run = runsAgainst(service, { authentication: 'jwt' });

const PDF = Buffer.from(`%PDF-1.7\n${'content '.repeat(50_000)}`);

async function file(name = 'statement.pdf', bytes = PDF): Promise<INodeExecutionData> {
	return { json: {}, binary: { data: await storedFile(bytes, name, 'application/pdf') } };
}

const bytesOf = async (data: IBinaryData | undefined) =>
	await Container.get(BinaryDataService).getAsBuffer(data!);

/** The file in a form, as the parser of fetch reads it. */
async function fileIn({ headers, body }: SeenRequest) {
	const type = headers['content-type']!;
	const answer = new Response(new Uint8Array(body), { headers: { 'Content-Type': type } });
	const parts = [...(await answer.formData())] as Array<[string, File]>;
	expect(parts.map(([name]) => name)).toEqual(['document']);
	const { name, type: mimeType } = parts[0]![1];
	return { name, mimeType, bytes: Buffer.from(await parts[0]![1].arrayBuffer()) };
}

describe('Upload by form', () => {
	const upload = { resource: 'document', operation: 'upload' };
	const accepts = (body: object, status = 201) =>
		service.on('POST', /\/protected\/document(\?.*)?$/, { status, body });

	it('sends one request with the file, its length, and the JWT', async () => {
		accepts({ document: { id: 5 }, pdfInfo: { pageCount: 3 } });
		const result = await run(upload, { items: [await file('Kontoauszug "März".pdf')] });
		expect(result.items.map(({ json, pairedItem }) => ({ ...json, pairedItem }))).toEqual([
			{
				documentId: '5',
				fileName: 'Kontoauszug "März".pdf',
				mimeType: 'application/pdf',
				size: PDF.length,
				fieldName: 'data',
				pageCount: 3,
				pairedItem: { item: 0 },
			},
		]);
		expect(service.seen).toHaveLength(1);
		const [request] = service.seen;
		expect(request!.headers).toMatchObject({
			authorization: `Bearer ${JWT}`,
			'content-length': String(request!.body.length),
			'idempotency-key': expect.stringMatching(/^[0-9a-f]{64}$/),
		});
		expect(request!.headers['transfer-encoding']).toBeUndefined();
		const sent = await fileIn(request!);
		expect([sent.name, sent.mimeType]).toEqual(['Kontoauszug "März".pdf', 'application/pdf']);
		expect(sent.bytes.equals(PDF)).toBe(true);
	});

	it.each<[string, object, number, object]>([
		['a string as id', { document: { id: 'doc-5' } }, 200, { documentId: 'doc-5' }],
		['a flat answer', { documentId: 5, pageCount: 2 }, 200, { documentId: '5', pageCount: 2 }],
		['a wrapped answer', { data: { document: { id: 5 } } }, 201, { documentId: '5' }],
		[
			'metadata and other fields',
			{ document: { id: 5, x: 1 }, metadata: [{ any: 'thing' }], extra: true },
			201,
			{ documentId: '5', metadata: [{ any: 'thing' }] },
		],
		['a page count that is none', { document: { id: 5 }, pdfInfo: { pageCount: 'many' } }, 200, {}],
	])('understands %s', async (_name, body, status, expected) => {
		accepts(body, status);
		const result = await run(upload, { items: [await file()] });
		expect(result.error).toBeUndefined();
		expect(result.items[0]?.json).toMatchObject(expected);
		expect(result.items[0]?.json).not.toHaveProperty('error');
	});

	it('asks for metadata and not to wait only where that is wanted', async () => {
		accepts({ document: { id: 5 } });
		const options = { includeMetadata: true, asyncProcessing: true };
		await run({ ...upload, options }, { items: [await file()] });
		await run(upload, { items: [await file()] });
		expect(service.seen.map(({ path }) => path.split('?')[1])).toEqual([
			'metadata=1&asyncProcessing=true',
			undefined,
		]);
	});

	it('sends the whole file again, with the same key, after what passes', async () => {
		const replies: Reply[] = [
			{ reset: true },
			{ status: 429, headers: { 'Retry-After': '2' }, body: {} },
			{ status: 201, body: { document: { id: 5 } } },
		];
		service.on('POST', /\/protected\/document$/, () => replies.shift()!);
		const result = await run(upload, { items: [await file()] });
		expect(result.items[0]?.json.documentId).toBe('5');
		expect(service.seen).toHaveLength(3);
		for (const request of service.seen) {
			expect((await fileIn(request)).bytes.equals(PDF)).toBe(true);
		}
		expect(new Set(service.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
	});

	it('gives up after three tries and says so', async () => {
		service.on('POST', /\/protected\/document$/, { reset: true });
		const result = await run(upload, { items: [await file()] });
		expect(result.error?.message).toBe(
			"The connection broke off while 'statement.pdf' was uploaded [item 0]",
		);
		expect(result.error?.description).toContain('three times');
		expect(service.seen).toHaveLength(3);
	});

	it.each<[number, object | string, string]>([
		[400, { error: { message: 'no such part', field: 'document' } }, 'no such part'],
		[401, { any: 'shape' }, 'did not accept the credential'],
		[413, 'too large', 'takes no file of this size'],
		[415, { detail: 'no form' }, 'no form'],
		[302, { message: 'elsewhere' }, 'sent the node to another address'],
	])('a refusal with %d is not repeated, and says why', async (status, body, message) => {
		service.on('POST', /\/protected\/document$/, { status, body, headers: { Location: '/x' } });
		const result = await run(upload, { items: [await file()] });
		expect(result.error?.message).toContain(message);
		expect(JSON.stringify(result.error)).not.toContain(JWT);
		expect(service.seen).toHaveLength(1);
	});

	it.each<[string, unknown]>([
		['a web page', '<!doctype html><title>Sign in</title>'],
		['no id', { document: {} }],
		['a list', [1]],
		['nothing', undefined],
	])('%s in place of an answer is an error', async (_name, body) => {
		service.on('POST', /\/protected\/document$/, { status: 200, body });
		const result = await run(upload, { items: [await file()] });
		expect(result.error?.message).toContain("did not take the file 'statement.pdf'");
	});

	it('uses the document of the first try where n8n repeats the node', async () => {
		let id = 0;
		service.on('POST', /\/protected\/document$/, () => ({ body: { document: { id: ++id } } }));
		const items = [await file(), { json: {} }];
		const result = await run(upload, { items, retryOnFail: true, maxTries: 3 });
		expect(result.error?.message).toContain("There is no file in the field 'data'");
		expect(service.seen).toHaveLength(1);
	});

	it('three items: the one that fails goes to the error output', async () => {
		service.on('POST', /\/protected\/document$/, async (request) =>
			(await fileIn(request)).name === 'bad.pdf'
				? { status: 400, body: { message: 'bad' } }
				: { status: 201, body: { document: { id: 7 } } },
		);
		const items = [await file('a.pdf'), await file('bad.pdf'), await file('c.pdf')];
		const split = await run(upload, { items, onError: 'continueErrorOutput' });
		expect(split.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(split.errors.map(({ json }) => json.error)).toEqual([
			"The service did not take the file 'bad.pdf': bad [item 1]",
		]);
	});

	it('takes a file from an address, and gives nobody there the JWT', async () => {
		accepts({ document: { id: 5 } });
		const seen: IncomingMessage[] = [];
		const server = await serving((request, response) => {
			seen.push(request);
			response.writeHead(200, { 'Content-Type': 'application/pdf', 'Content-Length': PDF.length });
			response.end(PDF);
		});
		try {
			const fileUrl = `http://127.0.0.1:${portOf(server)}/march.pdf`;
			const result = await run({ ...upload, fileFrom: 'url', fileUrl });
			expect(result.error).toBeUndefined();
			expect((await fileIn(service.seen[0]!)).bytes.equals(PDF)).toBe(true);
			expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
		} finally {
			await closed(server);
		}
	});
});

async function serving(
	handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
	const server = createServer(handler);
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function closed(server: Server): Promise<void> {
	server.closeAllConnections();
	await new Promise((done) => server.close(done));
}

describe('Upload to a presigned address', () => {
	const upload = { resource: 'document', operation: 'upload', uploadMethod: 'presigned' };
	const password = 'a "quoted" pässword';
	const address = () => ({
		url: `${service.siteUrl}/storage/5?signature=abc`,
		expiresIn: 60,
		document: { id: 'd/5', s3Key: 'k', s3Path: 'p' },
	});

	function answers({ uploads3 = {} as Reply, put = {} as Reply, complete = {} as Reply } = {}) {
		service
			.on('POST', /\/document\/uploads3/, { body: address(), ...uploads3 })
			.on('PUT', /^\/storage\//, { body: {}, ...put })
			.on('POST', /\/uploads3\/complete$/, { body: {}, ...complete });
	}

	it('asks, sends and acknowledges', async () => {
		answers();
		const options = { password, customerId: '42', expiresIn: 60, sendChecksum: true };
		const result = await run({ ...upload, options }, { items: [await file()] });
		expect(result.error).toBeUndefined();
		expect(result.items[0]?.json).toEqual({
			documentId: 'd/5',
			fileName: 'statement.pdf',
			mimeType: 'application/pdf',
			size: PDF.length,
			fieldName: 'data',
		});
		const [asked, put, complete] = service.seen;
		expect(asked!.path).toBe('/api/v1/protected/document/uploads3?expiresIn=60');
		expect(JSON.parse(asked!.body.toString())).toEqual({
			filename: 'statement.pdf',
			mimetype: 'application/pdf',
			customerId: '42',
			password,
			s3ETag: expect.stringMatching(/^[0-9a-f]{32}$/),
		});
		expect(put!.body.equals(PDF)).toBe(true);
		expect(put!.headers).toMatchObject({
			'content-type': 'application/pdf',
			'content-length': String(PDF.length),
		});
		expect(put!.headers.authorization).toBeUndefined();
		expect(complete!.path).toBe('/api/v1/protected/document/d%2F5/uploads3/complete');
	});

	it('says nothing that was not set', async () => {
		answers();
		await run(upload, { items: [await file()] });
		expect(service.seen[0]!.path).toBe('/api/v1/protected/document/uploads3');
		expect(JSON.parse(service.seen[0]!.body.toString())).toEqual({
			filename: 'statement.pdf',
			mimetype: 'application/pdf',
		});
	});

	it.each([400, 409, 422, 500])(
		'a service that repeats the password in a refusal with %d does not get it shown',
		async (status) => {
			const message = `the password ${password} is not allowed`;
			answers({ uploads3: { status, body: { error: { message, field: 'password' } } } });
			const options = { password };
			const items = [await file()];
			const stopped = await run({ ...upload, options }, { items });
			expect(stopped.error?.message).toContain('the password *** is not allowed');
			const split = await run({ ...upload, options }, { items, onError: 'continueErrorOutput' });
			const shown = JSON.stringify([stopped.error, split.errors, split.run.data.resultData]);
			expect(shown).not.toContain('pässword');
		},
	);

	it('an acknowledgement that fails is repeated, and the bytes are not sent again', async () => {
		answers();
		let tries = 0;
		service.on('POST', /complete$/, () => (++tries < 3 ? { status: 503, body: {} } : { body: {} }));
		const result = await run(upload, { items: [await file()] });
		expect(result.error).toBeUndefined();
		expect(service.requests('PUT', /storage/)).toHaveLength(1);
	});

	it('an acknowledgement that is refused names the document', async () => {
		answers({ complete: { status: 404, body: {} } });
		const result = await run(upload, { items: [await file()] });
		expect(result.error?.message).toBe('The document d/5 was not found [item 0]');
	});

	it.each([0, -1, 1.5, 'soon'])('%p seconds are refused before anything is sent', async (value) => {
		const result = await run(
			{ ...upload, options: { expiresIn: value } },
			{ items: [await file()] },
		);
		expect(result.error?.message).toContain("'Expires In' is not a whole number of seconds");
		expect(service.seen).toEqual([]);
	});
});

describe('Download', () => {
	const download = { resource: 'document', operation: 'download', documentId: byId('7') };
	let storage: Server;
	let seen: IncomingMessage[];
	let reply: (response: ServerResponse, request: IncomingMessage) => void;

	beforeEach(async () => {
		seen = [];
		reply = (response) => {
			response.writeHead(200, { 'Content-Length': PDF.length });
			response.end(PDF);
		};
		storage = await serving((request, response) => {
			seen.push(request);
			reply(response, request);
		});
		offers({ document: { id: 7, originalname: 'März.pdf', mimetype: 'application/pdf' } });
	});

	afterEach(async () => await closed(storage));

	const offers = (more: object) =>
		service.on('GET', /\/document\/7\/downloads3/, {
			body: { url: `http://127.0.0.1:${portOf(storage)}/file.bin?signature=abc`, ...more },
		});

	it('fetches the file from the other place, without the JWT', async () => {
		const items = [{ json: {}, binary: { other: await storedFile(PDF, 'o.pdf', 'a/b') } }];
		const result = await run({ ...download, outputDataFieldName: 'copy' }, { items });
		expect(result.error).toBeUndefined();
		expect(result.items[0]?.json).toEqual({
			documentId: '7',
			fileName: 'März.pdf',
			mimeType: 'application/pdf',
			size: PDF.length,
		});
		expect(Object.keys(result.items[0]!.binary!)).toEqual(['other', 'copy']);
		expect((await bytesOf(result.items[0]?.binary?.copy)).equals(PDF)).toBe(true);
		expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
	});

	it('names the file by the storage, or by its address, where the service does not', async () => {
		offers({});
		const { items } = await run(download);
		expect(items[0]?.json).toMatchObject({
			fileName: 'file.bin',
			mimeType: 'application/octet-stream',
		});
		reply = (response) => {
			response.writeHead(200, {
				'Content-Type': 'image/png',
				'Content-Disposition': `attachment; filename*=UTF-8''..%2Fscan%C3%A4.png`,
			});
			response.end(PDF);
		};
		const named = await run(download);
		expect(named.items[0]?.json).toMatchObject({ fileName: 'scanä.png', mimeType: 'image/png' });
	});

	it('follows a redirect of the storage', async () => {
		reply = (response, { url }) => {
			if (url!.startsWith('/file.bin')) response.writeHead(302, { Location: '/moved' }).end();
			else response.end(PDF);
		};
		const result = await run(download);
		expect((await bytesOf(result.items[0]?.binary?.data)).equals(PDF)).toBe(true);
	});

	it('gives the address alone where that is wanted', async () => {
		offers({ expiresIn: 9, document: { id: 7 } });
		const result = await run({ ...download, downloadAs: 'address', options: { expiresIn: 9 } });
		expect(result.items[0]?.json).toEqual({
			documentId: '7',
			url: `http://127.0.0.1:${portOf(storage)}/file.bin?signature=abc`,
			expiresIn: 9,
			fileName: null,
			mimeType: null,
		});
		expect(service.seen[0]?.path).toContain('downloads3?expiresIn=9');
		expect(seen).toEqual([]);
	});

	it('fetches again what breaks off or ends early, and keeps only a whole file', async () => {
		let tries = 0;
		reply = (response) => {
			tries++;
			if (tries === 1) return response.destroy();
			response.writeHead(200, { 'Content-Length': PDF.length });
			if (tries === 2) return response.write(PDF.subarray(0, 100), () => response.destroy());
			return response.end(PDF);
		};
		const result = await run(download);
		expect(result.error).toBeUndefined();
		expect(tries).toBe(3);
		expect((await bytesOf(result.items[0]?.binary?.data)).equals(PDF)).toBe(true);
	});

	it.each<[string, (response: ServerResponse) => void, string]>([
		['has expired', (response) => response.writeHead(403).end('<Code>x</Code>'), 'has expired'],
		['is gone', (response) => response.writeHead(404).end(), 'storage of the service'],
		['breaks off', (response) => response.destroy(), 'three times'],
	])('an address that %s is an error that hides it', async (_name, answer, description) => {
		reply = answer;
		const result = await run(download);
		expect(result.error?.message).toContain('give the content of the document 7');
		expect(result.error?.description).toContain(description);
		expect(JSON.stringify(result.error)).not.toContain('signature=abc');
	});

	it.each<[string, unknown]>([
		['no address', { document: { id: 7 } }],
		['no web address', { url: 'file:///etc/passwd', document: { id: 7 } }],
		['a web page', '<html></html>'],
	])('%s is an error', async (_name, body) => {
		service.on('GET', /\/document\/7\/downloads3/, { body });
		const result = await run(download);
		expect(result.error?.message).toContain('did not give the content of the document 7');
		expect(seen).toEqual([]);
	});

	it('three items: one that is not there does not stop the others', async () => {
		const parameters = { ...download, documentId: byId('={{ $json.id }}') };
		const items = [{ json: { id: 7 } }, { json: { id: 8 } }, { json: { id: 7 } }];
		const split = await run(parameters, { items, onError: 'continueErrorOutput' });
		expect(split.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(split.errors.map(({ json }) => json.error)).toEqual([
			'The document 8 was not found [item 1]',
		]);
		const continued = await run(parameters, { items, onError: 'continueRegularOutput' });
		expect(continued.items).toHaveLength(3);
	});
});

describe('Job: Create', () => {
	const create = { resource: 'job', operation: 'create', documentIds: '4, doc-5' };
	const sent = () => JSON.parse(service.seen[0]!.body.toString()) as object;

	it.each([
		['bankStatement', { enableBankMode: true }],
		['checks', { enableBankMode: true }],
		['invoice', { enableBankMode: false, jobType: 'Invoice' }],
		['form', { enableBankMode: false, jobType: 'Form' }],
		['other', { enableBankMode: false }],
	])('%s', async (documentKind, expected) => {
		service.on('POST', /\/protected\/job$/, { status: 200, body: { id: 9, status: 'Created' } });
		const result = await run({ ...create, documentKind });
		expect(sent()).toEqual({ jobName: '', documents: [4, 'doc-5'], ...expected });
		expect(result.items[0]?.json).toEqual({
			id: 9,
			status: 'Created',
			jobId: '9',
			documentIds: ['4', 'doc-5'],
		});
	});

	it('sends the name, and the template of another kind only', async () => {
		service.on('POST', /\/protected\/job$/, { status: 201, body: { id: 'j-9' } });
		const options = { jobName: 'March' };
		const other = { ...create, documentKind: 'other', templateId: 12, options };
		const result = await run(other);
		expect(sent()).toMatchObject({ jobName: 'March', templateId: '12', enableBankMode: false });
		expect(result.items[0]?.json.jobId).toBe('j-9');
	});

	it('is sent once where nobody knows whether it was carried out', async () => {
		service.on('POST', /\/protected\/job$/, { reset: true });
		const result = await run(create);
		expect(service.seen).toHaveLength(1);
		expect(result.error?.description).toContain('Look there before you run the node again');
	});

	it('uses the job of the first try where n8n repeats the node', async () => {
		service.on('POST', /\/protected\/job$/, { status: 201, body: { id: 9 } });
		const items = [{ json: { ids: '4' } }, { json: { ids: '' } }];
		const parameters = { ...create, documentIds: '={{ $json.ids }}' };
		await run(parameters, { items, retryOnFail: true, maxTries: 3 });
		expect(service.seen).toHaveLength(1);
		expect(service.seen[0]!.headers['idempotency-key']).toMatch(/^[0-9a-f]{64}$/);
	});
});

describe('Job: Export', () => {
	const exporting = { resource: 'job', operation: 'export', jobId: byId('9') };
	const sent = (at = 0) => JSON.parse(service.seen[at]!.body.toString()) as object;
	const answers = (reply: Reply) => service.on('POST', /\/protected\/job\/9\/export$/, reply);
	const grouped = { 4: documentPayload([row('a', -1.25), row('b', -2.25)]) };

	it.each([
		['bankStatement', 'FieldsToExcel1', ['bankMode']],
		['other', 'FieldsToExcel1', ['bankMode']],
		['invoice', 'Invoice', undefined],
		['form', 'Form', undefined],
	])('%s asks for %s', async (documentKind, jobType, selectedFieldNames) => {
		answers({ body: grouped });
		await run({ ...exporting, documentKind });
		expect(sent()).toEqual({
			jobType,
			flattenTables: false,
			format: 'json',
			...(selectedFieldNames === undefined ? {} : { selectedFieldNames }),
		});
	});

	it('gives the same items as Get Data', async () => {
		answers({ body: grouped });
		service.on('GET', /\/agent\/jobs\/9\/data$/, { body: grouped });
		for (const output of ['transactions', 'accounts', 'documents', 'raw']) {
			const result = await run({ ...exporting, output });
			const operation = 'getData';
			const other = await run({ ...exporting, authentication: 'accessToken', operation, output });
			expect(result.items.length).toBeGreaterThan(0);
			expect(result.items).toEqual(other.items);
		}
	});

	it('keeps digits that a double cannot hold', async () => {
		service.on('POST', /export$/, {
			body: `{"4":{"a":{"bankMode":{"transactions":[{"amount":12345678901234567.89}]}}}}`,
			headers: { 'Content-Type': 'application/json' },
		});
		const result = await run(exporting);
		expect(result.items[0]?.json.amount).toBe('12345678901234567.89');
	});

	it('rows: flat, with the fields and documents that are wanted', async () => {
		answers({ body: { jobId: 9, count: 1, transactions: [{ amount: -1.5 }] } });
		const options = { fields: 'amount, date', documentIds: '={{ [4, "d-5"] }}' };
		const result = await run({ ...exporting, output: 'rows', options });
		expect(result.items.map(({ json }) => json.amount)).toEqual([-1.5]);
		expect(sent()).toEqual({
			jobType: 'FieldsToExcel1',
			flattenTables: true,
			format: 'json',
			selectedFieldNames: ['amount', 'date'],
			documentIds: [4, 'd-5'],
		});
	});

	it('three items: a job that is not there does not stop the others', async () => {
		answers({ body: grouped });
		const items = [{ json: { id: 9 } }, { json: { id: 8 } }, { json: { id: 9 } }];
		const parameters = { ...exporting, output: 'accounts', jobId: byId('={{ $json.id }}') };
		const split = await run(parameters, { items, onError: 'continueErrorOutput' });
		expect(split.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(split.errors.map(({ json }) => json.error)).toEqual([
			'The job 8 was not found [item 1]',
		]);
	});

	it('a job that has not ended says how to go on', async () => {
		answers({ status: 409, body: { error: { message: 'The job is running.' } } });
		for (const output of ['transactions', 'csv']) {
			const result = await run({ ...exporting, output });
			expect(result.error?.message).toContain('cannot export the job 9 now: The job is running.');
			expect(result.error?.description).toContain('Job: Wait');
		}
	});

	describe('CSV', () => {
		const csv = 'date,amount,name\r\n2026-03-04,-1.50,"Café, Zürich"\r\n';
		const asCsv = { ...exporting, output: 'csv' };
		const csvType = { 'Content-Type': 'text/csv; charset=utf-8' };
		const contentOf = async (item: INodeExecutionData | undefined) =>
			(await bytesOf(item?.binary?.data)).toString('utf8');

		it('comes as it is, with the name that the service gives', async () => {
			const headers = { ...csvType, 'Content-Disposition': 'attachment; filename="march.csv"' };
			answers({ body: csv, headers });
			const result = await run(asCsv);
			expect(result.items[0]?.json).toEqual({
				jobId: '9',
				fileName: 'march.csv',
				mimeType: 'text/csv',
				size: Buffer.byteLength(csv),
			});
			expect(await contentOf(result.items[0])).toBe(csv);
			expect(sent()).toMatchObject({ format: 'csv', flattenTables: true });
		});

		it.each<[string, () => Reply]>([
			['as another type', () => ({ body: csv, headers: { 'Content-Type': 'text/plain' } })],
			['as a text in JSON', () => ({ body: { csv } })],
			['deeper in JSON', () => ({ body: { data: { content: csv } } })],
			[
				'as JSON that is a text',
				() => ({ body: JSON.stringify(csv), headers: { 'Content-Type': 'application/json' } }),
			],
			['at an address', () => ({ body: { url: `${service.siteUrl}/storage/x?signature=abc` } })],
			[
				'at an address below',
				() => ({ body: { data: { downloadUrl: '/storage/x?signature=abc' } } }),
			],
		])('comes %s', async (_name, reply) => {
			answers(reply());
			service.on('GET', /^\/storage\/x/, { body: csv, headers: csvType });
			const result = await run(asCsv);
			expect(result.error).toBeUndefined();
			expect(await contentOf(result.items[0])).toBe(csv);
			expect(result.items[0]?.json).toMatchObject({ fileName: 'job-9.csv', mimeType: 'text/csv' });
			for (const { headers } of service.requests('GET', /storage/)) {
				expect(headers.authorization).toBeUndefined();
			}
		});

		it.each<[string, Reply]>([
			['a web page', { body: '<html>Sign in</html>' }],
			['JSON without a file', { body: { transactions: [{ amount: 1 }] } }],
			['nothing', { body: {} }],
		])('%s is an error', async (_name, reply) => {
			answers(reply);
			const result = await run(asCsv);
			expect(result.error?.message).toContain('did not export the job 9');
			expect(result.items).toEqual([]);
		});

		it('is asked for again where the service is away for a moment', async () => {
			let tries = 0;
			service.on('POST', /export$/, () => {
				tries++;
				if (tries === 1) return { reset: true };
				return tries === 2 ? { status: 503, body: {} } : { body: csv, headers: csvType };
			});
			const result = await run(asCsv);
			expect(await contentOf(result.items[0])).toBe(csv);
		});

		it('a refusal says why', async () => {
			answers({ status: 400, body: { error: { message: 'no', field: 'selectedFieldNames[0]' } } });
			const result = await run({ ...asCsv, options: { fields: 'x' } });
			expect(result.error?.message).toBe('The service did not export the job 9: no [item 0]');
			expect(result.error?.description).toBe("Check 'Fields'.");
		});
	});
});

it('downloads and exports need a JWT', async () => {
	for (const parameters of [
		{ resource: 'document', operation: 'download', documentId: byId('7') },
		{ resource: 'job', operation: 'export', jobId: byId('9') },
	]) {
		const result = await run({ ...parameters, authentication: 'accessToken' });
		expect(result.error?.message).toBe('This operation needs a JWT');
	}
	expect(service.seen).toEqual([]);
});
