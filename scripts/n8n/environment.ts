import { resolve } from 'node:path';
import type { OwnerAccount } from './ownerAccount.ts';

export interface N8nSettings {
	/** Everything that n8n writes goes below this folder. */
	userFolder: string;
	/** The only folder whose files a workflow may read and write. */
	filesFolder: string;
	port: number;
	/** The port on which n8n talks to the process that runs its Code nodes. */
	brokerPort: number;
	owner: OwnerAccount;
	/** Settings of a test. */
	extra?: NodeJS.ProcessEnv;
}

/** What n8n gets from the environment of this process. Its own settings are all made here. */
const passedOn = /^(PATH|LANG|LC_\w+|TZ|TMPDIR|TEMP|SystemRoot|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+)$/;
const proxySettings = /^(https?|all|no)_proxy$/i;

const ownMachine = ['127.0.0.1', 'localhost'];

const fromThisProcess = (): NodeJS.ProcessEnv => {
	const kept = Object.entries(process.env).filter(
		([name]) => passedOn.test(name) || proxySettings.test(name),
	);
	const environment = Object.fromEntries(kept);
	// The service runs on this machine; a proxy must not get in between.
	const notProxied = [environment.NO_PROXY ?? environment.no_proxy ?? '', ...ownMachine];
	const noProxy = notProxied.filter((entry) => entry !== '').join(',');
	return { ...environment, NO_PROXY: noProxy, no_proxy: noProxy };
};

/** The address of the editor. */
export const editorAddress = (port: number): string => `http://127.0.0.1:${port}`;

/**
 * The environment of n8n: one folder for all its files, this machine only, no reports to anybody,
 * and an owner account that is ready. A setting in the shell (a database, another folder) has no
 * influence.
 */
export const n8nEnvironment = (settings: N8nSettings): NodeJS.ProcessEnv => {
	const address = editorAddress(settings.port);
	return {
		...fromThisProcess(),
		HOME: settings.userFolder,
		N8N_USER_FOLDER: settings.userFolder,
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_RESTRICT_FILE_ACCESS_TO: settings.filesFolder,

		N8N_PORT: String(settings.port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PROTOCOL: 'http',
		// The browser talks plain HTTP to this machine.
		N8N_SECURE_COOKIE: 'false',
		N8N_EDITOR_BASE_URL: address,
		WEBHOOK_URL: `${address}/`,
		N8N_RUNNERS_BROKER_PORT: String(settings.brokerPort),

		N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
		N8N_INSTANCE_OWNER_EMAIL: settings.owner.email,
		N8N_INSTANCE_OWNER_FIRST_NAME: 'Instance',
		N8N_INSTANCE_OWNER_LAST_NAME: 'Owner',
		N8N_INSTANCE_OWNER_PASSWORD_HASH: settings.owner.passwordHash,

		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		// These ask n8n's own servers for lists when they start.
		N8N_DISABLED_MODULES: 'mcp-registry,instance-ai',

		N8N_LOG_LEVEL: 'info',
		NO_COLOR: '1',
		...settings.extra,
	};
};

/** Where the files of one n8n lie, below its data folder. */
export const n8nFolders = (dataFolder: string) => ({
	userFolder: resolve(dataFolder, 'n8n'),
	filesFolder: resolve(dataFolder, 'n8n/files'),
	ownerFile: resolve(dataFolder, 'n8n/owner.json'),
	logFile: resolve(dataFolder, 'logs/n8n.log'),
});
