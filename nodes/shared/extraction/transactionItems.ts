import { readAccountMetadata } from './accountMetadata';
import type { FlatRow } from './flatRows';
import { toIsoDate } from './isoDate';
import { isJsonObject, type BankDocument, type JsonObject } from './model';
import { rowDate } from './rowFields';
import { rowPeriodFinder, type RowPeriod } from './rowPeriod';
import { withServiceFields } from './serviceFields';

/**
 * The json of one transaction item:
 * `{ documentId, account, period, periodStart, periodEnd, dateIso, …the fields of the row }`.
 *
 * The row keeps every field as the service gave it, `date` too; `dateIso` is its calendar date
 * (`YYYY-MM-DD`) or null. `documentId`, `account` and `period` are text or null, the two dates of
 * the period ISO or null. A row that is no object is kept as `value`.
 */
function transactionJson(
	documentId: string | null,
	account: string | null,
	row: unknown,
	dateIso: string | null,
	{ period, periodStart, periodEnd }: RowPeriod,
): JsonObject {
	return withServiceFields(
		{ documentId, account, period, periodStart, periodEnd, dateIso },
		isJsonObject(row) ? row : { value: row },
	);
}

function isoDateOf(row: unknown): string | null {
	return isJsonObject(row) ? toIsoDate(rowDate(row)) : null;
}

/** One json for each row of each account of the document (section 2.8), in the order given. */
export function transactionsOfDocument(document: BankDocument): JsonObject[] {
	const result: JsonObject[] = [];
	for (const { account, rows, metadata } of document.accounts) {
		const periodOf = rowPeriodFinder(readAccountMetadata(metadata).periods);
		for (const row of rows) {
			const dateIso = isoDateOf(row);
			const period = periodOf(row, dateIso);
			result.push(transactionJson(document.documentId, account, row, dateIso, period));
		}
	}
	return result;
}

const periodOfFlatRow = rowPeriodFinder([]);

/** The json of one row of a `/transactions` answer; the shape is that of grouped data. */
export function transactionOfFlatRow({ documentId, account, row }: FlatRow): JsonObject {
	const dateIso = isoDateOf(row);
	return transactionJson(documentId, account, row, dateIso, periodOfFlatRow(row, dateIso));
}
