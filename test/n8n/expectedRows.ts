import assert from 'node:assert/strict';
import type {
	GeneratedStatement,
	TruthAccount,
	TruthTransaction,
	Verdict,
} from '../documents/index.ts';
import type { ExecutedItem } from '../../scripts/n8n/execution.ts';

/** A row as it is compared: what the statement was generated from, or what n8n gave. */
export interface ComparedRow {
	account: string;
	dateIso: string;
	/** Two decimals. */
	amount: string;
	balance: string | null;
	checkNumber: string;
	pageNumber: number;
	/** The lines of the description. */
	description: string[];
}

/** A number, or its text, with two decimals; anything else as it is, so that it is not equal. */
export const decimalText = (value: unknown): string => {
	const parts = /^(-?\d+)(?:\.(\d{1,2}))?$/.exec(String(value));
	return parts === null ? String(value) : `${parts[1]}.${(parts[2] ?? '').padEnd(2, '0')}`;
};

const expectedRow = (account: TruthAccount, row: TruthTransaction): ComparedRow => ({
	account: account.account,
	dateIso: row.date,
	amount: row.amount,
	balance: row.balance,
	checkNumber: row.checkNumber,
	pageNumber: row.pageNumber,
	description: row.descriptionLines,
});

/** The rows of a generated statement, in the order in which they are printed. */
export const expectedRows = ({ truth }: GeneratedStatement): ComparedRow[] =>
	truth.accounts.flatMap((account) => account.transactions.map((row) => expectedRow(account, row)));

/** The rows that our node gave. */
export const rowsFrom = (items: ExecutedItem[]): ComparedRow[] =>
	items.map(({ json }) => ({
		account: String(json.account),
		dateIso: String(json.dateIso),
		amount: decimalText(json.amount),
		balance: json.balance === null ? null : decimalText(json.balance),
		checkNumber: String(json.checkNumber),
		pageNumber: Number(json.pageNumber),
		description: json.descriptionLines as string[],
	}));

const verdictTexts: Record<Verdict, string> = {
	reconciled: 'reconciled',
	notReconciled: 'not reconciled',
	nothingToCheck: 'nothing to check against',
};

/** The verdict that our node should give on a generated statement: the worst of its periods. */
export const expectedVerdict = ({ truth }: GeneratedStatement): string => {
	const verdicts = truth.accounts.flatMap(({ periods }) => periods.map(({ verdict }) => verdict));
	if (verdicts.includes('notReconciled')) return verdictTexts.notReconciled;
	return verdicts.every((verdict) => verdict === 'reconciled')
		? verdictTexts.reconciled
		: verdictTexts.nothingToCheck;
};

/** Every line of the description is there. More may be: a reference in a column of its own. */
const saysAllOf = (given: string[], wanted: string[]): boolean => {
	const text = given.join(' ');
	return wanted.every((line) => text.includes(line));
};

/** Every row in its place with every field. Names the first row that is not right. */
export const assertSameRows = (actual: ComparedRow[], expected: ComparedRow[]): void => {
	for (const [index, wanted] of expected.entries()) {
		const given = actual[index];
		assert.ok(given !== undefined, `${expected.length} rows expected, only ${index} given`);
		const description = saysAllOf(given.description, wanted.description)
			? wanted.description
			: given.description;
		assert.deepEqual({ ...given, description }, wanted, `row ${index + 1} of ${expected.length}`);
	}
	assert.equal(actual.length, expected.length, 'there are more rows than are printed');
};
