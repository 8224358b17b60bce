import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { saveServiceCredentials } from '../../scripts/n8n/credentialSetup.ts';
import { n8nFolders } from '../../scripts/n8n/environment.ts';
import { ensureInstalled } from '../../scripts/n8n/installation.ts';
import { N8nClient, type StoredCredential } from '../../scripts/n8n/n8nClient.ts';
import { startN8n } from '../../scripts/n8n/n8nServer.ts';
import { buildAndPack, installTarball } from '../../scripts/n8n/nodePackage.ts';
import { requireNode } from '../../scripts/n8n/nodeRuntime.ts';
import { ownerAccount, type OwnerAccount } from '../../scripts/n8n/ownerAccount.ts';
import { ProgressLine } from '../../scripts/n8n/progressLine.ts';
import { freePort } from '../../scripts/processes/ports.ts';
import { ProcessSupervisor } from '../../scripts/processes/processSupervisor.ts';
import { startService, type RunningService } from '../../scripts/service/serviceServer.ts';

/** A service and an n8n of their own, with the package from its tarball, on free ports. */
export interface RealN8n {
	n8n: N8nClient;
	/** The process id of n8n, to measure it. */
	pid: number;
	service: RunningService;
	credentials: { accessToken: StoredCredential; jwt: StoredCredential };
	owner: OwnerAccount;
	/** The folder that workflows may read. */
	filesFolder: string;
	/** The folder in which n8n found the package. */
	packageFolder: string;
	/** Writes a file that workflows may read; returns its path. */
	writeFile(name: string, content: Buffer | string): Promise<string>;
	/** Stops everything and removes the temporary folder. */
	stop(): Promise<void>;
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

export interface RealN8nOptions {
	/** A tarball that is there already, in place of a new one. */
	tarball?: string;
	/** Further settings for n8n. */
	environment?: NodeJS.ProcessEnv;
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
		const service = await startService(supervisor, {
			port: await freePort(),
			host: '127.0.0.1',
			dataFolder: resolve(folder, 'service'),
			logFile: resolve(folder, 'logs/service.log'),
		});
		const server = await startN8n(
			supervisor,
			{
				...folders,
				port: await freePort(),
				brokerPort: await freePort(),
				owner,
				extra: options.environment,
			},
			folders.logFile,
			options.nodeArguments,
		);
		const n8n = new N8nClient(server.address);
		await n8n.signIn(owner);
		return {
			n8n,
			pid: server.process.pid,
			service,
			credentials: await saveServiceCredentials(n8n, service.credentials),
			owner,
			filesFolder,
			packageFolder: resolve(
				userFolder,
				'.n8n/nodes/node_modules/n8n-nodes-document-extraction',
			),
			writeFile: async (name, content) => {
				const path = resolve(filesFolder, name);
				await mkdir(resolve(path, '..'), { recursive: true });
				await writeFile(path, content);
				return path;
			},
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
