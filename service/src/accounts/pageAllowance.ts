import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/schema.ts';
import { emitEvent } from '../events/emitEvent.ts';
import type { Owner } from './accessTokens.ts';

/** An allowance of pages that a month has used up. */
export interface UsedUp {
	/** Pages that were counted. */
	pages: number;
	allowance: number;
	/** YYYY-MM, in UTC. */
	month: string;
}

/** Marks at which `account.limit.approaching` fires, percent of the allowance. */
const MARKS = [80, 100] as const;

/** Sets how many pages a calendar month of a contract may have; null: as many as it likes. */
export async function setPageAllowance(
	db: Kysely<Database>,
	contractId: number,
	pages: number | null,
): Promise<void> {
	await db
		.updateTable('contracts')
		.set({ page_allowance: pages })
		.where('id', '=', contractId)
		.execute();
}

/**
 * Whether the month has no page left, so that no job may begin. Null while it has, or where there is
 * no limit. One that has begun is finished, so a month may end with more pages than its allowance.
 */
export async function usedUpAllowance(
	trx: Transaction<Database>,
	contractId: number,
	now: Date,
): Promise<UsedUp | null> {
	const month = monthOf(now);
	const row = await trx
		.selectFrom('contracts as c')
		.leftJoin('page_usage as u', (join) =>
			join.onRef('u.contract_id', '=', 'c.id').on('u.month', '=', month),
		)
		.where('c.id', '=', contractId)
		.select(['c.page_allowance', 'u.pages'])
		.executeTakeFirstOrThrow();
	const pages = row.pages ?? 0;
	const allowance = row.page_allowance;
	return allowance === null || pages < allowance ? null : { pages, allowance, month };
}

/**
 * Counts the pages of an extracted document, in the transaction that stores its result, and writes
 * `account.limit.approaching` (section 6) for each mark that the month passes with them.
 */
export async function countPages(
	trx: Transaction<Database>,
	account: Owner,
	pages: number,
	now: Date,
): Promise<void> {
	const month = monthOf(now);
	// The row is locked from here to the commit, so of two documents one alone passes a mark.
	const usage = await trx
		.insertInto('page_usage')
		.values({ contract_id: account.contractId, month, pages })
		.onConflict((conflict) =>
			conflict
				.columns(['contract_id', 'month'])
				.doUpdateSet({ pages: sql<number>`page_usage.pages + excluded.pages` }),
		)
		.returning('pages')
		.executeTakeFirstOrThrow();
	const contract = await trx
		.selectFrom('contracts')
		.select('page_allowance')
		.where('id', '=', account.contractId)
		.executeTakeFirstOrThrow();
	const allowance = contract.page_allowance;
	if (allowance === null) return;
	for (const percent of passedMarks(usage.pages - pages, usage.pages, allowance)) {
		await emitEvent(trx, {
			name: 'account.limit.approaching',
			contractId: account.contractId,
			userId: account.userId,
			job: null,
			data: JSON.stringify({
				pagesUsed: usage.pages,
				pageAllowance: allowance,
				percent,
				month,
			}),
		});
	}
}

/** Pure: the marks (percent) that are reached by going from `before` to `after` pages. */
export function passedMarks(before: number, after: number, allowance: number): number[] {
	return MARKS.filter(
		(percent) => before * 100 < percent * allowance && after * 100 >= percent * allowance,
	);
}

/** YYYY-MM, in UTC. */
function monthOf(now: Date): string {
	return now.toISOString().slice(0, 7);
}
