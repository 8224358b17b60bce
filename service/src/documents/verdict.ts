import { equalDecimals } from '../extraction/money/decimal.ts';
import type { AccountPeriod, StatementAccount } from '../extraction/statements/statement.ts';

type Verdict = boolean | null;

/**
 * Whether a whole document adds up (`isReconciled` of a document): false as soon as one period of one
 * account does not, null where a period with rows has nothing to check against or where nothing at
 * all can be checked, true only when every row is covered by a check.
 */
export function verdictOf(accounts: readonly StatementAccount[]): Verdict {
	let checked = false;
	let unknown = false;
	for (const account of accounts) {
		const periodsWithRows = new Set(account.transactions.map((row) => row.period));
		for (const period of account.periods) {
			const verdict = verdictOfPeriod(period, periodsWithRows.has(period.period));
			if (verdict === false) return false;
			if (verdict === true) checked = true;
			else if (periodsWithRows.has(period.period)) unknown = true;
			periodsWithRows.delete(period.period);
		}
		// Rows whose period is not described cannot be checked.
		if (periodsWithRows.size > 0) unknown = true;
	}
	return checked && !unknown ? true : null;
}

function verdictOfPeriod(period: AccountPeriod, hasRows: boolean): Verdict {
	if (period.isReconciled) return true;
	if (period.startBalance === null || period.endBalance === null) return null;
	// A quiet account says nothing about rows; one whose balance moved without a row misses rows.
	if (!hasRows && equalDecimals(period.startBalance, period.endBalance)) return null;
	return false;
}
