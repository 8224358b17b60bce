import type { GeneratedStatement, LayoutOptions } from '../statementTruth.ts';
import { drawUsChecking } from './usChecking.ts';

/** Enough rows for three pages, so that one of them can be missing between two others. */
const ROWS = 80;

/**
 * A statement whose second page is missing: rows and running balances are true, but there is a gap
 * between them, so it must never count as reconciled. `options.transactions` counts the rows of the
 * missing page too; `options.pages` does not count that page.
 */
export async function missingPage(options: LayoutOptions): Promise<GeneratedStatement> {
	const whole =
		options.pages === undefined
			? { ...options, transactions: options.transactions ?? ROWS }
			: { ...options, pages: options.pages + 1 };
	return await drawUsChecking(whole, { layout: 'missingPage', endBalanceOff: 0n, leftOutPage: 2 });
}
