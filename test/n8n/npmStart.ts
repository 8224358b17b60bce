import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { freePort, isFree } from '../../scripts/processes/ports.ts';
import { waitUntil } from '../../scripts/processes/waitUntil.ts';
import { projectFolder } from '../../scripts/projectFolder.ts';

const readyLimitMs = 180_000;
const stopLimitMs = 40_000;
const onlyItsOwner = 0o600;

interface Started {
	child: ChildProcess;
	output: () => string;
	ended: Promise<number | null>;
}

/** `npm start`, without npm: the same command with other ports and another folder. */
const start = (environment: NodeJS.ProcessEnv): Started => {
	const child = spawn(
		process.execPath,
		[require.resolve('tsx/cli'), resolve(projectFolder, 'scripts/start/main.ts')],
		{
			cwd: projectFolder,
			env: { ...process.env, npm_lifecycle_event: undefined, ...environment },
			stdio: ['ignore', 'pipe', 'pipe'],
		},
	);
	let text = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (chunk: string) => {
			text += chunk;
		});
	}
	const ended = once(child, 'close').then(([code]) => code as number | null);
	return { child, output: () => text, ended };
};

const untilReady = async ({ output, child }: Started): Promise<void> => {
	await waitUntil(
		async () => {
			assert.equal(child.exitCode, null, output());
			return output().includes('Ctrl-C stops all of it.') ? true : undefined;
		},
		{ limitMs: readyLimitMs, onTimeout: () => new Error(`not ready:\n${output()}`) },
	);
};

/** What somebody sees who types `npm start`. */
export const testNpmStart = (): void => {
	let dataFolder = '';
	let ports = { service: 0, n8n: 0, broker: 0 };
	const running = new Set<Started>();

	const startHere = (changes: NodeJS.ProcessEnv = {}): Started => {
		const started = start({
			DATA_DIR: dataFolder,
			PORT: String(ports.service),
			N8N_PORT: String(ports.n8n),
			N8N_RUNNERS_BROKER_PORT: String(ports.broker),
			...changes,
		});
		running.add(started);
		void started.ended.then(() => running.delete(started));
		return started;
	};
	const assertAllPortsFree = async () => {
		for (const port of Object.values(ports)) assert.ok(await isFree(port), `${port} is free`);
	};

	before(async () => {
		dataFolder = await mkdtemp(resolve(tmpdir(), 'document-extraction-start-'));
		ports = { service: await freePort(), n8n: await freePort(), broker: await freePort() };
	});
	after(async () => {
		for (const { child, ended } of running) {
			child.kill('SIGTERM');
			await ended;
		}
		await rm(dataFolder, { recursive: true, force: true });
	});

	test('prints the rows, the verdict and how to sign in; Ctrl-C stops all of it', async () => {
		const started = startHere();
		await untilReady(started);
		const text = started.output();
		assert.equal(text.match(/^│ 20\d\d-\d\d-\d\d │/gm)?.length, 18, text);
		assert.match(text, /18 transactions\. Account \S+: reconciled/);
		const owner = JSON.parse(await readFile(`${dataFolder}/n8n/owner.json`, 'utf8')) as {
			password: string;
		};
		assert.ok(text.includes(owner.password));
		const { mode } = await stat(`${dataFolder}/n8n/owner.json`);
		assert.equal(mode & 0o777, onlyItsOwner);

		started.child.kill('SIGINT');
		assert.equal(await started.ended, 0, started.output());
		assert.match(started.output(), /Stopped\.\s*$/);
		await assertAllPortsFree();
	});

	test('starts again with the same account and workflows; goes down with its n8n', async () => {
		const started = startHere();
		await untilReady(started);
		assert.match(started.output(), /18 transactions\. Account \S+: reconciled/);
		assert.doesNotMatch(started.output(), /The package is built/);
		const { portHolder } = await import('../../scripts/processes/portHolder.ts');
		const n8n = await portHolder(ports.n8n);
		assert.ok(n8n !== undefined);
		process.kill(n8n.pid, 'SIGKILL');
		const code = await Promise.race([
			started.ended,
			new Promise((done) => setTimeout(done, stopLimitMs, 'still running').unref()),
		]);
		assert.equal(code, 1);
		assert.match(started.output(), /n8n ended by itself, by the signal SIGKILL/);
		await assertAllPortsFree();
	});

	test('a port in use: which one, by what, and how to choose another', async () => {
		const blocker = createServer().listen(ports.n8n, '127.0.0.1');
		await once(blocker, 'listening');
		try {
			const started = startHere();
			assert.equal(await started.ended, 1);
			const text = started.output();
			assert.match(text, new RegExp(`Port ${ports.n8n} \\(n8n\\) is in use`));
			assert.match(text, new RegExp(`by process ${process.pid} `));
			assert.match(text, /N8N_PORT=\d+ npm start/);
		} finally {
			blocker.close();
		}
	});

	test('a port that is no number is refused by name', async () => {
		const started = startHere({ PORT: '80a' });
		assert.equal(await started.ended, 1);
		assert.match(started.output(), /PORT is "80a", which is not a port/);
	});
};
