import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { generateStatement } from '../documents/index.ts';
import { exampleNodes, exampleWorkflows } from '../../scripts/n8n/exampleWorkflows.ts';
import { waitUntil } from '../../scripts/processes/waitUntil.ts';
import { inEditor, takePicture } from './browser.ts';
import { expectedRows } from './expectedRows.ts';
import type { RealN8n } from './realN8n.ts';
import { ServiceClient } from './serviceClient.ts';
import { triggerOf } from './triggerState.ts';

const rowCount = 18;

/** Shows the columns from this one on, without messages on top of them. */
const arrangeForPicture = async (page: Page, panel: Locator, column: string): Promise<void> => {
	for (const close of await page.locator('.el-notification__closeBtn').all()) await close.click();
	await page.locator('.el-notification').first().waitFor({ state: 'detached' });
	await page.mouse.move(0, 0);
	const head = panel.locator('[data-test-id="output-panel"] th', { hasText: column });
	await head.first().evaluate((cell) => cell.scrollIntoView({ inline: 'start' }));
};

const untilWebhooks = async (service: ServiceClient, count: number): Promise<void> => {
	await waitUntil(async () => ((await service.webhooks()).length === count ? true : undefined), {
		limitMs: 30_000,
		onTimeout: () => new Error(`the service does not have ${count} webhooks`),
	});
};

/** What a person sees who runs the workflow in the editor and opens our node. */
export const testEditor = (running: () => RealN8n): void => {
	test('the editor runs the workflow and shows the node with its rows', async () => {
		const { n8n, filesFolder, writeFile } = running();
		const statement = await generateStatement('usChecking', {
			seed: 2026,
			transactions: rowCount,
		});
		await writeFile('statement.pdf', statement.pdf);
		const example = (await exampleWorkflows(filesFolder)).statementFile;
		const workflow = await n8n.createWorkflow({ ...example, name: 'Statement to rows' });

		await inEditor(running(), 'editor', async (page) => {
			await page.goto(`${n8n.address}/workflow/${workflow.id}`);

			const node = page.locator(
				`[data-test-id="canvas-node"][data-node-name="${exampleNodes.extractTransactions}"]`,
			);
			await node.waitFor();
			await page.locator('[data-test-id="execute-workflow-button"]').click();
			await node.locator('[data-test-id="canvas-node-status-success"]').waitFor();

			await node.dblclick();
			const panel = page.locator('[data-test-id="ndv"]');
			await panel.waitFor();
			const output = panel.locator('[data-test-id="output-panel"]');
			await output.getByText(`${rowCount} items`).first().waitFor();

			const parameters = panel.locator('[data-test-id="node-parameters"]');
			for (const label of ['Resource', 'Operation', 'Document Kind', 'Output']) {
				assert.ok(
					await parameters.getByText(label, { exact: true }).first().isVisible(),
					`the parameter ${label} is visible`,
				);
			}
			const [first] = expectedRows(statement);
			assert.ok(first !== undefined);
			for (const text of [first.dateIso, first.account]) {
				assert.ok(
					await output.getByText(text, { exact: true }).first().isVisible(),
					`${text} is visible in the output`,
				);
			}

			await panel.locator('[data-test-id="ndv-input-panel"]').getByText('Table').click();
			await arrangeForPicture(page, panel, 'dateIso');
			await takePicture(page, 'editor');
		});
	});

	test('the trigger: its events, and a test event that arrives', async () => {
		const { n8n, filesFolder } = running();
		const service = new ServiceClient(() => running().service);
		const statement = await generateStatement('usChecking', { seed: 2027, transactions: rowCount });
		const example = (await exampleWorkflows(filesFolder)).deliveries;
		const workflow = await n8n.createWorkflow({ ...example, name: 'Told by the service' });
		const trigger = triggerOf(workflow).name;

		await inEditor(running(), 'trigger', async (page) => {
			await page.goto(`${n8n.address}/workflow/${workflow.id}`);
			const node = page.locator(`[data-test-id="canvas-node"][data-node-name="${trigger}"]`);
			await node.waitFor();
			await node.dblclick();
			const panel = page.locator('[data-test-id="ndv"]');
			await panel.waitFor();
			const parameters = panel.locator('[data-test-id="node-parameters"]');
			for (const label of ['Trigger On Events', 'Output', 'Filters', 'Options']) {
				await parameters.getByText(label, { exact: true }).first().waitFor();
			}
			// The names come from the service.
			await parameters.getByText('Extraction Failed').first().waitFor();

			await panel.locator('[data-test-id="trigger-execute-button"]').click();
			await panel.getByText('Stop Listening').first().waitFor();
			await untilWebhooks(service, 1);
			await service.endedJob(await service.extract(statement.pdf, 'statement.pdf'));
			const output = panel.locator('[data-test-id="output-panel"]');
			await output.getByText('bank_statement.extraction.completed').first().waitFor();
			await output.getByText('1 item', { exact: true }).first().waitFor();
			await arrangeForPicture(page, panel, 'documentId');
			await takePicture(page, 'trigger');
		});
		await untilWebhooks(service, 0);
	});
};
