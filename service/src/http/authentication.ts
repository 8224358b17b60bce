import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { accountOfAccessToken } from '../accounts/accessTokens.ts';
import type { Account, Owner } from '../accounts/accessTokens.ts';
import { verifyJwt } from '../accounts/jwt.ts';
import type { Database } from '../database/schema.ts';
import { HttpError } from './errors.ts';

declare module 'fastify' {
	interface FastifyRequest {
		account: Account | null;
	}
}

/** Who asks, and with which headers: all that is known of a request where a tool runs. */
export type Caller = Pick<FastifyRequest, 'account' | 'headers'>;

/** The account of an authenticated request. Routes outside a surface have none. */
export function accountOf(request: Pick<Caller, 'account'>): Account {
	if (request.account === null) throw new HttpError(401, 'unauthorized', 'Sign in first.');
	return request.account;
}

/** Section 5.3: the agent surface takes a personal access token, and nothing else. */
export function authenticateAgent(db: Kysely<Database>) {
	return async (request: FastifyRequest): Promise<void> => {
		const token = bearerToken(request);
		request.account = token === null ? null : await accountOfAccessToken(db, token);
		if (request.account === null) {
			throw new HttpError(
				401,
				'unauthorized',
				'A personal access token is needed: Authorization: Bearer dex_pat_…',
			);
		}
	};
}

/** Section 5.2: the legacy surface takes a JWT, and nothing else. */
export function authenticateLegacy(db: Kysely<Database>, jwtKey: Uint8Array) {
	return async (request: FastifyRequest): Promise<void> => {
		const token = bearerToken(request);
		const owner = token === null ? null : await verifyJwt(jwtKey, token);
		request.account =
			owner !== null && (await isUser(db, owner)) ? { ...owner, accessTokenId: null } : null;
		if (request.account === null) {
			throw new HttpError(
				401,
				'unauthorized',
				'A JWT of this service is needed that is not expired: Authorization: Bearer <JWT>',
			);
		}
	};
}

function bearerToken(request: FastifyRequest): string | null {
	const match = /^Bearer +([^\s]+) *$/i.exec(request.headers.authorization ?? '');
	return match?.[1] ?? null;
}

async function isUser(db: Kysely<Database>, account: Owner): Promise<boolean> {
	const row = await db
		.selectFrom('users')
		.select('id')
		.where('id', '=', account.userId)
		.where('contract_id', '=', account.contractId)
		.executeTakeFirst();
	return row !== undefined;
}
