import type { AddressMethod, PresignedAddresses } from '../../storage/presignedAddress.ts';
import { HttpError } from '../errors.ts';

/** The key of the document in the path of a storage address. */
export function keyOf(params: { contract: string; file: string }): string {
	return `documents/${params.contract}/${params.file}`;
}

/**
 * The signature in an address of the storage is its permission. Answers 403 without a valid one. Runs
 * before the query is checked, so its members may be missing or be lists.
 */
export function assertPermitted(
	addresses: PresignedAddresses,
	method: AddressMethod,
	s3Key: string,
	query: { expires?: unknown; signature?: unknown },
): void {
	const { expires, signature } = query;
	const verdict =
		typeof expires === 'string' && typeof signature === 'string'
			? addresses.verify(method, s3Key, expires, signature, Date.now())
			: 'wrong signature';
	if (verdict === 'wrong signature') {
		throw new HttpError(
			403,
			'signature_mismatch',
			`The address is not one that this service gave out for ${method}. Use it exactly as it was given.`,
		);
	}
	if (verdict === 'expired') {
		throw new HttpError(
			403,
			'address_expired',
			'The address is no longer valid. Ask for a new one where this one came from.',
		);
	}
}

export function noSuchDocument(): HttpError {
	return new HttpError(404, 'not_found', 'There is no such document.');
}
