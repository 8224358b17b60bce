/** What a bank or card statement says, before it takes the shapes of section 2.8 of the interface. */

/** An exact decimal such as `-1234.50`: optional minus, digits, optional point and digits. */
export type DecimalText = string;

export interface StatementTransaction {
	/** Index of the account's sub-period that the row belongs to, as in `AccountPeriod.period`. */
	period: string;
	/** YYYYMMDDHHMMSS; the time is 000000 where none is printed. */
	date: string;
	/** Signed: negative is outgoing, positive is incoming. */
	amount: DecimalText;
	/** The row as printed, its lines joined by one space. */
	memo: string;
	/** Short label, for example `Card purchase` or the first words of the description. */
	name: string;
	/** Counterparty without references, dates and card numbers. */
	payee: string;
	/** Empty where there is none. */
	checkNumber: string;
	/** Running balance where it is printed on the row. */
	balance: DecimalText | null;
	category: string;
	/** Stable for the same row of the same file; different for two equal purchases on one day. */
	fitId: string;
	descriptionLines: string[];
	pageNumber: number;
}

export interface AccountPeriod {
	/** "0", "1", … in order of time. */
	period: string;
	/** As printed; null where the page does not print it. Never computed from the rows. */
	startBalance: DecimalText | null;
	endBalance: DecimalText | null;
	/** YYYY-MM-DD. */
	startDate: string | null;
	endDate: string | null;
	/** True only where both balances are printed, there is at least one row, and start + rows = end exactly. */
	isReconciled: boolean;
}

export interface StatementAccount {
	/** The account number as printed without white space (it may be masked); the key of section 2.8. */
	account: string;
	/** ISO 4217 where the page says it. */
	currency: string | null;
	periods: AccountPeriod[];
	/** In the order in which they are printed. */
	transactions: StatementTransaction[];
}

/** One printed line, for the row view with `includeRaw`. */
export interface PrintedRow {
	pageNumber: number;
	/** Counts from 1 on each page, from top to bottom. */
	lineNumber: number;
	text: string;
	/** The line's text split where the page's columns are. */
	cells: string[];
	/** The transaction this line belongs to: index into the account's transactions. Null for all other lines. */
	transaction: { account: string; index: number } | null;
}

export interface Statement {
	accounts: StatementAccount[];
	printedRows: PrintedRow[];
	/** What a person should look at, in plain words. */
	notes: string[];
}
