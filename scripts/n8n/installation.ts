import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PlainError } from '../processes/plainError.ts';
import type { ProcessSupervisor } from '../processes/processSupervisor.ts';
import { projectFolder } from '../projectFolder.ts';
import { describeMissing, missingBuildTools } from './buildTools.ts';
import { acquireInstallLock } from './installLock.ts';
import { nodeHeadersFolder } from './nodeRuntime.ts';
import { npmCommand, npmEnvironment } from './npmCommand.ts';
import type { ProgressLine } from './progressLine.ts';

const n8nFolder = resolve(projectFolder, 'n8n');
const modulesFolder = resolve(n8nFolder, 'node_modules');
// It lies inside node_modules: `npm ci` removes it first, so a half-finished install has none.
const markerFile = resolve(modulesFolder, '.document-extraction-install.json');

/** The script that runs n8n. */
export const n8nProgram = resolve(modulesFolder, 'n8n/bin/n8n');

type Step = 'packages' | 'databaseDriver';

interface Marker {
	/** SHA-256 of what decides the content: the lockfile, Node's version and the platform. */
	fingerprint: string;
	finished: Step[];
}

const fingerprint = async (): Promise<string> => {
	const hash = createHash('sha256');
	for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
		hash.update(await readFile(resolve(n8nFolder, file)));
	}
	hash.update([process.versions.modules, process.platform, process.arch].join(' '));
	return hash.digest('hex');
};

const finishedSteps = async (wanted: string): Promise<Step[]> => {
	try {
		const marker = JSON.parse(await readFile(markerFile, 'utf8')) as Marker;
		return marker.fingerprint === wanted ? marker.finished : [];
	} catch {
		return [];
	}
};

/** Packages that the lockfile has and the disk does not: the install was damaged afterwards. */
const missingPackages = async (): Promise<string[]> => {
	const lockfile = resolve(modulesFolder, '.package-lock.json');
	const installed = JSON.parse(await readFile(lockfile, 'utf8').catch(() => '{}')) as {
		packages?: Record<string, { link?: boolean }>;
	};
	const folders = Object.keys(installed.packages ?? {});
	if (folders.length === 0) return ['.package-lock.json'];
	const checked = await Promise.all(
		folders.map(async (folder) => {
			try {
				await access(resolve(n8nFolder, folder, 'package.json'));
				return [];
			} catch {
				return [folder];
			}
		}),
	);
	return checked.flat();
};

const databaseDriverLoads = async (supervisor: ProcessSupervisor): Promise<boolean> => {
	const { end } = await supervisor.run({
		name: 'check of the database driver',
		command: process.execPath,
		args: ['-e', `require(${JSON.stringify(resolve(modulesFolder, 'sqlite3'))})`],
		cwd: n8nFolder,
		env: process.env,
	});
	return end.code === 0;
};

const downloadPackages = async (
	supervisor: ProcessSupervisor,
	progress: ProgressLine,
): Promise<void> => {
	const lockfile = JSON.parse(await readFile(resolve(n8nFolder, 'package-lock.json'), 'utf8')) as {
		packages: Record<string, unknown>;
	};
	const total = Object.keys(lockfile.packages).length - 1;
	let answers = 0;
	let fetched = 0;
	const npm = npmCommand();
	progress.begin(() =>
		fetched === 0
			? `n8n: asking the registry${answers === 0 ? '' : ` (${answers} answers)`}`
			: `n8n: ${Math.min(fetched, total)} of ${total} packages`,
	);
	const { end, process: install } = await supervisor.run({
		name: 'npm ci',
		command: npm.command,
		args: [...npm.args, 'ci', '--ignore-scripts', '--loglevel=http', '--no-audit', '--no-fund'],
		cwd: n8nFolder,
		env: npmEnvironment(),
		onOutput: (chunk) => {
			answers += chunk.match(/^npm http (fetch|cache) /gm)?.length ?? 0;
			fetched += chunk.match(/^npm http (fetch|cache) .*\.tgz/gm)?.length ?? 0;
		},
	});
	progress.end();
	if (end.code !== 0) {
		throw new PlainError(
			[
				'n8n could not be installed. What npm said last:',
				...install.output.lines(12).map((line) => `    ${line}`),
				'Check the network and the disk (2.5 GB are needed), then run the same command again: what has been downloaded is kept.',
			].join('\n'),
		);
	}
};

const compileDatabaseDriver = async (
	supervisor: ProcessSupervisor,
	progress: ProgressLine,
	note: (text: string) => void,
): Promise<void> => {
	const missing = missingBuildTools();
	if (missing.length > 0) {
		note(
			`No ${missing.map(({ debianPackage }) => debianPackage).join(', no ')} here: trying a ready-made database driver.`,
		);
	}
	const headers = nodeHeadersFolder();
	const npm = npmCommand();
	let current = '';
	progress.begin(() => `n8n: building its database driver${current}`);
	const { end, process: build } = await supervisor.run({
		name: 'npm rebuild sqlite3',
		command: npm.command,
		args: [...npm.args, 'rebuild', 'sqlite3', '--foreground-scripts'],
		cwd: n8nFolder,
		env: npmEnvironment(headers === undefined ? {} : { npm_config_nodedir: headers }),
		onOutput: (chunk) => {
			const file = [...chunk.matchAll(/\b(?:CC|CXX|AR|SOLINK_MODULE)\(target\) (\S+)/g)].at(
				-1,
			)?.[1];
			if (file !== undefined) current = ` (${file.split('/').at(-1)})`;
		},
	});
	progress.end();
	if (end.code === 0 && (await databaseDriverLoads(supervisor))) return;
	if (missing.length > 0) throw new PlainError(describeMissing(missing));
	throw new PlainError(
		[
			"n8n's database driver (sqlite3) could not be built. What the build said last:",
			...build.output.lines(20).map((line) => `    ${line}`),
			'It needs g++, make and Python 3. Put it right, then run the same command again.',
		].join('\n'),
	);
};

/**
 * Makes sure that the pinned n8n is there and whole. The first time this takes some minutes and
 * shows its progress; what an earlier attempt has finished is not done again; what is damaged is
 * installed anew. When all is well it takes about a tenth of a second.
 */
export const ensureInstalled = async (
	supervisor: ProcessSupervisor,
	output: { note: (text: string) => void; progress: ProgressLine },
): Promise<void> => {
	const wanted = await fingerprint();
	const lockFolder = resolve(projectFolder, '.tmp');
	await mkdir(lockFolder, { recursive: true });
	const releaseLock = await acquireInstallLock(resolve(lockFolder, 'n8n-install.lock'));
	try {
		const finished = new Set(await finishedSteps(wanted));
		const record = async () => {
			const marker: Marker = { fingerprint: wanted, finished: [...finished] };
			await writeFile(markerFile, JSON.stringify(marker));
		};

		if (finished.has('packages')) {
			const missing = await missingPackages();
			if (missing.length > 0) {
				output.note(
					`The n8n that is installed is damaged (${missing.length} packages are gone, e.g. ${missing[0]}). It is installed anew.`,
				);
				finished.clear();
			}
		} else if (existsSync(modulesFolder)) {
			output.note('An n8n of another version or a half-finished one is replaced.');
		} else {
			output.note(
				'n8n is installed now, once: 2.2 GB, a few minutes. It goes into n8n/node_modules.',
			);
		}

		if (!finished.has('packages')) {
			await downloadPackages(supervisor, output.progress);
			finished.add('packages');
			await record();
		}
		if (!finished.has('databaseDriver') || !(await databaseDriverLoads(supervisor))) {
			await compileDatabaseDriver(supervisor, output.progress, output.note);
			finished.add('databaseDriver');
			await record();
		}
	} finally {
		await releaseLock();
	}
};

/**
 * Makes the next start install n8n anew. For an n8n that cannot find its own files, which no check
 * of the packages can see.
 */
export const forgetInstallation = async (): Promise<void> => {
	await rm(markerFile, { force: true });
};
