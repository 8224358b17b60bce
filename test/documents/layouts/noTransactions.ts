import type { GeneratedStatement, LayoutOptions } from '../statementTruth.ts';
import { drawUsChecking } from './usChecking.ts';

/** A quiet month: no rows and equal balances, which is nothing to check against. */
export async function noTransactions(options: LayoutOptions): Promise<GeneratedStatement> {
	return await drawUsChecking(
		{ seed: options.seed, transactions: 0 },
		{ layout: 'noTransactions', endBalanceOff: 0n },
	);
}
