import { isAbsolute, relative, resolve, sep } from 'node:path';
import { parseAllowedHost } from './webhooks/receiver/allowedHosts.ts';

/** Everything the service is told from outside. Sizes are bytes, durations milliseconds. */
export interface Config {
	/** 0 lets the system choose a free port. */
	port: number;
	host: string;
	/** Absolute path of the folder that holds files, keys and the embedded database. */
	dataDir: string;
	/** Null: the embedded database inside `dataDir`. */
	databaseUrl: string | null;
	/** Site root without a trailing slash and without `/api/v1`; null: derived from host and port. */
	publicUrl: string | null;
	masterKey: string | null;
	maxUploadBytes: number;
	maxPages: number;
	readingTimeoutMs: number;
	readingMemoryMb: number;
	readingAttempts: number;
	workerConcurrency: number;
	/** How often one job may be asked for. */
	jobPollsPerMinute: number;
	/** How long a tool may wait for the end of a job. */
	toolWaitSeconds: number;
	/** How long an upload address stays valid. */
	uploadAddressSeconds: number;
	/** Longest time of one delivery attempt, from the lookup of the name to the end of the answer. */
	deliveryTimeoutMs: number;
	/** Pause before the second attempt; the third waits four times as long. */
	deliveryBackoffMs: number;
	/** Deliveries that are under way at the same time, to all receivers and to one. */
	deliveryConcurrency: number;
	deliveryConcurrencyPerReceiver: number;
	/** How long deliveries that have ended stay in the log. */
	deliveryLogDays: number;
	/** `host` or `host:port` of receivers that are allowed although they are not public. */
	webhookAllowedHosts: string[];
	/** Absolute path of the watched folder; null: none. */
	ingestDir: string | null;
	ingestIntervalMs: number;
	/** Pages a calendar month of the contract that the first start makes; null: as it was set before. */
	pageAllowance: number | 'none' | null;
	logLevel: LogLevel;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A setting that cannot be used. The message names the variable and says what it may be. */
export class ConfigError extends Error {
	constructor(message: string) {
		super(message);
		this.name = 'ConfigError';
	}
}

/**
 * Reads the settings from environment variables (the list with defaults is in docs/service.md).
 *
 * @throws ConfigError that names every unusable variable, one a line.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
	const problems: string[] = [];

	const textOf = (name: string): string | null => {
		const value = environment[name]?.trim();
		return value === undefined || value === '' ? null : value;
	};
	const integerOf = (name: string, fallback: number, least: number, most: number): number => {
		const text = textOf(name);
		if (text === null) return fallback;
		const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
		if (value >= least && value <= most) return value;
		problems.push(`${name} must be a whole number from ${least} to ${most}, but it is "${text}".`);
		return fallback;
	};

	const pageAllowance = (): Config['pageAllowance'] => {
		const text = textOf('PAGE_ALLOWANCE');
		if (text === null || text === 'none') return text;
		return integerOf('PAGE_ALLOWANCE', 0, 0, 2 ** 31 - 1);
	};

	const listOf = (name: string): string[] =>
		(textOf(name) ?? '')
			.split(',')
			.map((entry) => entry.trim().toLowerCase())
			.filter((entry) => entry !== '');
	const folderOf = (name: string): string | null => {
		const text = textOf(name);
		return text === null ? null : resolve(text);
	};

	const config: Config = {
		port: integerOf('PORT', 8787, 0, 65535),
		host: textOf('HOST') ?? '127.0.0.1',
		dataDir: resolve(textOf('DATA_DIR') ?? './.data'),
		databaseUrl: textOf('DATABASE_URL'),
		publicUrl: textOf('PUBLIC_URL'),
		masterKey: textOf('MASTER_KEY'),
		maxUploadBytes: integerOf('MAX_UPLOAD_BYTES', 512 * 1024 * 1024, 1, 2 ** 40),
		maxPages: integerOf('MAX_PAGES', 1000, 1, 100_000),
		readingTimeoutMs: integerOf('READING_TIMEOUT_MS', 120_000, 1, 86_400_000),
		readingMemoryMb: integerOf('READING_MEMORY_MB', 1024, 16, 65_536),
		readingAttempts: integerOf('READING_ATTEMPTS', 5, 1, 100),
		workerConcurrency: integerOf('WORKER_CONCURRENCY', 2, 1, 64),
		jobPollsPerMinute: integerOf('JOB_POLLS_PER_MINUTE', 120, 1, 1_000_000),
		toolWaitSeconds: integerOf('TOOL_WAIT_SECONDS', 120, 0, 3600),
		uploadAddressSeconds: integerOf('UPLOAD_ADDRESS_SECONDS', 3600, 1, 604_800),
		deliveryTimeoutMs: integerOf('DELIVERY_TIMEOUT_MS', 30_000, 1, 30_000),
		deliveryBackoffMs: integerOf('DELIVERY_BACKOFF_MS', 5000, 1, 3_600_000),
		deliveryConcurrency: integerOf('DELIVERY_CONCURRENCY', 32, 1, 1000),
		deliveryConcurrencyPerReceiver: integerOf('DELIVERY_CONCURRENCY_PER_RECEIVER', 4, 1, 100),
		deliveryLogDays: integerOf('DELIVERY_LOG_DAYS', 30, 1, 3650),
		webhookAllowedHosts: listOf('WEBHOOK_ALLOWED_HOSTS'),
		ingestDir: folderOf('INGEST_DIR'),
		ingestIntervalMs: integerOf('INGEST_INTERVAL_MS', 2000, 100, 86_400_000),
		pageAllowance: pageAllowance(),
		logLevel: 'info',
	};

	const level = textOf('LOG_LEVEL');
	if (level !== null) {
		const known = LOG_LEVELS.find((candidate) => candidate === level);
		if (known) config.logLevel = known;
		else problems.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, but it is "${level}".`);
	}
	if (config.databaseUrl !== null && !isPostgresAddress(config.databaseUrl)) {
		// The value is not repeated: it may hold a password.
		problems.push('DATABASE_URL must look like postgres://user:password@host:5432/database.');
	}
	if (config.publicUrl !== null) {
		const site = readSiteAddress(config.publicUrl);
		if (site !== null) config.publicUrl = site;
		else {
			problems.push(
				`PUBLIC_URL must be the root of the site, such as https://extraction.example.com, ` +
					`without /api/v1, but it is "${config.publicUrl}".`,
			);
		}
	}
	if (config.ingestDir !== null && isOwnFolder(config.dataDir, config.ingestDir)) {
		problems.push(
			'INGEST_DIR must not be DATA_DIR or one of the folders that the service keeps in it. Choose ' +
				`another folder, such as ${resolve(config.dataDir, 'inbox')}.`,
		);
	}
	for (const entry of config.webhookAllowedHosts) {
		if (parseAllowedHost(entry) !== null) continue;
		problems.push(
			`WEBHOOK_ALLOWED_HOSTS must be hosts such as n8n or n8n:5678, with commas between them, but ` +
				`one is "${entry}".`,
		);
	}
	if (config.masterKey !== null && config.masterKey.length < 32) {
		problems.push(
			'MASTER_KEY must have at least 32 characters. Make one with: openssl rand -hex 32',
		);
	}

	if (problems.length > 0) throw new ConfigError(problems.join('\n'));
	return config;
}

/** The site root that clients reach, for presigned addresses and `credentials.json`. */
export function siteAddress(config: Config, port: number): string {
	if (config.publicUrl !== null) return config.publicUrl;
	// An address that means "all interfaces" cannot be called; this machine's own one can.
	const host = config.host === '0.0.0.0' ? '127.0.0.1' : config.host === '::' ? '::1' : config.host;
	return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Folders of DATA_DIR whose files would be taken again and again. */
const OWN_FOLDERS = ['storage', 'storage-arriving', 'database'];

function isOwnFolder(dataDir: string, folder: string): boolean {
	const below = relative(dataDir, folder);
	if (below === '') return true;
	if (isAbsolute(below)) return false;
	return OWN_FOLDERS.includes(below.split(sep)[0] ?? '');
}

function isPostgresAddress(text: string): boolean {
	if (!/^postgres(ql)?:\/\//.test(text)) return false;
	return URL.canParse(text);
}

function readSiteAddress(text: string): string | null {
	if (!URL.canParse(text)) return null;
	const url = new URL(text);
	if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
	if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
		return null;
	const path = url.pathname.replace(/\/+$/, '');
	if (/\/api(\/v\d+)?$/.test(path)) return null;
	return url.origin + path;
}
