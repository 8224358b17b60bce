import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import bcrypt from 'bcryptjs';

/** The account that n8n is signed in to with. */
export interface OwnerAccount {
	email: string;
	password: string;
	/** bcrypt hash of the password; the only form in which n8n gets it. */
	passwordHash: string;
}

const ownerEmail = 'owner@example.com';
const hashRounds = 10;

const createAccount = (): OwnerAccount => {
	// n8n wants at least one capital letter and one digit.
	const password = `Aa1-${randomBytes(12).toString('base64url')}`;
	return { email: ownerEmail, password, passwordHash: bcrypt.hashSync(password, hashRounds) };
};

const isAccount = (value: unknown): value is OwnerAccount =>
	typeof value === 'object' &&
	value !== null &&
	['email', 'password', 'passwordHash'].every(
		(key) => key in value && typeof (value as Record<string, unknown>)[key] === 'string',
	);

/**
 * The owner account of this n8n: read from `file`, or created with a random password and written
 * there, readable by its owner alone.
 */
export const ownerAccount = async (file: string): Promise<OwnerAccount> => {
	try {
		const stored: unknown = JSON.parse(await readFile(file, 'utf8'));
		if (isAccount(stored)) return stored;
	} catch {
		// There is none yet, or it is damaged: n8n takes whatever account it is given at its start.
	}
	const account = createAccount();
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, `${JSON.stringify(account, null, '\t')}\n`, { mode: 0o600 });
	await chmod(file, 0o600);
	return account;
};
