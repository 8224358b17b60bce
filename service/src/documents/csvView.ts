import { stringify } from 'csv-stringify/sync';
import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import { RowsChangedError } from './rowView.ts';
import type { RowSource } from './rowView.ts';
import { transactionsOf } from './storedRows.ts';
import type { StoredTransaction } from './storedRows.ts';

const COLUMNS = [
	'documentId',
	'account',
	'period',
	'date',
	'amount',
	'balance',
	'name',
	'payee',
	'memo',
	'checkNumber',
	'category',
	'fitId',
	'pageNumber',
];

/** The CSV of docs/interface-choices.md, "Data", in pieces. */
export async function* csvRows(db: Kysely<Database>, source: RowSource): AsyncGenerator<string> {
	yield lines([COLUMNS]);
	let sent = 0;
	for await (const rows of transactionsOf(db, source.documentId)) {
		yield lines(rows.map(cells));
		sent += rows.length;
	}
	if (sent !== source.transactionCount) throw new RowsChangedError();
}

function lines(records: string[][]): string {
	return stringify(records, { record_delimiter: '\r\n' });
}

function cells(row: StoredTransaction): string[] {
	return [
		String(row.documentId),
		harmless(row.account),
		harmless(row.period),
		isoDate(row.date),
		row.amount,
		row.balance ?? '',
		harmless(row.name),
		harmless(row.payee),
		harmless(row.memo),
		harmless(row.checkNumber),
		harmless(row.category),
		harmless(row.fitId),
		String(row.pageNumber),
	];
}

/** Spreadsheets run a cell that begins like a formula; a statement's text comes from strangers. */
function harmless(text: string): string {
	return /^[=+\-@]/.test(text) ? `'${text}` : text;
}

/** `20260131000000` as `2026-01-31`. */
function isoDate(date: string): string {
	return `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6, 8)}`;
}
