import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LoadOptionsContext } from 'n8n-core';
import { Workflow, type INode, type INodeExecutionData, type INodeParameters } from 'n8n-workflow';

import { DocumentExtractionApi } from '../../credentials/DocumentExtractionApi.credentials';
import { DocumentExtraction } from '../../nodes/DocumentExtraction/DocumentExtraction.node';
import { generateStatement, type GeneratedStatement } from '../documents/index.ts';
import { additionalDataWith, runNode, TestCredentials } from './engine';
import { LocalService } from './localService';
import { describedFields } from './outputSchema';
import { PollHost } from './pollHost';

jest.setTimeout(180_000);

let folder: string;
let service: LocalService;
let statements: GeneratedStatement[];

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'watched-'));
	await mkdir(join(folder, 'inbox', 'Smith'), { recursive: true });
	const settings = { INGEST_DIR: join(folder, 'inbox'), INGEST_INTERVAL_MS: '200' };
	service = await LocalService.start(settings);
	statements = await Promise.all(
		[1, 2, 3].map(async (seed) => await generateStatement('usChecking', { seed })),
	);
});

afterAll(async () => {
	await service.stop();
	await rm(folder, { recursive: true, force: true });
});

const credentials = () => ({
	documentExtractionApi: { baseUrl: service.baseUrl, accessToken: service.accessToken },
});
const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** As a program that syncs a folder does: written beside it, then moved in. */
async function drop(name: string, bytes: Buffer): Promise<void> {
	const beside = join(folder, name);
	await writeFile(beside, bytes);
	await rename(beside, join(folder, 'inbox', 'Smith', name));
}

async function run(operation: string, parameters: INodeParameters = {}) {
	const result = await runNode({
		parameters: { resource: 'project', operation, ...parameters },
		items: [{ json: {} }],
		credentials: credentials(),
	});
	expect(result.error).toBeUndefined();
	for (const { json } of result.items) {
		expect(Object.keys(json).sort()).toEqual(describedFields('project', operation));
	}
	return result.items.map(({ json }) => json);
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
	for (let number = 0; number < 300; number++) {
		const found = await look();
		if (found !== undefined) return found;
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
	throw new Error('it did not happen');
}

const projectId = async () =>
	await until(async () => {
		const projects = await run('getMany', { returnAll: true });
		return projects.find(({ name }) => name === 'Smith')?.projectId as string | undefined;
	});

const untilEnded = async (id: string, count: number) =>
	await until(async () => {
		const documents = await run('getDocuments', { projectId: byId(id), returnAll: true });
		const ended = documents.filter(({ status }) =>
			['extracted', 'failed'].includes(status as string),
		);
		return ended.length >= count ? documents : undefined;
	});

function amountsOf(items: INodeExecutionData[], fileName: string): number[] {
	return items
		.filter(({ json }) => json.fileName === fileName)
		.map(({ json }) => Number(json.amount));
}

function truthOf({ truth }: GeneratedStatement): number[] {
	return truth.accounts.flatMap(({ transactions }) =>
		transactions.map(({ amount }) => Number(amount)),
	);
}

it('files of the watched folder come out of the trigger with every row, each once', async () => {
	await drop('before.pdf', statements[0]!.pdf);
	const id = await projectId();
	await untilEnded(id, 1);
	const trigger = new PollHost(
		() => service.baseUrl,
		{ projectId: byId(id), output: 'transactions' },
		service.accessToken,
	);
	expect(await trigger.activate()).toBeNull();

	await drop('april.pdf', statements[1]!.pdf);
	await drop('may.pdf', statements[2]!.pdf);
	await drop('damaged.pdf', Buffer.from('%PDF-1.7\nnothing of use\n%%EOF\n'));
	const found: INodeExecutionData[] = [];
	await until(async () => {
		found.push(...((await trigger.tick()) ?? []));
		const names = new Set(found.map(({ json }) => json.fileName));
		return names.size === 3 ? true : undefined;
	});
	expect(amountsOf(found, 'april.pdf')).toEqual(truthOf(statements[1]!));
	expect(amountsOf(found, 'may.pdf')).toEqual(truthOf(statements[2]!));
	const failed = found.filter(({ json }) => json.fileName === 'damaged.pdf');
	expect(failed.map(({ json }) => json)).toEqual([
		expect.objectContaining({
			documentEvent: 'failed',
			projectId: id,
			failureReason: expect.objectContaining({ message: expect.any(String) as string }) as object,
		}),
	]);
	expect(await trigger.tick()).toBeNull();
	expect(await trigger.activate()).toBeNull();

	const all = new PollHost(
		() => service.baseUrl,
		{ projectId: byId(id), startWith: 'everything', triggerOn: ['extracted'] },
		service.accessToken,
	);
	const items = (await all.activate()) ?? [];
	expect(items.map(({ json }) => json.fileName).sort()).toEqual([
		'april.pdf',
		'before.pdf',
		'may.pdf',
	]);
	expect((await all.fetchTestEvent())?.[0]?.json.documentEvent).toBe('extracted');
	expect((await trigger.projects('smith')).results).toEqual([{ name: 'Smith', value: id }]);
});

it('the action node lists the same, and its documents in the panel', async () => {
	const id = await projectId();
	const documents = await untilEnded(id, 4);
	expect(documents).toHaveLength(4);
	for (const document of documents) {
		expect(document).toMatchObject({ projectId: id, source: 'folder' });
		expect(document.documentId).toBe(String(document.id));
	}
	expect(await run('getDocuments', { projectId: byId(id), limit: 2 })).toEqual(
		documents.slice(0, 2),
	);

	const type = new DocumentExtraction();
	const node = {
		id: 'node-1',
		name: 'Node',
		type: 'documentExtraction',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { documentExtractionApi: { id: '1', name: 'x' } },
	} as INode;
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
	const context = new LoadOptionsContext(workflow, node, additionalDataWith(helper, 'list'), '');
	const { searchDocuments } = type.methods.listSearch;
	const found = await searchDocuments.call(context, 'may smith');
	expect(found.results).toEqual([
		{
			name: 'may.pdf (Smith)',
			value: documents.find(({ originalname }) => originalname === 'may.pdf')?.documentId,
		},
	]);
	expect((await searchDocuments.call(context)).results).toHaveLength(4);
});
