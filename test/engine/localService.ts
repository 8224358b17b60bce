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

/** The real service of this repository, in a process and a data folder of its own. */
export class LocalService {
	private constructor(
		private readonly process: ChildProcess,
		private readonly folder: string,
		readonly baseUrl: string,
		readonly accessToken: string,
		readonly jwt: string,
	) {}

	/** Starts it and waits until it is ready. Throws with its output where it does not get ready. */
	static async start(environment: Record<string, string> = {}): Promise<LocalService> {
		const folder = mkdtempSync(join(tmpdir(), 'service-'));
		const port = await freePort();
		const node = join(ROOT, 'node_modules', '.bin', 'node');
		const child = spawn(node, [join(ROOT, 'service', 'src', 'main.ts')], {
			env: {
				...process.env,
				PORT: String(port),
				HOST: '127.0.0.1',
				DATA_DIR: folder,
				LOG_LEVEL: 'warn',
				...environment,
			},
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		let output = '';
		child.stdout.on('data', (chunk) => (output += String(chunk)));
		child.stderr.on('data', (chunk) => (output += String(chunk)));
		const deadline = Date.now() + STARTS_WITHIN_MS;
		for (;;) {
			const ready = await fetch(`http://127.0.0.1:${port}/healthz`).then(
				({ status }) => status === 200,
				() => false,
			);
			if (ready) break;
			if (child.exitCode !== null || Date.now() > deadline) {
				child.kill('SIGKILL');
				throw new Error(`The service did not start:\n${output}`);
			}
			await new Promise((done) => setTimeout(done, 200));
		}
		const { baseUrl, accessToken, jwt } = JSON.parse(
			readFileSync(join(folder, 'credentials.json'), 'utf8'),
		) as { baseUrl: string; accessToken: string; jwt: string };
		return new LocalService(child, folder, baseUrl, accessToken, jwt);
	}

	async stop(): Promise<void> {
		const ended = new Promise((done) => this.process.once('exit', done));
		if (this.process.exitCode === null) this.process.kill('SIGTERM');
		await ended;
		rmSync(this.folder, { recursive: true, force: true });
	}
}
