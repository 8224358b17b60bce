import { minorUnits } from '../money.ts';
import type { GeneratedStatement, LayoutOptions } from '../statementTruth.ts';
import { drawUsChecking } from './usChecking.ts';

/**
 * A statement whose printed ending balance is wrong by `options.difference` (10.00 unless given),
 * while its rows and running balances agree with each other: it must never count as reconciled.
 */
export async function doesNotAddUp(options: LayoutOptions): Promise<GeneratedStatement> {
	const endBalanceOff = minorUnits(options.difference ?? '10.00');
	if (endBalanceOff === 0n) {
		throw new Error('The difference is 0.00, so the statement would add up. Give another amount.');
	}
	return await drawUsChecking(options, { layout: 'doesNotAddUp', endBalanceOff });
}
