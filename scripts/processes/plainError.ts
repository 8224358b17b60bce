/**
 * Something that a person can put right. It is printed as it is, without a stack: what happened
 * first, then what to do.
 */
export class PlainError extends Error {
	override name = 'PlainError';
}
