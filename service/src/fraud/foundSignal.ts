/** Something about a document that should make a person look, before it is stored (section 2.9). */
export interface FoundSignal {
	type: string;
	/** For programs: which rule of the type found it. */
	reasonCode: string;
	/** 0 to 1. */
	confidence: number;
	/** The sub-period of the account that it is about, as in the data; null where there is none. */
	period: string | null;
	/** For people: what was seen, where, and what was expected. */
	details: string;
	pageNumber: number | null;
	/** Where on the page it is; null where only the page is known. */
	bbox: object | null;
	/** The printed text that it is about. */
	text: string | null;
	metadata: Record<string, unknown>;
}
