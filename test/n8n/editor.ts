import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { test } from 'node:test';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { generateStatement } from '../documents/index.ts';
import { exampleNodes, exampleWorkflows } from '../../scripts/n8n/exampleWorkflows.ts';
import { projectFolder } from '../../scripts/projectFolder.ts';
import { expectedRows } from './expectedRows.ts';
import type { RealN8n } from './realN8n.ts';

const chromiumPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const chromiumFlags = [
	'--headless',
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Where each run leaves its picture. */
const screenshotFile = resolve(projectFolder, '.tmp/editor.png');
/** The picture in the README; written only when UPDATE_SCREENSHOT is set. */
const readmePicture = resolve(projectFolder, 'docs/images/editor.png');
const largestPicture = 400 * 1024;

const stepLimitMs = 30_000;
const rowCount = 18;

const startBrowser = async (): Promise<Browser> => {
	assert.ok(
		existsSync(chromiumPath),
		`There is no Chromium at ${chromiumPath}. Install it: sudo apt-get install -y chromium (or set CHROMIUM_PATH).`,
	);
	return await chromium.launch({
		executablePath: chromiumPath,
		args: chromiumFlags,
	});
};

const signIn = async (page: Page, { n8n, owner }: RealN8n): Promise<void> => {
	await page.goto(`${n8n.address}/signin`);
	await page.locator('input[name="emailOrLdapLoginId"]').fill(owner.email);
	await page.locator('input[name="password"]').fill(owner.password);
	await page.locator('[data-test-id="form-submit-button"]').click();
	await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
};

/** Shows the columns that matter, without messages on top of them. */
const arrangeForPicture = async (page: Page, panel: Locator): Promise<void> => {
	for (const close of await page.locator('.el-notification__closeBtn').all()) await close.click();
	await page.locator('.el-notification').first().waitFor({ state: 'detached' });
	await panel.locator('[data-test-id="ndv-input-panel"]').getByText('Table').click();
	const column = panel.locator('[data-test-id="output-panel"] th', { hasText: 'dateIso' });
	await column.first().evaluate((head) => head.scrollIntoView({ inline: 'start' }));
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

		const browser = await startBrowser();
		try {
			const page = await browser.newPage({ viewport: { width: 1680, height: 900 } });
			page.setDefaultTimeout(stepLimitMs);
			await signIn(page, running());
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

			await arrangeForPicture(page, panel);
			await mkdir(dirname(screenshotFile), { recursive: true });
			await page.screenshot({ path: screenshotFile });
			if (process.env.UPDATE_SCREENSHOT) {
				await mkdir(dirname(readmePicture), { recursive: true });
				await page.screenshot({ path: readmePicture });
				assert.ok((await stat(readmePicture)).size <= largestPicture, 'the picture is small');
			}
		} catch (error) {
			const page = browser.contexts()[0]?.pages()[0];
			await mkdir(dirname(screenshotFile), { recursive: true });
			await page?.screenshot({ path: screenshotFile.replace('.png', '-failed.png') });
			throw error;
		} finally {
			await browser.close();
		}
	});
};
