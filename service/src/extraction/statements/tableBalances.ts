import { absoluteDecimal, equalDecimals } from '../money/decimal.ts';
import type { AmountToken } from '../money/amountTokens.ts';
import type { ReadLine } from './readLine.ts';
import type { RowItem } from './tableItem.ts';
import { matchBalance } from './vocabulary/balances.ts';
import type { BalanceKind } from './vocabulary/balances.ts';

interface Question {
	read: ReadLine;
	/** The line without dates and amounts of the table's columns. */
	plain: string;
	hasDate: boolean;
	movements: RowItem['movements'];
	balance: AmountToken | null;
	hasBalanceColumn: boolean;
}

/**
 * Says whether a line of a table prints a balance instead of a movement. Words such as "transport"
 * or "balance" also occur in descriptions: a dated row with an amount of its own counts as a balance
 * only where it says little else.
 */
export function balanceInTable({
	read,
	plain,
	hasDate,
	movements,
	balance,
	hasBalanceColumn,
}: Question): BalanceKind | null {
	if (movements.length === 0 && !balance) return null;
	const found = matchBalance(plain);
	if (!found || found.kind === 'ignored') return null;
	const others = plain
		.replace(found.phrase, ' ')
		.split(' ')
		.filter((word) => /\p{L}{2}/u.test(word)).length;
	if (movements.length === 0) return found.kind === 'dated' && others > 3 ? null : found.kind;
	const movement = movements[0]?.token;
	const sameValue =
		movements.length === 1 &&
		balance !== null &&
		movement !== undefined &&
		equalDecimals(absoluteDecimal(balance.value), absoluteDecimal(movement.value));
	if (sameValue && others <= (found.kind === 'dated' ? 0 : 3)) return found.kind;
	// Days of purchase and of posting: only movements have both.
	if (hasDate && read.dates.length > 1 && others > 0) return null;
	// A row with both a movement and another balance moves money, whatever it says; sums may stand
	// beside a closing balance, but then the row has no date.
	if (balance && hasDate) return null;
	// A balance of the day stands in the balance column; a figure in another one moves money, also
	// where the date of its day is printed only once. "Balance Physio" is a name.
	if (hasBalanceColumn && found.kind === 'dated' && (hasDate || others > 0)) return null;
	if (found.kind === 'dated') {
		const limit = !hasDate && read.dates.length > 0 ? 4 : 1;
		return others <= limit ? found.kind : null;
	}
	if (!found.phrase.includes(' ') && hasDate) return others === 0 ? found.kind : null;
	return others <= (hasDate ? 2 : 4) ? found.kind : null;
}
