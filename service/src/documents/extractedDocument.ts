import type {
	AccountPeriod,
	Statement,
	StatementTransaction,
} from '../extraction/statements/statement.ts';
import { verdictOf } from './verdict.ts';

/** One printed line as it is stored, in `printed_pages.lines`. */
export interface PrintedLine {
	lineNumber: number;
	text: string;
	cells: string[];
	/** The transaction's `row_number`; null for all other lines. */
	row: number | null;
	/** True on the first line of a transaction. */
	first: boolean;
}

export interface ExtractedAccount {
	position: number;
	account: string;
	currency: string | null;
	periods: AccountPeriod[];
}

/**
 * A read statement in the form in which it is stored. Rows are JSON arrays in batches: they are made
 * in the reading thread and go to the database as they are, so that a long statement does not hold up
 * the thread that answers requests.
 */
export interface ExtractedDocument {
	pageCount: number;
	transactionCount: number;
	/** Null where there is nothing to check against. */
	isReconciled: boolean | null;
	accounts: ExtractedAccount[];
	/** Each a JSON array of objects with the columns of the table `transactions`. */
	transactionBatches: string[];
	/** Each a JSON array of objects with the columns of the table `printed_pages`. */
	printedPageBatches: string[];
}

const ROWS_PER_BATCH = 250;
const PAGES_PER_BATCH = 8;

/** Pure: turns what the extraction found into what is stored. Rows are numbered from 1. */
export function extractedDocument(statement: Statement, pageCount: number): ExtractedDocument {
	const transactions: unknown[] = [];
	const rowOf = new Map<string, number[]>();
	const accounts = statement.accounts.map((account, position): ExtractedAccount => {
		const rows = account.transactions.map((transaction) => {
			const row = transactions.length + 1;
			transactions.push(transactionColumns(transaction, position, row));
			return row;
		});
		rowOf.set(account.account, rows);
		return {
			position,
			account: storable(account.account),
			currency: account.currency === null ? null : storable(account.currency),
			periods: account.periods,
		};
	});

	const pages = new Map<number, PrintedLine[]>();
	const begun = new Set<number>();
	for (const printed of statement.printedRows) {
		const row =
			printed.transaction === null
				? null
				: (rowOf.get(printed.transaction.account)?.[printed.transaction.index] ?? null);
		const lines = pages.get(printed.pageNumber) ?? [];
		pages.set(printed.pageNumber, lines);
		lines.push({
			lineNumber: printed.lineNumber,
			text: storable(printed.text),
			cells: printed.cells.map(storable),
			row,
			first: row !== null && !begun.has(row),
		});
		if (row !== null) begun.add(row);
	}

	return {
		pageCount,
		transactionCount: transactions.length,
		isReconciled: verdictOf(statement.accounts),
		accounts,
		transactionBatches: batches(transactions, ROWS_PER_BATCH),
		printedPageBatches: batches(
			[...pages].map(([page_number, lines]) => ({ page_number, line_count: lines.length, lines })),
			PAGES_PER_BATCH,
		),
	};
}

function transactionColumns(
	transaction: StatementTransaction,
	accountPosition: number,
	row: number,
): object {
	return {
		row_number: row,
		account_position: accountPosition,
		period: transaction.period,
		date: transaction.date,
		amount: transaction.amount,
		balance: transaction.balance,
		memo: storable(transaction.memo),
		name: storable(transaction.name),
		payee: storable(transaction.payee),
		check_number: storable(transaction.checkNumber),
		category: storable(transaction.category),
		fit_id: storable(transaction.fitId),
		description_lines: transaction.descriptionLines.map(storable),
		page_number: transaction.pageNumber,
	};
}

/** PostgreSQL takes neither the character U+0000 nor half of a surrogate pair; PDFs contain both. */
export function storable(text: string): string {
	return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

function batches(items: unknown[], size: number): string[] {
	const texts: string[] = [];
	for (let start = 0; start < items.length; start += size) {
		texts.push(JSON.stringify(items.slice(start, start + size)));
	}
	return texts;
}
