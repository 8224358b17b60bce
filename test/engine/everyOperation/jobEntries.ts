import { checkCsv, checkRows } from './content';
import {
	byId,
	emptyId,
	NOWHERE,
	unknownId,
	withJson,
	type Entry,
	type Failure,
	type Item,
} from './entry';
import type { Authentication } from './offered';
import type { World } from './world';

const jobId = byId('={{ $json.jobId }}');
const unknown = unknownId('jobId', 'job', 'Job');
const noId = emptyId('jobId', 'Job');

function failedJob(message: RegExp, description: string): Failure {
	return {
		name: 'a job that failed',
		spoil: (item, world) => withJson({ jobId: world.failedJob.jobId })(item),
		message,
		description,
	};
}

const noData = failedJob(/^The service cannot .* job \d+ now/, 'If it failed');
const couldNotExtract = failedJob(
	/^The service could not extract job \d+: /,
	'Open the file and check',
);

const unknownDocument: Failure = {
	name: 'a document that does not exist',
	spoil: withJson({ documentId: NOWHERE }),
	message: `The document ${NOWHERE} was not found`,
	description: "Check 'Document IDs'",
};
const noDocument: Failure = {
	name: 'no document',
	spoil: withJson({ documentId: '' }),
	message: "No document is given in 'Document IDs'",
	description: 'Document: Upload',
};

const bothAuthentications: Authentication[] = ['accessToken', 'jwt'];

const unreadItems = ({ unread }: World): Item[] =>
	unread.map((documentId) => ({ json: { documentId } }));

async function checkCreated(results: Item[], item: Item, world: World): Promise<void> {
	expect(results).toHaveLength(1);
	const { json } = results[0]!;
	expect(json.documentIds).toEqual([item.json.documentId]);
	const job = await world.direct.endedJob(String(json.jobId));
	expect(job).toMatchObject({
		status: 'Succeeded',
		jobType: 'ExtractData',
		documents: [expect.objectContaining({ id: Number(item.json.documentId) })],
	});
}

async function checkRecord(results: Item[], item: Item, world: World): Promise<void> {
	const id = String(item.json.jobId);
	const record = await world.direct.get(`/agent/jobs/${id}`);
	expect(results.map(({ json }) => json)).toEqual([{ ...record, jobId: id }]);
	const { accounts } = world.statementOf(item).truth;
	expect(record).toMatchObject({
		status: 'Succeeded',
		transactionCount: accounts.flatMap(({ transactions }) => transactions).length,
	});
}

const reading = {
	resource: 'job',
	items: (world: World) => world.statementItems(),
} as const;

const checkOwnRows: Entry['check'] = (results, item, world) =>
	checkRows(results, world.statementOf(item));

export const jobEntries: Entry[] = [
	{
		resource: 'job',
		operation: 'create',
		authentication: 'accessToken',
		parameters: { documentIds: '={{ $json.documentId }}' },
		items: unreadItems,
		check: checkCreated,
		outputSchema: 'asDescribed',
		failures: [unknownDocument, noDocument],
	},
	{
		resource: 'job',
		operation: 'create',
		authentication: 'jwt',
		parameters: {
			documentIds: '={{ $json.documentId }}',
			options: { jobName: '=Statement {{ $json.documentId }}' },
		},
		items: unreadItems,
		check: async (results, item, world) => {
			await checkCreated(results, item, world);
			expect(results[0]?.json.name).toBe(`Statement ${String(item.json.documentId)}`);
		},
		outputSchema: 'other',
		failures: [unknownDocument, noDocument],
	},
	...bothAuthentications.flatMap<Entry>((authentication) => [
		{
			...reading,
			operation: 'get',
			authentication,
			parameters: { jobId },
			check: checkRecord,
			outputSchema: 'asDescribed',
			failures: [unknown, noId],
		},
		{
			...reading,
			operation: 'wait',
			authentication,
			parameters: { jobId },
			// Jobs that have not ended yet.
			items: async ({ statements, direct }) =>
				await Promise.all(
					statements.map(async ({ documentId, fileName }) => ({
						json: { fileName, jobId: await direct.createJob(documentId) },
					})),
				),
			check: checkRecord,
			outputSchema: 'asDescribed',
			failures: [couldNotExtract, unknown],
		},
	]),
	{
		...reading,
		operation: 'getData',
		authentication: 'accessToken',
		parameters: { jobId },
		check: checkOwnRows,
		outputSchema: 'asDescribed',
		failures: [noData, unknown],
	},
	{
		...reading,
		operation: 'getTransactions',
		authentication: 'accessToken',
		parameters: { jobId },
		check: checkOwnRows,
		outputSchema: 'asDescribed',
		failures: [noData, unknown],
	},
	{
		...reading,
		operation: 'export',
		authentication: 'jwt',
		parameters: { jobId },
		check: checkOwnRows,
		outputSchema: 'asDescribed',
		failures: [noData, unknown],
	},
	{
		...reading,
		operation: 'export',
		authentication: 'jwt',
		variant: 'rows',
		parameters: { jobId, output: 'rows' },
		check: checkOwnRows,
		outputSchema: 'other',
		failures: [noData],
	},
	{
		...reading,
		operation: 'export',
		authentication: 'jwt',
		variant: 'CSV',
		parameters: {
			jobId,
			output: 'csv',
			outputDataFieldName: 'table',
			documentKind: '={{ $json.kind ?? "bankStatement" }}',
		},
		check: async (results, item, world) =>
			await checkCsv(results, 'table', world.statementOf(item)),
		outputSchema: 'other',
		failures: [
			{
				name: 'another kind than that of the job',
				spoil: withJson({ kind: 'invoice' }),
				message: /^The service did not export the job \d+/,
				description: "Check 'Document Kind'",
			},
		],
	},
];
