import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..', '..');
const STARTS_WITHIN_MS = 90_000;

async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	const { port } = server.address() as AddressInfo;
	await new Promise((done) => server.close(done));
	return port;
}

/** Environment variables of the service, see docs/service.md. */
type Settings = Record<string, string>;

interface Running {
	child: ChildProcess;
	ended: Promise<void>;
}

/** Starts the process and waits until it is ready. Throws with its output where it does not get so. */
async function launch(folder: string, port: number, settings: Settings): Promise<Running> {
	const node = join(ROOT, 'node_modules', '.bin', 'node');
	const child = spawn(node, [join(ROOT, 'service', 'src', 'main.ts')], {
		env: {
			...process.env,
			PORT: String(port),
			HOST: '127.0.0.1',
			DATA_DIR: folder,
			LOG_LEVEL: 'warn',
			// Tests that wait for a dead letter need not wait half a minute.
			DELIVERY_BACKOFF_MS: '1000',
			...settings,
		},
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const ended = new Promise<void>((done) => child.once('exit', () => done()));
	let output = '';
	child.stdout.on('data', (chunk) => (output += String(chunk)));
	child.stderr.on('data', (chunk) => (output += String(chunk)));
	const deadline = Date.now() + STARTS_WITHIN_MS;
	for (;;) {
		const ready = await fetch(`http://127.0.0.1:${port}/healthz`).then(
			({ status }) => status === 200,
			() => false,
		);
		if (ready) return { child, ended };
		if (child.exitCode !== null || Date.now() > deadline) {
			child.kill('SIGKILL');
			throw new Error(`The service did not start:\n${output}`);
		}
		await new Promise((done) => setTimeout(done, 200));
	}
}

/** The real service of this repository, in a process and a data folder of its own. */
export class LocalService {
	private constructor(
		private running: Running,
		private readonly folder: string,
		private readonly port: number,
		private readonly settings: Settings,
		readonly baseUrl: string,
		readonly accessToken: string,
		readonly jwt: string,
	) {}

	static async start(settings: Settings = {}): Promise<LocalService> {
		const folder = mkdtempSync(join(tmpdir(), 'service-'));
		const port = await freePort();
		const running = await launch(folder, port, settings);
		const { baseUrl, accessToken, jwt } = JSON.parse(
			readFileSync(join(folder, 'credentials.json'), 'utf8'),
		) as { baseUrl: string; accessToken: string; jwt: string };
		return new LocalService(running, folder, port, settings, baseUrl, accessToken, jwt);
	}

	/** Kills the process without a warning, and starts it again on the same data. */
	async killAndStartAgain(): Promise<void> {
		this.running.child.kill('SIGKILL');
		await this.running.ended;
		this.running = await launch(this.folder, this.port, this.settings);
	}

	async stop(): Promise<void> {
		this.running.child.kill('SIGTERM');
		await this.running.ended;
		rmSync(this.folder, { recursive: true, force: true });
	}
}
