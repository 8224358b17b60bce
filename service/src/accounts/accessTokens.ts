import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';

/** Whose something is. Everything that is read or written belongs to one contract. */
export interface Owner {
	contractId: number;
	userId: number;
}

/** Who a request acts for, and with which access token. */
export interface Account extends Owner {
	/** Null where it came with a JWT, or is no request at all. */
	accessTokenId: number | null;
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
		.select(['id', 'contract_id', 'user_id'])
		.where('token_hash', '=', hashAccessToken(token))
		.where('revoked_at', 'is', null)
		.executeTakeFirst();
	if (row === undefined) return null;
	return { contractId: row.contract_id, userId: row.user_id, accessTokenId: row.id };
}
