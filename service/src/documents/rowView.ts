import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import { exactNumber } from './exactJson.ts';
import { countPrintedLines, printedPagesOf, transactionsOf } from './storedRows.ts';
import type { StoredTransaction } from './storedRows.ts';

/** A document whose rows are shown. */
export interface RowSource {
	documentId: number;
	transactionCount: number;
	/** Only the first rows are shown, so many; left out, all of them. */
	shown?: number;
}

/** The same documents with the first rows alone, over all of them. */
export function firstRows(sources: readonly RowSource[], limit: number): RowSource[] {
	let left = limit;
	return sources.map((source) => {
		const shown = Math.min(source.transactionCount, left);
		left -= shown;
		return { ...source, shown };
	});
}

/** Transactions of a document that are shown, a few hundred at a time. */
export async function* shownTransactions(
	db: Kysely<Database>,
	{ documentId, transactionCount, shown = transactionCount }: RowSource,
): AsyncGenerator<StoredTransaction[]> {
	if (shown === 0 && transactionCount > 0) return;
	let sent = 0;
	for await (const rows of transactionsOf(db, documentId)) {
		if (shown < transactionCount && sent + rows.length >= shown) {
			yield rows.slice(0, shown - sent);
			return;
		}
		yield rows;
		sent += rows.length;
	}
	if (sent !== shown) throw new RowsChangedError();
}

/** The members of a row of the flat view. */
export const ROW_FIELDS = [
	'documentId',
	'account',
	'period',
	'rowNumber',
	'isTransaction',
	'date',
	'amount',
	'memo',
	'name',
	'payee',
	'checkNumber',
	'balance',
	'category',
	'fitId',
	'descriptionLines',
	'pageNumber',
] as const;

export type RowField = (typeof ROW_FIELDS)[number];

export function isRowField(name: string): name is RowField {
	return ROW_FIELDS.some((field) => field === name);
}

/** Rows changed while they were being sent; the answer is broken off rather than wrong. */
export class RowsChangedError extends Error {
	constructor() {
		super('The document was extracted again while its rows were being read.');
		this.name = 'RowsChangedError';
	}
}

/**
 * The flat row view as JSON text (`/transactions`, docs/interface-choices.md "Data"), in pieces.
 *
 * @param head the members before `count`, such as `{ jobId: 7 }`
 * @param includeRaw one row for every printed line instead of one for every transaction
 * @param fields the members of a transaction's row; without it all
 */
export async function* flatRows(
	db: Kysely<Database>,
	head: Record<string, unknown>,
	sources: readonly RowSource[],
	includeRaw: boolean,
	fields: readonly RowField[] = ROW_FIELDS,
): AsyncGenerator<string> {
	let count = 0;
	for (const source of sources) {
		count += includeRaw
			? await countPrintedLines(db, source.documentId)
			: (source.shown ?? source.transactionCount);
	}
	const opening = JSON.stringify({ ...head, count });
	yield `${opening.slice(0, -1)},"transactions":[`;
	let sent = 0;
	for (const source of sources) {
		const pieces = includeRaw
			? printedRows(db, source.documentId)
			: transactionRows(db, source, fields);
		for await (const rows of pieces) {
			if (rows.length === 0) continue;
			const texts = rows.map((row) => JSON.stringify(row));
			yield (sent === 0 ? '' : ',') + texts.join(',');
			sent += rows.length;
		}
	}
	if (sent !== count) throw new RowsChangedError();
	yield ']}';
}

async function* transactionRows(
	db: Kysely<Database>,
	source: RowSource,
	fields: readonly RowField[],
): AsyncGenerator<object[]> {
	for await (const rows of shownTransactions(db, source)) {
		yield rows.map((row) => {
			const members: Record<string, unknown> = {
				documentId: source.documentId,
				account: row.account,
				period: row.period,
				rowNumber: row.rowNumber,
				isTransaction: true,
				...transactionFields(row),
			};
			return Object.fromEntries(fields.map((field) => [field, members[field]]));
		});
	}
}

async function* printedRows(db: Kysely<Database>, documentId: number): AsyncGenerator<object[]> {
	for await (const page of printedPagesOf(db, documentId)) {
		yield page.lines.map((line) => {
			const transaction =
				line.first && line.row !== null ? page.transactions.get(line.row) : undefined;
			return {
				documentId,
				pageNumber: page.pageNumber,
				lineNumber: line.lineNumber,
				isTransaction: transaction !== undefined,
				...(line.row !== null && !line.first ? { continues: true } : {}),
				text: line.text,
				cells: line.cells,
				...(transaction === undefined
					? {}
					: {
							account: transaction.account,
							period: transaction.period,
							rowNumber: transaction.rowNumber,
							...transactionFields(transaction),
						}),
			};
		});
	}
}

/** The fields of a transaction as section 2.8 names them. */
export function transactionFields(row: StoredTransaction): Record<string, unknown> {
	return {
		date: row.date,
		amount: exactNumber(row.amount),
		memo: row.memo,
		name: row.name,
		payee: row.payee,
		checkNumber: row.checkNumber,
		balance: row.balance === null ? null : exactNumber(row.balance),
		category: row.category,
		fitId: row.fitId,
		descriptionLines: row.descriptionLines,
		pageNumber: row.pageNumber,
	};
}
