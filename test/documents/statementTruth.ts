import { addDays, daysBetween } from './calendar.ts';
import { decimalText, minorUnits, sum } from './money.ts';
import type { SeededRandom } from './seededRandom.ts';

export interface TruthTransaction {
	/** Index of the account's period, as text: "0", "1", … */
	period: string;
	/** YYYY-MM-DD. Where a layout prints two dates it is the first column's (the transaction's). */
	date: string;
	/** YYYY-MM-DD of the second date column; null where the layout has one date. */
	postingDate: string | null;
	/** Signed: negative is outgoing, whatever the page prints. Two decimals. */
	amount: string;
	/** As printed, top to bottom. Empty where the page prints no description (check grids). */
	descriptionLines: string[];
	/** What a reference column beside the description prints; empty where there is none. */
	reference: string;
	/** Running balance printed on this row, negative when overdrawn; null where none is printed. */
	balance: string | null;
	/** Empty where there is none. */
	checkNumber: string;
	/** Counts from 1. */
	pageNumber: number;
}

export interface TruthPeriod {
	period: string;
	/** YYYY-MM-DD; null where the page does not print it. */
	startDate: string | null;
	endDate: string | null;
	/** As printed, two decimals; null where the page does not print it. */
	startBalance: string | null;
	endBalance: string | null;
	/** What the page allows to say about this period. */
	verdict: Verdict;
	/** end - (start + rows) in the sense of `balanceMeans`; null where a balance is not printed. */
	difference: string | null;
}

/** `nothingToCheck`: a balance is missing, or there is no row at all. */
export type Verdict = 'reconciled' | 'notReconciled' | 'nothingToCheck';

export interface TruthAccount {
	/** As printed without white space. */
	account: string;
	/** ISO 4217. */
	currency: string;
	/**
	 * `held`: the printed balances are the holder's money, start + rows = end.
	 * `owed`: they are the holder's debt (cards), so start - rows = end.
	 */
	balanceMeans: 'held' | 'owed';
	periods: TruthPeriod[];
	/** In the order in which they are printed. */
	transactions: TruthTransaction[];
}

export interface StatementTruth {
	layout: string;
	seed: number;
	bank: string;
	pageCount: number;
	/** In the order in which they are printed. */
	accounts: TruthAccount[];
}

/** A layout's PDF and everything that is printed on it as a fact. */
export interface GeneratedStatement {
	pdf: Buffer;
	truth: StatementTruth;
}

export interface LayoutOptions {
	/** The same seed gives the same bytes. */
	seed: number;
	/** How many rows; each layout has its own default. With several accounts: rows of the main one. */
	transactions?: number;
	/** Fill this many pages instead. Wins over `transactions`. */
	pages?: number;
	/** For the layout that does not add up: end - (start + rows), two decimals. */
	difference?: string;
}

/** One kind of booking that a bank prints, for example a card purchase. */
export interface Activity {
	direction: 'in' | 'out';
	/** How often it is picked, relative to the others. */
	weight: number;
	/** Amounts in minor units, both included. */
	from: number;
	to: number;
	/** Amounts are a multiple of this (cash machines give whole notes). */
	step?: number;
	/** A check: gets the next check number. */
	check?: true;
	lines(random: SeededRandom, day: string, checkNumber: string): string[];
}

/** A booking before it is placed on a page. Amounts in minor units. */
export interface LedgerEntry {
	date: string;
	amount: bigint;
	/** Balance after this booking. */
	balance: bigint;
	lines: string[];
	checkNumber: string;
}

export interface LedgerOptions {
	activities: readonly Activity[];
	startDate: string;
	endDate: string;
	startBalance: bigint;
	count: number;
	/** The lowest balance; 0n where the layout has no negative balances. */
	lowest: bigint;
	/** One booking of this size or more is included when there are at least 8 rows. */
	large: bigint;
	/** Text of the booking that brings the balance to zero; of a debt where `debt` is set. */
	emptying: string[];
	/** Negative balances are the usual case: a card. */
	debt?: true;
	firstCheckNumber?: number;
}

export interface Ledger {
	startBalance: bigint;
	endBalance: bigint;
	/** Oldest first. */
	entries: LedgerEntry[];
}

/**
 * Makes bookings that could be real. With 8 rows or more they hold two equal purchases on one day,
 * one large credit, and one booking after which the balance is exactly zero; where `lowest` is
 * negative the account is overdrawn right after that.
 */
export function buildLedger(random: SeededRandom, options: LedgerOptions): Ledger {
	const { activities, startDate, endDate, count, lowest } = options;
	const length = daysBetween(startDate, endDate);
	const offsets: number[] = [];
	for (let index = 0; index < count; index++) offsets.push(random.between(0, length));
	offsets.sort((a, b) => a - b);

	const special = count >= 8;
	// Early, so that they stay when a long ledger is cut to a number of pages.
	const largeAt = special ? random.between(0, Math.min(count - 6, 20)) : -1;
	const emptyAt = special ? random.between(largeAt + 1, Math.min(count - 5, largeAt + 12)) : -1;
	const twinAt = special ? emptyAt + 3 : -1;
	const credits = activities.filter((activity) => activity.direction === 'in');
	const largeCredits = credits.filter((activity) => activity.to >= 100_000);
	const debits = activities.filter((activity) => activity.direction === 'out' && !activity.check);

	let balance = options.startBalance;
	let checkNumber = options.firstCheckNumber ?? random.between(1001, 4800);
	const entries: LedgerEntry[] = [];
	for (let index = 0; index < count; index++) {
		const day = addDays(startDate, offsets[index] ?? 0);
		const previous = entries[index - 1];
		if (index === twinAt && previous) {
			// The same purchase twice on one day is real, and must stay two rows.
			balance += previous.amount;
			entries.push({ ...previous, lines: [...previous.lines], balance });
			continue;
		}
		if (index === emptyAt && (options.debt ? balance < 0n : balance > 0n)) {
			const amount = -balance;
			balance = 0n;
			entries.push({ date: day, amount, balance, lines: options.emptying, checkNumber: '' });
			continue;
		}
		let activity = weighted(random, activities);
		if (index === largeAt) activity = weighted(random, largeCredits);
		if (index === emptyAt + 1 && special) {
			activity = weighted(random, lowest < 0n ? debits : credits);
		}
		if (index === twinAt - 1) activity = weighted(random, debits);
		let amount = amountOf(random, activity);
		if (index === largeAt) amount += options.large;
		const twice = index === twinAt - 1 ? 2n : 1n;
		if (activity.direction === 'out' && balance - amount * twice < lowest) {
			if (index === twinAt - 1 || (index === emptyAt + 1 && lowest < 0n)) {
				// These two have to be debits, so they become small ones.
				amount = BigInt(random.between(105, 475));
				if (balance - amount * twice < lowest) balance = raise(entries, balance, amount * twice);
			} else {
				activity = weighted(random, credits);
				amount = amountOf(random, activity);
			}
		}
		const signed = activity.direction === 'out' ? -amount : amount;
		balance += signed;
		// Bookings of one day stand together, so a twin's date may not overtake its neighbour.
		const date = previous && previous.date > day ? previous.date : day;
		const number = activity.check ? String(checkNumber++) : '';
		entries.push({
			date,
			amount: signed,
			balance,
			lines: activity.lines(random, date, number),
			checkNumber: number,
		});
	}
	return { startBalance: options.startBalance, endBalance: balance, entries };
}

/** Makes the last credit before this point larger, so that the balance does not fall too low. */
function raise(entries: LedgerEntry[], balance: bigint, needed: bigint): bigint {
	for (let index = entries.length - 1; index >= 0; index--) {
		const entry = entries[index];
		if (!entry || entry.amount < 0n) continue;
		entry.amount += needed;
		for (const later of entries.slice(index)) later.balance += needed;
		return balance + needed;
	}
	throw new Error('There is no credit to make larger: start with a higher balance.');
}

function weighted(random: SeededRandom, activities: readonly Activity[]): Activity {
	let rest = random.next() * activities.reduce((total, activity) => total + activity.weight, 0);
	for (const activity of activities) {
		rest -= activity.weight;
		if (rest < 0) return activity;
	}
	return random.pick(activities);
}

function amountOf(random: SeededRandom, activity: Activity): bigint {
	// Small amounts are more frequent than large ones, as on real statements.
	const size = activity.from * (activity.to / activity.from) ** random.next();
	const step = activity.step ?? 1;
	return BigInt(Math.max(step, Math.round(size / step) * step));
}

/** What is printed about one account with one period; balances in minor units, null where not printed. */
export interface AccountFacts {
	account: string;
	currency: string;
	balanceMeans: 'held' | 'owed';
	startDate: string | null;
	endDate: string | null;
	startBalance: bigint | null;
	endBalance: bigint | null;
	transactions: TruthTransaction[];
}

/** The truth of an account with one period; its verdict follows from what is printed. */
export function accountTruth(facts: AccountFacts): TruthAccount {
	const amounts = facts.transactions.map((transaction) => minorUnits(transaction.amount));
	return {
		account: facts.account.replaceAll(' ', ''),
		currency: facts.currency,
		balanceMeans: facts.balanceMeans,
		periods: [
			{
				period: '0',
				startDate: facts.startDate,
				endDate: facts.endDate,
				startBalance: facts.startBalance === null ? null : decimalText(facts.startBalance),
				endBalance: facts.endBalance === null ? null : decimalText(facts.endBalance),
				...judge(facts.startBalance, facts.endBalance, amounts, facts.balanceMeans),
			},
		],
		transactions: facts.transactions,
	};
}

/** The verdict and difference that follow from what is printed. */
export function judge(
	start: bigint | null,
	end: bigint | null,
	amounts: readonly bigint[],
	balanceMeans: 'held' | 'owed',
): { verdict: Verdict; difference: string | null } {
	if (start === null || end === null) return { verdict: 'nothingToCheck', difference: null };
	const moved = balanceMeans === 'held' ? sum(amounts) : -sum(amounts);
	const difference = end - (start + moved);
	if (amounts.length === 0) {
		return { verdict: 'nothingToCheck', difference: decimalText(difference) };
	}
	return {
		verdict: difference === 0n ? 'reconciled' : 'notReconciled',
		difference: decimalText(difference),
	};
}
