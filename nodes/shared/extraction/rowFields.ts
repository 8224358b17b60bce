import { addDecimals, absoluteDecimal, parseDecimal, subtractDecimals, ZERO } from './decimal';
import type { Decimal } from './decimal';
import { firstOf } from './looseFields';
import { idText, isJsonObject, type JsonObject } from './model';

/**
 * The field names of a transaction (section 2.8) come first. Those after them are seen in flat
 * rows, whose field names the interface does not show.
 */
const DATE_NAMES = [
	'date',
	'transactionDate',
	'transaction_date',
	'postedDate',
	'posted_date',
	'postingDate',
	'posting_date',
	'bookingDate',
	'booking_date',
	'valueDate',
	'value_date',
	'Date',
];
const DOCUMENT_NAMES = ['documentId', 'document_id', 'docId', 'doc_id', 'documentID', 'document'];
const ACCOUNT_NAMES = [
	'account',
	'accountNumber',
	'account_number',
	'accountId',
	'account_id',
	'accountKey',
	'accountNo',
];
const AMOUNT_NAMES = ['amount', 'Amount', 'transactionAmount', 'transaction_amount'];
const CREDIT_NAMES = ['credit', 'creditAmount', 'credit_amount', 'Credit', 'moneyIn', 'money_in'];
const DEBIT_NAMES = ['debit', 'debitAmount', 'debit_amount', 'Debit', 'moneyOut', 'money_out'];

/** The date of a row as the service gave it, or undefined. */
export function rowDate(row: JsonObject): unknown {
	return firstOf(row, DATE_NAMES);
}

/** The document id that a flat row carries, also as `document: { id }`. */
export function rowDocumentId(row: JsonObject): string | null {
	const value = firstOf(row, DOCUMENT_NAMES);
	return idText(isJsonObject(value) ? value.id : value);
}

/** The account that a flat row carries, also as `account: { number }`. */
export function rowAccount(row: JsonObject): string | null {
	const value = firstOf(row, ACCOUNT_NAMES);
	if (!isJsonObject(value)) return idText(value);
	return idText(firstOf(value, ['number', 'accountNumber', 'id', 'name']));
}

/** False for a line of an `includeRaw` answer that is no transaction. */
export function isTransactionRow(row: unknown): boolean {
	return !isJsonObject(row) || (row.isTransaction !== false && row.is_transaction !== false);
}

/**
 * The signed amount: negative is outgoing. A row without an amount but with a credit and a debit
 * column gives credit minus debit. Null where it cannot be read.
 */
export function rowAmount(row: unknown): Decimal | null {
	if (!isJsonObject(row)) return null;
	const amount = firstOf(row, AMOUNT_NAMES);
	if (amount !== undefined) return parseDecimal(amount);
	const credit = firstOf(row, CREDIT_NAMES);
	const debit = firstOf(row, DEBIT_NAMES);
	if (credit === undefined && debit === undefined) return null;
	const incoming = credit === undefined ? ZERO : parseDecimal(credit);
	const outgoing = debit === undefined ? ZERO : parseDecimal(debit);
	if (incoming === null || outgoing === null) return null;
	return subtractDecimals(addDecimals(ZERO, incoming), absoluteDecimal(outgoing));
}
