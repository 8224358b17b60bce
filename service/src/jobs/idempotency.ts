import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/schema.ts';

export type KeyedOperation = 'create document' | 'upload document' | 'create job';

/** The same key came with another body. */
export class IdempotencyMismatchError extends Error {
	constructor() {
		super('This Idempotency-Key was used with another body in the last 24 hours. Send a new key.');
		this.name = 'IdempotencyMismatchError';
	}
}

/**
 * Runs `create` at most once for a key (header `Idempotency-Key`, kept for 24 hours) and gives the id
 * of what it created, now or then. Has to run inside the transaction that creates: the key and the
 * created record are committed together, and a second request with the key waits for the first.
 *
 * @param key null: there is nothing to remember
 * @throws IdempotencyMismatchError
 */
export async function createOnce(
	trx: Transaction<Database>,
	request: { contractId: number; operation: KeyedOperation; key: string | null; body: unknown },
	create: () => Promise<number>,
): Promise<number> {
	if (request.key === null) return await create();
	const identity = {
		contract_id: request.contractId,
		operation: request.operation,
		key: request.key,
	};
	const bodyHash = createHash('sha256').update(canonicalJson(request.body)).digest('hex');

	// Two requests with one key come one after the other; the lock ends with the transaction.
	const lockName = JSON.stringify(Object.values(identity));
	await sql`select pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`.execute(trx);
	const known = await trx
		.selectFrom('idempotency_keys')
		.select(['body_hash', 'resource_id', sql<boolean>`${expired}`.as('expired')])
		.where((eb) => eb.and(identity))
		.executeTakeFirst();
	if (known !== undefined && !known.expired) {
		if (known.body_hash !== bodyHash) throw new IdempotencyMismatchError();
		return known.resource_id;
	}
	if (known !== undefined) {
		await trx
			.deleteFrom('idempotency_keys')
			.where((eb) => eb.and(identity))
			.execute();
	}
	const id = await create();
	await trx
		.insertInto('idempotency_keys')
		.values({ ...identity, body_hash: bodyHash, resource_id: id })
		.execute();
	return id;
}

/** Removes keys that no longer count. */
export async function forgetOldKeys(db: Kysely<Database>): Promise<void> {
	await db.deleteFrom('idempotency_keys').where(expired).execute();
}

const expired = sql<boolean>`created_at < now() - interval '24 hours'`;

/** The same text for the same content, whatever the order of the members. */
function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
	if (typeof value === 'object' && value !== null) {
		const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
		return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
	}
	return JSON.stringify(value) ?? 'null';
}
