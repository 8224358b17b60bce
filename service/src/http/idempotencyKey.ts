import type { FastifyRequest } from 'fastify';
import { IdempotencyMismatchError } from '../jobs/idempotency.ts';
import { HttpError } from './errors.ts';

const HEADER = 'Idempotency-Key';
const LONGEST = 200;

/** The request's `Idempotency-Key`; null where it has none. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
	const value = request.headers['idempotency-key'];
	if (value === undefined) return null;
	if (typeof value !== 'string' || value === '' || value.length > LONGEST) {
		throw new HttpError(
			400,
			'invalid_request',
			`\`${HEADER}\` must have 1 to ${LONGEST} characters.`,
			HEADER,
		);
	}
	return value;
}

export function idempotencyError(error: unknown): unknown {
	if (!(error instanceof IdempotencyMismatchError)) return error;
	return new HttpError(409, 'idempotency_mismatch', error.message, HEADER);
}
