import {
	equalDecimals,
	isZeroDecimal,
	negateDecimal,
	subtractDecimals,
	sumDecimals,
} from '../extraction/money/decimal.ts';
import { balanceBreaks } from '../extraction/statements/balanceBreaks.ts';
import type {
	DecimalText,
	PrintedRow,
	Statement,
	StatementTransaction,
} from '../extraction/statements/statement.ts';
import type { FoundSignal } from './foundSignal.ts';

/** With fewer printed balances one odd row is no exception from a rule. */
const LEAST_BALANCES = 5;
/** With more breaks it is the statement that is unusual, or the reading, and no row is to blame. */
const MOST_BREAKS = 3;

/** One step of a running balance: from the row with a balance before to this one. */
interface Step {
	/** The rows whose amounts lead to the balance; the last one prints it. */
	rows: StatementTransaction[];
	balance: DecimalText;
	/** Printed minus expected balance; null where there is nothing before it to follow from. */
	difference: DecimalText | null;
}

/**
 * Looks for rows whose printed balance does not follow from the balance before and the amounts
 * between, while all around them does. That is what a changed balance or amount looks like.
 *
 * A break that has a harmless explanation gives no signal: another order of the rows, rows that were
 * not read or are on a page that is missing, a sign that was read wrongly, amounts that are booked
 * later, one balance for all rows of a day.
 */
export function balanceTampering(
	statement: Pick<Statement, 'accounts' | 'printedRows'>,
): FoundSignal[] {
	const lines = linesByRow(statement.printedRows);
	const found: FoundSignal[] = [];
	let rowsBefore = 0;
	for (const { account, transactions, periods } of statement.accounts) {
		const place = new Map(transactions.map((row, index) => [row, index]));
		for (const { period, startBalance } of periods) {
			const rows = transactions.filter((row) => row.period === period);
			for (const suspect of suspects(rows, startBalance)) {
				const ofRows = suspect.step.rows.map(
					(row) => lines.get(lineKey(account, place.get(row) ?? -1)) ?? [],
				);
				if (suspect.kind === 'amount' && mayHaveGap(suspect, ofRows, statement.printedRows))
					continue;
				const last = suspect.step.rows.at(-1) as StatementTransaction;
				found.push(signalOf(suspect, account, rowsBefore + (place.get(last) ?? 0) + 1));
			}
		}
		rowsBefore += transactions.length;
	}
	return found;
}

interface Suspect {
	/**
	 * `balance`: the row's balance fits neither the one before nor the one after, and these two fit each
	 * other. `amount`: from this row on all balances are off by the same sum.
	 */
	kind: 'balance' | 'amount';
	step: Step & { difference: DecimalText };
	/** The row whose balance comes before; null for the first one. */
	before: StatementTransaction | null;
	isLast: boolean;
}

/** Pure: the isolated breaks of one running balance; none where the whole is unusual. */
function suspects(rows: readonly StatementTransaction[], start: DecimalText | null): Suspect[] {
	if (rows.filter(({ balance }) => balance !== null).length < LEAST_BALANCES) return [];
	const steps = likeliestSteps(rows, start);
	const isBreak = (index: number): boolean => {
		const difference = steps[index]?.difference ?? null;
		return difference !== null && !isZeroDecimal(difference);
	};
	const follows = (index: number): boolean => {
		const difference = steps[index]?.difference ?? null;
		return difference !== null && isZeroDecimal(difference);
	};

	const found: Suspect[] = [];
	let breaks = 0;
	for (let index = 0; index < steps.length; index++) {
		if (!isBreak(index)) continue;
		breaks++;
		const step = steps[index] as Suspect['step'];
		const next = steps[index + 1];
		const before = steps[index - 1]?.rows.at(-1) ?? null;
		if (isBreak(index + 1)) {
			const second = next as Suspect['step'];
			// More than one row in a row is off: another order, or a part that was read wrongly.
			if (isBreak(index + 2)) return [];
			if (!isZeroDecimal(sumDecimals([step.difference, second.difference]))) return [];
			const sure = (index === 0 || follows(index - 1)) && follows(index + 2);
			const atEnd = follows(index - 1) && index + 2 === steps.length;
			if ((sure || atEnd) && !isBookedTogether(step, second)) {
				found.push({ kind: 'balance', step, before, isLast: false });
			}
			index++;
			continue;
		}
		const isLast = index === steps.length - 1;
		if (follows(index - 1) && (isLast || follows(index + 1)) && !isMisread(step)) {
			found.push({ kind: 'amount', step, before, isLast });
		}
	}
	return breaks > MOST_BREAKS ? [] : found;
}

/**
 * The rows as a chain of balances, in the order and with the meaning of the amounts in which they
 * follow best: statements are printed oldest or newest first, and a debt grows by what is spent.
 */
function likeliestSteps(rows: readonly StatementTransaction[], start: DecimalText | null): Step[] {
	const owed = rows.map((row) => ({ ...row, amount: negateDecimal(row.amount) }));
	const original = new Map(owed.map((row, index) => [row, rows[index] as StatementTransaction]));
	let best: Step[] = [];
	let fewest = Infinity;
	for (const meaning of [rows, owed]) {
		for (const newestFirst of [false, true]) {
			const breaks = balanceBreaks(meaning, start, newestFirst);
			if (breaks.length >= fewest) continue;
			fewest = breaks.length;
			const differences = new Map(breaks.map(({ row, difference }) => [row, difference]));
			best = [];
			let waiting: StatementTransaction[] = [];
			for (const row of newestFirst ? [...meaning].reverse() : meaning) {
				waiting.push(original.get(row) ?? row);
				if (row.balance === null) continue;
				const isFirst = best.length === 0 && start === null;
				const difference = isFirst ? null : (differences.get(row) ?? '0');
				best.push({ rows: waiting, balance: row.balance, difference });
				waiting = [];
			}
		}
	}
	return best;
}

/** One balance for several rows, or a row that is booked with the next one. */
function isBookedTogether(step: Suspect['step'], second: Suspect['step']): boolean {
	return [...step.rows, ...second.rows].some(
		({ amount }) =>
			equalDecimals(step.difference, amount) ||
			equalDecimals(step.difference, negateDecimal(amount)),
	);
}

/** A row that does not count (once its amount), or counts the other way (twice). */
function isMisread({ rows, difference }: Suspect['step']): boolean {
	return rows.some(
		({ amount }) =>
			equalDecimals(difference, amount) ||
			equalDecimals(difference, negateDecimal(amount)) ||
			equalDecimals(difference, sumDecimals([amount, amount])) ||
			equalDecimals(difference, negateDecimal(sumDecimals([amount, amount]))),
	);
}

/** Whether an amount on the page that was not read as one may account for the break. */
function mayHaveGap(
	{ step, before }: Suspect,
	ofRows: readonly PrintedRow[][],
	printed: readonly PrintedRow[],
): boolean {
	const pages = new Set([before, ...step.rows].map((row) => row?.pageNumber));
	// Between two pages there may be a third one that is missing.
	if (pages.size !== 1) return true;
	const own = ofRows.flat();
	const expected = step.rows.reduce((count, { balance }) => count + (balance === null ? 1 : 2), 0);
	if (moneyIn(own) > expected) return true;
	// The rows lie next to each other, also where the newest comes first.
	const [page] = pages;
	const numbers = own.map(({ lineNumber }) => lineNumber);
	const first = Math.min(...numbers);
	const last = Math.max(...numbers);
	const around = printed.filter(
		({ pageNumber, lineNumber, transaction }) =>
			pageNumber === page &&
			transaction === null &&
			lineNumber > first - 3 &&
			lineNumber < last + 3,
	);
	return moneyIn(around) > 0;
}

const MONEY = /(?<![\d.,])\d{1,3}(?:[.,' ]?\d{3})*[.,]\d{2}(?![\d.,])/g;

function moneyIn(lines: readonly PrintedRow[]): number {
	return lines.reduce((count, { text }) => count + (text.match(MONEY)?.length ?? 0), 0);
}

function signalOf(
	{ kind, step, before, isLast }: Suspect,
	account: string,
	rowNumber: number,
): FoundSignal {
	const row = step.rows.at(-1) as StatementTransaction;
	const expected = subtractDecimals(step.balance, step.difference);
	const amounts =
		step.rows.length === 1
			? `the amount ${row.amount}`
			: `the amounts ${step.rows.map(({ amount }) => amount).join(', ')}`;
	const from =
		before === null
			? `the opening balance and ${amounts}`
			: `the balance before it (${before.balance ?? ''}, ${dayOf(before)}) and ${amounts}`;
	const around =
		kind === 'balance'
			? 'The balance after it follows from the one before it, without this one.'
			: `All balances before ${isLast ? '' : 'and after '}it follow from each other: a figure of this ` +
				'row was changed, or a row before it was left out.';
	return {
		type: 'balance_tampering',
		reasonCode: kind === 'balance' ? 'balance_fits_no_neighbour' : 'amount_does_not_fit_balance',
		confidence: kind === 'balance' ? 0.9 : isLast ? 0.6 : 0.7,
		period: row.period,
		details:
			`Account ${account}, row ${rowNumber} of ${dayOf(row)}, page ${row.pageNumber}: the printed ` +
			`balance is ${step.balance}, but ${from} give ${expected}. ${around}`,
		pageNumber: row.pageNumber,
		bbox: null,
		text: row.memo,
		metadata: {
			account,
			rowNumber,
			amount: row.amount,
			printedBalance: step.balance,
			expectedBalance: expected,
			difference: step.difference,
		},
	};
}

function dayOf({ date }: StatementTransaction): string {
	return `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6, 8)}`;
}

function lineKey(account: string, index: number): string {
	return `${index} ${account}`;
}

function linesByRow(printed: readonly PrintedRow[]): Map<string, PrintedRow[]> {
	const lines = new Map<string, PrintedRow[]>();
	for (const line of printed) {
		if (line.transaction === null) continue;
		const key = lineKey(line.transaction.account, line.transaction.index);
		const known = lines.get(key);
		if (known === undefined) lines.set(key, [line]);
		else known.push(line);
	}
	return lines;
}
