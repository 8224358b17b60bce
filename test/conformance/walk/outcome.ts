/**
 * What became of a row.
 * - `pass`: everything that the row states was seen.
 * - `fail`: something else was seen.
 * - `not tried`: it cannot be made to happen here; the reason says what it needs.
 * - `not served yet`: known to be missing in the local service (notServedYet.ts).
 * - `no claim`: the interface leaves it open, so there is nothing to hold anybody to.
 */
export type Outcome = 'pass' | 'fail' | 'not tried' | 'not served yet' | 'no claim';

/** Something that the interface states was not seen. */
export class Unmet extends Error {
	constructor(message: string) {
		super(message);
		this.name = 'Unmet';
	}
}

/** A row that cannot be tried against this service. The message says what it would need. */
export class NotTried extends Error {
	constructor(message: string) {
		super(message);
		this.name = 'NotTried';
	}
}
