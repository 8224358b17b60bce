import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import { toGroupedData } from '../extraction/statements/groupedData.ts';
import type { StatementTransaction } from '../extraction/statements/statement.ts';
import { exactNumber } from './exactJson.ts';
import { RowsChangedError } from './rowView.ts';
import type { RowSource } from './rowView.ts';
import { accountsOf, transactionsOf } from './storedRows.ts';
import type { StoredTransaction } from './storedRows.ts';

/**
 * The grouped shape of section 2.8 as JSON text, in pieces of one document: an object keyed by
 * document id, then by account, then `bankMode`.
 */
export async function* groupedData(
	db: Kysely<Database>,
	sources: readonly RowSource[],
): AsyncGenerator<string> {
	let separator = '{';
	for (const source of sources) {
		const documentId = JSON.stringify(String(source.documentId));
		yield `${separator}${documentId}:${JSON.stringify(await groupedDocument(db, source))}`;
		separator = ',';
	}
	yield separator === '{' ? '{}' : '}';
}

async function groupedDocument(db: Kysely<Database>, source: RowSource): Promise<unknown> {
	const stored = await accountsOf(db, source.documentId);
	const accounts = stored.map(({ account, currency, periods }) => ({
		account,
		currency,
		periods,
		transactions: new Array<StatementTransaction>(),
	}));
	let count = 0;
	for await (const rows of transactionsOf(db, source.documentId)) {
		count += rows.length;
		for (const row of rows) accounts[row.accountPosition]?.transactions.push(statementRow(row));
	}
	if (count !== source.transactionCount) throw new RowsChangedError();

	// With the digits of the page, which a float may not hold.
	const statement = { accounts, printedRows: [], notes: [] };
	return toGroupedData(source.documentId, statement, exactNumber)[String(source.documentId)];
}

function statementRow(row: StoredTransaction): StatementTransaction {
	return {
		period: row.period,
		date: row.date,
		amount: row.amount,
		memo: row.memo,
		name: row.name,
		payee: row.payee,
		checkNumber: row.checkNumber,
		balance: row.balance,
		category: row.category,
		fitId: row.fitId,
		descriptionLines: row.descriptionLines,
		pageNumber: row.pageNumber,
	};
}
