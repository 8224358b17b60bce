import { Readable } from 'node:stream';
import { BinaryDataService } from 'n8n-core';
import { Container } from '@n8n/di';
import type { IBinaryData, IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { parse } from 'csv-parse/sync';

import { generateStatement, type GeneratedStatement } from '../documents';
import { encryptedStatement } from '../../service/test/encryptedStatement.ts';
import { inlineFile, runNode, storedFile, useFileStore, type NodeRun } from './engine';
import { LocalService } from './localService';

jest.setTimeout(180_000);

/** The JWT's operations, in n8n's engine, against the service of this repository. */
let service: LocalService;
let statement: GeneratedStatement;

beforeAll(async () => {
	service = await LocalService.start();
	statement = await generateStatement('usChecking', { seed: 41 });
});

afterAll(async () => {
	await service.stop();
});

const byId = (id: unknown) => ({ __rl: true, mode: 'id', value: String(id) });

async function withJwt(parameters: INodeParameters, options: Partial<NodeRun> = {}) {
	return await runNode({
		parameters: { authentication: 'jwt', ...parameters },
		items: [{ json: {} }],
		credentials: {
			documentExtractionJwtApi: { baseUrl: service.baseUrl, jwtToken: service.jwt },
		},
		...options,
	});
}

async function withToken(parameters: INodeParameters) {
	return await runNode({
		parameters,
		items: [{ json: {} }],
		credentials: {
			documentExtractionApi: { baseUrl: service.baseUrl, accessToken: service.accessToken },
		},
	});
}

/** The one item of a run that has to succeed. */
async function one(run: ReturnType<typeof withJwt>): Promise<INodeExecutionData> {
	const result = await run;
	expect(result.error).toBeUndefined();
	expect(result.items).toHaveLength(1);
	return result.items[0]!;
}

const upload = { resource: 'document', operation: 'upload' };

async function uploaded(bytes: Buffer, parameters: INodeParameters = {}, name = 'statement.pdf') {
	const items = [{ json: {}, binary: { data: await storedFile(bytes, name, 'application/pdf') } }];
	return (await one(withJwt({ ...upload, ...parameters }, { items }))).json;
}

async function jobOf(documentId: unknown): Promise<string> {
	const created = await one(
		withJwt({ resource: 'job', operation: 'create', documentIds: String(documentId) }),
	);
	return String(created.json.jobId);
}

const waitFor = async (jobId: string) =>
	await withJwt({ resource: 'job', operation: 'wait', jobId: byId(jobId) });

async function extracted(documentId: unknown): Promise<string> {
	const jobId = await jobOf(documentId);
	expect((await waitFor(jobId)).error).toBeUndefined();
	return jobId;
}

const exported = async (jobId: string, parameters: INodeParameters = {}) =>
	await withJwt({ resource: 'job', operation: 'export', jobId: byId(jobId), ...parameters });

const bytesOf = async (file: IBinaryData | undefined) =>
	await Container.get(BinaryDataService).getAsBuffer(file!);

/** Puts a file into the store without holding it. */
const storedStream = async (stream: Readable, fileName: string) => {
	await useFileStore();
	return await Container.get(BinaryDataService).store(
		{ type: 'execution', workflowId: 'workflow-1', executionId: 'before' },
		stream,
		{ data: '', fileName, mimeType: 'application/pdf' },
	);
};

/** By how many bytes this process grows at most meanwhile. */
async function memoryGrowth<Result>(run: () => Promise<Result>) {
	const before = process.memoryUsage().rss;
	let most = before;
	const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
	try {
		const result = await run();
		return { result, growth: most - before };
	} finally {
		clearInterval(timer);
	}
}

/** Each row as its account, day and amount. */
const truth = () =>
	statement.truth.accounts.flatMap(({ account, transactions }) =>
		transactions.map(({ date, amount }) => ({ account, date, amount: Number(amount) })),
	);
const shown = (json: IDataObject) => ({
	account: json.account,
	date: json.dateIso,
	amount: Number(json.amount),
});

describe('from a form to rows', () => {
	let document: IDataObject;
	let jobId: string;

	beforeAll(async () => {
		document = await uploaded(statement.pdf, { options: { includeMetadata: true } });
		jobId = await extracted(document.documentId);
	});

	it('the upload says what the service knows about the file', () => {
		expect(document).toMatchObject({
			fileName: 'statement.pdf',
			mimeType: 'application/pdf',
			size: statement.pdf.length,
			fieldName: 'data',
			pageCount: expect.any(Number),
			metadata: [expect.objectContaining({ pdfVersion: expect.any(String) })],
		});
		expect(document.documentId).toMatch(/^\d+$/);
	});

	it('the export is the truth of the statement, with a verdict', async () => {
		const rows = await exported(jobId);
		expect(rows.error).toBeUndefined();
		expect(rows.items.map(({ json }) => shown(json))).toEqual(truth());
		expect(new Set(rows.items.map(({ json }) => json.verdict))).toEqual(new Set(['reconciled']));
	});

	it('the export gives accounts, documents and the answer itself', async () => {
		const accounts = await exported(jobId, { output: 'accounts' });
		expect(accounts.items.map(({ json }) => json.verdict)).toEqual(['reconciled']);
		const documents = await exported(jobId, { output: 'documents' });
		expect(documents.items[0]?.json).toMatchObject({ documentId: document.documentId });
		const raw = await exported(jobId, { output: 'raw' });
		expect(Object.keys(raw.items[0]!.json)).toEqual([document.documentId]);
	});

	it('the export gives flat rows, with the fields that are wanted', async () => {
		const all = await exported(jobId, { output: 'rows' });
		expect(all.items.map(({ json }) => shown(json))).toEqual(truth());
		const options = { fields: 'date, amount', documentIds: String(document.documentId) };
		const few = await exported(jobId, { output: 'rows', options });
		expect(few.items.map(({ json }) => Number(json.amount))).toEqual(
			truth().map(({ amount }) => amount),
		);
		expect(few.items[0]?.json).not.toHaveProperty('memo');
	});

	it('the export gives a CSV file with the same rows', async () => {
		const csv = await one(exported(jobId, { output: 'csv', outputDataFieldName: 'table' }));
		const bytes = await bytesOf(csv.binary?.table);
		expect(csv.json).toEqual({
			jobId,
			fileName: `job-${jobId}-transactions.csv`,
			mimeType: 'text/csv',
			size: bytes.length,
		});
		const rows = parse(bytes, { columns: true, bom: true }) as Array<Record<string, string>>;
		expect(rows.map(({ date, amount }) => [date, Number(amount)])).toEqual(
			truth().map(({ date, amount }) => [date, amount]),
		);
	});

	it('says which field is to blame', async () => {
		const wrongKind = await exported(jobId, { documentKind: 'invoice' });
		expect(wrongKind.error?.message).toContain(`The service did not export the job ${jobId}`);
		expect(wrongKind.error?.description).toBe("Check 'Document Kind'.");
		const wrongField = await exported(jobId, { output: 'rows', options: { fields: 'amuont' } });
		expect(wrongField.error?.description).toBe("Check 'Fields'.");
		const notInJob = await exported(jobId, { options: { documentIds: '999999' } });
		expect(notInJob.error?.description).toContain("Check 'Document IDs'.");
	});

	it('the other surface sees the same document', async () => {
		const rows = await withToken({
			resource: 'document',
			operation: 'getTransactions',
			documentId: byId(document.documentId),
		});
		expect(rows.items.map(({ json }) => shown(json))).toEqual(truth());
	});

	it('the download has the same bytes, name and type', async () => {
		const parameters = {
			resource: 'document',
			operation: 'download',
			documentId: byId(document.documentId),
		};
		const file = await one(withJwt({ ...parameters, outputDataFieldName: 'copy' }));
		expect((await bytesOf(file.binary?.copy)).equals(statement.pdf)).toBe(true);
		expect(file.json).toEqual({
			documentId: document.documentId,
			fileName: 'statement.pdf',
			mimeType: 'application/pdf',
			size: statement.pdf.length,
		});
		expect(file.binary?.copy).toMatchObject({
			fileName: 'statement.pdf',
			mimeType: 'application/pdf',
		});

		const { json } = await one(
			withJwt({ ...parameters, downloadAs: 'address', options: { expiresIn: 60 } }),
		);
		expect(json).toMatchObject({ documentId: document.documentId, expiresIn: 60 });
		const fetched = await fetch(String(json.url));
		expect(Buffer.from(await fetched.arrayBuffer()).equals(statement.pdf)).toBe(true);
	});
});

describe('the form itself', () => {
	it.each([
		'Kontoauszug März – Übersicht.pdf',
		"L'été d'Émile (1).pdf",
		'明細書.pdf',
		'a;b=c.pdf',
		'the "new" one.pdf',
	])('carries the name %s', async (name) => {
		const { documentId, fileName } = await uploaded(statement.pdf, {}, name);
		expect(fileName).toBe(name);
		const parameters = { resource: 'document', operation: 'get', documentId: byId(documentId) };
		expect((await one(withToken(parameters))).json.originalname).toBe(name);
	});

	it('carries a file of several megabytes, from the store and from the item', async () => {
		const large = Buffer.concat([statement.pdf, Buffer.alloc(6_000_000, '% padding\n')]);
		const first = await uploaded(large);
		const items = [{ json: {}, binary: { data: inlineFile(large, 'a.pdf', 'application/pdf') } }];
		const second = (await one(withJwt(upload, { items }))).json;
		for (const { documentId, size } of [first, second]) {
			expect(size).toBe(large.length);
			const file = await one(
				withJwt({ resource: 'document', operation: 'download', documentId: byId(documentId) }),
			);
			expect((await bytesOf(file.binary?.data)).equals(large)).toBe(true);
		}
	});

	it('takes and gives a large file without holding it in memory', async () => {
		const size = 160 * 1024 * 1024;
		const pieces = function* () {
			yield Buffer.from('%PDF-1.7\n');
			const piece = Buffer.alloc(1024 * 1024, '% nothing to see\n');
			for (let left = size - 9; left > 0; left -= piece.length) yield piece.subarray(0, left);
		};
		const data = await storedStream(Readable.from(pieces(), { objectMode: false }), 'large.pdf');
		const options = { asyncProcessing: true };
		const { growth: sent, result: document } = await memoryGrowth(
			async () =>
				(await one(withJwt({ ...upload, options }, { items: [{ json: {}, binary: { data } }] })))
					.json,
		);
		expect(document.size).toBe(size);
		const documentId = byId(document.documentId);
		const { growth: received, result: file } = await memoryGrowth(
			async () =>
				(await one(withJwt({ resource: 'document', operation: 'download', documentId }))).json,
		);
		expect(file.size).toBe(size);
		// Whoever holds the file needs its size at least.
		expect(Math.max(sent, received)).toBeLessThan(size / 2);
	});

	it('a refusal that comes before the file has gone out says why', async () => {
		const data = await storedFile(Buffer.alloc(40_000_000, '%PDF'), 'a.pdf', 'application/pdf');
		const result = await withJwt(upload, {
			items: [{ json: {}, binary: { data } }],
			credentials: {
				documentExtractionJwtApi: { baseUrl: service.baseUrl, jwtToken: `${service.jwt}x` },
			},
		});
		expect(result.error?.message).toBe('The service did not accept the credential [item 0]');
	});

	it('does not wait when told so', async () => {
		const json = await uploaded(statement.pdf, { options: { asyncProcessing: true } });
		expect(json).not.toHaveProperty('pageCount');
	});

	it('a retry of the node makes no second document', async () => {
		const data = await storedFile(statement.pdf, 'again.pdf', 'application/pdf');
		const items = [{ json: {}, binary: { data } }];
		const options = { items, executionId: 'the same execution' };
		const first = await one(withJwt(upload, options));
		const second = await one(withJwt(upload, options));
		expect(second.json).toEqual(first.json);
	});
});

describe('a PDF that needs a password', () => {
	const password = 'Geheim & "schön" 7';
	const presigned = (more: INodeParameters) => ({ uploadMethod: 'presigned', options: more });
	let pdf: Buffer;

	beforeAll(async () => {
		pdf = await encryptedStatement(password);
	});

	it('is read with the password, which is shown nowhere', async () => {
		const options = { password, customerId: 'customer 7', expiresIn: 600, sendChecksum: true };
		const json = await uploaded(pdf, presigned(options));
		expect(JSON.stringify(json)).not.toContain('Geheim');
		const jobId = await extracted(json.documentId);
		const rows = await exported(jobId);
		expect(rows.items.map(({ json: row }) => Number(row.amount))).toEqual([-10, -20, 30]);
		const parameters = {
			resource: 'document',
			operation: 'get',
			documentId: byId(json.documentId),
		};
		expect((await one(withToken(parameters))).json.customerId).toBe('customer 7');
	});

	it.each([
		['a wrong one', { password: 'Geheim 8' }, /password/i],
		['none', {}, /password/i],
	])('and with %s the job says so', async (_name, options, message) => {
		const { documentId } = await uploaded(pdf, presigned(options));
		const result = await waitFor(await jobOf(documentId));
		expect(result.error?.message).toMatch(message);
		expect(result.error?.description).toContain("'Presigned Address'");
		expect(JSON.stringify(result.run.data.resultData)).not.toContain('Geheim');
	});

	it('a wrong and a missing password are told apart', async () => {
		const reasons = [];
		for (const options of [{ password: 'no' }, {}]) {
			const { documentId } = await uploaded(pdf, presigned(options));
			reasons.push((await waitFor(await jobOf(documentId))).error?.message);
		}
		expect(reasons[0]?.replace(/\d+/g, '')).not.toBe(reasons[1]?.replace(/\d+/g, ''));
	});
});

it('a job of another kind is created, and its failure has a reason', async () => {
	const { documentId } = await uploaded(statement.pdf);
	const created = await one(
		withJwt({
			resource: 'job',
			operation: 'create',
			documentIds: String(documentId),
			documentKind: 'other',
			templateId: '12',
			options: { jobName: 'By template' },
		}),
	);
	expect(created.json).toMatchObject({ jobType: 'Template', name: 'By template' });
	const result = await waitFor(String(created.json.jobId));
	expect(result.error?.message).toContain(`job ${String(created.json.jobId)}`);
});
