import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { Client } from 'pg';
import type { Database } from '../database/schema.ts';
import type { Logger } from '../logging.ts';

const CHANNEL = 'webhook_deliveries';
const RECONNECT_AFTER_MS = 5_000;

/** Wakes whoever delivers, in every process, when the caller's transaction is committed. */
export async function announceDeliveries(trx: Transaction<Database>): Promise<void> {
	await sql`select pg_notify(${CHANNEL}, '')`.execute(trx);
}

export interface DeliverySignal {
	close(): Promise<void>;
}

/**
 * Calls `wake` whenever deliveries were announced. A lost announcement does no harm: whoever delivers
 * also looks from time to time.
 */
export async function listenForDeliveries(
	source: { embedded: PGlite | null; databaseUrl: string | null; log: Logger },
	wake: () => void,
): Promise<DeliverySignal> {
	if (source.embedded !== null) {
		const unlisten = await source.embedded.listen(CHANNEL, wake);
		return { close: () => unlisten() };
	}
	return listenOnServer(source.databaseUrl ?? '', source.log, wake);
}

/** A connection of its own, which is made again when it is lost. */
function listenOnServer(databaseUrl: string, log: Logger, wake: () => void): DeliverySignal {
	let closed = false;
	let current: Client | null = null;
	let again: NodeJS.Timeout | null = null;

	const connect = async (): Promise<void> => {
		const client = new Client({
			connectionString: databaseUrl,
			application_name: 'document-extraction-service deliveries',
			keepAlive: true,
		});
		current = client;
		let lost = false;
		const reconnect = (error?: unknown): void => {
			if (lost) return;
			lost = true;
			client.end().catch(() => undefined);
			if (closed) return;
			log.warn({ err: error }, 'The connection that announces deliveries was lost.');
			again = setTimeout(() => void connect(), RECONNECT_AFTER_MS);
		};
		client.on('error', reconnect);
		client.on('end', () => reconnect());
		client.on('notification', wake);
		try {
			await client.connect();
			await client.query(`listen ${CHANNEL}`);
			// What was announced while nobody listened.
			wake();
		} catch (error) {
			reconnect(error);
		}
	};
	void connect();

	return {
		close: async () => {
			closed = true;
			if (again !== null) clearTimeout(again);
			await current?.end().catch(() => undefined);
		},
	};
}
