import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import { hashAccessToken, newAccessToken } from './accessTokens.ts';
import type { Owner } from './accessTokens.ts';

/** An access token as its owner sees it: without the token, which nobody has but who was given it. */
export interface AccessTokenRecord {
	id: number;
	name: string;
	createdAt: string;
	/** Null while it is valid. */
	revokedAt: string | null;
}

const COLUMNS = ['id', 'name', 'created_at', 'revoked_at'] as const;

/** All access tokens of a contract, the revoked ones too, oldest first. */
export async function listAccessTokens(
	db: Kysely<Database>,
	contractId: number,
): Promise<AccessTokenRecord[]> {
	const rows = await db
		.selectFrom('access_tokens')
		.select(COLUMNS)
		.where('contract_id', '=', contractId)
		.orderBy('id')
		.execute();
	return rows.map(recordOf);
}

/**
 * Makes an access token (section 5.3). What is given back is all there is of the token itself: the
 * database holds its hash.
 */
export async function createAccessToken(
	db: Kysely<Database>,
	owner: Owner,
	name: string,
): Promise<AccessTokenRecord & { token: string }> {
	const token = newAccessToken();
	const row = await db
		.insertInto('access_tokens')
		.values({
			contract_id: owner.contractId,
			user_id: owner.userId,
			name,
			token_hash: hashAccessToken(token),
		})
		.returning(COLUMNS)
		.executeTakeFirstOrThrow();
	return { ...recordOf(row), token };
}

/**
 * Revokes an access token for good, in all processes from their next request on; what was made with it
 * stays. False where the contract has no such token. Revoking it again changes nothing.
 */
export async function revokeAccessToken(
	db: Kysely<Database>,
	contractId: number,
	id: number,
): Promise<boolean> {
	const row = await db
		.updateTable('access_tokens')
		.set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
		.where('id', '=', id)
		.where('contract_id', '=', contractId)
		.returning('id')
		.executeTakeFirst();
	return row !== undefined;
}

function recordOf(row: {
	id: number;
	name: string;
	created_at: Date;
	revoked_at: Date | null;
}): AccessTokenRecord {
	return {
		id: row.id,
		name: row.name,
		createdAt: row.created_at.toISOString(),
		revokedAt: row.revoked_at?.toISOString() ?? null,
	};
}
