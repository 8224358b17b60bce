import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import { toGroupedData } from '../extraction/statements/groupedData.ts';
import type { GroupedData } from '../extraction/statements/groupedData.ts';
import type { StatementTransaction } from '../extraction/statements/statement.ts';
import { exactNumber } from './exactJson.ts';
import { RowsChangedError } from './rowView.ts';
import type { RowSource } from './rowView.ts';
import { accountsOf, transactionsOf } from './storedRows.ts';
import type { StoredTransaction } from './storedRows.ts';

const ROWS_IN_A_PIECE = 500;

/**
 * The grouped shape of section 2.8 as JSON text, in pieces: an object keyed by document id, then by
 * account, then `bankMode`. Answers and deliveries are both made of it.
 */
export async function* groupedData(
	db: Kysely<Database>,
	sources: readonly RowSource[],
): AsyncGenerator<string> {
	let separator = '{';
	for (const source of sources) {
		const accounts = await groupedDocument(db, source);
		yield `${separator}${JSON.stringify(String(source.documentId))}:`;
		yield* documentText(accounts);
		separator = ',';
	}
	yield separator === '{' ? '{}' : '}';
}

/** The text of one document. Between two pieces other work gets its turn. */
async function* documentText(accounts: GroupedData<unknown>[string]): AsyncGenerator<string> {
	let separator = '{';
	for (const [name, content] of Object.entries(accounts)) {
		const member = `${separator}${JSON.stringify(name)}:`;
		separator = ',';
		if (Array.isArray(content)) {
			yield member + JSON.stringify(content);
			continue;
		}
		const { transactions, ...totals } = content.bankMode;
		yield `${member}{"bankMode":{"transactions":[`;
		for (let start = 0; start < transactions.length; start += ROWS_IN_A_PIECE) {
			const rows = transactions.slice(start, start + ROWS_IN_A_PIECE);
			yield (start === 0 ? '' : ',') + rows.map((row) => JSON.stringify(row)).join(',');
			await setImmediate();
		}
		yield `],${JSON.stringify(totals).slice(1)},"metadata":${JSON.stringify(content.metadata)}}`;
	}
	yield separator === '{' ? '{}' : '}';
}

async function groupedDocument(
	db: Kysely<Database>,
	source: RowSource,
): Promise<GroupedData<unknown>[string]> {
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
	return toGroupedData(source.documentId, statement, exactNumber)[String(source.documentId)] ?? {};
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
