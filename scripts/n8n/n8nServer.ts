import { mkdir } from 'node:fs/promises';
import { endsWithThisProcess, type ManagedProcess } from '../processes/managedProcess.ts';
import { PlainError } from '../processes/plainError.ts';
import type { ProcessSupervisor } from '../processes/processSupervisor.ts';
import { waitUntil } from '../processes/waitUntil.ts';
import { editorAddress, n8nEnvironment, type N8nSettings } from './environment.ts';
import { forgetInstallation, n8nProgram } from './installation.ts';

const readyLimitMs = 180_000;
const brokenInstallation =
	/Cannot find (module|package)|MODULE_NOT_FOUND|Could not locate the bindings/;

export interface N8nServer {
	process: ManagedProcess;
	/** The address of the editor and of the REST API, without a slash at its end. */
	address: string;
}

// The readiness address answers before the REST API does; this one does not.
const isReady = async (address: string): Promise<boolean> => {
	try {
		const response = await fetch(`${address}/rest/settings`, {
			headers: { connection: 'close' },
			signal: AbortSignal.timeout(10_000),
		});
		const isJson = response.headers.get('content-type')?.includes('application/json') ?? false;
		await response.body?.cancel();
		return response.ok && isJson;
	} catch {
		return false;
	}
};

/** Starts n8n and waits until it answers: about ten seconds. */
export const startN8n = async (
	supervisor: ProcessSupervisor,
	settings: N8nSettings,
	logFile: string,
	nodeArguments: string[] = [],
): Promise<N8nServer> => {
	await mkdir(settings.filesFolder, { recursive: true });
	const server = await supervisor.startServer({
		name: 'n8n',
		command: process.execPath,
		args: [...nodeArguments, ...endsWithThisProcess, n8nProgram, 'start'],
		cwd: settings.userFolder,
		env: n8nEnvironment(settings),
		logFile,
	});
	const address = editorAddress(settings.port);
	const ready = waitUntil(async () => ((await isReady(address)) ? true : undefined), {
		limitMs: readyLimitMs,
		onTimeout: () =>
			new PlainError(
				`n8n did not answer at ${address} within ${readyLimitMs / 1000} s. Its output: ${logFile}`,
			),
	});
	const ended = server.ended.then(async () => {
		if (brokenInstallation.test(server.output.lines().join('\n'))) {
			await forgetInstallation();
			throw new PlainError(
				'The n8n that is installed does not find its own files. Run the same command again: it is then installed anew.',
			);
		}
		// The supervisor tells everything else about a process that ended.
		return await supervisor.failed;
	});
	ended.catch(() => {});
	await Promise.race([ready, ended]);
	return { process: server, address };
};
