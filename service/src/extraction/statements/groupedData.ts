import { decimalPlaces, isNegativeDecimal, isZeroDecimal, sumDecimals } from '../money/decimal.ts';
import type { Statement, StatementAccount, StatementTransaction } from './statement.ts';

/** A transaction as section 2.8 has it; `period` is our own field. */
export interface GroupedTransaction extends Omit<StatementTransaction, 'amount' | 'balance'> {
	amount: number;
	balance: number | null;
}

export interface GroupedMetadata {
	name: 'startBalance' | 'endBalance' | 'startDate' | 'endDate' | 'isReconciled';
	value: string;
	period: string;
}

export interface GroupedAccount {
	bankMode: {
		transactions: GroupedTransaction[];
		totalCredits: string;
		totalDebits: string;
		numCredits: number;
		numDebits: number;
	};
	metadata: GroupedMetadata[];
}

/** `{ [documentId]: { [account]: { bankMode, metadata }, metadata: [] } }`. */
export type GroupedData = Record<string, Record<string, GroupedAccount | never[]>>;

/**
 * The grouped shape of section 2.8. Amounts become JSON numbers from their decimal text; totals are
 * exact sums, as text with the printed number of decimals; `totalDebits` is negative where there
 * are debits. Metadata that the page does not print is left out.
 */
export function toGroupedData(documentId: string | number, statement: Statement): GroupedData {
	const accounts: [string, GroupedAccount | never[]][] = statement.accounts.map((account) => [
		account.account,
		groupedAccount(account),
	]);
	accounts.push(['metadata', []]);
	// fromEntries defines own properties, so that no account number can touch a prototype.
	return Object.fromEntries([[String(documentId), Object.fromEntries(accounts)]]);
}

function groupedAccount({ transactions, periods }: StatementAccount): GroupedAccount {
	const debits = transactions.filter(({ amount }) => isNegativeDecimal(amount));
	const credits = transactions.filter(
		({ amount }) => !isNegativeDecimal(amount) && !isZeroDecimal(amount),
	);
	const places = transactions.reduce(
		(most, { amount }) => Math.max(most, decimalPlaces(amount)),
		0,
	);
	const zero = places === 0 ? '0' : `0.${'0'.repeat(places)}`;
	const total = (rows: readonly StatementTransaction[]) =>
		sumDecimals([zero, ...rows.map(({ amount }) => amount)]);
	const metadata: GroupedMetadata[] = [];
	for (const period of periods) {
		for (const name of ['startBalance', 'endBalance', 'startDate', 'endDate'] as const) {
			const value = period[name];
			if (value !== null) metadata.push({ name, value, period: period.period });
		}
		metadata.push({
			name: 'isReconciled',
			value: period.isReconciled ? '1' : '0',
			period: period.period,
		});
	}
	return {
		bankMode: {
			transactions: transactions.map((transaction) => ({
				...transaction,
				amount: Number(transaction.amount),
				balance: transaction.balance === null ? null : Number(transaction.balance),
			})),
			totalCredits: total(credits),
			totalDebits: total(debits),
			numCredits: credits.length,
			numDebits: debits.length,
		},
		metadata,
	};
}
