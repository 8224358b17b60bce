import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

import { generateStatement, type GeneratedStatement } from '../documents/index.ts';
import { testCredential } from './credentialTester';
import { runNode, storedFile, type NodeRun } from './engine';
import { LocalService } from './localService';

jest.setTimeout(120_000);

let service: LocalService;
let statements: GeneratedStatement[];

beforeAll(async () => {
	service = await LocalService.start();
	statements = await Promise.all([
		generateStatement('usChecking', { seed: 1 }),
		generateStatement('ukCurrent', { seed: 2 }),
	]);
});

afterAll(async () => {
	await service.stop();
});

const withToken = () => ({
	documentExtractionApi: { baseUrl: service.baseUrl, accessToken: service.accessToken },
});

async function run(options: Partial<NodeRun> & Pick<NodeRun, 'parameters'>) {
	return await runNode({ items: [{ json: {} }], credentials: withToken(), ...options });
}

async function asItem(bytes: Buffer, fileName = 'statement.pdf'): Promise<INodeExecutionData> {
	const data: IBinaryData = await storedFile(bytes, fileName, 'application/pdf');
	return { json: { fileName }, binary: { data } };
}

const byId = (id: unknown) => ({ __rl: true, mode: 'id', value: String(id) });

describe('credential tests', () => {
	it.each([
		['documentExtractionApi', 'accessToken'],
		['documentExtractionJwtApi', 'jwtToken'],
	] as const)('%s accepts its token and refuses all others', async (type, field) => {
		const { baseUrl, accessToken, jwt } = service;
		const right = field === 'accessToken' ? accessToken : jwt;
		const other = field === 'accessToken' ? jwt : accessToken;
		const status = async (token: string, address = baseUrl) =>
			(await testCredential(type, { baseUrl: address, [field]: token })).status;
		expect(await status(right)).toBe('OK');
		expect(await status(right, `${baseUrl}/`)).toBe('OK');
		expect(await status(right, baseUrl.replace('/api/v1', ''))).toBe('OK');
		expect(await status(other)).toBe('Error');
		expect(await status(`${right.slice(0, -2)}xx`)).toBe('Error');
	});
});

/** What the truth file says, in the order of the pages. */
function truthAmounts({ truth }: GeneratedStatement): number[] {
	return truth.accounts.flatMap(({ transactions }) =>
		transactions.map(({ amount }) => Number(amount)),
	);
}

describe('from a statement to rows', () => {
	it('the single steps give every row: Upload, Create, Wait, Get Data, Get Transactions', async () => {
		const uploaded = await run({
			parameters: { resource: 'document', operation: 'upload' },
			items: [await asItem(statements[0]!.pdf)],
		});
		expect(uploaded.items[0]?.binary?.data?.fileName).toBe('statement.pdf');
		const { documentId } = uploaded.items[0]!.json;

		const created = await run({
			parameters: { resource: 'job', operation: 'create', documentIds: '={{ $json.documentId }}' },
			items: [{ json: { documentId } }],
		});
		const { jobId } = created.items[0]!.json;

		const waited = await run({
			parameters: { resource: 'job', operation: 'wait', jobId: byId(jobId) },
		});
		expect(waited.error).toBeUndefined();
		expect(waited.items[0]?.json).toMatchObject({ jobId, status: 'Succeeded' });

		const expected = truthAmounts(statements[0]!);
		for (const parameters of [
			{ resource: 'job', operation: 'getData', jobId: byId(jobId) },
			{ resource: 'document', operation: 'getData', documentId: byId(documentId) },
			{ resource: 'job', operation: 'getTransactions', jobId: byId(jobId) },
			{ resource: 'document', operation: 'getTransactions', documentId: byId(documentId) },
		]) {
			const result = await run({ parameters });
			expect(result.error).toBeUndefined();
			expect(result.items.map(({ json }) => Number(json.amount))).toEqual(expected);
			expect(result.items.every(({ pairedItem }) => pairedItem !== undefined)).toBe(true);
		}

		const raw = await run({
			parameters: {
				resource: 'job',
				operation: 'getTransactions',
				jobId: byId(jobId),
				includeRaw: true,
			},
		});
		expect(raw.items.length).toBeGreaterThan(expected.length);
	});
});

describe('what cannot be read', () => {
	it('a retry of the node makes no second document and no second job', async () => {
		const bad = await asItem(Buffer.from('this is no PDF at all'), 'bad.pdf');
		const parameters = { resource: 'document', operation: 'extract' };
		const first = await run({ parameters, items: [bad], retryOnFail: true, maxTries: 2 });
		const id = /job (\d+)/.exec(first.error?.message ?? '')?.[1];
		expect(id).toBeDefined();
		const next = await run({ parameters, items: [bad] });
		// One number further: the second try of the first run made none.
		expect(next.error?.message).toContain(`job ${Number(id) + 1}`);
	});
});

it('goes on waiting when the service is killed and started again, with the same job', async () => {
	const items = [await asItem(statements[0]!.pdf), await asItem(statements[1]!.pdf)];
	const parameters = { resource: 'document', operation: 'extract' };
	// Retry On Fail, for a slow machine: there the service may go before the jobs are made.
	const running = run({ parameters, items, retryOnFail: true, maxTries: 5 });
	// Usually the files are there and the jobs are made; the first look comes after two seconds.
	await new Promise((done) => setTimeout(done, 1_500));
	await service.killAndStartAgain();
	const result = await running;
	expect(result.error).toBeUndefined();
	const expected = [truthAmounts(statements[0]!).length, truthAmounts(statements[1]!).length];
	const own = (item: number) =>
		result.items.filter(({ pairedItem }) => (pairedItem as { item: number }).item === item).length;
	expect([own(0), own(1)]).toEqual(expected);
});
