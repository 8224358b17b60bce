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

/** The ISO date of a row. A statement has few days and many rows, so each day is read once. */
function isoDateReader(): (row: unknown) => string | null {
	const known = new Map<unknown, string | null>();
	return (row) => {
		if (!isJsonObject(row)) return null;
		const date = rowDate(row);
		const seen = known.get(date);
		if (seen !== undefined) return seen;
		const iso = toIsoDate(date);
		known.set(date, iso);
		return iso;
	};
}

/** One json for each row of each account of the document (section 2.8), in the order given. */
export function transactionsOfDocument(document: BankDocument): JsonObject[] {
	const isoDateOf = isoDateReader();
	return document.accounts.flatMap(({ account, rows, metadata }) => {
		const periodOf = rowPeriodFinder(readAccountMetadata(metadata).periods);
		return rows.map((row) => {
			const dateIso = isoDateOf(row);
			const period = periodOf(row, dateIso);
			return transactionJson(document.documentId, account, row, dateIso, period);
		});
	});
}

/** One json for each row of a `/transactions` answer; the shape is that of grouped data. */
export function transactionsOfFlatRows(rows: readonly FlatRow[]): JsonObject[] {
	const isoDateOf = isoDateReader();
	const periodOf = rowPeriodFinder([]);
	return rows.map(({ documentId, account, row }) => {
		const dateIso = isoDateOf(row);
		return transactionJson(documentId, account, row, dateIso, periodOf(row, dateIso));
	});
}
