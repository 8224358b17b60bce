import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { n8nFolders } from '../n8n/environment.ts';
import { freePort, isFree, portFromEnvironment, requireFreePort } from '../processes/ports.ts';
import { projectFolder } from '../projectFolder.ts';

const n8nHost = '127.0.0.1';
const usualBrokerPort = 5679;

/** What `npm start` works with; everything can be changed by environment variables. */
export interface StartSettings {
	/** DATA_DIR, ./.data by default: whatever the service and n8n write. */
	dataFolder: string;
	/** HOST, for the service. n8n listens on this machine only. */
	serviceHost: string;
	/** PORT, 8787 by default. */
	servicePort: number;
	/** N8N_PORT, 5678 by default. */
	n8nPort: number;
	/** N8N_RUNNERS_BROKER_PORT, or 5679, or any free port when that is taken. */
	brokerPort: number;
	folders: ReturnType<typeof n8nFolders>;
	serviceLogFile: string;
}

const brokerPort = async (): Promise<number> => {
	const variable = 'N8N_RUNNERS_BROKER_PORT';
	const port = portFromEnvironment(variable, usualBrokerPort);
	if (process.env[variable] !== undefined) {
		await requireFreePort({ port, host: n8nHost, purpose: "n8n's task runner", variable });
		return port;
	}
	// Nobody has to know this port, so nobody is asked to choose another one.
	return (await isFree(port, n8nHost)) ? port : await freePort(n8nHost);
};

/**
 * Reads the settings and checks that the ports are free, before anything that takes long. Throws a
 * text for people when a port is not usable.
 */
export const readSettings = async (): Promise<StartSettings> => {
	const servicePort = portFromEnvironment('PORT', 8787);
	const n8nPort = portFromEnvironment('N8N_PORT', 5678);
	const serviceHost = process.env.HOST?.trim() || '127.0.0.1';
	await requireFreePort({
		port: servicePort,
		host: serviceHost,
		purpose: 'the service',
		variable: 'PORT',
	});
	await requireFreePort({ port: n8nPort, host: n8nHost, purpose: 'n8n', variable: 'N8N_PORT' });

	const dataFolder = resolve(projectFolder, process.env.DATA_DIR?.trim() || '.data');
	await mkdir(dataFolder, { recursive: true, mode: 0o700 });
	return {
		dataFolder,
		serviceHost,
		servicePort,
		n8nPort,
		brokerPort: await brokerPort(),
		folders: n8nFolders(dataFolder),
		serviceLogFile: resolve(dataFolder, 'logs/service.log'),
	};
};
