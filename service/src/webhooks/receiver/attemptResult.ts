/** How one attempt to deliver ended. Nothing in it holds a secret. */
export interface AttemptResult {
	/** The receiver answered with a status from 200 to 299. */
	ok: boolean;
	/** Status of the answer; null where none came. */
	statusCode: number | null;
	/** Why it is not delivered, as one sentence for a person; null when `ok`. */
	error: string | null;
	/** Start of the answer's body, at most 4096 bytes of UTF-8; null where no answer came. */
	responseBody: string | null;
	/** From the lookup of the name to the end of what was read, in whole milliseconds. */
	durationMs: number;
	/** The caller's signal ended the attempt: it says nothing about the receiver. */
	aborted: boolean;
}
