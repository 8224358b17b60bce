import type { Kysely, Transaction } from 'kysely';
import type { Owner } from '../accounts/accessTokens.ts';
import type { Database, WebhookRow } from '../database/schema.ts';
import { EVENT_VERSION } from '../events/eventNames.ts';
import { deriveSecret, hashSecret, newNonce } from './webhookSecret.ts';

/** Most webhooks of one contract. */
export const MOST_WEBHOOKS = 100;

/** What the interface shows of a webhook (section 2.10). The secret is never part of it. */
export interface WebhookRecord {
	id: string;
	url: string;
	events: string[];
	enabled: boolean;
	version: string;
	createdAt: string;
	updatedAt: string;
}

/** The contract has as many webhooks as it may have. */
export class TooManyWebhooksError extends Error {
	constructor() {
		super(
			`The contract has ${MOST_WEBHOOKS} webhooks, which is the most it may have. Delete one that is ` +
				'no longer used.',
		);
		this.name = 'TooManyWebhooksError';
	}
}

/**
 * Adds a webhook.
 *
 * @param key the master key's key for `webhook secrets`
 * @returns the webhook and its secret, which cannot be read again
 * @throws TooManyWebhooksError
 */
export async function addWebhook(
	db: Kysely<Database>,
	key: Uint8Array,
	account: Owner,
	wanted: { url: string; events: string[] },
): Promise<{ webhook: WebhookRow; secret: string }> {
	return await db.transaction().execute(async (trx) => {
		// Two that come at the same time are counted one after the other.
		await trx
			.selectFrom('contracts')
			.select('id')
			.where('id', '=', account.contractId)
			.forNoKeyUpdate()
			.executeTakeFirstOrThrow();
		const { count } = await trx
			.selectFrom('webhooks')
			.select((eb) => eb.fn.countAll().as('count'))
			.where('contract_id', '=', account.contractId)
			.executeTakeFirstOrThrow();
		if (Number(count) >= MOST_WEBHOOKS) throw new TooManyWebhooksError();
		const { id } = await trx
			.insertInto('webhooks')
			.values({
				contract_id: account.contractId,
				user_id: account.userId,
				url: wanted.url,
				events: wanted.events,
				version: EVENT_VERSION,
				// The secret depends on the id; it follows in the same transaction.
				secret_nonce: '',
				secret_hash: '',
			})
			.returning('id')
			.executeTakeFirstOrThrow();
		return await giveSecret(trx, key, id, 1);
	});
}

/**
 * Gives a webhook a new secret; the old one is worth nothing from then on.
 *
 * @returns null when there is no such webhook
 */
export async function regenerateSecret(
	db: Kysely<Database>,
	key: Uint8Array,
	contractId: number,
	id: number,
): Promise<{ webhook: WebhookRow; secret: string } | null> {
	return await db.transaction().execute(async (trx) => {
		const current = await trx
			.selectFrom('webhooks')
			.select('secret_generation')
			.where('id', '=', id)
			.where('contract_id', '=', contractId)
			.forNoKeyUpdate()
			.executeTakeFirst();
		if (current === undefined) return null;
		return await giveSecret(trx, key, id, current.secret_generation + 1);
	});
}

async function giveSecret(
	trx: Transaction<Database>,
	key: Uint8Array,
	id: number,
	generation: number,
): Promise<{ webhook: WebhookRow; secret: string }> {
	const nonce = newNonce();
	const secret = deriveSecret(key, { webhookId: id, nonce, generation });
	const webhook = await trx
		.updateTable('webhooks')
		.set({
			secret_nonce: nonce,
			secret_generation: generation,
			secret_hash: hashSecret(secret),
			updated_at: new Date(),
		})
		.where('id', '=', id)
		.returningAll()
		.executeTakeFirstOrThrow();
	return { webhook, secret };
}

/** A webhook of the contract; undefined for one of another contract as for one that is not there. */
export async function findWebhook(
	db: Kysely<Database>,
	contractId: number,
	id: number,
): Promise<WebhookRow | undefined> {
	return await db
		.selectFrom('webhooks')
		.selectAll()
		.where('id', '=', id)
		.where('contract_id', '=', contractId)
		.executeTakeFirst();
}

/** All webhooks of the contract, oldest first. */
export async function listWebhooks(
	db: Kysely<Database>,
	contractId: number,
): Promise<WebhookRow[]> {
	return await db
		.selectFrom('webhooks')
		.selectAll()
		.where('contract_id', '=', contractId)
		.orderBy('id')
		.execute();
}

/** Changes what is given and leaves the rest. Undefined when there is no such webhook. */
export async function updateWebhook(
	db: Kysely<Database>,
	contractId: number,
	id: number,
	changes: { url?: string; events?: string[]; enabled?: boolean },
): Promise<WebhookRow | undefined> {
	return await db
		.updateTable('webhooks')
		.set({ ...changes, updated_at: new Date() })
		.where('id', '=', id)
		.where('contract_id', '=', contractId)
		.returningAll()
		.executeTakeFirst();
}

/** Removes a webhook with its deliveries and their log. @returns false when there is no such webhook */
export async function removeWebhook(
	db: Kysely<Database>,
	contractId: number,
	id: number,
): Promise<boolean> {
	const removed = await db
		.deleteFrom('webhooks')
		.where('id', '=', id)
		.where('contract_id', '=', contractId)
		.returning('id')
		.executeTakeFirst();
	return removed !== undefined;
}

/** Implements the record of section 2.10. */
export function webhookRecord(row: WebhookRow): WebhookRecord {
	return {
		id: String(row.id),
		url: row.url,
		events: row.events,
		enabled: row.enabled,
		version: row.version,
		createdAt: row.created_at.toISOString(),
		updatedAt: row.updated_at.toISOString(),
	};
}
