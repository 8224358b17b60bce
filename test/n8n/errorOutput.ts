import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateStatement } from '../documents/index.ts';
import { itemsOf } from '../../scripts/n8n/execution.ts';
import { assertSameRows, expectedRows, rowsFrom } from './expectedRows.ts';
import type { RealN8n } from './realN8n.ts';
import { chain, manualTrigger, ourNode, readFiles } from './workflowBuilder.ts';

/** What n8n does with files that cannot be read. */
export const testErrorOutput = (running: () => RealN8n): void => {
	test('a file that cannot be read goes to the error output, the others go on', async () => {
		const { n8n, filesFolder, writeFile } = running();
		const good = await generateStatement('usChecking', { seed: 7, transactions: 12 });
		await writeFile('mixed/1-cut-off.pdf', good.pdf.subarray(0, 400));
		await writeFile('mixed/2-good.pdf', good.pdf);
		await writeFile('mixed/3-text.txt', 'not a document');
		const workflow = await n8n.createWorkflow(
			chain('Error output', [
				manualTrigger(),
				readFiles(`${filesFolder}/mixed/*`),
				ourNode('Extract', { operation: 'extract' }, { onError: 'continueErrorOutput' }),
			]),
		);
		const execution = await n8n.run(workflow);
		assert.equal(execution.status, 'success', execution.error?.message);

		assertSameRows(rowsFrom(itemsOf(execution, 'Extract', 0)), expectedRows(good));
		const failures = itemsOf(execution, 'Extract', 1);
		assert.deepEqual(
			failures.map(({ json }) => json.fileName),
			['1-cut-off.pdf', '3-text.txt'],
		);
		for (const { json } of failures) {
			assert.equal(typeof json.error, 'string');
			assert.match(String(json.message), new RegExp(String(json.fileName)));
			assert.equal(typeof json.details, 'object');
		}
	});

	test('without an error output the execution stops and says why', async () => {
		const { n8n, filesFolder } = running();
		const workflow = await n8n.createWorkflow(
			chain('Stops', [
				manualTrigger(),
				readFiles(`${filesFolder}/mixed/3-text.txt`),
				ourNode('Extract', { operation: 'extract' }),
			]),
		);
		const execution = await n8n.run(workflow);
		assert.equal(execution.status, 'error');
		assert.equal(execution.error?.nodeName, 'Extract');
		assert.match(execution.error?.message ?? '', /3-text\.txt/);
	});
};
