import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';

/** Who a request acts for. Everything that is read or written belongs to one contract. */
export interface Account {
	contractId: number;
	userId: number;
}

const PREFIX = 'dex_pat_';
const TOKEN = /^dex_pat_[A-Za-z0-9_-]{43}$/;

/** A new personal access token: a fixed prefix and 43 base64url characters (section 5.3). */
export function newAccessToken(): string {
	return PREFIX + randomBytes(32).toString('base64url');
}

/** What the database holds instead of the token. 256 random bits need no salt. */
export function hashAccessToken(token: string): string {
	return createHash('sha256').update(token).digest('hex');
}

/** The account that a personal access token stands for; null for anything else. */
export async function accountOfAccessToken(
	db: Kysely<Database>,
	token: string,
): Promise<Account | null> {
	if (!TOKEN.test(token)) return null;
	const row = await db
		.selectFrom('access_tokens')
		.select(['contract_id', 'user_id'])
		.where('token_hash', '=', hashAccessToken(token))
		.where('revoked_at', 'is', null)
		.executeTakeFirst();
	return row === undefined ? null : { contractId: row.contract_id, userId: row.user_id };
}
