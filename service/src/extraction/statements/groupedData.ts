import { decimalPlaces, isNegativeDecimal, isZeroDecimal, sumDecimals } from '../money/decimal.ts';
import type {
	DecimalText,
	Statement,
	StatementAccount,
	StatementTransaction,
} from './statement.ts';

/** A transaction as section 2.8 has it; `period` is our own field. */
export interface GroupedTransaction<N = number> extends Omit<
	StatementTransaction,
	'amount' | 'balance'
> {
	amount: N;
	balance: N | null;
}

export interface GroupedMetadata {
	name: 'startBalance' | 'endBalance' | 'startDate' | 'endDate' | 'isReconciled';
	value: string;
	period: string;
}

export interface GroupedAccount<N = number> {
	bankMode: {
		transactions: GroupedTransaction<N>[];
		totalCredits: string;
		totalDebits: string;
		numCredits: number;
		numDebits: number;
	};
	metadata: GroupedMetadata[];
}

/** `{ [documentId]: { [account]: { bankMode, metadata }, metadata: [] } }`. */
export type GroupedData<N = number> = Record<string, Record<string, GroupedAccount<N> | never[]>>;

/**
 * The grouped shape of section 2.8. Amounts become JSON numbers from their decimal text, by `numberOf`
 * where it is given; totals are exact sums, as text with the printed number of decimals; `totalDebits`
 * is negative where there are debits. Metadata that the page does not print is left out.
 */
export function toGroupedData(documentId: string | number, statement: Statement): GroupedData;
export function toGroupedData<N>(
	documentId: string | number,
	statement: Statement,
	numberOf: (decimal: DecimalText) => N,
): GroupedData<N>;
export function toGroupedData(
	documentId: string | number,
	statement: Statement,
	numberOf: (decimal: DecimalText) => unknown = Number,
): GroupedData<unknown> {
	const accounts: [string, GroupedAccount<unknown> | never[]][] = statement.accounts.map(
		(account) => [account.account, groupedAccount(account, numberOf)],
	);
	accounts.push(['metadata', []]);
	// fromEntries defines own properties, so that no account number can touch a prototype.
	return Object.fromEntries([[String(documentId), Object.fromEntries(accounts)]]);
}

function groupedAccount<N>(
	{ transactions, periods }: StatementAccount,
	numberOf: (decimal: DecimalText) => N,
): GroupedAccount<N> {
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
				amount: numberOf(transaction.amount),
				balance: transaction.balance === null ? null : numberOf(transaction.balance),
			})),
			totalCredits: total(credits),
			totalDebits: total(debits),
			numCredits: credits.length,
			numDebits: debits.length,
		},
		metadata,
	};
}
