import type { PeriodFacts } from './accountMetadata';
import {
	addDecimals,
	formatDecimal,
	parseDecimal,
	subtractDecimals,
	type Decimal,
} from './decimal';
import { shortText } from './model';
import type { RowSums } from './rowSums';

/** Does the start balance plus the rows give the end balance? */
export type Verdict = 'reconciled' | 'not reconciled' | 'nothing to check against';

export interface VerdictResult {
	verdict: Verdict;
	/**
	 * End balance minus (start balance plus rows) as exact decimal text. Null where it cannot be
	 * computed.
	 */
	difference: string | null;
	/** Why the verdict is what it is, where the numbers alone do not say it. */
	verdictNote: string | null;
}

export interface BalanceCheck extends VerdictResult {
	/** No row, and the balance stays the same: neither right nor wrong. */
	isIdle: boolean;
}

/** What the service itself says: true, false, or undefined where it says nothing. */
export function serviceSays({ isReconciled, contradictions }: PeriodFacts): boolean | undefined {
	// Two different words are no agreement.
	if (contradictions.includes('isReconciled')) return false;
	if (isReconciled === undefined || isReconciled === null || isReconciled === '') return undefined;
	const text = shortText(isReconciled).toLowerCase();
	return text === 'true' || text === 'yes' || Number(text) === 1;
}

/** Sentences as one text, or null where there is none. */
export function joinNotes(notes: ReadonlyArray<string | null>): string | null {
	const said = notes.filter((note) => note !== null);
	return said.length === 0 ? null : said.join(' ');
}

/** `1 row has`, `2 rows have`. */
export function rowsHave(count: number): string {
	return count === 1 ? '1 row has' : `${count} rows have`;
}

interface Balance {
	value: Decimal | null;
	note: string | null;
}

function readBalance(facts: PeriodFacts, name: 'startBalance' | 'endBalance'): Balance {
	const given = facts[name];
	const label = name === 'startBalance' ? 'start balance' : 'end balance';
	if (given === undefined || given === null || given === '') {
		return { value: null, note: `The ${label} is missing.` };
	}
	if (facts.contradictions.includes(name)) {
		return { value: null, note: `The ${label} is given twice, with different values.` };
	}
	const value = parseDecimal(given);
	if (value !== null) return { value, note: null };
	return { value, note: `The ${label} "${shortText(given)}" cannot be read as an amount.` };
}

/** A check that could not be made; the service's own claim does not replace it. */
export function nothingToCheck(
	notes: ReadonlyArray<string | null>,
	service: boolean | undefined,
): BalanceCheck {
	const claim =
		service === true
			? 'The service reports it as reconciled, but that could not be checked.'
			: null;
	return {
		verdict: 'nothing to check against',
		difference: null,
		verdictNote: joinNotes([...notes, claim]),
		isIdle: false,
	};
}

/**
 * Judges the rows between two balances on exact decimals.
 *
 * `reconciled` needs a row, both balances, start + rows = end to the last digit, and no word of
 * the service against it. A missing, contradictory or unreadable balance, an unreadable amount, or
 * no movement at all is `nothing to check against`.
 */
export function checkBalances(facts: PeriodFacts, sums: RowSums): BalanceCheck {
	const service = serviceSays(facts);
	const start = readBalance(facts, 'startBalance');
	const end = readBalance(facts, 'endBalance');
	if (start.value === null || end.value === null) {
		return nothingToCheck([start.note, end.note], service);
	}
	if (sums.unreadable > 0) {
		const note = `${rowsHave(sums.unreadable)} an amount that cannot be read.`;
		return nothingToCheck([note], service);
	}
	const moved = addDecimals(sums.credits, sums.debits);
	const change = subtractDecimals(end.value, start.value);
	const gap = subtractDecimals(change, moved);
	if (gap.units !== 0n) {
		const isTurnedRound = sums.count > 0 && addDecimals(change, moved).units === 0n;
		return {
			verdict: 'not reconciled',
			difference: formatDecimal(gap),
			verdictNote: joinNotes([
				sums.count === 0 ? 'The balance changes, but there is no row.' : null,
				isTurnedRound
					? 'With every sign turned round it adds up: either the amounts are reversed, or the balance is an amount owed, as on a credit card.'
					: null,
				service === true ? 'The service reports it as reconciled; the numbers disagree.' : null,
			]),
			isIdle: false,
		};
	}
	if (sums.count === 0) {
		const idle = nothingToCheck(['There is no row, and the balance stays the same.'], service);
		return { ...idle, isIdle: true };
	}
	if (service === false) {
		return {
			verdict: 'not reconciled',
			difference: formatDecimal(gap),
			verdictNote:
				'The balances and the rows add up, but the service reports it as not reconciled.',
			isIdle: false,
		};
	}
	return {
		verdict: 'reconciled',
		difference: formatDecimal(gap),
		verdictNote: null,
		isIdle: false,
	};
}
