import { stringify } from 'csv-stringify/sync';
import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import { isRowField, shownTransactions } from './rowView.ts';
import type { RowField, RowSource } from './rowView.ts';
import type { StoredTransaction } from './storedRows.ts';

/** What a cell of each column holds; the order is that of the file. */
const CELLS = {
	documentId: (row) => String(row.documentId),
	account: (row) => harmless(row.account),
	period: (row) => harmless(row.period),
	date: (row) => isoDate(row.date),
	amount: (row) => row.amount,
	balance: (row) => row.balance ?? '',
	name: (row) => harmless(row.name),
	payee: (row) => harmless(row.payee),
	memo: (row) => harmless(row.memo),
	checkNumber: (row) => harmless(row.checkNumber),
	category: (row) => harmless(row.category),
	fitId: (row) => harmless(row.fitId),
	pageNumber: (row) => String(row.pageNumber),
	rowNumber: (row) => String(row.rowNumber),
	isTransaction: () => 'true',
	descriptionLines: (row) => harmless(row.descriptionLines.join('\n')),
} as const satisfies Record<RowField, (row: StoredTransaction) => string>;

/** Columns that are in the file only where they are asked for. */
const ON_REQUEST: readonly RowField[] = ['rowNumber', 'isTransaction', 'descriptionLines'];

const COLUMNS: readonly RowField[] = Object.keys(CELLS)
	.filter(isRowField)
	.filter((name) => !ON_REQUEST.includes(name));

/**
 * The CSV of docs/interface-choices.md, "Data", in pieces: the rows of all sources below one header.
 *
 * @param columns in the order of the file; without it the usual ones
 */
export async function* csvRows(
	db: Kysely<Database>,
	sources: readonly RowSource[],
	columns: readonly RowField[] = COLUMNS,
): AsyncGenerator<string> {
	yield lines([[...columns]]);
	for (const source of sources) {
		for await (const rows of shownTransactions(db, source)) {
			yield lines(rows.map((row) => columns.map((name) => CELLS[name](row))));
		}
	}
}

function lines(records: string[][]): string {
	return stringify(records, { record_delimiter: '\r\n' });
}

/** Spreadsheets run a cell that begins like a formula; a statement's text comes from strangers. */
function harmless(text: string): string {
	return /^[=+\-@]/.test(text) ? `'${text}` : text;
}

/** `20260131000000` as `2026-01-31`. */
function isoDate(date: string): string {
	return `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6, 8)}`;
}
