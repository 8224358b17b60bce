import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/schema.ts';
import type { AccountPeriod } from '../extraction/statements/statement.ts';
import type { ExtractedAccount, ExtractedDocument, PrintedLine } from './extractedDocument.ts';

/** One stored transaction. Amounts are exact decimals as text. */
export interface StoredTransaction {
	documentId: number;
	rowNumber: number;
	account: string;
	accountPosition: number;
	period: string;
	date: string;
	amount: string;
	balance: string | null;
	memo: string;
	name: string;
	payee: string;
	checkNumber: string;
	category: string;
	fitId: string;
	descriptionLines: string[];
	pageNumber: number;
}

/** Rows that are read at once: a few hundred kilobytes. */
const PAGE_OF_ROWS = 500;
const PAGES_AT_ONCE = 8;

/** Puts a document's rows in the place of those of an earlier extraction. */
export async function replaceRows(
	trx: Transaction<Database>,
	documentId: number,
	extracted: ExtractedDocument,
): Promise<void> {
	await removeRows(trx, documentId);
	if (extracted.accounts.length > 0) {
		await trx
			.insertInto('document_accounts')
			.values(
				extracted.accounts.map((account) => ({
					document_id: documentId,
					position: account.position,
					account: account.account,
					currency: account.currency,
					periods: JSON.stringify(account.periods),
				})),
			)
			.execute();
	}
	for (const batch of extracted.transactionBatches) {
		await sql`insert into transactions (document_id, row_number, account_position, period, date,
				amount, balance, memo, name, payee, check_number, category, fit_id, description_lines,
				page_number)
			select ${documentId}::integer, r.row_number, r.account_position, r.period, r.date, r.amount,
				r.balance, r.memo, r.name, r.payee, r.check_number, r.category, r.fit_id,
				r.description_lines, r.page_number
			from jsonb_to_recordset(${batch}::jsonb) as r(row_number integer, account_position integer,
				period text, date text, amount numeric, balance numeric, memo text, name text, payee text,
				check_number text, category text, fit_id text, description_lines jsonb,
				page_number integer)`.execute(trx);
		await othersTurn();
	}
	for (const batch of extracted.printedPageBatches) {
		await sql`insert into printed_pages (document_id, page_number, line_count, lines)
			select ${documentId}::integer, r.page_number, r.line_count, r.lines
			from jsonb_to_recordset(${batch}::jsonb) as r(page_number integer, line_count integer,
				lines jsonb)`.execute(trx);
		await othersTurn();
	}
}

/**
 * The embedded database works on this thread and answers without giving requests and timers their
 * turn, so whoever asks it many times in a row does.
 */
const othersTurn = setImmediate;

async function removeRows(trx: Transaction<Database>, documentId: number): Promise<void> {
	await trx.deleteFrom('transactions').where('document_id', '=', documentId).execute();
	await trx.deleteFrom('printed_pages').where('document_id', '=', documentId).execute();
	await trx.deleteFrom('document_accounts').where('document_id', '=', documentId).execute();
}

/** All transactions of a document in order, a few hundred at a time. */
export async function* transactionsOf(
	db: Kysely<Database>,
	documentId: number,
): AsyncGenerator<StoredTransaction[]> {
	for (let after = 0; ;) {
		const rows = await selectTransactions(db, documentId)
			.where('t.row_number', '>', after)
			.orderBy('t.row_number')
			.limit(PAGE_OF_ROWS)
			.execute();
		const last = rows.at(-1);
		if (last === undefined) return;
		yield rows;
		if (rows.length < PAGE_OF_ROWS) return;
		after = last.rowNumber;
		await othersTurn();
	}
}

export interface PrintedPage {
	pageNumber: number;
	lines: PrintedLine[];
	/** The transactions that begin on the page, by row number. */
	transactions: Map<number, StoredTransaction>;
}

/** All printed pages of a document in order. */
export async function* printedPagesOf(
	db: Kysely<Database>,
	documentId: number,
): AsyncGenerator<PrintedPage> {
	for (let after = -1; ;) {
		const pages = await db
			.selectFrom('printed_pages')
			.select(['page_number', 'lines'])
			.where('document_id', '=', documentId)
			.where('page_number', '>', after)
			.orderBy('page_number')
			.limit(PAGES_AT_ONCE)
			.execute();
		const last = pages.at(-1);
		if (last === undefined) return;
		for (const page of pages) {
			// Written by `extractedDocument`, and by nothing else.
			const lines = page.lines as PrintedLine[];
			const begun = lines.flatMap((line) => (line.first && line.row !== null ? [line.row] : []));
			const rows =
				begun.length === 0
					? []
					: await selectTransactions(db, documentId).where('t.row_number', 'in', begun).execute();
			yield {
				pageNumber: page.page_number,
				lines,
				transactions: new Map(rows.map((row) => [row.rowNumber, row])),
			};
		}
		after = last.page_number;
	}
}

export async function countPrintedLines(db: Kysely<Database>, documentId: number): Promise<number> {
	const row = await db
		.selectFrom('printed_pages')
		.select(sql<string | null>`sum(line_count)::text`.as('lines'))
		.where('document_id', '=', documentId)
		.executeTakeFirst();
	return Number(row?.lines ?? 0);
}

/** The accounts of a document in its order. */
export async function accountsOf(
	db: Kysely<Database>,
	documentId: number,
): Promise<ExtractedAccount[]> {
	const rows = await db
		.selectFrom('document_accounts')
		.select(['position', 'account', 'currency', 'periods'])
		.where('document_id', '=', documentId)
		.orderBy('position')
		.execute();
	// Written by `replaceRows`, and by nothing else.
	return rows.map((row) => ({ ...row, periods: row.periods as AccountPeriod[] }));
}

function selectTransactions(db: Kysely<Database>, documentId: number) {
	return db
		.selectFrom('transactions as t')
		.innerJoin('document_accounts as a', (join) =>
			join
				.onRef('a.document_id', '=', 't.document_id')
				.onRef('a.position', '=', 't.account_position'),
		)
		.where('t.document_id', '=', documentId)
		.select([
			't.document_id as documentId',
			't.row_number as rowNumber',
			'a.account',
			't.account_position as accountPosition',
			't.period',
			't.date',
			// As text in every driver: a number would lose digits.
			sql<string>`t.amount::text`.as('amount'),
			sql<string | null>`t.balance::text`.as('balance'),
			't.memo',
			't.name',
			't.payee',
			't.check_number as checkNumber',
			't.category',
			't.fit_id as fitId',
			't.description_lines as descriptionLines',
			't.page_number as pageNumber',
		]);
}
