import type { INodeParameterResourceLocator } from 'n8n-workflow';

import { runNode, type NodeRun } from './engine';
import { shortenPauses } from './fastClock';
import { documentPayload, row, usualService, type ScriptedService } from './scriptedService';

let service: ScriptedService;

beforeEach(async () => {
	service = await usualService().start();
	shortenPauses(100);
});

afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

const byId = (value: string): INodeParameterResourceLocator => ({ __rl: true, mode: 'id', value });

async function run(parameters: NodeRun['parameters'], options: Partial<NodeRun> = {}) {
	return await runNode({
		parameters,
		items: [{ json: {} }],
		credentials: {
			documentExtractionApi: { baseUrl: service.baseUrl, accessToken: 'dex_pat_right' },
			documentExtractionJwtApi: { baseUrl: service.baseUrl, jwtToken: 'a.b.c' },
		},
		...options,
	});
}

describe('Job: Get', () => {
	it('gives the record of a job that failed, without a top-level error', async () => {
		const error = { code: 'x', message: 'bad page' };
		service.on('GET', /jobs\/7$/, { body: { id: 7, status: 'Failed', error } });
		const parameters = { resource: 'job', operation: 'get', jobId: byId('7') };
		const result = await run(parameters, { retryOnFail: true });
		expect(result.items).toEqual([
			{
				json: { id: 7, jobId: '7', status: 'Failed', serviceError: error },
				pairedItem: { item: 0 },
			},
		]);
		expect(service.seen).toHaveLength(1);
	});

	it('asks the legacy surface with the JWT', async () => {
		service.on('GET', /\/protected\/job\/7$/, { body: { id: 7, status: 'Succeeded' } });
		const parameters = {
			authentication: 'jwt',
			resource: 'job',
			operation: 'get',
			jobId: byId('7'),
		};
		const result = await run(parameters);
		expect(result.items[0]?.json).toMatchObject({ jobId: '7', status: 'Succeeded' });
		expect(service.seen[0]?.headers.authorization).toBe('Bearer a.b.c');
	});

	it('encodes the id', async () => {
		service.on('GET', /jobs\/a%25b$/, { body: { id: 'a%b', status: 'Queued' } });
		const result = await run({ resource: 'job', operation: 'get', jobId: byId('a%b') });
		expect(result.items[0]?.json.jobId).toBe('a%b');
	});

	it.each(['', '  ', '../webhooks', 'a b', 'x?y'])('refuses the id "%s"', async (id) => {
		const parameters = { resource: 'job', operation: 'get', jobId: '={{ $json.id }}' };
		const locator = { ...parameters, jobId: { __rl: true, mode: 'id', value: '={{ $json.id }}' } };
		const result = await run(locator, { items: [{ json: { id } }] });
		expect(result.error).toBeDefined();
		expect(service.seen).toEqual([]);
	});
});

describe('Job: Wait', () => {
	const wait = { resource: 'job', operation: 'wait', jobId: byId('={{ $json.id }}') };

	it('waits for three jobs at the same time, looks at once, and creates nothing', async () => {
		let atOnce = 0;
		let most = 0;
		const looks = new Map<string, number>();
		service.on('GET', /jobs\/(\d+)$/, async (_request, [id]) => {
			most = Math.max(most, ++atOnce);
			await new Promise((resolve) => setTimeout(resolve, 40));
			atOnce--;
			looks.set(id!, (looks.get(id!) ?? 0) + 1);
			return { body: { id, status: looks.get(id!)! > 1 ? 'Succeeded' : 'Queued' } };
		});
		const items = [{ json: { id: 5 } }, { json: { id: 6 } }, { json: { id: 7 } }];
		const result = await run(wait, { items });
		expect(result.error).toBeUndefined();
		expect(result.items.map(({ json, pairedItem }) => [json.jobId, pairedItem])).toEqual([
			['5', { item: 0 }],
			['6', { item: 1 }],
			['7', { item: 2 }],
		]);
		expect(most).toBe(3);
		expect(service.requests('POST', /.*/)).toEqual([]);
	});

	it('a job that failed is an error, with the reason', async () => {
		service.on('GET', /jobs\/5$/, { body: { id: 5, status: 'Failed', failureReason: 'no pages' } });
		const result = await run(wait, {
			items: [{ json: { id: 5 } }],
			onError: 'continueErrorOutput',
		});
		expect(result.errors[0]?.json).toMatchObject({
			error: 'The service could not extract job 5: no pages [item 0]',
			details: { jobId: '5', status: 'Failed', reason: 'no pages' },
		});
	});

	it('a job that does not exist is an error at once', async () => {
		const result = await run(wait, { items: [{ json: { id: 999 } }] });
		expect(result.error?.message).toBe('The job 999 was not found [item 0]');
		expect(service.seen).toHaveLength(1);
	});

	it('gives up on a service that stops answering, with the id of the job', async () => {
		service.on('GET', /jobs\/5$/, { status: 503, body: {} });
		const result = await run(wait, { items: [{ json: { id: 5 } }] });
		expect(result.error?.message).toContain('stopped answering about job 5');
		expect(result.error?.description).toContain('Job: Wait with the job ID 5');
	});

	it('works with the JWT too', async () => {
		service.on('GET', /\/protected\/job\/5$/, { body: { id: 5, status: 'Succeeded' } });
		const result = await run({ ...wait, authentication: 'jwt' }, { items: [{ json: { id: 5 } }] });
		expect(result.items[0]?.json.status).toBe('Succeeded');
	});
});

describe('Job: Create', () => {
	const create = { resource: 'job', operation: 'create' };

	it.each([
		['bankStatement', { jobType: 'ExtractData' }],
		['checks', { jobType: 'ExtractData', subType: 'checkImages' }],
		['invoice', { jobType: 'Invoice' }],
		['form', { jobType: 'Form' }],
	])('%s', async (documentKind, expected) => {
		const result = await run({ ...create, documentIds: '4, doc-5', documentKind });
		expect(JSON.parse(service.seen[0]!.body.toString())).toEqual({
			documents: [4, 'doc-5'],
			...expected,
		});
		expect(result.items[0]?.json).toMatchObject({ jobId: '101', documentIds: ['4', 'doc-5'] });
	});

	it('takes an array', async () => {
		const items = [{ json: { ids: [4, 5] } }];
		await run({ ...create, documentIds: '={{ $json.ids }}' }, { items });
		expect(JSON.parse(service.seen[0]!.body.toString()).documents).toEqual([4, 5]);
	});

	it('needs an id', async () => {
		const result = await run({ ...create, documentIds: ' , ' });
		expect(result.error?.message).toContain("No document is given in 'Document IDs'");
		expect(service.seen).toEqual([]);
	});

	it('an answer without a job id is an error', async () => {
		service.on('POST', /jobs$/, { status: 200, body: { ok: true } });
		const result = await run({ ...create, documentIds: '4' });
		expect(result.error?.message).toContain('did not create the job');
	});
});

describe('reading', () => {
	const flat = {
		jobId: 7,
		count: 1,
		transactions: [
			{ documentId: 4, account: '1', rowNumber: 1, isTransaction: true, ...row('a', -1) },
		],
	};

	it('Job: Get Transactions with Include Raw asks for every line', async () => {
		service.on('GET', /jobs\/7\/transactions\?includeRaw=true$/, { body: flat });
		const parameters = { resource: 'job', operation: 'getTransactions', jobId: byId('7') };
		const result = await run({ ...parameters, includeRaw: true });
		expect(result.items).toHaveLength(1);
	});

	it('Document: Get Transactions as CSV gives a file beside the files of the input', async () => {
		const csv = 'date,amount\r\n2026-03-04,-1.25\r\n';
		service.on('GET', /documents\/4\/transactions\?format=csv$/, { body: csv });
		const parameters = {
			resource: 'document',
			operation: 'getTransactions',
			documentId: byId('4'),
			format: 'csv',
			outputDataFieldName: 'rows',
		};
		const binary = { data: { data: 'eA==', mimeType: 'text/plain', fileName: 'x.txt' } };
		const result = await run(parameters, { items: [{ json: {}, binary }] });
		expect(result.items[0]?.binary?.data?.fileName).toBe('x.txt');
		expect(result.items[0]?.binary?.rows).toMatchObject({
			fileName: 'transactions-4.csv',
			mimeType: 'text/csv',
		});
		expect(result.items[0]?.pairedItem).toEqual({ item: 0 });
	});

	it('reads again after failures that pass', async () => {
		let tries = 0;
		service.on('GET', /jobs\/7\/data$/, () => {
			tries++;
			if (tries === 1) return { reset: true };
			return tries === 2 ? { status: 502 } : { body: { 4: documentPayload([row('a', -1)]) } };
		});
		const result = await run({ resource: 'job', operation: 'getData', jobId: byId('7') });
		expect(result.items).toHaveLength(1);
	});

	it('says what to do with a job that has not ended', async () => {
		const body = { error: { code: 'job_not_finished', message: 'The job has not ended' } };
		service.on('GET', /jobs\/7\/data$/, { status: 409, body });
		const result = await run({ resource: 'job', operation: 'getData', jobId: byId('7') });
		expect(result.error?.message).toContain('The job has not ended');
		expect(result.error?.description).toContain('Job: Wait');
	});
});

describe('items one after the other', () => {
	const parameters = { resource: 'job', operation: 'get', jobId: byId('={{ $json.id }}') };
	const items = [1, 2, 3].map((id) => ({ json: { id } }));
	const found = (id: string | undefined) => ({ body: { id, status: 'Succeeded' } });

	it('an item that fails does not stop the others when told to go on', async () => {
		service.on('GET', /jobs\/([13])$/, (_request, [id]) => found(id));
		const result = await run(parameters, { items, onError: 'continueErrorOutput' });
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(result.errors.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
			[2, { item: 1 }],
		]);
		expect(result.errors[0]?.json.details).toMatchObject({ jobId: '2', httpStatus: 404 });
	});

	it('and otherwise nothing is asked after it', async () => {
		service.on('GET', /jobs\/([13])$/, (_request, [id]) => found(id));
		const result = await run(parameters, { items });
		expect(result.error?.message).toBe('The job 2 was not found [item 1]');
		expect(service.requests('GET', /jobs\/3$/)).toEqual([]);
	});
});

it('has at most eight requests under way, however many jobs there are', async () => {
	let atOnce = 0;
	let most = 0;
	service.on('GET', /jobs\/(\d+)$/, async (_request, [id]) => {
		most = Math.max(most, ++atOnce);
		await new Promise((resolve) => setTimeout(resolve, 10));
		atOnce--;
		return { body: { id, status: 'Succeeded' } };
	});
	const items = Array.from({ length: 30 }, (_item, id) => ({ json: { id: id + 1 } }));
	const parameters = { resource: 'job', operation: 'wait', jobId: byId('={{ $json.id }}') };
	const result = await run(parameters, { items });
	expect(result.items.map(({ json }) => json.jobId)).toEqual(
		items.map(({ json }) => String(json.id)),
	);
	expect(most).toBe(8);
});

it('with a JWT the other operations are refused with a way out', async () => {
	const parameters = { authentication: 'jwt', resource: 'document', operation: 'extract' };
	const result = await run(parameters);
	expect(result.error).toBeDefined();
	expect(service.seen).toEqual([]);
});
