import type { INodeExecutionData } from 'n8n-workflow';
import { summarizeAccounts } from './accountItems';
import { bankDocumentJson, payloadDocumentJson, payloadItemsJson } from './documentItems';
import { readFlatRows, type FlatRow } from './flatRows';
import { isGroupedData, readGroupedData } from './groupedData';
import { linkedItem, readPayload, recordToItem } from './item';
import {
	idText,
	isJsonObject,
	type BankDocument,
	type ExtractedAccount,
	type ExtractedDocument,
	type ExtractionOptions,
	type ExtractionPayload,
	type JsonObject,
	type OutputMode,
} from './model';
import { transactionsOfDocument, transactionsOfFlatRows } from './transactionItems';

function documentJsons(
	document: ExtractedDocument,
	output: Exclude<OutputMode, 'raw'>,
): JsonObject[] {
	if (document.kind === 'payload') {
		return output === 'documents' ? [payloadDocumentJson(document)] : payloadItemsJson(document);
	}
	if (output === 'documents') return [bankDocumentJson(document)];
	if (output === 'accounts') return summarizeAccounts(document).map(({ json }) => json);
	return transactionsOfDocument(document);
}

/** Flat rows sorted into documents and accounts, both in the order of their first row. */
function documentsOfFlatRows(rows: readonly FlatRow[]): BankDocument[] {
	const documents = new Map<string | null, Map<string | null, unknown[]>>();
	for (const { documentId, account, row } of rows) {
		let accounts = documents.get(documentId);
		if (accounts === undefined) documents.set(documentId, (accounts = new Map()));
		const known = accounts.get(account);
		if (known === undefined) accounts.set(account, [row]);
		else known.push(row);
	}
	return [...documents].map(([documentId, accounts]) => ({
		kind: 'bank',
		documentId,
		accounts: [...accounts].map(([account, accountRows]): ExtractedAccount => ({
			account,
			rows: accountRows,
			bankMode: {},
			metadata: undefined,
			extras: {},
		})),
		metadata: undefined,
		extras: {},
	}));
}

function itemsOfDocuments(
	documents: readonly ExtractedDocument[],
	output: Exclude<OutputMode, 'raw'>,
	options: ExtractionOptions,
): INodeExecutionData[] {
	return documents.flatMap((document) =>
		documentJsons(document, output).map((json) =>
			linkedItem(json, options.pairedItem, document.documentId),
		),
	);
}

function itemsOfFlatRows(
	rows: readonly FlatRow[],
	output: Exclude<OutputMode, 'raw'>,
	options: ExtractionOptions,
): INodeExecutionData[] {
	if (output === 'transactions') {
		return transactionsOfFlatRows(rows).map((json, index) =>
			linkedItem(json, options.pairedItem, rows[index]?.documentId ?? null),
		);
	}
	return itemsOfDocuments(documentsOfFlatRows(rows), output, options);
}

/**
 * The items of a `/data` answer or of the `data` of a webhook delivery (section 2.8).
 *
 * - `transactions` (default): one item for each row, see transactionItems.ts
 * - `accounts`: one for each account, see accountItems.ts
 * - `documents`: one for each document, see documentItems.ts
 * - `raw`: one item with the body as it came (a body that is no object becomes `data`)
 *
 * Invoices and tax forms have no rows and no accounts: with `transactions` and `accounts` there is
 * one item for each invoice and for each item of a form. Rows that come flat are read as
 * flatRowsToItems does. Never throws, whatever the response holds; an empty one gives no items.
 */
export function groupedDataToItems(
	payload: ExtractionPayload,
	options: ExtractionOptions,
): INodeExecutionData[] {
	const body = readPayload(payload);
	const output = options.output ?? 'transactions';
	if (output === 'raw') return [rawItem(body, options)];
	if (isJsonObject(body) && Array.isArray(body.transactions) && !isGroupedData(body)) {
		return itemsOfFlatRows(readFlatRows(body, options.documentId) ?? [], output, options);
	}
	return itemsOfDocuments(readGroupedData(body, options.documentId), output, options);
}

/**
 * The items of a `/transactions` answer (flat rows, see flatRows.ts). The modes are those of
 * groupedDataToItems. The flat view has no balances, so accounts and documents made from it have
 * `nothing to check against`. A body that holds no rows is read as grouped data.
 */
export function flatRowsToItems(
	payload: ExtractionPayload,
	options: ExtractionOptions,
): INodeExecutionData[] {
	const body = readPayload(payload);
	const output = options.output ?? 'transactions';
	if (output === 'raw') return [rawItem(body, options)];
	const rows = readFlatRows(body, options.documentId);
	if (rows === undefined) return groupedDataToItems({ body }, options);
	return itemsOfFlatRows(rows, output, options);
}

function rawItem(body: unknown, options: ExtractionOptions): INodeExecutionData {
	const { pairedItem } = options;
	const documentId = idText(options.documentId);
	const source = typeof pairedItem === 'function' ? pairedItem(documentId) : pairedItem;
	return recordToItem(body, source);
}
