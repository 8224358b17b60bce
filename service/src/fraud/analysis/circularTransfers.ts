import {
	absoluteDecimal,
	canonicalDecimal,
	isNegativeDecimal,
} from '../../extraction/money/decimal.ts';
import type { StatementTransaction } from '../../extraction/statements/statement.ts';
import { plainText } from '../../extraction/statements/vocabulary/plainText.ts';
import { OWN_ACCOUNT, REVERSAL, sameParty } from './counterparties.ts';
import type { FraudSignal } from './fraudSignal.ts';
import type { StatementView } from './statementView.ts';
import { daysOf, dayOf, rowInWords } from './wording.ts';

/** In units of the currency. */
const SMALLEST = 200;
const MOST_DAYS = 6;
/** Rows that are looked at; a pair is looked for among equal amounts only. */
const MOST_PAIRS = 50;

interface Loop {
	first: StatementTransaction;
	second: StatementTransaction;
	own: boolean;
}

/**
 * Money that goes out and comes back, or comes and goes, with the same party and the same amount in a
 * few days. Once it is a loan or a mistake, several times it makes turnover that is none. Refunds and
 * moves between a person's own accounts weigh less or nothing.
 */
export function circularTransfers(view: StatementView): FraudSignal[] {
	const rows = view.periods.flatMap((part) => part.rows);
	const loops = loopsIn(rows);
	const foreign = loops.filter(({ own }) => !own);
	const signals: FraudSignal[] = [];
	for (const { first, second, own } of loops) {
		const count = own ? loops.length : foreign.length;
		const confidence = own ? (count >= 4 ? 0.3 : 0.1) : count >= 3 ? 0.85 : count === 2 ? 0.7 : 0.3;
		if (confidence < 0.1) continue;
		const days = Math.abs(daysOf(dayOf(second)) - daysOf(dayOf(first)));
		signals.push(
			view.rowSignal(first, {
				type: 'circular_transfers',
				reasonCode: own ? 'own_transfer_returns' : 'transfer_returns',
				confidence,
				details:
					`The amount ${absoluteDecimal(first.amount)} goes one way and back in ${days} day${days === 1 ? '' : 's'}: ` +
					`${rowInWords(first)} and ${rowInWords(second)}. ` +
					`${count === 1 ? 'It is the only such pair' : `There are ${count} such pairs`} in the statement.`,
				metadata: {
					amount: absoluteDecimal(first.amount),
					days,
					pairs: count,
					returnPage: second.pageNumber,
					returnDate: dayOf(second),
				},
			}),
		);
	}
	return signals.slice(0, 20);
}

function loopsIn(rows: readonly StatementTransaction[]): Loop[] {
	const byAmount = new Map<string, StatementTransaction[]>();
	for (const row of rows) {
		if (Math.abs(Number(row.amount)) < SMALLEST || REVERSAL.test(plainText(row.memo))) continue;
		const key = canonicalDecimal(absoluteDecimal(row.amount));
		const list = byAmount.get(key);
		if (list) list.push(row);
		else byAmount.set(key, [row]);
	}
	const loops: Loop[] = [];
	for (const list of byAmount.values()) {
		const left = [...list].sort((a, b) => a.date.localeCompare(b.date));
		while (left.length > 1 && loops.length < MOST_PAIRS) {
			const first = left.shift() as StatementTransaction;
			const at = left.findIndex(
				(other) =>
					isNegativeDecimal(other.amount) !== isNegativeDecimal(first.amount) &&
					daysOf(dayOf(other)) - daysOf(dayOf(first)) <= MOST_DAYS &&
					sameParty(first, other),
			);
			const second = left[at];
			if (at < 0 || !second) continue;
			left.splice(at, 1);
			const own = [first, second].some((row) => OWN_ACCOUNT.test(plainText(row.memo)));
			loops.push({ first, second, own });
		}
	}
	return loops;
}
