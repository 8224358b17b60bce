import type { IExecuteFunctions } from 'n8n-workflow';

import { listOf } from '../../nodes/DocumentExtraction/actions/fields';
import { planJobs } from '../../nodes/DocumentExtraction/extract/jobs';
import type { UploadedItem } from '../../nodes/DocumentExtraction/extract/uploads';
import { failedDocuments, jobFailure, readJob } from '../../nodes/shared/transport/jobs';
import { fieldNames } from '../../nodes/shared/transport/inputFile';
import { readUploadAddress } from '../../nodes/shared/transport/storage';
import { transferTimeoutMs } from '../../nodes/shared/transport/transfer';

const node = {
	getNode: () => ({
		id: '1',
		name: 'Document Extraction',
		type: 'documentExtraction',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	}),
} as unknown as IExecuteFunctions;

describe('jobs as services describe them', () => {
	it.each([
		[
			{ id: 7, status: 'Succeeded' },
			{ id: '7', state: 'succeeded' },
		],
		[
			{ jobId: 'a', status: 'FAILED' },
			{ id: 'a', state: 'failed' },
		],
		[{ status: 'Out Of Credits' }, { id: 'asked', state: 'outOfCredits' }],
		[{ status: 'Processing' }, { state: 'running' }],
		[{ status: '' }, { state: 'running' }],
		[{ job: { id: 1, status: 'Succeeded' } }, { id: '1', state: 'succeeded' }],
		[{ data: { id: 1, status: 'Queued' } }, { id: '1', state: 'running' }],
	])('%j', (body, expected) => {
		expect(readJob(body, 'asked')).toMatchObject(expected);
	});

	it.each([[undefined], [null], ['Succeeded'], [[]], [{ id: 1 }], [{ status: 7 }]])(
		'%j is no job',
		(body) => {
			expect(readJob(body, 'asked')).toBeUndefined();
		},
	);

	it('names the documents that failed', () => {
		const record = {
			documents: [
				{ id: 1, status: 'extracted', failureReason: null },
				{ id: 2, status: 'failed', failureReason: { code: 'encrypted', message: 'is encrypted' } },
				{ documentId: 'c', status: 'Failed' },
				'strange',
			],
		};
		expect(failedDocuments(record)).toEqual([{ id: '2', reason: 'is encrypted' }, { id: 'c' }]);
		const job = { id: '9', status: 'Failed', state: 'failed' as const, record };
		const error = jobFailure.call(node, job, 3, new Map([['2', 'march.pdf']]));
		expect(error.message).toBe(
			"The service could not extract job 9: 'march.pdf' (document 2): is encrypted; document c [item 3]",
		);
		expect(error.context.itemIndex).toBe(3);
		expect(error.context.details).toMatchObject({ jobId: '9', status: 'Failed' });
	});

	it.each([
		[{ failureReason: 'empty file' }, 'empty file'],
		[{ failureReason: { message: 'empty file' } }, 'empty file'],
		[{ error: { message: 'empty file' } }, 'empty file'],
		[{ error: 'empty file' }, 'empty file'],
		[{ errorMessage: 'empty file' }, 'empty file'],
		[{}, 'The service could not extract job 9 [item 0]'],
	])('finds the reason in %j', (record, reason) => {
		const job = { id: '9', status: 'Failed', state: 'failed' as const, record };
		expect(jobFailure.call(node, job, 0).message).toContain(reason);
	});
});

describe('plans for jobs', () => {
	const access = {
		authentication: 'accessToken' as const,
		credentialType: 'documentExtractionApi' as const,
		baseUrl: 'http://127.0.0.1/api/v1',
	};
	const item = (
		itemIndex: number,
		ids: string[],
		more: Partial<UploadedItem> = {},
	): UploadedItem => ({
		itemIndex,
		access,
		files: [],
		kind: 'bankStatement',
		jobMode: 'jobPerFile',
		output: 'transactions',
		limitMs: 1000,
		documents: ids.map((documentId) => ({
			documentId,
			fileName: `${documentId}.pdf`,
			mimeType: 'application/pdf',
			size: 1,
			fieldName: 'data',
			itemIndex,
		})),
		...more,
	});
	const shape = (items: UploadedItem[]) =>
		planJobs(items).map(({ documents, itemIndexes, limitMs }) => [
			documents.map(({ documentId }) => documentId),
			itemIndexes,
			limitMs,
		]);

	it('one for each file', () => {
		expect(shape([item(0, ['a', 'b']), item(2, ['c'])])).toEqual([
			[['a'], [0], 1000],
			[['b'], [0], 1000],
			[['c'], [2], 1000],
		]);
	});

	it('one for all files, as long as the longest limit', () => {
		const jobMode = 'jobForAll' as const;
		const items = [item(0, ['a', 'b'], { jobMode }), item(1, ['c'], { jobMode, limitMs: 5000 })];
		expect(shape(items)).toEqual([[['a', 'b', 'c'], [0, 1], 5000]]);
	});

	it('files of different kinds do not share a job', () => {
		const jobMode = 'jobForAll' as const;
		const items = [
			item(0, ['a'], { jobMode }),
			item(1, ['b'], { jobMode, kind: 'invoice' }),
			item(2, ['c'], { jobMode }),
		];
		expect(shape(items)).toEqual([
			[['a', 'c'], [0, 2], 1000],
			[['b'], [1], 1000],
		]);
	});
});

describe('small readings', () => {
	it.each([
		['1, 2,2', ['1', '2']],
		[7, ['7']],
		[
			[1, '2', ' 3 ,4'],
			['1', '2', '3', '4'],
		],
		['', []],
		[' , ', []],
		[undefined, []],
		[{ id: 1 }, []],
	])('document ids of %j', (value, expected) => {
		expect(listOf(value)).toEqual(expected);
	});

	it('field names', () => {
		expect(fieldNames(' data, second ,data,,')).toEqual(['data', 'second']);
	});

	it.each([
		[
			{ url: 'http://s/x', document: { id: 1 } },
			{ documentId: '1', url: 'http://s/x' },
		],
		[
			{ uploadUrl: 'http://s/x', documentId: 'a' },
			{ documentId: 'a', url: 'http://s/x' },
		],
		[{ data: { url: 'http://s/x', document: { id: 1 } } }, { documentId: '1', url: 'http://s/x' }],
		[
			{ url: '/x?y', document: { id: 1 } },
			{ documentId: '1', url: 'http://host/x?y' },
		],
		[{ url: 'file:///etc/passwd', document: { id: 1 } }, undefined],
		[{ url: 'http://s/x' }, undefined],
		[{ document: { id: 1 } }, undefined],
		[[], undefined],
		['text', undefined],
	])('upload address of %j', (body, expected) => {
		expect(readUploadAddress(body, 'http://host/api/v1')).toEqual(expected);
	});

	it('large files get more time', () => {
		expect(transferTimeoutMs(1)).toBeGreaterThanOrEqual(60_000);
		expect(transferTimeoutMs(400 * 1024 * 1024)).toBeGreaterThan(60 * 60_000);
	});
});
