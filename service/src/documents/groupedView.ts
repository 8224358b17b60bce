import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import type { AccountPeriod } from '../extraction/statements/statement.ts';
import { RowsChangedError, transactionFields } from './rowView.ts';
import type { RowSource } from './rowView.ts';
import { accountsOf, transactionsOf } from './storedRows.ts';

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
		yield `${separator}${JSON.stringify(String(source.documentId))}:`;
		yield JSON.stringify(await groupedDocument(db, source));
		separator = ',';
	}
	yield separator === '{' ? '{}' : '}';
}

async function groupedDocument(
	db: Kysely<Database>,
	source: RowSource,
): Promise<Record<string, unknown>> {
	const accounts = await accountsOf(db, source.documentId);
	const totals = await totalsOf(db, source.documentId);
	const transactions = new Map<number, unknown[]>();
	let count = 0;
	for await (const rows of transactionsOf(db, source.documentId)) {
		count += rows.length;
		for (const row of rows) {
			const list = transactions.get(row.accountPosition) ?? [];
			transactions.set(row.accountPosition, list);
			list.push(transactionFields(row));
		}
	}
	if (count !== source.transactionCount) throw new RowsChangedError();
	const grouped = accounts.map((account): [string, unknown] => {
		const total = totals.get(account.position);
		return [
			account.account,
			{
				bankMode: {
					transactions: transactions.get(account.position) ?? [],
					totalCredits: total?.credits ?? '0.00',
					totalDebits: total?.debits ?? '0.00',
					numCredits: total?.numCredits ?? 0,
					numDebits: total?.numDebits ?? 0,
				},
				metadata: account.periods.flatMap(metadataOf),
			},
		];
	});
	return Object.fromEntries([...grouped, ['metadata', []]]);
}

function metadataOf(period: AccountPeriod): object[] {
	const entries: Array<[string, string | null]> = [
		['startBalance', period.startBalance],
		['endBalance', period.endBalance],
		['startDate', period.startDate],
		['endDate', period.endDate],
		['isReconciled', period.isReconciled ? '1' : '0'],
	];
	return entries.flatMap(([name, value]) =>
		value === null ? [] : [{ name, value, period: period.period }],
	);
}

interface Totals {
	credits: string | null;
	debits: string | null;
	numCredits: number;
	numDebits: number;
}

/** Summed by the database, whose `numeric` is exact. */
async function totalsOf(db: Kysely<Database>, documentId: number): Promise<Map<number, Totals>> {
	const rows = await db
		.selectFrom('transactions')
		.select([
			'account_position',
			sql<string | null>`(sum(amount) filter (where amount > 0))::text`.as('credits'),
			sql<string | null>`(sum(amount) filter (where amount < 0))::text`.as('debits'),
			sql<number>`(count(*) filter (where amount > 0))::integer`.as('numCredits'),
			sql<number>`(count(*) filter (where amount < 0))::integer`.as('numDebits'),
		])
		.where('document_id', '=', documentId)
		.groupBy('account_position')
		.execute();
	return new Map(rows.map((row) => [row.account_position, row]));
}
