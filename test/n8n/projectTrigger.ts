import assert from 'node:assert/strict';
import { mkdir, rename } from 'node:fs/promises';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { itemsOf, type ExecutedItem } from '../../scripts/n8n/execution.ts';
import type { StoredWorkflow } from '../../scripts/n8n/n8nClient.ts';
import { waitUntil } from '../../scripts/processes/waitUntil.ts';
import { generateStatement, type GeneratedStatement } from '../documents/index.ts';
import { assertSameRows, expectedRows, rowsFrom } from './expectedRows.ts';
import type { RealN8n } from './realN8n.ts';
import { ServiceClient } from './serviceClient.ts';
import { chain, noOp, ourProjectTrigger } from './workflowBuilder.ts';

const next = 'Next';
const projectName = 'household';
const damaged = 'damaged.pdf';
const extractionLimitMs = 60_000;
// n8n polls once a minute at most, and as soon as it has started.
const pollLimitMs = 90_000;
/** Time enough to publish a workflow before its first poll. */
const leadMs = 8_000;

/** Files of the watched folder come out of the Project Trigger, each once. */
export const testProjectTrigger = (running: () => RealN8n): void => {
	const service = new ServiceClient(() => running().service);
	const dropped = new Map<string, GeneratedStatement>();
	let folder = '';
	let workflow: StoredWorkflow;
	let seed = 300;

	/** As a program that syncs a folder does: written beside it, then moved in. */
	const drop = async (name: string, content: Buffer): Promise<void> => {
		const beside = await running().writeFile(`beside/${name}`, content);
		await rename(beside, resolve(folder, projectName, name));
	};
	const dropStatement = async (name: string): Promise<void> => {
		const statement = await generateStatement('ukCurrent', { seed: ++seed, transactions: 8 });
		dropped.set(name, statement);
		await drop(name, statement.pdf);
	};

	const projectId = async (): Promise<string> =>
		await waitUntil(
			async () => (await service.projects()).find(({ name }) => name === projectName)?.id,
			{ limitMs: extractionLimitMs, onTimeout: () => new Error('the folder is no project') },
		);
	const untilEnded = async (...names: string[]): Promise<void> => {
		const id = await projectId();
		await waitUntil(
			async () => {
				const documents = await service.projectDocuments(id);
				const ended = documents
					.filter(({ status }) => status === 'extracted' || status === 'failed')
					.map(({ originalname }) => originalname);
				return names.every((name) => ended.includes(name)) ? true : undefined;
			},
			{ limitMs: extractionLimitMs, onTimeout: () => new Error(`${names.join()} did not end`) },
		);
	};

	/** Every item that the workflow got so far, in whatever execution, by the file. */
	const arrived = async (): Promise<Map<string, ExecutedItem[][]>> => {
		const { n8n } = running();
		const byFile = new Map<string, ExecutedItem[][]>();
		for (const id of (await n8n.executionIds(workflow.id)).reverse()) {
			const items = itemsOf(await n8n.finishedExecution(id), next);
			for (const name of new Set(items.map(({ json }) => String(json.fileName)))) {
				const ofFile = items.filter(({ json }) => json.fileName === name);
				byFile.set(name, [...(byFile.get(name) ?? []), ofFile]);
			}
		}
		return byFile;
	};
	/** Waits for the files, then checks that these and no others have come, once, with every row. */
	const assertArrived = async (...names: string[]): Promise<void> => {
		const byFile = await waitUntil(
			async () => {
				const found = await arrived();
				return names.every((name) => found.has(name)) ? found : undefined;
			},
			{ limitMs: pollLimitMs, onTimeout: () => new Error(`${names.join()} did not arrive`) },
		);
		assert.deepEqual([...byFile.keys()].sort(), [...names].sort());
		for (const [name, executions] of byFile) {
			assert.equal(executions.length, 1, `${name} has run the workflow once`);
			const items = executions[0] ?? [];
			const statement = dropped.get(name);
			if (statement !== undefined) assertSameRows(rowsFrom(items), expectedRows(statement));
			else assert.equal(items[0]?.json.documentEvent, 'failed');
		}
	};

	/** Publishes with a poll at once, and then one a minute, the first of them in some seconds. */
	const publish = async (): Promise<void> => {
		const second = new Date(Date.now() + leadMs).getUTCSeconds();
		const { n8n } = running();
		const nodes = workflow.nodes.map((node) =>
			node.name === next
				? node
				: { ...node, parameters: { ...node.parameters, pollTimes: pollTimesAt(second) } },
		);
		workflow = await n8n.updateWorkflow(workflow, { nodes });
		await n8n.activate(workflow);
		const { status, triggers } = await n8n.settledPublication(workflow.id);
		assert.equal(status, 'published', JSON.stringify(triggers));
		workflow = await n8n.workflow(workflow.id);
	};
	const pollTimesAt = (second: number) => ({
		item: [{ mode: 'custom', cronExpression: `${second} * * * * *` }],
	});

	before(async () => {
		folder = resolve(running().filesFolder, 'watched');
		await mkdir(resolve(folder, projectName), { recursive: true });
		await running().stopService();
		await running().startService({ INGEST_DIR: folder, INGEST_INTERVAL_MS: '250' });
	});
	after(async () => {
		await running().n8n.deactivate(workflow.id);
		await running().stopService();
		await running().startService({});
	});

	test('what was there before is left alone; what is dropped arrives with its rows', async () => {
		const { pdf } = await generateStatement('ukCurrent', { seed: ++seed, transactions: 8 });
		await drop('before.pdf', pdf);
		await untilEnded('before.pdf');
		workflow = await running().n8n.createWorkflow(
			chain('Project', [
				ourProjectTrigger(await projectId(), { output: 'transactions' }),
				noOp(next),
			]),
		);
		await publish();
		assert.deepEqual(await running().n8n.executionIds(workflow.id), []);

		await dropStatement('first.pdf');
		await dropStatement('second.pdf');
		// Without the end mark the service would wait for the rest.
		await drop(damaged, Buffer.concat([pdf.subarray(0, 400), Buffer.from('\n%%EOF\n')]));
		await untilEnded('first.pdf', 'second.pdf', damaged);
		await assertArrived('first.pdf', 'second.pdf', damaged);
	});

	test('n8n killed: what came meanwhile arrives when it starts, and nothing else', async () => {
		await running().stopN8n('kill');
		await dropStatement('third.pdf');
		await untilEnded('third.pdf');
		await running().startN8n();
		await assertArrived('first.pdf', 'second.pdf', damaged, 'third.pdf');
	});

	test('the service killed: what was dropped while it was down arrives, and nothing else', async () => {
		await running().stopService('kill');
		await dropStatement('fourth.pdf');
		await running().startService();
		await untilEnded('fourth.pdf');
		await publish();
		await assertArrived('first.pdf', 'second.pdf', damaged, 'third.pdf', 'fourth.pdf');
	});
};
