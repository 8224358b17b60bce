import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { generateStatement, type GeneratedStatement, type LayoutName } from '../documents/index.ts';
import { itemsOf, type ExecutedItem, type Execution } from '../../scripts/n8n/execution.ts';
import { assertSameRows, expectedRows, expectedVerdict, rowsFrom } from './expectedRows.ts';
import type { RealN8n } from './realN8n.ts';
import { chain, manualTrigger, ourNode, readFiles } from './workflowBuilder.ts';

const seed = 41;

/** Layouts that go through n8n together, one item each. */
const layouts: LayoutName[] = [
	'usChecking',
	'ukCurrent',
	'germanGiro',
	'dutchStatement',
	'severalAccounts',
	'creditCard',
	'indianSavings',
	'newestFirst',
	'noBalances',
	'doesNotAddUp',
];

const assertSucceeded = (execution: Execution): void =>
	assert.equal(
		execution.status,
		'success',
		`${execution.error?.nodeName}: ${execution.error?.message} ${execution.error?.description ?? ''}`,
	);

/** The index of the input item that an item is linked to. */
const linkedTo = (item: ExecutedItem): number =>
	(item.pairedItem as { item: number } | undefined)?.item ?? -1;

const groupByLink = (items: ExecutedItem[]): Map<number, ExecutedItem[]> => {
	const groups = new Map<number, ExecutedItem[]>();
	for (const item of items) {
		groups.set(linkedTo(item), [...(groups.get(linkedTo(item)) ?? []), item]);
	}
	return groups;
};

/** Statements that were generated go in as files; their rows come back over n8n's API. */
export const testStatements = (running: () => RealN8n): void => {
	test('ten layouts in one run: every row, its document and the verdict', async (t) => {
		const { n8n, filesFolder, writeFile } = running();
		const statements = new Map<string, GeneratedStatement>();
		for (const layout of layouts) {
			const statement = await generateStatement(layout, { seed });
			statements.set(layout, statement);
			await writeFile(`layouts/${layout}.pdf`, statement.pdf);
		}
		const workflow = await n8n.createWorkflow(
			chain('Layouts', [
				manualTrigger(),
				readFiles(`${filesFolder}/layouts/*.pdf`),
				ourNode('Extract', { operation: 'extract', output: 'documents' }),
				ourNode('Get Rows', {
					operation: 'getData',
					documentId: { __rl: true, mode: 'id', value: '={{ $json.documentId }}' },
					output: 'transactions',
				}),
			]),
		);
		const execution = await n8n.run(workflow);
		assertSucceeded(execution);

		const files = itemsOf(execution, 'Read Files');
		const documents = itemsOf(execution, 'Extract');
		assert.equal(documents.length, layouts.length);
		const rowsOfDocument = groupByLink(itemsOf(execution, 'Get Rows'));
		for (const [index, document] of documents.entries()) {
			const file = files[linkedTo(document)];
			const layout = basename(String(file?.json.fileName), '.pdf');
			await t.test(layout, () => {
				const statement = statements.get(layout);
				assert.ok(statement !== undefined, `the item is linked to "${layout}"`);
				statements.delete(layout);
				assertSameRows(rowsFrom(rowsOfDocument.get(index) ?? []), expectedRows(statement));
				assert.equal(document.json.verdict, expectedVerdict(statement));
			});
		}
		assert.deepEqual([...statements.keys()], [], 'layouts without an item');
	});

	test('a statement of 200 pages: every row, in one item each', async () => {
		const { n8n, writeFile } = running();
		const statement = await generateStatement('longLedger', { seed, pages: 200 });
		assert.equal(statement.truth.pageCount, 200);
		const path = await writeFile('long.pdf', statement.pdf);
		const workflow = await n8n.createWorkflow(
			chain('Long statement', [
				manualTrigger(),
				readFiles(path),
				ourNode('Extract', { operation: 'extract', output: 'transactions' }),
			]),
		);
		const execution = await n8n.run(workflow);
		assertSucceeded(execution);
		const items = itemsOf(execution, 'Extract');
		const expected = expectedRows(statement);
		assert.equal(items.length, expected.length);
		assertSameRows(rowsFrom(items), expected);
		assert.ok(items.every((item) => linkedTo(item) === 0));
	});
};
