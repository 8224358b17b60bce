import type { SeededRandom } from '../../../test/documents/seededRandom.ts';
import type {
	Statement,
	StatementAccount,
	StatementTransaction,
} from '../../src/extraction/statements/statement.ts';
import { negateDecimal } from '../../src/extraction/money/decimal.ts';

/** What an extraction may get wrong about a statement that nobody tampered with. */
export const mistakes: Record<string, (statement: Statement, random: SeededRandom) => Statement> = {
	/** Its line stays among the lines that belong to no transaction. */
	rowNotRead: (statement, random) =>
		withRow(
			statement,
			random,
			(account, at) => ({
				...account,
				transactions: account.transactions.toSpliced(at, 1),
			}),
			true,
		),
	severalRowsNotRead: (statement, random) => {
		let damaged = statement;
		for (let time = 0; time < 4; time++)
			damaged = mistakes.rowNotRead?.(damaged, random) ?? damaged;
		return damaged;
	},
	signTurned: (statement, random) =>
		withTransaction(statement, random, (row) => ({ ...row, amount: negateDecimal(row.amount) })),
	balanceTakenForAmount: (statement, random) =>
		withTransaction(statement, random, (row) => ({ ...row, amount: row.balance ?? row.amount })),
	digitLost: (statement, random) =>
		withTransaction(statement, random, (row) => ({
			...row,
			amount: row.amount.replace(/\d(?=\d)/, ''),
		})),
	balanceDigitLost: (statement, random) =>
		withTransaction(statement, random, (row) => ({
			...row,
			balance: row.balance?.replace(/\d(?=\d)/, '') ?? null,
		})),
	rowReadTwice: (statement, random) =>
		withRow(statement, random, (account, at) => ({
			...account,
			transactions: account.transactions.toSpliced(at + 1, 0, {
				...(account.transactions[at] as StatementTransaction),
			}),
		})),
	startNotFound: (statement) => withPeriods(statement, { startBalance: null, isReconciled: false }),
	endNotFound: (statement) => withPeriods(statement, { endBalance: null, isReconciled: false }),
	/** Another figure of the page was taken for it. */
	startMistaken: (statement, random) =>
		withPeriods(statement, { startBalance: random.digits(3) + '.50', isReconciled: false }),
	endMistaken: (statement) => {
		const first = statement.accounts[0]?.transactions[0];
		return withPeriods(statement, {
			endBalance: first?.amount.replace('-', '') ?? null,
			isReconciled: false,
		});
	},
};

function withPeriods(
	statement: Statement,
	values: Partial<StatementAccount['periods'][number]>,
): Statement {
	return {
		...statement,
		accounts: statement.accounts.map((account) => ({
			...account,
			periods: account.periods.map((period) => ({ ...period, ...values })),
		})),
	};
}

function withTransaction(
	statement: Statement,
	random: SeededRandom,
	change: (row: StatementTransaction) => StatementTransaction,
): Statement {
	return withRow(statement, random, (account, at) => ({
		...account,
		transactions: account.transactions.with(
			at,
			change(account.transactions[at] as StatementTransaction),
		),
	}));
}

/** Changes an account at one of its rows; where rows move, the printed lines keep pointing at theirs. */
function withRow(
	statement: Statement,
	random: SeededRandom,
	change: (account: StatementAccount, at: number) => StatementAccount,
	taken = false,
): Statement {
	const [account] = [...statement.accounts].sort(
		(left, right) => right.transactions.length - left.transactions.length,
	);
	if (!account || account.transactions.length < 4) return statement;
	const at = random.between(1, account.transactions.length - 2);
	const changed = change(account, at);
	const moved = changed.transactions.length - account.transactions.length;
	return {
		...statement,
		accounts: statement.accounts.map((one) =>
			one === account
				? {
						...changed,
						periods: changed.periods.map((period) => ({ ...period, isReconciled: false })),
					}
				: one,
		),
		printedRows: statement.printedRows.map((line) => {
			const { transaction } = line;
			if (transaction === null || transaction.account !== account.account) return line;
			if (taken && transaction.index === at) return { ...line, transaction: null };
			const index = transaction.index > at ? transaction.index + moved : transaction.index;
			return { ...line, transaction: { ...transaction, index } };
		}),
	};
}
