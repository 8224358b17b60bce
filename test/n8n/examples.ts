import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { generateStatement } from '../documents/index.ts';
import {
	type exampleFiles,
	exampleNodes,
	exampleStatements,
	exampleWorkflows,
} from '../../scripts/n8n/exampleWorkflows.ts';
import { waitUntil } from '../../scripts/processes/waitUntil.ts';
import { itemsOf } from '../../scripts/n8n/execution.ts';
import type { StoredWorkflow } from '../../scripts/n8n/n8nClient.ts';
import {
	assertSameRows,
	decimalText,
	expectedRows,
	expectedVerdict,
	rowsFrom,
} from './expectedRows.ts';
import type { RealN8n } from './realN8n.ts';
import { ServiceClient } from './serviceClient.ts';
import { ourNodeType } from './workflowBuilder.ts';

const answerLimitMs = 30_000;
const publishLimitMs = 15_000;

const assertCredentialsFound = (workflow: StoredWorkflow): void => {
	const ours = workflow.nodes.filter(({ type }) => type === ourNodeType);
	assert.ok(ours.length > 0);
	for (const { name, credentials } of ours) {
		assert.ok(credentials?.documentExtractionApi?.id, `${name} has found its credential`);
	}
};

/** The files that the last page of a form carries for the browser to save. */
const filesOfEnding = (
	page: string,
): Array<{ fileName: string; type: string; data: { data: number[] } }> => {
	const encoded = /JSON\.parse\(decodeURIComponent\("([^"]*)"\)\)/.exec(page)?.[1];
	assert.ok(encoded !== undefined, 'the page carries a file');
	return JSON.parse(decodeURIComponent(encoded)) as ReturnType<typeof filesOfEnding>;
};

/** The workflows in examples/, as they are imported by people. */
export const testExamples = (running: () => RealN8n): void => {
	const importExample = async (which: keyof typeof exampleFiles): Promise<StoredWorkflow> => {
		const { n8n, filesFolder } = running();
		const workflow = await n8n.createWorkflow((await exampleWorkflows(filesFolder))[which]);
		assertCredentialsFound(workflow);
		return workflow;
	};

	test('statement file to rows: the rows and the verdict', async () => {
		const { n8n, filesFolder, writeFile } = running();
		const statement = await generateStatement('ukCurrent', { seed: 11 });
		await writeFile('statement.pdf', statement.pdf);
		const execution = await n8n.run(await importExample('statementFile'));
		assert.equal(execution.status, 'success', execution.error?.message);
		assert.equal(exampleStatements(filesFolder).single, `${filesFolder}/statement.pdf`);
		const rows = itemsOf(execution, exampleNodes.extractTransactions);
		assertSameRows(rowsFrom(rows), expectedRows(statement));
		const accounts = itemsOf(execution, exampleNodes.getVerdict);
		assert.deepEqual(
			accounts.map(({ json }) => json.verdict),
			[expectedVerdict(statement)],
		);
	});

	test('upload form: the answer is a CSV file with every row', async () => {
		const { n8n } = running();
		const workflow = await importExample('uploadForm');
		await n8n.activate(workflow);
		const trigger = workflow.nodes.find(({ type }) => type.endsWith('formTrigger'));
		const address = `${n8n.address}/form/${String(trigger?.webhookId)}`;
		// n8n publishes a workflow after it has answered.
		await waitUntil(async () => ((await fetch(address)).ok ? true : undefined), {
			limitMs: publishLimitMs,
			onTimeout: () => new Error('the form is not published'),
		});

		const statement = await generateStatement('germanGiro', { seed: 12 });
		const form = new FormData();
		form.append(
			'field-0',
			new Blob([new Uint8Array(statement.pdf)], { type: 'application/pdf' }),
			'giro.pdf',
		);
		const answer = await fetch(address, {
			method: 'POST',
			body: form,
			signal: AbortSignal.timeout(answerLimitMs),
		});
		assert.equal(answer.status, 200, await answer.clone().text());
		const { formWaitingUrl } = (await answer.json()) as { formWaitingUrl: string };
		const [executionId] = await n8n.executionIds(workflow.id);
		assert.ok(executionId !== undefined);
		// The browser is sent on to the ending as soon as the workflow has reached it.
		await waitUntil(
			async () => ((await n8n.executionStatus(executionId)) === 'waiting' ? true : undefined),
			{ limitMs: answerLimitMs, onTimeout: () => new Error('the form has no ending') },
		);
		const ending = await fetch(formWaitingUrl, { signal: AbortSignal.timeout(answerLimitMs) });
		const file = filesOfEnding(await ending.text())[0];
		assert.equal(file?.fileName, 'transactions.csv');
		assert.equal(file.type, 'text/csv');
		const csv = Buffer.from(file.data.data);
		const rows: Array<Record<string, string>> = parse(csv, { columns: true, bom: true });
		assert.deepEqual(
			rows.map(({ date, amount, balance, account }) => ({
				date,
				amount: decimalText(amount),
				balance: balance === '' ? null : decimalText(balance),
				account,
			})),
			expectedRows(statement).map(({ dateIso, amount, balance, account }) => ({
				date: dateIso,
				amount,
				balance,
				account,
			})),
		);
	});

	test('scheduled folder: what adds up, what does not, what cannot be read', async () => {
		const { n8n, filesFolder, writeFile } = running();
		const right = await generateStatement('usChecking', { seed: 13 });
		const wrong = await generateStatement('doesNotAddUp', { seed: 13 });
		const unknown = await generateStatement('noBalances', { seed: 13 });
		await mkdir(exampleStatements(filesFolder).folder, { recursive: true });
		await writeFile('statements/right.pdf', right.pdf);
		await writeFile('statements/wrong.pdf', wrong.pdf);
		await writeFile('statements/unknown.pdf', unknown.pdf);
		await writeFile('statements/damaged.pdf', right.pdf.subarray(0, 500));
		const workflow = await importExample('scheduledFolder');

		const first = await n8n.run(workflow);
		assert.equal(first.status, 'success', first.error?.message);
		assertSameRows(rowsFrom(itemsOf(first, 'Get Rows')), expectedRows(right));
		const [account] = itemsOf(first, 'Accounts to Look At');
		assert.equal(account?.json.verdict, 'not reconciled');
		assert.equal(
			decimalText(account?.json.difference),
			wrong.truth.accounts[0]?.periods[0]?.difference,
		);
		assert.equal(itemsOf(first, 'No Balances Printed').length, 1);
		assert.deepEqual(
			itemsOf(first, 'Could Not Be Read').map(({ json }) => json.fileName),
			['damaged.pdf'],
		);

		const late = await generateStatement('ukCurrent', { seed: 14 });
		await writeFile('statements/late.pdf', late.pdf);
		const second = await n8n.run(workflow);
		assert.equal(second.status, 'success', second.error?.message);
		assert.deepEqual(
			itemsOf(second, 'Only New Files').map(({ json }) => json.fileName),
			['late.pdf'],
			'files of the first run are not imported again',
		);
		assertSameRows(rowsFrom(itemsOf(second, 'Get Rows')), expectedRows(late));
	});

	test('deliveries to rows: the service tells, and each result goes its own way', async () => {
		const { n8n } = running();
		const service = new ServiceClient(() => running().service);
		const workflow = await importExample('deliveries');
		await n8n.activate(workflow);
		assert.equal((await n8n.settledPublication(workflow.id)).status, 'published');
		const right = await generateStatement('usChecking', { seed: 15 });
		const wrong = await generateStatement('doesNotAddUp', { seed: 15 });
		for (const pdf of [right.pdf, wrong.pdf, right.pdf.subarray(0, 500)]) {
			await service.endedJob(await service.extract(pdf, 'statement.pdf'));
		}
		const executions = await waitUntil(
			async () => {
				const ids = await n8n.executionIds(workflow.id);
				if (ids.length < 3) return undefined;
				return await Promise.all(ids.map(async (id) => await n8n.finishedExecution(id)));
			},
			{ limitMs: answerLimitMs, onTimeout: () => new Error('the workflow did not run 3 times') },
		);
		const itemsAfter = (name: string) =>
			executions.flatMap((execution) => itemsOf(execution, name)).map(({ json }) => json);
		assertSameRows(
			rowsFrom(executions.flatMap((execution) => itemsOf(execution, 'Get Rows'))),
			expectedRows(right),
		);
		assert.deepEqual(
			itemsAfter('To Look At').map(({ verdict }) => verdict),
			['not reconciled'],
		);
		assert.deepEqual(
			itemsAfter('Could Not Be Read').map(({ eventName }) => eventName),
			['document.extraction.failed'],
		);
		await n8n.deactivate(workflow.id);
		assert.equal((await n8n.settledPublication(workflow.id)).status, 'not_published');
		assert.deepEqual(await service.webhooks(), []);
	});
};
