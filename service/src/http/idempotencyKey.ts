import { IdempotencyMismatchError } from '../jobs/idempotency.ts';
import type { Caller } from './authentication.ts';
import { HttpError } from './errors.ts';

const HEADER = 'Idempotency-Key';
export const LONGEST_KEY = 200;

/** The request's `Idempotency-Key`; null where it has none. */
export function idempotencyKeyOf(request: Pick<Caller, 'headers'>): string | null {
	const value = request.headers['idempotency-key'];
	if (value === undefined) return null;
	if (typeof value !== 'string' || value === '' || value.length > LONGEST_KEY) {
		throw new HttpError(
			400,
			'invalid_request',
			`\`${HEADER}\` must have 1 to ${LONGEST_KEY} characters.`,
			HEADER,
		);
	}
	return value;
}

export function idempotencyError(error: unknown): unknown {
	if (!(error instanceof IdempotencyMismatchError)) return error;
	return new HttpError(409, 'idempotency_mismatch', error.message, HEADER);
}
