import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashAccessToken, newAccessToken } from '../src/accounts/accessTokens.ts';
import { signJwt } from '../src/accounts/jwt.ts';
import { MasterKey } from '../src/accounts/masterKey.ts';
import { openDatabase } from '../src/database/database.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Adds a second contract with its own user to the database of a service that is not running (the
 * embedded database belongs to one process), and gives credentials for it.
 */
export async function addSecondContract(
	dataDir: string,
	databaseUrl: string | null,
	now = Date.now(),
): Promise<{ accessToken: string; jwt: string }> {
	const { db, close } = await openDatabase(dataDir, databaseUrl, SILENT);
	try {
		const accessToken = newAccessToken();
		const contract = await db
			.insertInto('contracts')
			.values({ name: 'Second' })
			.returning('id')
			.executeTakeFirstOrThrow();
		const user = await db
			.insertInto('users')
			.values({ contract_id: contract.id, name: 'Second' })
			.returning('id')
			.executeTakeFirstOrThrow();
		await db
			.insertInto('access_tokens')
			.values({
				contract_id: contract.id,
				user_id: user.id,
				name: 'test',
				token_hash: hashAccessToken(accessToken),
			})
			.execute();
		const secret = (await readFile(join(dataDir, 'master.key'), 'utf8')).trim();
		const key = new MasterKey(Buffer.from(secret, 'hex')).keyFor('json web tokens');
		const jwt = await signJwt(key, { contractId: contract.id, userId: user.id }, now);
		return { accessToken, jwt };
	} finally {
		await close();
	}
}
