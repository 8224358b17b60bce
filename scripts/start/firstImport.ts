import { mkdir, writeFile } from 'node:fs/promises';
import { generateStatement } from '../../test/documents/index.ts';
import { exampleNodes, exampleStatements } from '../n8n/exampleWorkflows.ts';
import { itemsOf, type ExecutedItem, type Execution } from '../n8n/execution.ts';
import type { N8nClient, StoredWorkflow } from '../n8n/n8nClient.ts';

const rowCount = 18;
const seed = 2026;
const limitMs = 120_000;

export interface FirstImport {
	rows: ExecutedItem[];
	/** One item for each account, with its verdict. */
	accounts: ExecutedItem[];
	executionId: string;
}

/** Writes the generated statements that the example workflows read. */
export const writeExampleStatements = async (filesFolder: string): Promise<void> => {
	const { single, folder } = exampleStatements(filesFolder);
	await mkdir(folder, { recursive: true });
	const first = await generateStatement('usChecking', { seed, transactions: rowCount });
	await writeFile(single, first.pdf);
	const second = await generateStatement('ukCurrent', { seed });
	await writeFile(`${folder}/current-account.pdf`, second.pdf);
	const third = await generateStatement('germanGiro', { seed });
	await writeFile(`${folder}/girokonto.pdf`, third.pdf);
};

const failureOf = (execution: Execution): string | undefined => {
	if (execution.status === 'success') return undefined;
	const { error } = execution;
	return [error?.nodeName, error?.message, error?.description]
		.filter((part) => part !== undefined && part !== null && part !== '')
		.join(': ');
};

/** Runs the example workflow in n8n and reads back what its nodes gave. */
export const runFirstImport = async (
	n8n: N8nClient,
	workflow: StoredWorkflow,
): Promise<FirstImport | { failure: string }> => {
	const names = new Set(workflow.nodes.map(({ name }) => name));
	const { extractTransactions, getVerdict } = exampleNodes;
	if (!names.has(extractTransactions) || !names.has(getVerdict)) {
		return { failure: `the workflow "${workflow.name}" has been changed, so it is not run here` };
	}
	const execution = await n8n.run(workflow, { limitMs });
	const failure = failureOf(execution);
	if (failure !== undefined) return { failure };
	return {
		rows: itemsOf(execution, extractTransactions),
		accounts: itemsOf(execution, getVerdict),
		executionId: execution.id,
	};
};
