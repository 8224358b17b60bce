import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { projectFolder } from '../../scripts/projectFolder.ts';
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

const largestPicture = 400 * 1024;
const stepLimitMs = 30_000;

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

/** Where each run leaves its picture. */
const pictureOfRun = (name: string): string => resolve(projectFolder, `.tmp/${name}.png`);

const save = async (page: Page, path: string): Promise<void> => {
	await mkdir(dirname(path), { recursive: true });
	await page.screenshot({ path });
};

/** Keeps what the page shows; with UPDATE_SCREENSHOT set, also for the README. */
export const takePicture = async (page: Page, name: string): Promise<void> => {
	await save(page, pictureOfRun(name));
	if (!process.env.UPDATE_SCREENSHOT) return;
	const path = resolve(projectFolder, `docs/images/${name}.png`);
	await save(page, path);
	assert.ok((await stat(path)).size <= largestPicture, 'the picture is small');
};

/** Signs in to n8n's editor with a browser of its own. When `steps` fail, a picture shows where. */
export const inEditor = async (
	running: RealN8n,
	name: string,
	steps: (page: Page) => Promise<void>,
): Promise<void> => {
	const browser = await startBrowser();
	try {
		const page = await browser.newPage({ viewport: { width: 1680, height: 900 } });
		page.setDefaultTimeout(stepLimitMs);
		await signIn(page, running);
		try {
			await steps(page);
		} catch (error) {
			await save(page, pictureOfRun(`${name}-failed`));
			throw error;
		}
	} finally {
		await browser.close();
	}
};
