import { minorUnits } from './money.ts';
import type { StatementTruth, TruthAccount, TruthTransaction } from './statementTruth.ts';

/** What an extraction says about a statement; only what is compared is named. */
export interface ExtractedAccount {
	account: string;
	currency?: string | null;
	periods: readonly {
		period: string;
		startBalance: string | null;
		endBalance: string | null;
		startDate: string | null;
		endDate: string | null;
		isReconciled: boolean;
	}[];
	transactions: readonly ExtractedTransaction[];
}

export interface ExtractedTransaction {
	period: string;
	/** YYYYMMDDHHMMSS */
	date: string;
	amount: string;
	memo: string;
	balance: string | null;
	checkNumber: string;
	fitId: string;
	descriptionLines: readonly string[];
	pageNumber: number;
}

/**
 * Everything in which an extraction differs from the truth, one sentence each; empty when all is
 * right. Rows are matched whatever their order, because sections and grids have no single order.
 */
export function differences(
	truth: StatementTruth,
	extracted: readonly ExtractedAccount[],
): string[] {
	const found: string[] = [];
	const names = extracted.map((account) => account.account).join(', ');
	for (const [index, account] of truth.accounts.entries()) {
		const same = extracted.find((candidate) => candidate.account === account.account);
		if (!same) found.push(`account ${account.account}: not found, there is: ${names || 'none'}`);
		// Where only the number is wrong, the rows are still worth a look.
		const match =
			same ?? (extracted.length === truth.accounts.length ? extracted[index] : undefined);
		if (!match) {
			found.push(...account.transactions.map((row) => `missing: ${describe(row)}`));
			continue;
		}
		const other = match.currency;
		if (other !== undefined && other !== null && other !== account.currency) {
			found.push(`account ${account.account}: currency ${other}, not ${account.currency}`);
		}
		found.push(...periodDifferences(account, match));
		// Where a page prints two dates either is right, as long as all rows take the same one.
		const posted = account.transactions.map((row) => ({
			...row,
			date: row.postingDate ?? row.date,
		}));
		const byDate = rowDifferences(account.transactions, match);
		const byPostingDate = rowDifferences(posted, match);
		found.push(...(byPostingDate.length < byDate.length ? byPostingDate : byDate));
	}
	if (extracted.length > truth.accounts.length) {
		found.push(`${extracted.length} accounts, not ${truth.accounts.length}: ${names}`);
	}
	return found;
}

function periodDifferences(truth: TruthAccount, extracted: ExtractedAccount): string[] {
	const found: string[] = [];
	if (extracted.periods.length !== truth.periods.length) {
		found.push(`${extracted.periods.length} periods, not ${truth.periods.length}`);
	}
	for (const [index, period] of truth.periods.entries()) {
		const match = extracted.periods[index];
		if (!match) continue;
		const at = `account ${truth.account} period ${index}`;
		const reconciled = period.verdict === 'reconciled';
		if (match.isReconciled !== reconciled) {
			found.push(`${at}: isReconciled ${match.isReconciled}, but the page is ${period.verdict}`);
		}
		// A debt may be given as printed or as a negative balance.
		const printed = sameMoney(match.startBalance, period.startBalance, 1n);
		const sign = truth.balanceMeans === 'owed' && !printed ? -1n : 1n;
		for (const name of ['startBalance', 'endBalance'] as const) {
			if (sameMoney(match[name], period[name], sign)) continue;
			const sense = sign === -1n ? ' as a debt (so the other sign)' : '';
			found.push(`${at}: ${name} ${match[name]}, not ${period[name]}${sense}`);
		}
		for (const name of ['startDate', 'endDate'] as const) {
			if (match[name] !== period[name])
				found.push(`${at}: ${name} ${match[name]}, not ${period[name]}`);
		}
	}
	return found;
}

function rowDifferences(rows: readonly TruthTransaction[], extracted: ExtractedAccount): string[] {
	const found: string[] = [];
	const left = new Set(extracted.transactions);
	const open = new Set(rows);
	const pair = (fits: (row: TruthTransaction, other: ExtractedTransaction) => boolean) => {
		const pairs: [TruthTransaction, ExtractedTransaction][] = [];
		for (const row of open) {
			for (const other of left) {
				if (!fits(row, other)) continue;
				left.delete(other);
				open.delete(row);
				pairs.push([row, other]);
				break;
			}
		}
		return pairs;
	};
	const sameDay = (row: TruthTransaction, other: ExtractedTransaction) =>
		other.date.slice(0, 8) === row.date.replaceAll('-', '');
	const sameAmount = (row: TruthTransaction, other: ExtractedTransaction) =>
		sameMoney(other.amount, row.amount, 1n);
	const sameText = (row: TruthTransaction, other: ExtractedTransaction) =>
		row.descriptionLines.every((line) => solid(other.memo).includes(solid(line)));
	const whole = pair(
		(row, other) =>
			sameDay(row, other) &&
			sameAmount(row, other) &&
			sameMoney(other.balance, row.balance, 1n) &&
			sameText(row, other),
	);
	const right = [...whole, ...pair((row, other) => sameDay(row, other) && sameAmount(row, other))];
	for (const [row, other] of right) found.push(...detailDifferences(row, other));
	const onDay = pair(
		(row, other) => sameDay(row, other) && sameMoney(other.amount, row.amount, -1n),
	);
	for (const [row] of onDay) found.push(`wrong sign: ${describe(row)}`);
	const dated = pair((row, other) => sameAmount(row, other) && sameText(row, other));
	for (const [row, other] of dated) found.push(`wrong date ${other.date}: ${describe(row)}`);
	const valued = pair((row, other) => sameDay(row, other) && sameText(row, other));
	for (const [row, other] of valued) found.push(`wrong amount ${other.amount}: ${describe(row)}`);
	for (const row of open) found.push(`missing: ${describe(row)}`);
	for (const other of left) {
		found.push(`extra: ${other.date} ${other.amount} "${other.memo}" page ${other.pageNumber}`);
	}
	const ids = new Set(extracted.transactions.map((row) => row.fitId));
	if (ids.size !== extracted.transactions.length) {
		found.push(`${extracted.transactions.length - ids.size} rows share a fitId with another row`);
	}
	return found;
}

function detailDifferences(row: TruthTransaction, other: ExtractedTransaction): string[] {
	const found: string[] = [];
	if (!sameMoney(other.balance, row.balance, 1n)) {
		found.push(`balance ${other.balance}, not ${row.balance}: ${describe(row)}`);
	}
	if (other.pageNumber !== row.pageNumber) {
		found.push(`page ${other.pageNumber}, not ${row.pageNumber}: ${describe(row)}`);
	}
	if (row.checkNumber !== '' && other.checkNumber !== row.checkNumber) {
		found.push(`checkNumber "${other.checkNumber}", not "${row.checkNumber}": ${describe(row)}`);
	}
	if (other.period !== row.period) {
		found.push(`period ${other.period}, not ${row.period}: ${describe(row)}`);
	}
	// The text of a reference column may be part of the description or not.
	const said = solid(other.descriptionLines.join('')).replace(solid(row.reference), '');
	const printed = solid(row.descriptionLines.join(''));
	if (printed !== '' && said !== printed.replace(solid(row.reference), '')) {
		const lines = other.descriptionLines.join(' / ');
		found.push(`descriptionLines "${lines}", not "${row.descriptionLines.join(' / ')}"`);
	}
	return found;
}

function describe(row: TruthTransaction): string {
	return `${row.date} ${row.amount} "${row.descriptionLines.join(' / ')}" page ${row.pageNumber}`;
}

const solid = (text: string) => text.replaceAll(/\s/g, '');

/** Exact, whatever the number of decimals ("5", "5.0" and "5.00" are the same). */
function sameMoney(text: string | null, expected: string | null, sign: bigint): boolean {
	if (text === null || expected === null) return text === expected;
	const match = /^(-?\d+)(?:\.(\d*?)0*)?$/.exec(text);
	const decimals = match?.[2] ?? '';
	if (!match || decimals.length > 2) return false;
	return minorUnits(`${match[1]}.${decimals.padEnd(2, '0')}`) === sign * minorUnits(expected);
}
