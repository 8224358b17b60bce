import type { INodeExecutionData } from 'n8n-workflow';

import { inlineFile, runNode, storedFile, type NodeRun } from './engine';
import { shortenPauses } from './fastClock';
import { documentPayload, row, usualService, type ScriptedService } from './scriptedService';

const PDF = Buffer.from('%PDF-1.7 a small file');
const extract = { resource: 'document', operation: 'extract' };

let service: ScriptedService;
let pauses: number[];

beforeEach(async () => {
	service = await usualService().start();
	pauses = shortenPauses(100);
});

afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

async function filesOnDisk(...names: string[]): Promise<INodeExecutionData[]> {
	return await Promise.all(
		names.map(async (name) => ({
			json: { name },
			binary: { data: await storedFile(PDF, name, 'application/pdf') },
		})),
	);
}

async function run(options: Partial<NodeRun> & Pick<NodeRun, 'items'>) {
	const credentials = options.credentials ?? {
		documentExtractionApi: { baseUrl: service.baseUrl, accessToken: 'dex_pat_right' },
	};
	return await runNode({ parameters: extract, ...options, credentials });
}

const uploads = () => service.requests('POST', /upload-url$/);
const creations = () => service.requests('POST', /agent\/jobs$/);

describe('rows and links', () => {
	it('gives the rows of three items, each linked to its own item', async () => {
		const result = await run({ items: await filesOnDisk('a.pdf', 'b.pdf', 'c.pdf') });
		expect(result.error).toBeUndefined();
		const seen = result.items.map(({ json, pairedItem }) => [json.fitId, pairedItem]);
		expect(seen).toEqual([
			['1-1', { item: 0 }],
			['1-2', { item: 0 }],
			['2-1', { item: 1 }],
			['2-2', { item: 1 }],
			['3-1', { item: 2 }],
			['3-2', { item: 2 }],
		]);
		expect(creations().map(({ body }) => JSON.parse(body.toString()))).toEqual(
			[1, 2, 3].map((id) => ({ documents: [id], jobType: 'ExtractData' })),
		);
	});

	it('puts all files into one job, and links each row to the item of its file', async () => {
		const result = await run({
			parameters: { ...extract, jobMode: 'jobForAll' },
			items: await filesOnDisk('a.pdf', 'b.pdf', 'c.pdf'),
		});
		expect(creations()).toHaveLength(1);
		expect(JSON.parse(creations()[0]!.body.toString()).documents).toEqual([1, 2, 3]);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 1, 1, 2, 2].map((item) => ({ item })),
		);
	});

	it('takes several files of one item', async () => {
		const binary = {
			data: await storedFile(PDF, 'a.pdf', 'application/pdf'),
			second: inlineFile(PDF, 'b.png', 'image/png'),
		};
		const result = await run({
			parameters: { ...extract, inputDataFieldName: 'data, second' },
			items: [{ json: {}, binary }],
		});
		expect(result.error).toBeUndefined();
		expect(result.items.map(({ json }) => json.documentId)).toEqual(['1', '1', '2', '2']);
		const asked = uploads().map(({ body }) => JSON.parse(body.toString()));
		expect(asked).toEqual([
			{ filename: 'a.pdf', mimetype: 'application/pdf' },
			{ filename: 'b.png', mimetype: 'image/png' },
		]);
	});

	it('with one item per document, the file goes on with its document', async () => {
		const items = await filesOnDisk('a.pdf', 'b.pdf');
		const result = await run({ parameters: { ...extract, output: 'documents' }, items });
		expect(result.items.map(({ binary }) => binary?.data?.fileName)).toEqual(['a.pdf', 'b.pdf']);
	});

	it('passes the answer on as it is with raw output, without a top-level error', async () => {
		service.on('GET', /\/data$/, { body: { 1: { error: 'kept' }, error: 'renamed' } });
		const result = await run({
			parameters: { ...extract, output: 'raw' },
			items: await filesOnDisk('a.pdf'),
			retryOnFail: true,
		});
		expect(result.items[0]?.json).toEqual({ 1: { error: 'kept' }, serviceError: 'renamed' });
		expect(creations()).toHaveLength(1);
	});

	it('keeps digits that a number cannot hold', async () => {
		const body = JSON.stringify({ 1: documentPayload([row('x', -1.25)]) });
		const exact = body.replace('-1.25', '-12345678901234567.89');
		service.on('GET', /\/data$/, { body: exact, headers: { 'Content-Type': 'application/json' } });
		const result = await run({ items: await filesOnDisk('a.pdf') });
		expect(result.items[0]?.json.amount).toBe('-12345678901234567.89');
	});

	it('says so when there is no row', async () => {
		service.on('GET', /\/data$/, { body: { 1: documentPayload([]) } });
		const result = await run({ items: await filesOnDisk('a.pdf') });
		expect(result.items).toEqual([]);
		expect(result.hints.join()).toContain('No rows were found');
	});

	it('does not change its input', async () => {
		const items = await filesOnDisk('a.pdf');
		const before = JSON.stringify(items);
		await run({ items });
		expect(JSON.stringify(items)).toBe(before);
	});
});

describe('upload', () => {
	it.each([
		['on disk', async (bytes: Buffer) => await storedFile(bytes, 'a.pdf', 'application/pdf')],
		['inside the item', async (bytes: Buffer) => inlineFile(bytes, 'a.pdf', 'application/pdf')],
	])('sends a file that is kept %s with its length and type and no token', async (_name, make) => {
		const bytes = Buffer.alloc(3_000_000, 7);
		const result = await run({ items: [{ json: {}, binary: { data: await make(bytes) } }] });
		expect(result.error).toBeUndefined();
		const [put] = service.requests('PUT', /storage/);
		expect(put?.body.equals(bytes)).toBe(true);
		expect(put?.headers['content-length']).toBe('3000000');
		expect(put?.headers['content-type']).toBe('application/pdf');
		expect(put?.headers['transfer-encoding']).toBeUndefined();
		expect(put?.headers.authorization).toBeUndefined();
	});

	it('tries a broken transfer again with the whole file, to the same document', async () => {
		let tries = 0;
		service.on('PUT', /storage/, () => (++tries < 3 ? { reset: true } : { status: 200 }));
		const result = await run({ items: await filesOnDisk('a.pdf') });
		expect(result.error).toBeUndefined();
		const puts = service.requests('PUT', /storage/);
		expect(puts).toHaveLength(3);
		expect(puts.every(({ body }) => body.equals(PDF))).toBe(true);
		expect(uploads()).toHaveLength(1);
	});

	it('asks again for the address of the upload when the connection breaks', async () => {
		const body = { url: '/storage/7', document: { id: 7 } };
		let tries = 0;
		service.on('POST', /upload-url$/, () => (++tries < 3 ? { reset: true } : { body }));
		await run({ items: await filesOnDisk('a.pdf') });
		expect(tries).toBe(3);
		expect(service.requests('PUT', /storage\/7/)).toHaveLength(1);
		expect(new Set(uploads().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
	});

	it('takes uploadUrl and documentId, and an address without a host', async () => {
		const body = { uploadUrl: '/storage/7?signature=abc', documentId: 'doc-7' };
		service.on('POST', /upload-url$/, { body });
		await run({ items: await filesOnDisk('a.pdf') });
		expect(service.requests('PUT', /^\/storage\/7/)).toHaveLength(1);
		expect(JSON.parse(creations()[0]!.body.toString()).documents).toEqual(['doc-7']);
	});

	it('takes the type from the extension where the file says octet-stream', async () => {
		const binary = { data: inlineFile(PDF, 'scan.TIFF', 'application/octet-stream') };
		await run({ items: [{ json: {}, binary }] });
		expect(JSON.parse(uploads()[0]!.body.toString())).toEqual({
			filename: 'scan.TIFF',
			mimetype: 'image/tiff',
		});
	});

	it('uses the file name and type that are set', async () => {
		const binary = { data: inlineFile(PDF, 'x.bin', 'text/plain') };
		const options = { fileName: 'march.pdf', mimeType: 'application/pdf' };
		await run({ parameters: { ...extract, options }, items: [{ json: {}, binary }] });
		expect(JSON.parse(uploads()[0]!.body.toString())).toEqual({
			filename: 'march.pdf',
			mimetype: 'application/pdf',
		});
	});

	it.each<[string, INodeExecutionData['binary'], string, string]>([
		[
			'of a type the service cannot read',
			{ data: inlineFile(PDF, 'a.xlsx', 'application/vnd.ms-excel') },
			"cannot read the file 'a.xlsx'",
			'PDF, PNG, JPEG and TIFF',
		],
		[
			'that is empty',
			{ data: inlineFile(Buffer.alloc(0), 'a.pdf', 'application/pdf') },
			'is empty',
			'Nothing was uploaded',
		],
		[
			'that is in another field',
			{ other: inlineFile(PDF, 'a.pdf', 'application/pdf') },
			"no file in the field 'data'",
			"'other'",
		],
		['that is not there', undefined, "no file in the field 'data'", 'no files'],
	])('refuses a file %s before anything is sent', async (_name, binary, message, remedy) => {
		const good = await filesOnDisk('good.pdf');
		const result = await run({
			items: [...good, { json: {}, ...(binary === undefined ? {} : { binary }) }],
		});
		expect(result.error?.message).toContain(message);
		expect(result.error?.message).toContain('[item 1]');
		expect(result.error?.description).toContain(remedy);
		expect(service.seen).toEqual([]);
	});
});

describe('failures', () => {
	const broken = {
		body: { id: 102, status: 'Failed', failureReason: { message: 'page 2 is missing' } },
	};

	it('routes the item that failed to the error output, and the others on', async () => {
		service.on('GET', /\/agent\/jobs\/102$/, broken);
		const items = await filesOnDisk('a.pdf', 'b.pdf', 'c.pdf');
		const result = await run({ items, onError: 'continueErrorOutput' });
		expect(result.items.map(({ json }) => json.documentId)).toEqual(['1', '1', '3', '3']);
		expect(result.errors).toHaveLength(1);
		expect(result.errors[0]?.pairedItem).toEqual({ item: 1 });
		expect(result.errors[0]?.json).toMatchObject({
			name: 'b.pdf',
			error: expect.stringContaining('page 2 is missing'),
			message: expect.stringContaining('[item 1]'),
			details: { jobId: '102', status: 'Failed', reason: 'page 2 is missing' },
		});
	});

	it('leaves the item with its error in place with "Continue"', async () => {
		service.on('GET', /\/agent\/jobs\/102$/, broken);
		const items = await filesOnDisk('a.pdf', 'b.pdf');
		const result = await run({ items, onError: 'continueRegularOutput' });
		expect(result.items.map(({ json }) => Object.keys(json).includes('error'))).toEqual([
			false,
			false,
			true,
		]);
		expect(result.items[2]?.pairedItem).toEqual({ item: 1 });
	});

	it('stops with the reason otherwise', async () => {
		service.on('GET', /\/agent\/jobs\/102$/, broken);
		const result = await run({ items: await filesOnDisk('a.pdf', 'b.pdf') });
		expect(result.status).toBe('error');
		expect(result.error?.message).toBe(
			'The service could not extract job 102: page 2 is missing [item 1]',
		);
	});

	it.each(['OutOfCredits', 'outofcredits', 'OUT_OF_CREDITS'])(
		'treats %s as the end',
		async (status) => {
			service.on('GET', /\/agent\/jobs\/101$/, { body: { id: 101, status } });
			const result = await run({ items: await filesOnDisk('a.pdf') });
			expect(result.error?.message).toContain('no credits left');
			expect(result.error?.description).toContain('Add pages');
		},
	);

	it('says which of several documents failed, and still gives the others when told to go on', async () => {
		service
			.on('GET', /\/agent\/jobs\/101$/, {
				body: {
					id: 101,
					status: 'Failed',
					documents: [
						{ id: 1, status: 'extracted', failureReason: null },
						{ id: 2, status: 'failed', failureReason: { code: 'x', message: 'is encrypted' } },
						{ id: 3, status: 'extracted', failureReason: null },
					],
				},
			})
			.on('GET', /\/agent\/documents\/(\d+)\/data$/, (_request, [id]) => ({
				body: { [id!]: documentPayload([row(`${id}-1`, -1.25)]) },
			}));
		const parameters = { ...extract, jobMode: 'jobForAll' };
		const items = await filesOnDisk('a.pdf', 'b.pdf', 'c.pdf');
		const executionId = 'several documents';
		const stopped = await run({ parameters, items, executionId });
		expect(stopped.error?.message).toContain("'b.pdf' (document 2): is encrypted");

		const onError = 'continueErrorOutput';
		const went = await run({ parameters, items, executionId, onError });
		expect(went.items.map(({ json, pairedItem }) => [json.fitId, pairedItem])).toEqual([
			['1-1', { item: 0 }],
			['3-1', { item: 2 }],
		]);
		expect(went.errors.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual([
			['b.pdf', { item: 1 }],
		]);
	});

	it.each([
		[401, { error: { code: 'unauthorized', message: 'no' } }, "check 'Access Token'"],
		[403, { message: 'not yours' }, "set in 'Access Token'"],
		[404, '<html>nothing here</html>', "check 'Base URL'"],
		[
			400,
			{ error: { code: 'unsupported_type', message: 'not read', field: 'mimetype' } },
			"Check 'MIME Type'",
		],
		[429, { message: 'slow down' }, 'later'],
		[500, { error: 'broken' }, 'log of the service'],
		[302, '', "'Base URL'"],
	])('answers a status %i with what to do', async (status, body, remedy) => {
		service.on('POST', /upload-url$/, { status, body, headers: { Location: 'http://elsewhere/' } });
		const result = await run({ items: await filesOnDisk('a.pdf') });
		expect(result.error?.message).toContain('[item 0]');
		expect(result.error?.description).toContain(remedy);
		expect(JSON.stringify(result.error)).not.toContain('dex_pat_right');
		expect(creations()).toEqual([]);
	});

	it('answers a web page with a hint at the address', async () => {
		service.on('POST', /upload-url$/, { status: 200, body: '<!doctype html><p>Sign in</p>' });
		const result = await run({ items: await filesOnDisk('a.pdf') });
		expect(result.error?.description).toContain("'Base URL'");
	});

	it('answers a server that is gone in plain words', async () => {
		const { baseUrl } = service;
		await service.stop();
		const result = await run({
			items: await filesOnDisk('a.pdf'),
			credentials: { documentExtractionApi: { baseUrl, accessToken: 'dex_pat_right' } },
		});
		expect(result.error?.message).toBe(
			'The service could not be reached: nothing answers there [item 0]',
		);
		service = await usualService().start();
	});

	it('refuses an address of another version', async () => {
		const baseUrl = `${service.siteUrl}/api/v2`;
		const result = await run({
			items: await filesOnDisk('a.pdf'),
			credentials: { documentExtractionApi: { baseUrl, accessToken: 'dex_pat_right' } },
		});
		expect(result.error?.message).toContain('ends in v2');
		expect(service.seen).toEqual([]);
	});
});

describe('never a second job', () => {
	it.each([true, false])(
		'a retry of the node finds the document and the job that exist (service knows the key: %s)',
		async (remembersKeys) => {
			await service.stop();
			service = await usualService({ remembersKeys }).start();
			let looks = 0;
			service.on('GET', /\/agent\/jobs\/101$/, () => {
				looks++;
				return { body: { id: 101, status: looks > 1 ? 'Succeeded' : 'Failed' } };
			});
			const items = await filesOnDisk('a.pdf');
			const result = await run({ items, retryOnFail: true, maxTries: 3 });
			expect(result.error).toBeUndefined();
			expect(looks).toBe(2);
			expect(uploads()).toHaveLength(1);
			expect(service.requests('PUT', /storage/)).toHaveLength(1);
			expect(creations()).toHaveLength(1);
			expect(result.items.map(({ json }) => json.documentId)).toEqual(['1', '1']);
		},
	);

	it('a retry after an answer that got lost asks with the same keys', async () => {
		let tries = 0;
		service.on('POST', /agent\/jobs$/, () =>
			++tries === 1 ? { reset: true } : { status: 201, body: { jobId: 101 } },
		);
		service.on('GET', /\/agent\/jobs\/101$/, { body: { id: 101, status: 'Succeeded' } });
		service.on('GET', /\/data$/, { body: { 1: documentPayload([row('a', -1)]) } });
		const items = await filesOnDisk('a.pdf');
		const result = await run({ items, retryOnFail: true, maxTries: 3 });
		expect(result.error).toBeUndefined();
		const keys = creations().map(({ headers }) => headers['idempotency-key']);
		expect(keys).toHaveLength(2);
		expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
		expect(keys[1]).toBe(keys[0]);
		expect(uploads()[0]?.headers['idempotency-key']).not.toBe(keys[0]);
		expect(uploads()).toHaveLength(1);
	});

	it('goes on where the storage says that the document is in use already', async () => {
		service.on('PUT', /storage/, {
			status: 409,
			body: { error: { code: 'document_in_use', message: 'has a job' } },
		});
		const result = await run({ items: await filesOnDisk('a.pdf') });
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(2);
	});

	it('a successful run is not repeated', async () => {
		await run({ items: await filesOnDisk('a.pdf'), retryOnFail: true });
		expect(creations()).toHaveLength(1);
	});

	it('uses other keys for other items, executions and files', async () => {
		await run({ items: await filesOnDisk('a.pdf', 'a.pdf') });
		await run({ items: await filesOnDisk('a.pdf') });
		const keys = uploads().map(({ headers }) => headers['idempotency-key']);
		expect(new Set(keys).size).toBe(3);
	});

	it.each([
		['the connection breaks', { reset: true }, 'may or may not'],
		['the service answers 500', { status: 500, body: { message: 'oops' } }, 'Wait a moment'],
		['the service answers 503', { status: 503, headers: { 'Retry-After': '1' } }, 'Wait a moment'],
	])('asks once when %s', async (_name, reply, remedy) => {
		service.on('POST', /agent\/jobs$/, reply);
		const result = await run({ items: await filesOnDisk('a.pdf') });
		expect(creations()).toHaveLength(1);
		expect(result.error?.description).toContain(remedy);
	});

	it('asks again after 429, as late as the service wants', async () => {
		let tries = 0;
		const usual = usualService();
		service.on('POST', /agent\/jobs$/, () =>
			++tries === 1
				? { status: 429, headers: { 'Retry-After': '7' } }
				: { status: 201, body: { jobId: 101 } },
		);
		service.on('GET', /\/agent\/jobs\/101$/, { body: { id: 101, status: 'Succeeded' } });
		service.on('GET', /\/data$/, { body: { 1: documentPayload([row('a', -1)]) } });
		const result = await run({ items: await filesOnDisk('a.pdf') });
		expect(result.error).toBeUndefined();
		expect(creations()).toHaveLength(2);
		expect(pauses).toContain(7000);
		expect(usual.seen).toEqual([]);
	});

	it('creates no job when an upload fails', async () => {
		service.on('PUT', /storage\/2/, { status: 400, body: '<Error><Code>BadDigest</Code></Error>' });
		const result = await run({ items: await filesOnDisk('a.pdf', 'b.pdf') });
		expect(result.error?.message).toContain('[item 1]');
		expect(creations()).toEqual([]);
	});
});

describe('waiting', () => {
	it('survives failed looks of every kind, and creates nothing', async () => {
		const replies = [
			{ status: 500, body: 'oops' },
			{ reset: true },
			{ status: 429, headers: { 'Retry-After': '20' } },
			{ status: 503, headers: { 'Retry-After': new Date(Date.now() + 9_000).toUTCString() } },
			{ status: 502, body: '<html>Bad Gateway</html>' },
			{ body: { id: 101, status: 'SomethingNew' } },
			{ body: { id: 101, status: 'succeeded' } },
		];
		let look = 0;
		service.on('GET', /\/agent\/jobs\/101$/, () => replies[look++]!);
		const result = await run({ items: await filesOnDisk('a.pdf') });
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(2);
		expect(look).toBe(7);
		expect(pauses[0]).toBe(2000);
		expect(pauses).toContain(20_000);
		expect(creations()).toHaveLength(1);
	});

	it('stops at the limit with the id of the job and the operation that goes on', async () => {
		service.on('GET', /\/agent\/jobs\/101$/, { body: { id: 101, status: 'Queued' } });
		jest.restoreAllMocks();
		const options = { waitLimit: 0.05 };
		const result = await run({
			parameters: { ...extract, options },
			items: await filesOnDisk('a.pdf'),
			onError: 'continueErrorOutput',
		});
		expect(result.errors[0]?.json.error).toContain('Job 101 did not end within 0.05 minutes');
		expect(result.errors[0]?.json.details).toMatchObject({
			jobId: '101',
			status: 'Queued',
			pickUpWith: 'Job: Wait',
			description: expect.stringContaining('Job: Wait with the job ID 101'),
		});
		expect(service.requests('GET', /jobs\/101$/).length).toBeGreaterThan(1);
	});

	it('waits for all jobs at the same time', async () => {
		let atOnce = 0;
		let most = 0;
		service.on('GET', /\/agent\/jobs\/(\d+)$/, async (_request, [id]) => {
			most = Math.max(most, ++atOnce);
			await new Promise((resolve) => setTimeout(resolve, 60));
			atOnce--;
			return { body: { id, status: 'Succeeded' } };
		});
		await run({ items: await filesOnDisk('a.pdf', 'b.pdf', 'c.pdf') });
		expect(most).toBe(3);
	});

	it('stops at once when the execution is canceled', async () => {
		jest.restoreAllMocks();
		service.on('GET', /\/agent\/jobs\/(\d+)$/, { body: { id: 101, status: 'InProgress' } });
		const start = Date.now();
		const result = await run({ items: await filesOnDisk('a.pdf'), cancelAfterMs: 700 });
		const took = Date.now() - start;
		expect(result.status).toBe('canceled');
		expect(took).toBeLessThan(1900);
		const looks = service.seen.length;
		await new Promise((resolve) => setTimeout(resolve, 2500));
		expect(service.seen.length).toBe(looks);
	});

	it('stops an upload when the execution is canceled', async () => {
		service.on('PUT', /storage/, { delayMs: 5000 });
		const start = Date.now();
		const result = await run({ items: await filesOnDisk('a.pdf'), cancelAfterMs: 500 });
		expect(result.status).toBe('canceled');
		expect(Date.now() - start).toBeLessThan(3000);
		expect(creations()).toEqual([]);
	});
});
