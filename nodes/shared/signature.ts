import { createHmac, timingSafeEqual } from 'node:crypto';

const HEX_DIGEST = /^[0-9a-fA-F]{64}$/;

/**
 * Whether `header` is the HMAC-SHA256 of the body with the secret (section 5.5 of the interface).
 * `body` has to be the bytes as they were received. The interface has lowercase digits; uppercase
 * ones say the same and are understood. Compared in constant time; false for anything that is not
 * one digest, and for an empty secret. Never throws.
 */
export function isSignedBy(body: Uint8Array, secret: string, header: unknown): boolean {
	if (secret === '' || typeof header !== 'string' || !HEX_DIGEST.test(header)) return false;
	const right = createHmac('sha256', secret).update(body).digest();
	return timingSafeEqual(right, Buffer.from(header, 'hex'));
}

/** Whether the text looks like a digest at all, which can be told before the body is read. */
export function isDigest(header: unknown): header is string {
	return typeof header === 'string' && HEX_DIGEST.test(header);
}
