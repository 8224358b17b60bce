import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What the secret of a webhook is derived from, and what the database holds of it. */
export interface SecretOrigin {
	webhookId: number;
	/** Random, new with every generation. */
	nonce: string;
	/** Counts from 1; every regeneration adds one. */
	generation: number;
}

/** 128 random bits, hexadecimal. */
export function newNonce(): string {
	return randomBytes(16).toString('hex');
}

/**
 * The signing secret of a webhook: 64 hexadecimal characters, always the same for the same origin. It
 * is derived each time and stored nowhere (docs/webhooks.md).
 *
 * @param key the master key's key for `webhook secrets`
 */
export function deriveSecret(key: Uint8Array, origin: SecretOrigin): string {
	return createHmac('sha256', key)
		.update(`${origin.webhookId}:${origin.generation}:${origin.nonce}`)
		.digest('hex');
}

/** SHA-256, hexadecimal: what section 2.10 keeps of a secret. */
export function hashSecret(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}

/**
 * The secret again, if it is the one that was shown. Null when its hash is another one: the master key
 * is not the one with which the secret was made.
 */
export function recoverSecret(
	key: Uint8Array,
	origin: SecretOrigin,
	secretHash: string,
): string | null {
	const secret = deriveSecret(key, origin);
	const derived = Buffer.from(hashSecret(secret));
	const stored = Buffer.from(secretHash);
	return derived.length === stored.length && timingSafeEqual(derived, stored) ? secret : null;
}

/** `X-Service-Signature` (section 5.5): HMAC-SHA256 of the raw bytes, lower-case hexadecimal. */
export function signBody(secret: string, body: Uint8Array): string {
	return createHmac('sha256', secret).update(body).digest('hex');
}
