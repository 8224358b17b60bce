import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Migration } from 'kysely/migration';
import { Pool } from 'pg';
import type { Logger } from '../logging.ts';
import { first } from './migrations/0001-first.ts';
import { deliveriesAndProjects } from './migrations/0002-deliveries-and-projects.ts';
import { legacySurface } from './migrations/0003-legacy-surface.ts';
import { fraudScores } from './migrations/0004-fraud-scores.ts';
import { jobsOfTokens } from './migrations/0005-jobs-of-tokens.ts';
import type { Database } from './schema.ts';

/** Names sort in the order of their application; an applied migration is never edited. */
const MIGRATIONS: Record<string, Migration> = {
	'0001-first': first,
	'0002-deliveries-and-projects': deliveriesAndProjects,
	'0003-legacy-surface': legacySurface,
	'0004-fraud-scores': fraudScores,
	'0005-jobs-of-tokens': jobsOfTokens,
};

/** The database does not answer or cannot be brought up to date. The message is for a person. */
export class DatabaseUnavailableError extends Error {
	constructor(message: string, cause: unknown) {
		super(message, { cause });
		this.name = 'DatabaseUnavailableError';
	}
}

export interface OpenDatabase {
	db: Kysely<Database>;
	/** Set for the embedded database: the queue shares its single connection. */
	embedded: PGlite | null;
	close(): Promise<void>;
}

/**
 * Opens the database and brings its tables up to date.
 *
 * @param databaseUrl null for the embedded PostgreSQL in `dataDir/database`
 * @throws DatabaseUnavailableError
 */
export async function openDatabase(
	dataDir: string,
	databaseUrl: string | null,
	log: Logger,
): Promise<OpenDatabase> {
	const opened =
		databaseUrl === null ? await openEmbedded(dataDir) : await openServer(databaseUrl, log);
	try {
		await migrate(opened.db);
		return opened;
	} catch (error) {
		await opened.close();
		throw error;
	}
}

async function openEmbedded(dataDir: string): Promise<OpenDatabase> {
	const folder = join(dataDir, 'database');
	await mkdir(folder, { recursive: true, mode: 0o700 });
	let embedded: PGlite;
	try {
		embedded = await PGlite.create({ dataDir: folder });
	} catch (error) {
		throw new DatabaseUnavailableError(
			'The embedded database in DATA_DIR/database cannot be opened. If it was copied from ' +
				'somewhere or restored from a backup, restore the whole folder.',
			error,
		);
	}
	const db = new Kysely<Database>({ dialect: new PGliteDialect({ pglite: embedded }) });
	return { db, embedded, close: () => db.destroy() };
}

async function openServer(databaseUrl: string, log: Logger): Promise<OpenDatabase> {
	const pool = new Pool({
		connectionString: databaseUrl,
		max: 10,
		connectionTimeoutMillis: 10_000,
		application_name: 'document-extraction-service',
	});
	// Without a listener a connection that the server drops while idle ends the process.
	pool.on('error', (error) => log.warn({ err: error }, 'A database connection was lost.'));
	try {
		const client = await pool.connect();
		client.release();
	} catch (error) {
		await pool.end();
		const { hostname, port, pathname } = new URL(databaseUrl);
		throw new DatabaseUnavailableError(
			`The database ${pathname.slice(1)} at ${hostname}:${port === '' ? '5432' : port} does not ` +
				`accept a connection (${reasonOf(error)}). Check DATABASE_URL and that the server runs.`,
			error,
		);
	}
	const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
	return { db, embedded: null, close: () => db.destroy() };
}

async function migrate(db: Kysely<Database>): Promise<void> {
	const migrator = new Migrator({
		db,
		provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
	});
	const { error } = await migrator.migrateToLatest();
	if (error !== undefined) {
		throw new DatabaseUnavailableError(
			`The tables cannot be brought up to date (${reasonOf(error)}). A database that was used by ` +
				'a newer version of the service needs that version.',
			error,
		);
	}
}

function reasonOf(error: unknown): string {
	if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
	if (!(error instanceof Error)) return String(error);
	const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
	return error.message || code || error.name;
}
