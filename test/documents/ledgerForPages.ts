import { countForPages, paginate } from './pagination.ts';
import { buildLedger } from './statementTruth.ts';
import type { Ledger, LedgerEntry, LedgerOptions, LayoutOptions } from './statementTruth.ts';
import type { SeededRandom } from './seededRandom.ts';

/** More rows than any layout puts on one page. */
const MOST_ROWS_A_PAGE = 80;

export interface PagedLedger extends Ledger {
	/** The entries in printed order, page by page. */
	pages: LedgerEntry[][];
}

/**
 * Makes bookings for a layout and spreads them over its pages: `options.pages` pages full of them, or
 * `options.transactions`, or the layout's own number.
 */
export function ledgerForPages(
	random: SeededRandom,
	options: LayoutOptions,
	defaultCount: number,
	ledgerOptions: Omit<LedgerOptions, 'count'>,
	room: { heightOf: (entry: LedgerEntry) => number; first: number; next: number },
): PagedLedger {
	if (options.pages === undefined) {
		const count = options.transactions ?? defaultCount;
		const ledger = buildLedger(random, { ...ledgerOptions, count });
		return { ...ledger, pages: paginate(ledger.entries, room.heightOf, room.first, room.next) };
	}
	const long = buildLedger(random, {
		...ledgerOptions,
		count: options.pages * MOST_ROWS_A_PAGE,
	});
	const count = countForPages(long.entries, room.heightOf, room.first, room.next, options.pages);
	const entries = long.entries.slice(0, count);
	return {
		startBalance: long.startBalance,
		endBalance: entries.at(-1)?.balance ?? long.startBalance,
		entries,
		pages: paginate(entries, room.heightOf, room.first, room.next),
	};
}
