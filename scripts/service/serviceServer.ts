import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { endsWithThisProcess, type ManagedProcess } from '../processes/managedProcess.ts';
import { PlainError } from '../processes/plainError.ts';
import type { ProcessSupervisor } from '../processes/processSupervisor.ts';
import { waitUntil } from '../processes/waitUntil.ts';
import { projectFolder } from '../projectFolder.ts';

const readyLimitMs = 60_000;

/** What the service writes to `DATA_DIR/credentials.json`. */
export interface ServiceCredentials {
	/** Ends in /api/v1. */
	baseUrl: string;
	accessToken: string;
	jwt: string;
}

export interface RunningService {
	process: ManagedProcess;
	credentials: ServiceCredentials;
	/** The address without the version segment. */
	siteUrl: string;
}

export interface ServiceSettings {
	port: number;
	host: string;
	dataFolder: string;
	logFile: string;
	/** Further settings: `INGEST_DIR` and the like. */
	environment?: NodeJS.ProcessEnv;
}

// A server that listens on every address is asked on this machine's own.
const reachable = (host: string): string =>
	host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;

const isHealthy = async (siteUrl: string): Promise<boolean> => {
	try {
		const response = await fetch(`${siteUrl}/healthz`, { signal: AbortSignal.timeout(2_000) });
		return response.status === 200;
	} catch {
		return false;
	}
};

const readCredentials = async (dataFolder: string): Promise<ServiceCredentials> => {
	const file = resolve(dataFolder, 'credentials.json');
	const stored = JSON.parse(await readFile(file, 'utf8')) as Partial<ServiceCredentials>;
	const { baseUrl, accessToken, jwt } = stored;
	if (baseUrl === undefined || accessToken === undefined || jwt === undefined) {
		throw new PlainError(
			`${file} is not complete. Remove it and start again: the service then writes a new one.`,
		);
	}
	return { baseUrl, accessToken, jwt };
};

/** Starts the service on its embedded database and waits until it is ready. */
export const startService = async (
	supervisor: ProcessSupervisor,
	settings: ServiceSettings,
): Promise<RunningService> => {
	const service = await supervisor.startServer({
		name: 'the service',
		command: process.execPath,
		args: [...endsWithThisProcess, resolve(projectFolder, 'service/src/main.ts')],
		cwd: projectFolder,
		env: {
			...process.env,
			PORT: String(settings.port),
			HOST: settings.host,
			DATA_DIR: settings.dataFolder,
			...settings.environment,
		},
		logFile: settings.logFile,
	});
	const siteUrl = `http://${reachable(settings.host)}:${settings.port}`;
	await Promise.race([
		waitUntil(async () => ((await isHealthy(siteUrl)) ? true : undefined), {
			limitMs: readyLimitMs,
			intervalMs: 100,
			onTimeout: () =>
				new PlainError(
					`The service did not answer at ${siteUrl}/healthz within ${readyLimitMs / 1000} s. Its output: ${settings.logFile}`,
				),
		}),
		supervisor.failed,
	]);
	return { process: service, credentials: await readCredentials(settings.dataFolder), siteUrl };
};
