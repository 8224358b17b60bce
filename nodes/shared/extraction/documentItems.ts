import { summarizeAccounts } from './accountItems';
import { isJsonObject, type BankDocument, type JsonObject, type PayloadDocument } from './model';
import { withServiceFields } from './serviceFields';
import { worstVerdict } from './verdict';

/**
 * The json of one document with accounts:
 * `{ documentId, verdict, transactionCount, accounts, metadata, … }` and every further field of
 * the document. `accounts` holds the accounts as in accountItems.ts. `verdict` is the worst of
 * theirs; without an account there is nothing to check against.
 */
export function bankDocumentJson(document: BankDocument): JsonObject {
	const accounts = summarizeAccounts(document);
	return withServiceFields(
		{
			documentId: document.documentId,
			verdict: worstVerdict(accounts.map(({ verdict }) => verdict)),
			transactionCount: accounts.reduce((sum, account) => sum + account.transactionCount, 0),
			accounts: accounts.map(({ json }) => json),
			metadata: document.metadata ?? [],
		},
		document.extras,
	);
}

/**
 * The json of a document of another kind, as one: `{ documentId, …payload }`. A list (the items of
 * a tax form) becomes `{ documentId, items }`, a single value `{ documentId, value }`.
 */
export function payloadDocumentJson({ documentId, payload }: PayloadDocument): JsonObject {
	if (isJsonObject(payload)) return withServiceFields({ documentId }, payload);
	return Array.isArray(payload) ? { documentId, items: payload } : { documentId, value: payload };
}

/**
 * A document of another kind in parts: one json for each item of a tax form
 * (`{ documentId, rowNumber, pageNumber, form }`, section 2.8) or of another list, and one json
 * for an invoice or any other payload.
 */
export function payloadItemsJson({ documentId, payload }: PayloadDocument): JsonObject[] {
	if (!Array.isArray(payload))
		return [payloadDocumentJson({ kind: 'payload', documentId, payload })];
	return (payload as unknown[]).map((part) =>
		withServiceFields({ documentId }, isJsonObject(part) ? part : { value: part }),
	);
}
