import type { AmountToken } from '../money/amountTokens.ts';
import {
	absoluteDecimal,
	equalDecimals,
	isZeroDecimal,
	subtractDecimals,
} from '../money/decimal.ts';
import type { CompleteRow } from './descriptionLines.ts';
import type { DecimalText } from './statement.ts';

type Movement = CompleteRow['movements'][number];

export interface ChosenMovements {
	/** One for each row. */
	movements: Movement[];
	/** How many rows print several amounts of which no balance tells the right one. */
	unproven: number;
}

/**
 * The amount of each row. Some rows print several (a charge that is only noted beside it, a
 * subtotal): the one that leads from the balance before the row to the balance on it is the row's
 * own; where no balance tells, the last one that is not zero.
 */
export function movementsOf(
	rows: readonly CompleteRow[],
	opening: DecimalText | null,
	newestFirst: boolean,
	signed: (token: AmountToken | null) => DecimalText | null,
): ChosenMovements {
	let unproven = 0;
	const movements = rows.map((row, index) => {
		const moving = row.movements.filter(({ token }) => !isZeroDecimal(token.value));
		const last = moving.at(-1) ?? (row.movements[0] as Movement);
		if (moving.length < 2) return last;
		const after = signed(row.balance);
		const neighbour = rows[newestFirst ? index + 1 : index - 1];
		const before = neighbour ? signed(neighbour.balance) : opening;
		if (after !== null && before !== null) {
			const change = absoluteDecimal(subtractDecimals(after, before));
			const proven = moving.filter(({ token }) => equalDecimals(token.value, change));
			const [only] = proven;
			if (only && proven.length === 1) return only;
		}
		unproven++;
		return last;
	});
	return { movements, unproven };
}
