import { createHmac, timingSafeEqual } from 'node:crypto';

/** PUT takes a document's bytes, GET gives them. */
export type AddressMethod = 'PUT' | 'GET';

export type AddressVerdict = 'valid' | 'expired' | 'wrong signature';

/**
 * Addresses that carry their own permission (sections 2.2 and 4.2 of the interface). The signature
 * covers the method, the key and the expiry, so none of them can be exchanged.
 */
export class PresignedAddresses {
	readonly #key: Uint8Array;
	readonly #site: () => string;

	/** @param site gives the root of the site, without a trailing slash */
	constructor(key: Uint8Array, site: () => string) {
		this.#key = key;
		this.#site = site;
	}

	/** An address that accepts one document's bytes with PUT for `seconds` from `now` (milliseconds). */
	forUpload(s3Key: string, seconds: number, now: number): string {
		return this.#addressFor('PUT', s3Key, seconds, now);
	}

	/** An address that gives one document's bytes with GET for `seconds` from `now` (milliseconds). */
	forDownload(s3Key: string, seconds: number, now: number): string {
		return this.#addressFor('GET', s3Key, seconds, now);
	}

	/** The signature is looked at first: whoever cannot sign learns nothing about expiry. */
	verify(
		method: AddressMethod,
		s3Key: string,
		expires: string,
		signature: string,
		now: number,
	): AddressVerdict {
		if (!/^[1-9]\d{0,11}$/.test(expires)) return 'wrong signature';
		const expected = Buffer.from(this.#sign(method, s3Key, Number(expires)));
		const given = Buffer.from(signature);
		if (expected.length !== given.length || !timingSafeEqual(expected, given)) {
			return 'wrong signature';
		}
		return Number(expires) * 1000 > now ? 'valid' : 'expired';
	}

	#addressFor(method: AddressMethod, s3Key: string, seconds: number, now: number): string {
		const expires = Math.floor(now / 1000) + seconds;
		const signature = this.#sign(method, s3Key, expires);
		return `${this.#site()}/storage/${s3Key}?expires=${expires}&signature=${signature}`;
	}

	#sign(method: AddressMethod, s3Key: string, expires: number): string {
		return createHmac('sha256', this.#key)
			.update(`${method}\n${s3Key}\n${expires}`)
			.digest('base64url');
	}
}
