import { createHash, randomBytes } from 'node:crypto';
import { openDatabase } from '../src/database/database.ts';
import type { EventName } from '../src/events/eventNames.ts';
import type { RunningService } from './runningService.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
/** Nobody listens there: what is looked at is what was written, not what arrives. */
const RECEIVER = 'http://127.0.0.1:9/';

export interface RecordedEvent {
	name: string;
	job: { id: string; status: string } | null;
	data: Record<string, unknown>;
}

/** Subscribes to events of the first contract of a service that is stopped. */
export async function subscribe(service: RunningService, events: EventName[]): Promise<void> {
	const { db, close } = await openDatabase(service.dataDir, service.databaseUrl, SILENT);
	try {
		const user = await db
			.selectFrom('users')
			.selectAll()
			.orderBy('id')
			.limit(1)
			.executeTakeFirstOrThrow();
		await db
			.insertInto('webhooks')
			.values({
				contract_id: user.contract_id,
				user_id: user.id,
				url: RECEIVER,
				events,
				version: '2024-01-01',
				secret_nonce: randomBytes(16).toString('hex'),
				secret_hash: createHash('sha256').update('no secret').digest('hex'),
			})
			.execute();
	} finally {
		await close();
	}
}

/** The events that a service, which is stopped now, has written for its webhooks, oldest first. */
export async function recordedEvents(service: RunningService): Promise<RecordedEvent[]> {
	const { db, close } = await openDatabase(service.dataDir, service.databaseUrl, SILENT);
	try {
		const rows = await db
			.selectFrom('deliveries as d')
			.innerJoin('events as e', 'e.id', 'd.event_id')
			.select(['e.name', 'e.job', 'e.data'])
			.orderBy('d.id')
			.execute();
		return rows.map((row) => ({
			name: row.name,
			job: JSON.parse(row.job) as RecordedEvent['job'],
			data: JSON.parse(row.data) as RecordedEvent['data'],
		}));
	} finally {
		await close();
	}
}
