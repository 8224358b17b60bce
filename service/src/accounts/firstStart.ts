import { join } from 'node:path';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import { readIfPresent, writePrivateFile } from '../storage/dataFolder.ts';
import { accountOfAccessToken, hashAccessToken, newAccessToken } from './accessTokens.ts';
import type { Owner } from './accessTokens.ts';
import { JWT_RENEWAL_SECONDS, signJwt, verifyJwt } from './jwt.ts';

/** What `DATA_DIR/credentials.json` holds: enough to fill in both credentials of the nodes. */
export interface Credentials {
	/** Ends in `/api/v1`. */
	baseUrl: string;
	accessToken: string;
	jwt: string;
}

/** Any number that other programs do not use for their own locks. */
const FIRST_START_LOCK = 7_310_211;

/**
 * Makes sure that there is a contract with a user, and that `DATA_DIR/credentials.json` (owner alone
 * may read it) holds credentials that work. What still works is kept: the access token survives
 * restarts, and a JWT is replaced only when it is about to expire.
 *
 * @returns path of the file
 */
export async function writeCredentials(
	db: Kysely<Database>,
	jwtKey: Uint8Array,
	dataDir: string,
	site: string,
	now: number,
): Promise<string> {
	const path = join(dataDir, 'credentials.json');
	const text = await readIfPresent(path);
	const before = text === null ? {} : parseCredentials(text);

	let accessToken = before.accessToken ?? null;
	let account: Owner | null =
		accessToken === null ? null : await accountOfAccessToken(db, accessToken);
	if (accessToken === null || account === null) {
		accessToken = newAccessToken();
		account = await issueFirstToken(db, accessToken);
	}

	let jwt = before.jwt ?? null;
	const known = jwt === null ? null : await verifyJwt(jwtKey, jwt);
	const stillGood =
		known !== null &&
		known.contractId === account.contractId &&
		known.expiresAt - now / 1000 > JWT_RENEWAL_SECONDS;
	if (jwt === null || !stillGood) jwt = await signJwt(jwtKey, account, now);

	const credentials: Credentials = { baseUrl: `${site}/api/v1`, accessToken, jwt };
	const wanted = `${JSON.stringify(credentials, null, '\t')}\n`;
	if (wanted !== text) await writePrivateFile(path, wanted);
	return path;
}

/** The account of the first start: the watched folder and PAGE_ALLOWANCE belong to its contract. */
export async function firstAccount(db: Kysely<Database>): Promise<Owner> {
	const user = await db
		.selectFrom('users')
		.select(['id', 'contract_id'])
		.orderBy('id')
		.limit(1)
		.executeTakeFirstOrThrow();
	return { contractId: user.contract_id, userId: user.id };
}

async function issueFirstToken(db: Kysely<Database>, token: string): Promise<Owner> {
	return await db.transaction().execute(async (trx) => {
		// Two processes on one server may start for the first time together: one contract is enough.
		await sql`select pg_advisory_xact_lock(${FIRST_START_LOCK})`.execute(trx);
		let user = await trx
			.selectFrom('users')
			.select(['id', 'contract_id'])
			.orderBy('id')
			.limit(1)
			.executeTakeFirst();
		if (user === undefined) {
			const contract = await trx
				.insertInto('contracts')
				.values({ name: 'Local contract' })
				.returning('id')
				.executeTakeFirstOrThrow();
			user = await trx
				.insertInto('users')
				.values({ contract_id: contract.id, name: 'Owner' })
				.returning(['id', 'contract_id'])
				.executeTakeFirstOrThrow();
		}
		const account = { contractId: user.contract_id, userId: user.id };
		await trx
			.insertInto('access_tokens')
			.values({
				contract_id: account.contractId,
				user_id: account.userId,
				name: 'credentials.json',
				token_hash: hashAccessToken(token),
			})
			.execute();
		return account;
	});
}

/** A file that somebody damaged counts as empty: new credentials are better than no service. */
function parseCredentials(text: string): Partial<Credentials> {
	let parsed: unknown;
	try {
		parsed = JSON.parse(text);
	} catch {
		return {};
	}
	if (typeof parsed !== 'object' || parsed === null) return {};
	const found: Partial<Credentials> = {};
	if ('accessToken' in parsed && typeof parsed.accessToken === 'string') {
		found.accessToken = parsed.accessToken;
	}
	if ('jwt' in parsed && typeof parsed.jwt === 'string') found.jwt = parsed.jwt;
	return found;
}
