import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeParameters, INodeExecutionData } from 'n8n-workflow';

import { parametersOf } from '../../nodes/shared/tools/inputSchema';
import { mapperFields } from '../../nodes/shared/tools/mapperFields';
import { generateStatement, type GeneratedStatement } from '../documents';
import { runNode, storedFile, type NodeRun } from './engine';
import { LocalService } from './localService';
import { describedFields } from './outputSchema';

jest.setTimeout(180_000);

const TOOLS = [
	'convert_bank_statement',
	'convert_document',
	'download_transactions',
	'get_document',
	'get_document_transactions',
	'get_job_status',
	'get_transactions',
	'list_documents',
	'list_projects',
	'upload_url',
];

let folder: string;
let service: LocalService;
let statement: GeneratedStatement;
let input: INodeExecutionData[];

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'watched-'));
	await mkdir(join(folder, 'Smith'));
	statement = await generateStatement('usChecking', { seed: 41, transactions: 12 });
	await writeFile(join(folder, 'Smith', 'may.pdf'), statement.pdf);
	service = await LocalService.start({ INGEST_DIR: folder, INGEST_INTERVAL_MS: '200' });
	const file = await storedFile(statement.pdf, 'march.pdf', 'application/pdf');
	input = [{ json: {}, binary: { data: file } }];
});

afterAll(async () => {
	await service.stop();
	await rm(folder, { recursive: true, force: true });
});

async function run(parameters: INodeParameters, options: Partial<NodeRun> = {}) {
	return await runNode({
		parameters: { resource: 'tool', operation: 'run', ...parameters },
		items: [{ json: {} }],
		credentials: {
			documentExtractionApi: { baseUrl: service.baseUrl, accessToken: service.accessToken },
		},
		...options,
	});
}

async function schemaOf(name: string): Promise<unknown> {
	const result = await run({ operation: 'getMany', returnAll: true });
	return result.items.find(({ json }) => json.name === name)?.json.inputSchema;
}

type Mode = 'fields' | 'json';

/** Runs a tool the one way or the other, with the fields that the panel would have. */
async function runTool(
	mode: Mode,
	name: string,
	values: object,
	more: INodeParameters = {},
	options: Partial<NodeRun> = {},
) {
	const toolName = { __rl: true, mode: 'id', value: name };
	if (mode === 'json') {
		const toolJson = JSON.stringify(values);
		return await run({ toolName, parametersFrom: 'json', toolJson, ...more }, options);
	}
	const toolFields = {
		mappingMode: 'defineBelow',
		value: values,
		matchingColumns: [],
		schema: mapperFields(parametersOf(await schemaOf(name)) ?? []),
		attemptToConvertTypes: false,
		convertFieldsToString: false,
	} as unknown as INodeParameters;
	return await run({ toolName, parametersFrom: 'fields', toolFields, ...more }, options);
}

async function result(mode: Mode, name: string, values: object, more?: INodeParameters) {
	const { items, error } = await runTool(mode, name, values, more, { items: input });
	expect(error).toBeUndefined();
	return items.map(({ json }) => json);
}

const amounts = () =>
	statement.truth.accounts.flatMap(({ transactions }) =>
		transactions.map(({ amount }) => Number(amount)),
	);
const amountsOf = (rows: unknown) =>
	(rows as Array<{ amount: number }>).map(({ amount }) => amount);

/** The watched folder is looked at by and by. */
async function untilThereIsAProject(): Promise<void> {
	for (let number = 0; number < 200; number++) {
		const [json] = await result('json', 'list_projects', {});
		if ((json?.projects as unknown[]).length > 0) return;
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
	throw new Error('there is no project');
}

it('lists the ten tools, each with fields', async () => {
	const { items } = await run({ operation: 'getMany', returnAll: true });
	expect(items.map(({ json }) => json.name).sort()).toEqual(TOOLS);
	for (const { json } of items) {
		expect(Object.keys(json).sort()).toEqual(describedFields('tool', 'getMany'));
		expect(json.description).toMatch(/.{20}/);
		const parameters = parametersOf(json.inputSchema);
		expect(parameters).toBeDefined();
		expect(parameters!.filter(({ kind }) => kind === 'any')).toEqual([]);
		expect(mapperFields(parameters!)).toHaveLength(parameters!.length);
	}
});

it.each<Mode>(['fields', 'json'])('each of the ten tools runs with %s', async (mode) => {
	await untilThereIsAProject();
	const given = mode === 'fields' ? { fileBase64: 'data', format: null } : { fileBase64: 'data' };
	const [converted] = await result(mode, 'convert_bank_statement', given);
	expect(converted).toMatchObject({ status: 'Succeeded', format: 'json' });
	expect(amountsOf(converted?.transactions)).toEqual(amounts());
	const documentId = String(converted?.documentId);
	const jobId = String(converted?.jobId);

	for (const name of ['download_transactions', 'get_transactions']) {
		const rows = await result(mode, name, { jobId }, { toolOutput: 'rows' });
		expect(amountsOf(rows)).toEqual(amounts());
		expect(rows[0]).toMatchObject({
			documentId,
			dateIso: expect.stringMatching(/^\d{4}-/) as string,
		});
	}
	const [status] = await result(mode, 'get_job_status', { jobId });
	expect(status).toMatchObject({ status: 'Succeeded', transactionCount: amounts().length });
	const [document] = await result(mode, 'get_document', { documentId });
	expect(document).toMatchObject({ originalname: 'march.pdf', status: 'extracted' });
	const ofDocument = await result(mode, 'get_document_transactions', { documentId });
	expect(amountsOf(ofDocument[0]?.transactions)).toEqual(amounts());

	const names = { filename: 'april.pdf', mimetype: 'application/pdf' };
	const [address] = await result(mode, 'upload_url', names);
	const put = await fetch(String(address?.url), {
		method: 'PUT',
		headers: { 'content-type': 'application/pdf' },
		body: new Uint8Array(statement.pdf),
	});
	expect(put.status).toBe(200);
	const { id } = address?.document as { id: number };
	const documentIds = mode === 'fields' ? JSON.stringify([id]) : [id];
	const [job] = await result(mode, 'convert_document', { documentIds });
	expect(job).toMatchObject({
		jobId: expect.anything() as unknown,
		status: expect.any(String) as string,
	});

	const projects = await result(mode, 'list_projects', {}, { toolOutput: 'rows' });
	const smith = projects.find(({ name }) => name === 'Smith');
	const projectId = smith?.id as number;
	const asked = mode === 'fields' ? { projectId, limit: '={{ "5" }}' } : { projectId, limit: 5 };
	const documents = await result(mode, 'list_documents', asked, { toolOutput: 'rows' });
	expect(documents.map(({ originalname }) => originalname)).toEqual(['may.pdf']);
});

it('CSV becomes a file with every row', async () => {
	const { items } = await runTool(
		'fields',
		'convert_bank_statement',
		{ fileBase64: 'data', format: 'csv' },
		{ toolOutput: 'file' },
		{ items: input },
	);
	expect(items[0]?.json).toMatchObject({ format: 'csv', fileName: 'convert_bank_statement.csv' });
	expect(items[0]?.json).not.toHaveProperty('csv');
	expect(Object.keys(items[0]?.binary ?? {})).toEqual(['data']);
});

it('three items: a file that cannot be read fails in words, the others go on', async () => {
	const damaged = await storedFile(Buffer.from('%PDF-1.7\nnothing'), 'bad.pdf', 'application/pdf');
	const three = [input[0]!, { json: {}, binary: { data: damaged } }, input[0]!];
	const values = { fileBase64: 'data' };
	const options = { items: three, onError: 'continueErrorOutput' as const };
	const routed = await runTool('fields', 'convert_bank_statement', values, {}, options);
	expect(routed.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
	expect(routed.errors.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	expect(routed.errors[0]?.json).toMatchObject({
		message: expect.stringContaining('The service could not extract the document: ') as string,
		details: { code: 'job_failed', toolName: 'convert_bank_statement' },
	});
});

it('what the service refuses names the field, and what is not there is not found', async () => {
	const refused = await runTool('json', 'list_documents', { projectId: '1', limit: 500 });
	expect(refused.error?.message).toContain("did not run the tool 'list_documents'");
	expect(refused.error?.description).toBe("Check 'limit'.");
	const unknown = await runTool('json', 'no_such_tool', {});
	expect(unknown.error?.message).toBe("The tool 'no_such_tool' was not found [item 0]");
	const listed = await runTool('json', 'list_documents', { projectId: '999999' });
	expect(listed.error?.message).toBe('The project 999999 was not found [item 0]');
	const job = await runTool('json', 'get_job_status', { jobId: 999999 });
	expect(job.error?.message).toBe('The job 999999 was not found [item 0]');
});
