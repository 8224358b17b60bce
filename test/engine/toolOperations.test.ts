import { LoadOptionsContext } from 'n8n-core';
import {
	Workflow,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type ResourceMapperField,
} from 'n8n-workflow';

import { DocumentExtractionApi } from '../../credentials/DocumentExtractionApi.credentials';
import { DocumentExtraction } from '../../nodes/DocumentExtraction/DocumentExtraction.node';
import {
	additionalDataWith,
	inlineFile,
	runNode,
	storedFile,
	TestCredentials,
	type NodeRun,
} from './engine';
import { shortenPauses } from './fastClock';
import { row, ScriptedService } from './scriptedService';

let service: ScriptedService;

beforeEach(async () => {
	service = await new ScriptedService().start();
	shortenPauses(100);
});

afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

const items = [{ json: { id: 1 } }, { json: { id: 2 } }, { json: { id: 3 } }];
const credentials = () => ({
	documentExtractionApi: { baseUrl: service.baseUrl, accessToken: 'dex_pat_right' },
});

async function run(parameters: INodeParameters, options: Partial<NodeRun> = {}) {
	return await runNode({
		parameters: { resource: 'tool', ...parameters },
		items: [{ json: {} }],
		credentials: credentials(),
		...options,
	});
}

const ID = { anyOf: [{ type: 'integer' }, { type: 'string' }] };
const EVERYTHING = {
	type: 'object',
	properties: {
		jobId: ID,
		limit: { type: 'integer' },
		ratio: { type: 'number' },
		deep: { type: 'object', properties: {} },
		ids: { type: 'array', items: ID },
		flag: { type: 'boolean' },
		day: { type: 'string', format: 'date' },
		format: { type: 'string', enum: ['json', 'csv'] },
		note: { type: 'string' },
		open: {},
	},
	required: ['jobId'],
};
const FILE = {
	type: 'object',
	properties: {
		filename: { type: 'string' },
		mimetype: { type: 'string' },
		fileBase64: { type: 'string' },
		format: { type: 'string', enum: ['json', 'csv'] },
	},
	required: ['filename', 'mimetype', 'fileBase64'],
};

function lists(...tools: Array<{ name: string; inputSchema?: unknown }>): void {
	service.on('GET', /\/agent\/mcp\/tools$/, { body: { tools } });
}

/** Takes every call of the tool and keeps what it got. */
function answers(name: string, body: unknown = { ok: true }): void {
	service.on('POST', new RegExp(`/agent/mcp/tools/${name}$`), { body });
}

const calls = () =>
	service
		.requests('POST', /tools/)
		.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);

const byName = (value: string) => ({ __rl: true, mode: 'id', value });
const withFields = (toolName: string, value: object, schema: unknown[] = []): INodeParameters => ({
	operation: 'run',
	toolName: byName(toolName),
	parametersFrom: 'fields',
	toolFields: {
		mappingMode: 'defineBelow',
		value,
		matchingColumns: [],
		schema,
		attemptToConvertTypes: false,
		convertFieldsToString: false,
	} as unknown as INodeParameters,
});
const withJson = (toolName: string, toolJson: string): INodeParameters => ({
	operation: 'run',
	toolName: byName(toolName),
	parametersFrom: 'json',
	toolJson,
});

function panelContext(parameters: INodeParameters): LoadOptionsContext {
	const type = new DocumentExtraction();
	const node: INode = {
		id: 'node-1',
		name: 'Node',
		type: 'documentExtraction',
		typeVersion: 1,
		position: [0, 0],
		parameters: { resource: 'tool', operation: 'run', ...parameters },
		credentials: { documentExtractionApi: { id: '1', name: 'x' } },
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => type,
			getByNameAndVersion: () => type,
			getKnownTypes: () => ({}),
		},
	});
	const helper = new TestCredentials(
		new Map([['documentExtractionApi', new DocumentExtractionApi()]]),
		credentials(),
	);
	return new LoadOptionsContext(workflow, node, additionalDataWith(helper, 'panel'), '');
}

const { listSearch, resourceMapping } = new DocumentExtraction().methods;

/** The fields as the panel shows them, for the value of the node. */
async function panelFields(toolName: string): Promise<ResourceMapperField[]> {
	const context = panelContext({ toolName: byName(toolName) });
	return (await resourceMapping.getToolFields.call(context)).fields;
}

describe('Get Many', () => {
	it('gives name, description and schema for each of three items, whatever the shape', async () => {
		service.on('GET', /tools$/, {
			body: [{ name: 'a', description: 'A', input_schema: EVERYTHING }, { name: 'b' }],
		});
		const result = await run({ operation: 'getMany' }, { items });
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 1, 1, 2, 2].map((item) => ({ item })),
		);
		expect(result.items.slice(0, 2).map(({ json }) => json)).toEqual([
			{ name: 'a', description: 'A', inputSchema: EVERYTHING },
			{ name: 'b', description: '', inputSchema: null },
		]);
		expect((await run({ operation: 'getMany', limit: 1 })).items).toHaveLength(1);
	});

	it('goes on after a failure, and says where the answer holds no tools', async () => {
		service.on('GET', /tools$/, { body: { nothing: 'here' } });
		const result = await run({ operation: 'getMany' }, { items, onError: 'continueErrorOutput' });
		expect(result.errors.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => ({ item })),
		);
		expect(result.errors[0]?.json.message).toContain('did not list the tools');
	});
});

describe('the panel', () => {
	it('lists the tools with what they do, and searches in both', async () => {
		service.on('GET', /tools$/, {
			body: {
				tools: [
					{ name: 'list_projects', description: 'All projects' },
					{ name: 'get_document', description: 'One document' },
				],
			},
		});
		const context = panelContext({});
		const all = await listSearch.searchTools.call(context);
		expect(all.results.map(({ value }) => value)).toEqual(['list_projects', 'get_document']);
		const found = await listSearch.searchTools.call(context, 'ONE');
		expect(found.results).toEqual([
			{ name: 'get_document', value: 'get_document', description: 'One document' },
		]);
	});

	it('builds the fields from the schema of the chosen tool', async () => {
		lists({ name: 'everything', inputSchema: EVERYTHING });
		const fields = await panelFields('everything');
		expect(fields.map(({ id, type, required }) => [id, type, required])).toEqual([
			['jobId', 'string', true],
			['limit', 'number', false],
			['ratio', 'number', false],
			['deep', 'object', false],
			['ids', 'array', false],
			['flag', 'boolean', false],
			['day', 'dateTime', false],
			['format', 'options', false],
			['note', 'string', false],
			['open', 'string', false],
		]);
	});

	it.each([
		['', 'Choose a tool'],
		['={{ $json.tool }}', 'Choose a tool'],
		['unknown', 'lists no tool'],
		['open', 'does not say'],
		['none', 'takes no parameters'],
	])('says why there are no fields for "%s"', async (name, notice) => {
		lists({ name: 'open' }, { name: 'none', inputSchema: { type: 'object', properties: {} } });
		const context = panelContext({ toolName: byName(name) });
		const { fields, emptyFieldsNotice } = await resourceMapping.getToolFields.call(context);
		expect(fields).toEqual([]);
		expect(emptyFieldsNotice).toContain(notice);
	});
});

describe('Run with fields', () => {
	const values = {
		jobId: '={{ $json.id }}',
		limit: '={{ "20" }}',
		ratio: 1.5,
		deep: '{"a": [1]}',
		ids: '[7, "x"]',
		flag: true,
		day: '2026-03-31T00:00:00',
		format: 'csv',
		note: '={{ 12 }}',
		open: '{"b": 2}',
	};

	it('sends each value in the type of the schema, for three items, and looks it up once', async () => {
		lists({ name: 'everything', inputSchema: EVERYTHING });
		answers('everything', { ok: true, error: 'x' });
		const schema = await panelFields('everything');
		service.seen.length = 0;
		const result = await run(withFields('everything', values, schema), { items });
		expect(result.error).toBeUndefined();
		expect(calls()).toEqual(
			[1, 2, 3].map((jobId) => ({
				jobId,
				limit: 20,
				ratio: 1.5,
				deep: { a: [1] },
				ids: [7, 'x'],
				flag: true,
				day: '2026-03-31',
				format: 'csv',
				note: '12',
				open: { b: 2 },
			})),
		);
		expect(service.requests('GET', /tools$/)).toHaveLength(1);
		expect(result.items).toEqual(
			[0, 1, 2].map((item) => ({
				json: { ok: true, serviceError: 'x' },
				pairedItem: { item },
			})),
		);
	});

	it('leaves out what is empty, also where a number was cleared, and what another tool left', async () => {
		lists({ name: 'everything', inputSchema: EVERYTHING });
		answers('everything');
		const schema = await panelFields('everything');
		const value = { jobId: '7', limit: null, ratio: '', note: '', ofAnotherTool: 'x' };
		const result = await run(withFields('everything', value, schema));
		expect(result.error).toBeUndefined();
		expect(calls()).toEqual([{ jobId: '7' }]);
	});

	it.each([
		[{}, "needs a value for 'jobId'"],
		[{ jobId: null }, "needs a value for 'jobId'"],
		[{ jobId: '={{ "" }}' }, "needs a value for 'jobId'"],
		[{ jobId: 7, limit: '={{ "many" }}' }, '\'limit\' is "many", but has to be a whole number'],
		[{ jobId: 7, format: '={{ "xml" }}' }, '\'format\' is "xml", but has to be one of: json, csv'],
	])('stops at %p before the tool is run', async (value, message) => {
		lists({ name: 'everything', inputSchema: EVERYTHING });
		answers('everything');
		const result = await run(withFields('everything', value));
		expect(result.error?.message).toContain(message);
		expect(calls()).toEqual([]);
	});

	it.each([
		['lists no tools', { status: 404, body: { error: { code: 'not_found' } } }],
		['lists the tool without a schema', { body: { tools: [{ name: 'odd' }] } }],
		['lists another tool', { body: { tools: [{ name: 'other' }] } }],
		['answers with something else', { body: 'text' }],
	])('a service that %s gets the values as the fields say', async (_what, reply) => {
		service.on('GET', /tools$/, reply);
		answers('odd');
		const field = (id: string, type: string) => ({ id, type, required: false, displayName: id });
		const schema = [field('n', 'number'), field('o', 'object'), field('t', 'string')];
		const result = await run(withFields('odd', { n: 7, o: '{"a":1}', t: 'x' }, schema));
		expect(result.error).toBeUndefined();
		expect(calls()).toEqual([{ n: 7, o: { a: 1 }, t: 'x' }]);
	});

	it('a value stands in place of a default, and a default in place of nothing', async () => {
		const properties = { mode: { type: 'string', default: 'fast' }, b: { type: 'string' } };
		lists({ name: 't', inputSchema: { type: 'object', properties, required: ['mode'] } });
		answers('t');
		await run(withFields('t', { b: 'x' }));
		await run(withFields('t', { mode: 'slow' }));
		expect(calls()).toEqual([{ b: 'x', mode: 'fast' }, { mode: 'slow' }]);
	});
});

describe('Run with JSON', () => {
	it('sends it as it is, for three items', async () => {
		lists({ name: 'everything', inputSchema: EVERYTHING });
		answers('everything');
		const json = '={{ JSON.stringify({ jobId: $json.id, limit: "20", more: null }) }}';
		await run(withJson('everything', json), { items });
		expect(calls()).toEqual([1, 2, 3].map((jobId) => ({ jobId, limit: '20', more: null })));
	});

	it('takes an object out of an expression, and nothing as no parameters', async () => {
		lists({ name: 't' });
		answers('t');
		await run(withJson('t', '={{ { a: 1 } }}'));
		await run(withJson('t', ''));
		expect(calls()).toEqual([{ a: 1 }, {}]);
	});

	it.each([
		['{', 'is not JSON'],
		['[1]', 'is no object'],
		['{"limit": 1}', "needs a value for 'jobId'"],
	])('refuses %s', async (json, message) => {
		lists({ name: 'everything', inputSchema: EVERYTHING });
		const result = await run(withJson('everything', json));
		expect(result.error?.message).toContain(message);
		expect(calls()).toEqual([]);
	});
});

describe('a file', () => {
	const pdf = Buffer.from('%PDF-1.7 a statement');
	const convert = (value: object) => withFields('convert_bank_statement', value);

	beforeEach(() => {
		lists({ name: 'convert_bank_statement', inputSchema: FILE });
		answers('convert_bank_statement');
	});

	it.each([
		['on disk', async () => await storedFile(pdf, 'march.pdf', 'application/octet-stream')],
		['inside the item', async () => inlineFile(pdf, 'march.pdf', 'application/pdf')],
	])('%s becomes base64, with its name and type', async (_where, file) => {
		const input = [{ json: {}, binary: { data: await file() } }];
		const result = await run(convert({ fileBase64: 'data', format: 'csv' }), { items: input });
		expect(result.error).toBeUndefined();
		const json = withJson('convert_bank_statement', '{"fileBase64": "data", "filename": ""}');
		await run(json, { items: input });
		const file64 = {
			fileBase64: pdf.toString('base64'),
			filename: 'march.pdf',
			mimetype: 'application/pdf',
		};
		expect(calls()).toEqual([{ ...file64, format: 'csv' }, file64]);
	});

	it('has the name and the type that were entered', async () => {
		const input = [{ json: {}, binary: { data: inlineFile(pdf, 'a.pdf', 'application/pdf') } }];
		const value = { fileBase64: 'data', filename: 'b.png', mimetype: 'image/png' };
		await run(convert(value), { items: input });
		expect(calls()[0]).toMatchObject({ filename: 'b.png', mimetype: 'image/png' });
	});

	it('that comes as base64 goes as it is', async () => {
		const base64 = Buffer.alloc(300, 7).toString('base64');
		const names = { filename: 'a.pdf', mimetype: 'application/pdf' };
		await run(convert({ ...names, fileBase64: base64 }));
		await run(convert({ filename: 'a.pdf', fileBase64: `data:application/pdf;base64,${base64}` }));
		expect(calls()).toEqual([
			{ ...names, fileBase64: base64 },
			{ ...names, fileBase64: base64 },
		]);
	});

	it('is only read where the schema wants one', async () => {
		lists({ name: 't', inputSchema: { type: 'object', properties: { note: { type: 'string' } } } });
		answers('t');
		const input = [{ json: {}, binary: { data: inlineFile(pdf, 'a.pdf', 'application/pdf') } }];
		await run(withFields('t', { note: 'data' }), { items: input });
		expect(calls()).toEqual([{ note: 'data' }]);
	});

	it('that is not there is named, with those that are', async () => {
		const input: INodeExecutionData[] = [
			{ json: {}, binary: { scan: inlineFile(pdf, 'a.pdf', 'application/pdf') } },
			{ json: {} },
		];
		const result = await run(convert({ fileBase64: 'data' }), {
			items: input,
			onError: 'continueErrorOutput',
		});
		expect(result.errors.map(({ json }) => json.message)).toEqual([
			"The parameter 'fileBase64' wants a file, and there is none in the field 'data' [item 0]",
			"The parameter 'fileBase64' wants a file, and there is none in the field 'data' [item 1]",
		]);
		const details = result.errors.map(({ json }) => json.details as { description: string });
		expect(details[0]?.description).toContain("'scan'");
		expect(details[1]?.description).toContain('no files');
		expect(calls()).toEqual([]);
	});

	it('of more than 10 MB is refused before it is sent, with the other way', async () => {
		const big = await storedFile(Buffer.alloc(11 * 1024 * 1024), 'big.pdf', 'application/pdf');
		const input = [{ json: {}, binary: { data: big } }];
		const result = await run(convert({ fileBase64: 'data' }), { items: input });
		expect(result.error?.message).toContain('(11.0 MB)');
		expect(result.error?.description).toContain('Document: Upload');
		expect(calls()).toEqual([]);
	});

	it('that the service finds too large, or empty', async () => {
		service.on('POST', /convert_bank/, { status: 413, body: { error: { code: 'too_large' } } });
		const full = [{ json: {}, binary: { data: inlineFile(pdf, 'a.pdf', 'application/pdf') } }];
		const refused = await run(convert({ fileBase64: 'data' }), { items: full });
		expect(refused.error?.description).toContain('Document: Upload');
		const none = inlineFile(Buffer.alloc(0), 'a.pdf', 'application/pdf');
		const empty = await run(convert({ fileBase64: 'data' }), {
			items: [{ json: {}, binary: { data: none } }],
		});
		expect(empty.error?.message).toContain('is empty');
	});
});

describe('the result', () => {
	const transactions = [
		{ documentId: 7, account: 'a', ...row('f1', -3.5) },
		{ documentId: 7, account: 'a', ...row('f2', 12) },
	];

	async function output(toolOutput: string, body: unknown, name = 'get_transactions') {
		lists({ name });
		answers(name, body);
		const input = [{ json: {}, binary: { file: inlineFile(Buffer.from('x'), 'x', 'a/b') } }];
		return await run({ ...withFields(name, {}), toolOutput }, { items: input });
	}

	it('is one item as it came', async () => {
		const body = { jobId: 1, transactions };
		expect((await output('result', body)).items).toEqual([{ json: body, pairedItem: { item: 0 } }]);
		expect((await output('result', [1, 2])).items[0]?.json).toEqual({ data: [1, 2] });
	});

	it('gives the rows of Get Transactions, and says where some are missing', async () => {
		const rows = await output('rows', { jobId: 1, total: 5, truncated: true, transactions });
		expect(rows.items.map(({ json, pairedItem }) => [json, pairedItem])).toEqual(
			transactions.map((one) => [
				expect.objectContaining({
					...one,
					documentId: '7',
					dateIso: '2026-03-04',
					periodStart: null,
				}),
				{ item: 0 },
			]),
		);
		expect(rows.hints).toEqual([expect.stringContaining('3 rows are missing')]);
	});

	it.each([
		['a bare list', transactions],
		['rows', { rows: transactions }],
		['data', { data: { transactions } }],
		[
			'the text of a content',
			{ content: [{ type: 'text', text: JSON.stringify({ transactions }) }] },
		],
		['structured content', { content: [], structuredContent: { transactions } }],
	])('gives the rows of %s', async (_shape, body) => {
		const result = await output('rows', body);
		expect(result.items.map(({ json }) => [json.fitId, json.dateIso])).toEqual([
			['f1', '2026-03-04'],
			['f2', '2026-03-04'],
		]);
	});

	it('gives the entries of another list, and one item where there is none', async () => {
		const projects = [{ id: 3, error: 'x' }, { id: 4 }];
		const listed = await output('rows', { projects }, 'list_projects');
		expect(listed.items.map(({ json }) => json)).toEqual([{ id: 3, serviceError: 'x' }, { id: 4 }]);
		const waiting = { documentId: 1, jobId: 2, status: 'InProgress', truncated: false };
		expect((await output('rows', waiting, 'convert_bank_statement')).items).toEqual([
			{ json: waiting, pairedItem: { item: 0 } },
		]);
		const empty = await output('rows', { jobId: 1, transactions: [] });
		expect(empty.items).toEqual([]);
		expect(empty.hints).toEqual([expect.stringContaining('no rows')]);
	});

	it('puts CSV into a file and keeps the files of the item', async () => {
		const { items: found } = await output('file', { jobId: 1, csv: 'date,amount\r\n' });
		expect(found[0]?.json).toEqual({
			jobId: 1,
			fileName: 'get_transactions.csv',
			mimeType: 'text/csv',
		});
		expect(found[0]?.binary).toMatchObject({
			file: { fileName: 'x' },
			data: { fileName: 'get_transactions.csv', mimeType: 'text/csv' },
		});
		const without = await output('file', { jobId: 1 });
		expect(without.items[0]?.json).toEqual({ jobId: 1 });
		expect(without.hints).toEqual([expect.stringContaining('no CSV')]);
	});
});

describe('failures', () => {
	const failing = async (status: number, body: unknown, value: object = { jobId: 17 }) => {
		lists({ name: 'everything', inputSchema: EVERYTHING });
		service.on('POST', /everything$/, { status, body });
		return await run(withFields('everything', value), { onError: 'continueErrorOutput' });
	};

	it.each([
		[
			400,
			{ code: 'invalid_request', message: 'limit has to be at least 1', field: 'limit' },
			"The service did not run the tool 'everything': limit has to be at least 1 [item 0]",
			"Check 'limit'.",
		],
		[
			400,
			{ code: 'invalid_request', message: 'no', field: 'mimetype' },
			"The service did not run the tool 'everything': no [item 0]",
			"Check 'mimetype'.",
		],
		[
			404,
			{ code: 'not_found', message: 'no', field: 'toolName' },
			"The tool 'everything' was not found [item 0]",
			"Check 'Tool Name'.",
		],
		[
			404,
			{ code: 'not_found', message: 'no', field: 'jobId' },
			'The job 17 was not found [item 0]',
			"Check 'jobId'.",
		],
		[404, { code: 'not_found' }, 'The job 17 was not found [item 0]', 'only reaches what belongs'],
		[
			409,
			{ code: 'job_failed', message: 'page 1 is empty' },
			'The service could not extract the document: page 1 is empty [item 0]',
			'Open the file',
		],
		[409, { code: 'job_not_finished', message: 'wait' }, 'now: wait', 'Job: Wait'],
		[401, { code: 'unauthorized' }, 'The service did not accept the credential', 'Access Token'],
	])('%d %p', async (status, error, message, description) => {
		const result = await failing(status, { error });
		const json = result.errors[0]?.json as { message: string; details: { description: string } };
		expect(json.message).toContain(message);
		expect(json.details.description).toContain(description);
		expect(json.details).toMatchObject({ toolName: 'everything' });
		expect(result.errors[0]?.pairedItem).toEqual({ item: 0 });
	});

	it('of a tool that says so in a success', async () => {
		const content = [{ type: 'text', text: 'no such job' }];
		const result = await failing(200, { isError: true, content });
		expect(result.errors[0]?.json.message).toBe(
			"The tool 'everything' failed: no such job [item 0]",
		);
	});

	it('three items: the others go on, or the run stops at the first', async () => {
		lists({ name: 'everything', inputSchema: EVERYTHING });
		service.on('POST', /everything$/, ({ body }) =>
			body.toString().includes('2')
				? { status: 400, body: { error: { message: 'not this one' } } }
				: { body: { ok: true } },
		);
		const parameters = withFields('everything', { jobId: '={{ $json.id }}' });
		const routed = await run(parameters, { items, onError: 'continueErrorOutput' });
		expect(routed.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(routed.errors.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		const regular = await run(parameters, { items, onError: 'continueRegularOutput' });
		expect(regular.items).toHaveLength(3);
		const stopped = await run(parameters, { items });
		expect(stopped.error?.message).toContain('not this one [item 1]');
	});

	it.each(['', '..', 'a/b', 'a b'])('no tool is called "%s"', async (name) => {
		const result = await run(withFields('={{ $json.tool }}', {}), {
			items: [{ json: { tool: name } }],
		});
		expect(result.error?.message).toContain("'Tool Name'");
		expect(service.seen).toEqual([]);
	});

	it('a tool that only reads is asked again, another one once, with a key', async () => {
		lists({ name: 'get_document' }, { name: 'convert_document' });
		let count = 0;
		service.on('POST', /tools/, () => (count++ === 0 ? { status: 503 } : { body: {} }));
		const read = await run(withFields('get_document', {}));
		expect(read.error).toBeUndefined();
		count = 0;
		const changed = await run(withFields('convert_document', {}));
		expect(changed.error?.message).toContain('is unavailable');
		const keys = service.requests('POST', /tools/).map(({ headers }) => headers['idempotency-key']);
		expect(keys).toEqual([undefined, undefined, expect.stringMatching(/^[0-9a-f]{64}$/)]);
	});
});
