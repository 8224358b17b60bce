import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PlainError } from '../processes/plainError.ts';
import type { ProcessSupervisor } from '../processes/processSupervisor.ts';
import { projectFolder } from '../projectFolder.ts';
import { npmCommand, npmEnvironment } from './npmCommand.ts';

export const packageName = 'n8n-nodes-document-extraction';

/** Everything that the built package is made from. */
const sources = [
	'package.json',
	'package-lock.json',
	'tsconfig.json',
	'gulpfile.js',
	'README.md',
	'LICENSE.md',
	'nodes',
	'credentials',
	'icons',
];

const filesUnder = async (path: string): Promise<string[]> => {
	const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => null);
	if (entries === null) return [path];
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => resolve(entry.parentPath, entry.name))
		.sort();
};

/** Changes with every file that the package is built from, and with nothing else. */
const sourceFingerprint = async (): Promise<string> => {
	const hash = createHash('sha256');
	for (const source of sources) {
		for (const file of await filesUnder(resolve(projectFolder, source))) {
			const content = await readFile(file).catch(() => undefined);
			if (content !== undefined) hash.update(`${file}\0${content.length}\0`).update(content);
		}
	}
	return hash.digest('hex');
};

const runOrThrow = async (
	supervisor: ProcessSupervisor,
	command: { name: string; command: string; args: string[]; cwd: string },
	whenItFails: string,
): Promise<string[]> => {
	const { end, process: finished } = await supervisor.run({ ...command, env: npmEnvironment() });
	if (end.code !== 0) {
		throw new PlainError(
			[whenItFails, ...finished.output.lines(25).map((line) => `    ${line}`)].join('\n'),
		);
	}
	return finished.output.lines();
};

/** Builds the package and packs it as it would be published. Returns the path of the tarball. */
export const buildAndPack = async (
	supervisor: ProcessSupervisor,
	folder: string,
): Promise<string> => {
	const npm = npmCommand();
	await runOrThrow(
		supervisor,
		{
			name: 'npm run build',
			command: npm.command,
			args: [...npm.args, 'run', 'build'],
			cwd: projectFolder,
		},
		'The package could not be built:',
	);
	await mkdir(folder, { recursive: true });
	for (const name of await readdir(folder)) {
		if (name.endsWith('.tgz')) await rm(resolve(folder, name));
	}
	await runOrThrow(
		supervisor,
		{
			name: 'npm pack',
			command: npm.command,
			args: [...npm.args, 'pack', '--ignore-scripts', '--pack-destination', folder],
			cwd: projectFolder,
		},
		'The package could not be packed:',
	);
	const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
	if (tarball === undefined) throw new PlainError(`npm pack wrote no file into ${folder}.`);
	return resolve(folder, tarball);
};

/**
 * Puts a packed package where n8n looks for community packages: `nodes/node_modules` in its own
 * folder. The old one stays until the new one is complete.
 */
export const installTarball = async (
	supervisor: ProcessSupervisor,
	tarball: string,
	userFolder: string,
): Promise<void> => {
	const modules = resolve(userFolder, '.n8n/nodes/node_modules');
	const unpacked = resolve(userFolder, '.n8n/nodes/.unpacked');
	await rm(unpacked, { recursive: true, force: true });
	await mkdir(unpacked, { recursive: true });
	await mkdir(modules, { recursive: true });
	await runOrThrow(
		supervisor,
		{ name: 'tar', command: 'tar', args: ['-xzf', tarball, '-C', unpacked], cwd: unpacked },
		'The packed package could not be unpacked:',
	);
	const target = resolve(modules, packageName);
	await rm(target, { recursive: true, force: true });
	await rename(resolve(unpacked, 'package'), target);
	await rm(unpacked, { recursive: true, force: true });
};

/**
 * Builds, packs and installs the package, unless the installed one was made from the same sources.
 * Returns whether anything had to be done.
 */
export const ensurePackageInstalled = async (
	supervisor: ProcessSupervisor,
	userFolder: string,
): Promise<boolean> => {
	const marker = resolve(userFolder, '.n8n/nodes/.document-extraction-sources');
	const wanted = await sourceFingerprint();
	if ((await readFile(marker, 'utf8').catch(() => '')) === wanted) return false;
	const packFolder = resolve(userFolder, '.n8n/nodes/.packed');
	const tarball = await buildAndPack(supervisor, packFolder);
	await installTarball(supervisor, tarball, userFolder);
	await rm(packFolder, { recursive: true, force: true });
	await writeFile(marker, wanted);
	return true;
};
