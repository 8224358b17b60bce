import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import {
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint, type Linter } from 'eslint';

/**
 * The gate of n8n's verification, run offline: the scanner's own rules on the source and on the
 * packed tarball, as `npx @n8n/scan-community-package` does after a publication. Stricter in two
 * ways: a warning fails too, and the newest release of the community plugin is applied besides the
 * older one that the scanner pins.
 */
const run = promisify(execFile);
const root = resolve(__dirname, '..', '..');
const TARBALL_FILE_PATTERNS = ['**/*.js', 'package.json'];

async function pack(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'packed-'));
	await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
	const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
	if (tarball === undefined) throw new Error('npm pack wrote no tarball');
	await run('tar', ['-xzf', tarball], { cwd: folder });
	return join(folder, 'package');
}

/** Lints `patterns` below `folder`; prints what it finds and returns how much that is. */
async function lint(
	label: string,
	folder: string,
	patterns: string[],
	config: Linter.Config[],
): Promise<number> {
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: config,
	});
	const results = await eslint.lintFiles(patterns);
	if (results.length === 0) throw new Error(`${label}: no file to lint`);
	const found = results.reduce((sum, one) => sum + one.errorCount + one.warningCount, 0);
	process.stdout.write(`${label}: ${results.length} files, ${found} findings\n`);
	if (found > 0) {
		const formatter = await eslint.loadFormatter('stylish');
		process.stdout.write(await formatter.format(results));
	}
	return found;
}

async function main(): Promise<void> {
	const scanConfig = (await buildScanConfig()) as Linter.Config[];
	const newest: Linter.Config[] = [
		...scanConfig.filter((config) => !config.plugins?.['@n8n/community-nodes']),
		...[n8nCommunityNodesPlugin.configs.recommended].flat(),
	] as Linter.Config[];

	const packed = await pack();
	try {
		let found = 0;
		for (const [rules, config] of [
			['scan', scanConfig],
			['newest plugin', newest],
		] as const) {
			found += await lint(`${rules}, source`, root, SOURCE_FILE_PATTERNS, config);
			found += await lint(`${rules}, tarball`, packed, TARBALL_FILE_PATTERNS, config);
		}
		process.exitCode = found === 0 ? 0 : 1;
	} finally {
		await rm(resolve(packed, '..'), { recursive: true, force: true });
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${String(error)}\n`);
	process.exitCode = 1;
});
