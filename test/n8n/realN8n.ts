import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { saveServiceCredentials } from '../../scripts/n8n/credentialSetup.ts';
import { n8nFolders } from '../../scripts/n8n/environment.ts';
import { ensureInstalled } from '../../scripts/n8n/installation.ts';
import { N8nClient, type StoredCredential } from '../../scripts/n8n/n8nClient.ts';
import { startN8n, type N8nServer } from '../../scripts/n8n/n8nServer.ts';
import { buildAndPack, installTarball } from '../../scripts/n8n/nodePackage.ts';
import { requireNode } from '../../scripts/n8n/nodeRuntime.ts';
import { ownerAccount, type OwnerAccount } from '../../scripts/n8n/ownerAccount.ts';
import { ProgressLine } from '../../scripts/n8n/progressLine.ts';
import type { ManagedProcess } from '../../scripts/processes/managedProcess.ts';
import { lastingPort } from '../../scripts/processes/ports.ts';
import { ProcessSupervisor } from '../../scripts/processes/processSupervisor.ts';
import { startService, type RunningService } from '../../scripts/service/serviceServer.ts';

/** How something goes down: asked to, or by SIGKILL. */
export type Ending = 'orderly' | 'kill';

/**
 * A service and an n8n of their own, with the package from its tarball, on free ports. Each can be
 * stopped and started again on its data and its port. Read the members when they are needed: after
 * a start `pid` and `service` are new.
 */
export interface RealN8n {
	n8n: N8nClient;
	/** The process id of n8n, to measure it. */
	readonly pid: number;
	readonly service: RunningService;
	credentials: { accessToken: StoredCredential; jwt: StoredCredential };
	owner: OwnerAccount;
	/** The folder that workflows may read. */
	filesFolder: string;
	/** The folder in which n8n found the package. */
	packageFolder: string;
	/** Writes a file that workflows may read; returns its path. */
	writeFile(name: string, content: Buffer | string): Promise<string>;
	/** Stops n8n alone. */
	stopN8n(ending?: Ending): Promise<void>;
	/** Starts n8n again after `stopN8n`, with settings that replace the further ones it had. */
	startN8n(environment?: NodeJS.ProcessEnv): Promise<void>;
	/** Stops the service alone. */
	stopService(ending?: Ending): Promise<void>;
	/** Starts the service again after `stopService`, with settings that replace those it had. */
	startService(environment?: NodeJS.ProcessEnv): Promise<void>;
	/** Everything that n8n has printed, over all its starts. */
	n8nLog(): Promise<string>;
	/** Everything that the service has printed, over all its starts. */
	serviceLog(): Promise<string>;
	/** Stops everything and removes the temporary folder. */
	stop(): Promise<void>;
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

export interface RealN8nOptions {
	/** A tarball that is there already, in place of a new one. */
	tarball?: string;
	/** Further settings for n8n. */
	environment?: NodeJS.ProcessEnv;
	/** Further settings for the service; `INGEST_DIR` and the like. */
	serviceEnvironment?: NodeJS.ProcessEnv;
	/** Further arguments for its Node. */
	nodeArguments?: string[];
}

/** Installs n8n (when needed), packs the package and starts a fresh service and a fresh n8n. */
export const startRealN8n = async (options: RealN8nOptions = {}): Promise<RealN8n> => {
	requireNode();
	const supervisor = new ProcessSupervisor();
	await ensureInstalled(supervisor, { note: say, progress: new ProgressLine(process.stderr) });
	const folder = await mkdtemp(resolve(tmpdir(), 'document-extraction-n8n-'));
	const folders = n8nFolders(folder);
	const { filesFolder, userFolder } = folders;

	const stop = async () => {
		await supervisor.stopAll();
		await rm(folder, { recursive: true, force: true });
	};
	try {
		const tarball = options.tarball ?? (await buildAndPack(supervisor, resolve(folder, 'packed')));
		await installTarball(supervisor, tarball, userFolder);
		await mkdir(filesFolder, { recursive: true });
		const owner = await ownerAccount(folders.ownerFile);
		const serviceLogFile = resolve(folder, 'logs/service.log');
		const servicePort = await lastingPort();
		const n8nPort = await lastingPort();
		const brokerPort = await lastingPort();
		let serviceEnvironment = options.serviceEnvironment;
		let environment = options.environment;

		const startServiceHere = async (): Promise<RunningService> =>
			await startService(supervisor, {
				port: servicePort,
				host: '127.0.0.1',
				dataFolder: resolve(folder, 'service'),
				logFile: serviceLogFile,
				// Tests that wait for a dead letter need not wait half a minute.
				environment: { DELIVERY_BACKOFF_MS: '1000', ...serviceEnvironment },
			});
		const startN8nHere = async (): Promise<N8nServer> =>
			await startN8n(
				supervisor,
				{ ...folders, port: n8nPort, brokerPort, owner, extra: environment },
				folders.logFile,
				options.nodeArguments,
			);
		const end = async (process: ManagedProcess, ending: Ending): Promise<void> =>
			await (ending === 'kill' ? supervisor.kill(process) : supervisor.stop(process));

		let service = await startServiceHere();
		let server = await startN8nHere();
		const n8n = new N8nClient(server.address);
		await n8n.signIn(owner);
		return {
			n8n,
			get pid() {
				return server.process.pid;
			},
			get service() {
				return service;
			},
			credentials: await saveServiceCredentials(n8n, service.credentials),
			owner,
			filesFolder,
			packageFolder: resolve(userFolder, '.n8n/nodes/node_modules/n8n-nodes-document-extraction'),
			writeFile: async (name, content) => {
				const path = resolve(filesFolder, name);
				await mkdir(resolve(path, '..'), { recursive: true });
				await writeFile(path, content);
				return path;
			},
			stopN8n: async (ending = 'orderly') => await end(server.process, ending),
			startN8n: async (changed = environment) => {
				environment = changed;
				server = await startN8nHere();
				await n8n.signIn(owner);
			},
			stopService: async (ending = 'orderly') => await end(service.process, ending),
			startService: async (changed = serviceEnvironment) => {
				serviceEnvironment = changed;
				service = await startServiceHere();
			},
			n8nLog: async () => await readFile(folders.logFile, 'utf8'),
			serviceLog: async () => await readFile(serviceLogFile, 'utf8'),
			stop,
		};
	} catch (error) {
		await supervisor.stopAll();
		const log = await readFile(folders.logFile, 'utf8').catch(() => '');
		say(log.split('\n').slice(-40).join('\n'));
		await rm(folder, { recursive: true, force: true });
		throw error;
	}
};
