import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
/** The machine may be busy with other tests; a start that hangs still ends the test. */
const READY_WITHIN_MS = 180_000;

export interface Credentials {
	baseUrl: string;
	accessToken: string;
	jwt: string;
}

export interface ServiceOptions {
	/** Default: a new temporary folder, removed by `remove`. */
	dataDir?: string;
	/** Default: a free one. */
	port?: number;
	env?: Record<string, string>;
}

/** A service process under test. `start` may be called again after `stop` or `kill`. */
export class RunningService {
	readonly dataDir: string;
	readonly port: number;
	/** Null for the embedded database. */
	readonly databaseUrl: string | null;
	credentials: Credentials = { baseUrl: '', accessToken: '', jwt: '' };
	/** Everything that the process has printed so far. */
	output = '';
	readonly #env: Record<string, string>;
	#process: ChildProcess | null = null;
	#exit: Promise<number | NodeJS.Signals> = Promise.resolve(0);

	constructor(dataDir: string, port: number, env: Record<string, string>) {
		this.dataDir = dataDir;
		this.port = port;
		this.databaseUrl = env['DATABASE_URL'] ?? null;
		this.#env = env;
	}

	get site(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	get pid(): number {
		return this.#process?.pid ?? 0;
	}

	/** Starts the process without waiting for anything. */
	spawn(): void {
		const child = spawn(process.execPath, [MAIN], {
			env: {
				PATH: process.env['PATH'],
				PORT: String(this.port),
				DATA_DIR: this.dataDir,
				...this.#env,
			},
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		this.#process = child;
		const collect = (text: Buffer): void => {
			this.output += text.toString();
		};
		child.stdout.on('data', collect);
		child.stderr.on('data', collect);
		this.#exit = new Promise((resolve) => {
			child.once('close', (code, signal) => resolve(code ?? signal ?? 0));
		});
	}

	/** Starts the process and waits until it is ready. */
	async start(): Promise<this> {
		this.spawn();
		const until = Date.now() + READY_WITHIN_MS;
		while (!(await this.#isReady())) {
			if (this.#process?.exitCode !== null || Date.now() > until) {
				await this.kill();
				throw new Error(`The service did not become ready:\n${this.output}`);
			}
			await sleep(50);
		}
		const text = await readFile(join(this.dataDir, 'credentials.json'), 'utf8');
		this.credentials = JSON.parse(text) as Credentials;
		return this;
	}

	/** Waits for the end: the exit code, or the signal that ended it. */
	async exit(): Promise<number | NodeJS.Signals> {
		return await this.#exit;
	}

	/** Asks the process to stop, as Ctrl-C does. */
	async stop(): Promise<number | NodeJS.Signals> {
		this.#process?.kill('SIGINT');
		return await this.#exit;
	}

	/** Ends the process without giving it a chance to do anything. */
	async kill(): Promise<void> {
		this.#process?.kill('SIGKILL');
		await this.#exit;
	}

	/** Ends the process and removes its folder. */
	async remove(): Promise<void> {
		await this.kill();
		await rm(this.dataDir, { recursive: true, force: true });
	}

	async #isReady(): Promise<boolean> {
		try {
			return (await fetch(`${this.site}/healthz`)).status === 200;
		} catch {
			return false;
		}
	}
}

/** A service that is not started yet, with its own folder and a free port. */
export async function newService(options: ServiceOptions = {}): Promise<RunningService> {
	const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'extraction-service-')));
	return new RunningService(dataDir, options.port ?? (await freePort()), options.env ?? {});
}

/** A service that is ready. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
	return await (await newService(options)).start();
}

export async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise<void>((resolve) => server.close(() => resolve()));
	return port;
}
