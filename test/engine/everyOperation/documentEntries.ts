import type { IDataObject } from 'n8n-workflow';

import { inlineFile } from '../engine';
import { bytesOf, checkCsv, checkRows } from './content';
import {
	byId,
	emptyId,
	unknownId,
	withJson,
	withoutFile,
	type Entry,
	type Failure,
	type Item,
} from './entry';
import type { World } from './world';

const documentId = byId('={{ $json.documentId }}');
const unknown = unknownId('documentId', 'document', 'Document');
const noId = emptyId('documentId', 'Document');

const unread: Failure = {
	name: 'a document that nobody has extracted',
	spoil: (item, world) => withJson({ documentId: world.unread[1]! })(item),
	message: /^The service cannot give .* document \d+ now/,
	description: 'Job: Wait',
};

const noDocument: Failure = {
	name: 'a file that is no document',
	spoil: ({ json }) => ({
		json,
		binary: { data: inlineFile(Buffer.from('no PDF'), 'notes.pdf', 'application/pdf') },
	}),
	message: /^The service could not extract job \d+: 'notes\.pdf' /,
	description: 'Open the file and check',
};

const wrongType: Failure = {
	name: 'a file of a type that the service cannot read',
	spoil: ({ json }) => ({
		json,
		binary: { data: inlineFile(Buffer.from('PK'), 'table.xlsx', 'application/vnd.ms-excel') },
	}),
	message: "cannot read the file 'table.xlsx'",
	description: 'PDF, PNG, JPEG and TIFF',
};

const extract = {
	resource: 'document',
	operation: 'extract',
	authentication: 'accessToken',
	items: async (world: World) => await world.fileItems(),
} as const;

const checkUpload = async (results: Item[], item: Item, world: World): Promise<IDataObject> => {
	const { pdf, fileName } = world.statementOf(item);
	expect(results).toHaveLength(1);
	const { json, binary } = results[0]!;
	expect(json).toMatchObject({
		fileName,
		mimeType: 'application/pdf',
		size: pdf.length,
		fieldName: 'data',
	});
	expect(binary).toEqual(item.binary);
	const record = await world.direct.get(`/agent/documents/${String(json.documentId)}`);
	expect(record).toMatchObject({
		originalname: fileName,
		mimetype: 'application/pdf',
		size: pdf.length,
		status: 'uploaded',
	});
	return record;
};

const upload = {
	resource: 'document',
	operation: 'upload',
	items: async (world: World) => await world.fileItems(),
	failures: [withoutFile, wrongType],
} as const;

const download = {
	resource: 'document',
	operation: 'download',
	authentication: 'jwt',
	items: (world: World) => world.statementItems(),
	failures: [unknown, noId],
} as const;

export const documentEntries: Entry[] = [
	{
		...extract,
		parameters: {},
		check: (results, item, world) => {
			const statement = world.statementOf(item);
			checkRows(results, statement);
			for (const { json } of results) expect(json.verdict).toBe('reconciled');
		},
		outputSchema: 'asDescribed',
		failures: [noDocument, withoutFile],
	},
	{
		...extract,
		variant: 'one job, accounts',
		parameters: { jobMode: 'jobForAll', output: 'accounts' },
		check: (results, item, world) => {
			const accounts = world.statementOf(item).truth.accounts.map(({ account }) => account);
			expect(results.map(({ json }) => [json.account, json.verdict])).toEqual(
				accounts.map((account) => [account, 'reconciled']),
			);
		},
		outputSchema: 'other',
		failures: [noDocument],
	},
	{
		resource: 'document',
		operation: 'get',
		authentication: 'accessToken',
		parameters: { documentId },
		items: (world) => world.statementItems(),
		check: async (results, item, world) => {
			const statement = world.statementOf(item);
			const record = await world.direct.get(`/agent/documents/${statement.documentId}`);
			expect(results.map(({ json }) => json)).toEqual([
				{ ...record, documentId: statement.documentId },
			]);
			const { accounts, pageCount } = statement.truth;
			expect(record).toMatchObject({
				originalname: statement.fileName,
				pageCount,
				status: 'extracted',
				isReconciled: true,
				transactionCount: accounts.flatMap(({ transactions }) => transactions).length,
			});
		},
		outputSchema: 'asDescribed',
		failures: [unknown, noId],
	},
	{
		resource: 'document',
		operation: 'getData',
		authentication: 'accessToken',
		parameters: { documentId },
		items: (world) => world.statementItems(),
		check: (results, item, world) => checkRows(results, world.statementOf(item)),
		outputSchema: 'asDescribed',
		failures: [unread, unknown],
	},
	{
		resource: 'document',
		operation: 'getTransactions',
		authentication: 'accessToken',
		parameters: { documentId },
		items: (world) => world.statementItems(),
		check: (results, item, world) => checkRows(results, world.statementOf(item)),
		outputSchema: 'asDescribed',
		failures: [unread, unknown],
	},
	{
		resource: 'document',
		operation: 'getTransactions',
		authentication: 'accessToken',
		variant: 'CSV',
		parameters: { documentId, format: 'csv', outputDataFieldName: 'table' },
		items: (world) => world.statementItems(),
		check: async (results, item, world) => {
			await checkCsv(results, 'table', world.statementOf(item));
			const fileName = `transactions-${String(item.json.documentId)}.csv`;
			expect(results[0]?.binary?.table).toMatchObject({ fileName, mimeType: 'text/csv' });
		},
		outputSchema: 'other',
		failures: [unread],
	},
	{
		...upload,
		authentication: 'accessToken',
		parameters: {},
		check: async (results, item, world) => {
			await checkUpload(results, item, world);
		},
		outputSchema: 'partOfIt',
		failures: [...upload.failures],
	},
	{
		...upload,
		authentication: 'jwt',
		variant: 'form',
		parameters: { uploadMethod: 'form', options: { includeMetadata: true } },
		check: async (results, item, world) => {
			await checkUpload(results, item, world);
			const { pageCount } = world.statementOf(item).truth;
			expect(results[0]?.json).toMatchObject({
				pageCount,
				metadata: [{ pdfVersion: expect.stringMatching(/^\d\.\d$/) as unknown }],
			});
		},
		outputSchema: 'other',
		failures: [...upload.failures],
	},
	{
		...upload,
		authentication: 'jwt',
		variant: 'presigned',
		parameters: {
			uploadMethod: 'presigned',
			options: { customerId: '={{ $json.fileName }}', sendChecksum: true },
		},
		check: async (results, item, world) => {
			const { customerId } = await checkUpload(results, item, world);
			expect(customerId).toBe(item.json.fileName);
		},
		outputSchema: 'partOfIt',
		failures: [...upload.failures],
	},
	{
		...download,
		variant: 'file',
		parameters: { documentId, outputDataFieldName: 'copy' },
		check: async (results, item, world) => {
			const { pdf, fileName, documentId: id } = world.statementOf(item);
			expect(results.map(({ json }) => json)).toEqual([
				{ documentId: id, fileName, mimeType: 'application/pdf', size: pdf.length },
			]);
			expect((await bytesOf(results[0], 'copy')).equals(pdf)).toBe(true);
		},
		outputSchema: 'partOfIt',
		failures: [...download.failures],
	},
	{
		...download,
		variant: 'address',
		parameters: { documentId, downloadAs: 'address', options: { expiresIn: 60 } },
		check: async (results, item, world) => {
			const { pdf, documentId: id } = world.statementOf(item);
			expect(results).toHaveLength(1);
			expect(results[0]?.json).toMatchObject({ documentId: id, expiresIn: 60 });
			const fetched = await fetch(String(results[0]?.json.url));
			expect(Buffer.from(await fetched.arrayBuffer()).equals(pdf)).toBe(true);
		},
		outputSchema: 'partOfIt',
		failures: [...download.failures],
	},
];
