import { errors, jwtVerify, SignJWT } from 'jose';
import { numericId } from '../documents/documentId.ts';
import type { Owner } from './accessTokens.ts';

const ISSUER = 'document-extraction-service';
const ALGORITHM = 'HS256';

/** How long a token from the first start is valid. */
export const JWT_LIFETIME_SECONDS = 365 * 24 * 60 * 60;
/** A token with less than this left is replaced at a start. */
export const JWT_RENEWAL_SECONDS = 30 * 24 * 60 * 60;

/** Signs a token of the legacy surface (section 5.2). `now` in milliseconds. */
export async function signJwt(key: Uint8Array, account: Owner, now: number): Promise<string> {
	const seconds = Math.floor(now / 1000);
	return await new SignJWT({ contract: account.contractId })
		.setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
		.setIssuer(ISSUER)
		.setSubject(String(account.userId))
		.setIssuedAt(seconds)
		.setExpirationTime(seconds + JWT_LIFETIME_SECONDS)
		.sign(key);
}

/**
 * The account of a token and when it ends (seconds since 1970); null for every token that is not
 * ours, not signed with HS256, has no expiry, or is expired.
 */
export async function verifyJwt(
	key: Uint8Array,
	token: string,
): Promise<(Owner & { expiresAt: number }) | null> {
	try {
		const { payload } = await jwtVerify(token, key, {
			algorithms: [ALGORITHM],
			issuer: ISSUER,
			requiredClaims: ['exp', 'sub', 'contract'],
		});
		const userId = numericId(payload.sub ?? '');
		const contractId = typeof payload.contract === 'number' ? numericId(payload.contract) : null;
		if (userId === null || contractId === null) return null;
		return { userId, contractId, expiresAt: payload.exp ?? 0 };
	} catch (error) {
		if (error instanceof errors.JOSEError) return null;
		throw error;
	}
}
