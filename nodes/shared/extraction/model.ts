import type { IPairedItemData } from 'n8n-workflow';

/** Section 2 of the interface: an id is an integer or a string, depending on the client. */
export type IdLike = string | number;

/** A JSON object whose fields are not known in advance. */
export type JsonObject = Record<string, unknown>;

/** How rows become items; the values of the node's `output` parameter. */
export type OutputMode = 'transactions' | 'accounts' | 'documents' | 'raw';

/** What n8n accepts as the link from an output item to its input item or items. */
export type PairedItem = number | IPairedItemData | IPairedItemData[];

/**
 * The link to set on every item: one for all of them, or a function of the document id, for a job
 * whose documents came from several input items.
 */
export type PairedItemSource = PairedItem | ((documentId: string | null) => PairedItem);

/**
 * A response of the service. `text` is the JSON text as received; where it is given, it is parsed
 * here so that no number loses digits. Without it `body`, the parsed response, is used.
 */
export interface ExtractionPayload {
	body?: unknown;
	text?: string;
}

export interface ExtractionOptions {
	/** Defaults to `transactions`. */
	output?: OutputMode;
	pairedItem: PairedItemSource;
	/**
	 * The document that was asked for, at the endpoints that are keyed by document. It names the
	 * rows where the response leaves the document id out.
	 */
	documentId?: IdLike;
}

/** `[documentId][account]` of section 2.8. */
export interface ExtractedAccount {
	/** The account key, or null where the response names none. */
	account: string | null;
	rows: unknown[];
	/** Fields of `bankMode` without `transactions`: totals, counts, and whatever else is there. */
	bankMode: JsonObject;
	/** `[documentId][account].metadata` as it came. */
	metadata: unknown;
	/** Fields beside `bankMode` and `metadata`. */
	extras: JsonObject;
}

/** A document with accounts and transactions. */
export interface BankDocument {
	kind: 'bank';
	documentId: string | null;
	accounts: ExtractedAccount[];
	/** `[documentId].metadata` as it came. */
	metadata: unknown;
	/** Fields of the document that are neither an account nor `metadata`. */
	extras: JsonObject;
}

/** A document of another kind (invoice, tax form), whose payload is passed on as it came. */
export interface PayloadDocument {
	kind: 'payload';
	documentId: string | null;
	payload: unknown;
}

export type ExtractedDocument = BankDocument | PayloadDocument;

export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An id as text; null where the value is no id. The empty string is no id. */
export function idText(value: unknown): string | null {
	if (typeof value === 'string') return value === '' ? null : value;
	if (typeof value === 'number' || typeof value === 'bigint') return String(value);
	return null;
}

/** A value in a message or a comparison. Objects are not converted: their `toString` may be data. */
export function shortText(value: unknown): string {
	return typeof value === 'object' && value !== null
		? 'an object'
		: String(value).trim().slice(0, 40);
}
