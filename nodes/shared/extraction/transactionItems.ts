import { readAccountMetadata } from './accountMetadata';
import type { FlatRow } from './flatRows';
import type { Verdict } from './balanceCheck';
import { toIsoDate } from './isoDate';
import { isJsonObject, type BankDocument, type JsonObject } from './model';
import { rowDate } from './rowFields';
import { rowPeriodFinder, type RowPeriod } from './rowPeriod';
import { withServiceFields } from './serviceFields';
import { judgeAccount } from './verdict';

/** What a row belongs to. `verdict` is null where the answer does not say enough to judge the account. */
interface RowContext {
	documentId: string | null;
	account: string | null;
	verdict: Verdict | null;
}

/**
 * The json of one transaction item:
 * `{ documentId, account, verdict, period, periodStart, periodEnd, dateIso, …the fields of the row }`.
 *
 * `verdict` is that of the account, so that rows of a statement that does not add up can be told
 * from the others without a second call; rows of a `/transactions` answer have none.
 * The row keeps every field as the service gave it, `date` too; `dateIso` is its calendar date
 * (`YYYY-MM-DD`) or null. `documentId`, `account` and `period` are text or null, the two dates of
 * the period ISO or null. A row that is no object is kept as `value`.
 */
function transactionJson(
	{ documentId, account, verdict }: RowContext,
	row: unknown,
	dateIso: string | null,
	{ period, periodStart, periodEnd }: RowPeriod,
): JsonObject {
	// Two literals: spreading into one would double the time of the whole mapping.
	const ours: JsonObject =
		verdict === null
			? { documentId, account, period, periodStart, periodEnd, dateIso }
			: { documentId, account, verdict, period, periodStart, periodEnd, dateIso };
	return withServiceFields(ours, isJsonObject(row) ? row : { value: row });
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
	return document.accounts.flatMap((extracted) => {
		const facts = readAccountMetadata(extracted.metadata);
		const periodOf = rowPeriodFinder(facts.periods);
		const context: RowContext = {
			documentId: document.documentId,
			account: extracted.account,
			verdict: judgeAccount(extracted, facts).verdict,
		};
		return extracted.rows.map((row) => {
			const dateIso = isoDateOf(row);
			return transactionJson(context, row, dateIso, periodOf(row, dateIso));
		});
	});
}

/** One json for each row of a `/transactions` answer; the shape is that of grouped data. */
export function transactionsOfFlatRows(rows: readonly FlatRow[]): JsonObject[] {
	const isoDateOf = isoDateReader();
	const periodOf = rowPeriodFinder([]);
	return rows.map(({ documentId, account, row }) => {
		const dateIso = isoDateOf(row);
		return transactionJson(
			{ documentId, account, verdict: null },
			row,
			dateIso,
			periodOf(row, dateIso),
		);
	});
}
