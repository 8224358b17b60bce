import {
	idText,
	isJsonObject,
	type ExtractedAccount,
	type ExtractedDocument,
	type IdLike,
	type JsonObject,
} from './model';

/** Fields in which a response may wrap the data, and fields that may stand beside them. */
const WRAPPERS = ['data', 'result', 'results', 'documents', 'extractedData'];
const BESIDE_WRAPPER = new Set([
	'id',
	'jobId',
	'documentId',
	'status',
	'jobType',
	'subType',
	'count',
	'total',
	'success',
	'message',
]);
/** No response is wrapped more often, and a hostile one must not exhaust the stack. */
const MOST_WRAPPERS = 3;

function isBankAccount(value: unknown): boolean {
	return isJsonObject(value) && isJsonObject(value.bankMode);
}

function isBankDocument(value: unknown): boolean {
	return isJsonObject(value) && Object.values(value).some(isBankAccount);
}

/** A document in which nothing was found: `{}` or document metadata alone. */
function isEmptyBankDocument(value: unknown): boolean {
	if (!isJsonObject(value)) return false;
	const names = Object.keys(value);
	return names.length === 0 || (names.length === 1 && Array.isArray(value.metadata));
}

function isStructure(value: unknown): boolean {
	return typeof value === 'object' && value !== null;
}

function holdsAccounts(body: JsonObject): boolean {
	return isBankAccount(body) || isBankDocument(body) || Object.values(body).some(isBankDocument);
}

/** True where the body holds at least one account of section 2.8, at whatever level. */
export function isGroupedData(body: unknown): boolean {
	const parts = Array.isArray(body) ? (body as unknown[]) : [body];
	return parts.some((part) => isJsonObject(part) && holdsAccounts(part));
}

/** A list; also rows by key, or one row alone. */
function rowsOf(transactions: unknown): unknown[] {
	if (Array.isArray(transactions)) return transactions as unknown[];
	if (transactions === undefined || transactions === null) return [];
	if (!isJsonObject(transactions)) return [transactions];
	const values = Object.values(transactions);
	return values.every(isJsonObject) ? values : [transactions];
}

function omit(source: JsonObject, left: (name: string, value: unknown) => boolean): JsonObject {
	return Object.fromEntries(
		Object.entries(source).filter(([name, value]) => !left(name, value)),
	) as JsonObject;
}

function readAccount(account: string | null, value: JsonObject): ExtractedAccount {
	const { bankMode } = value;
	if (isJsonObject(bankMode)) {
		return {
			account,
			rows: rowsOf(bankMode.transactions),
			bankMode: omit(bankMode, (name) => name === 'transactions'),
			metadata: value.metadata,
			extras: omit(value, (name) => name === 'metadata' || name === 'bankMode'),
		};
	}
	return {
		account,
		rows: rowsOf(value.transactions),
		bankMode: {},
		metadata: value.metadata,
		extras: omit(value, (name) => name === 'metadata' || name === 'transactions'),
	};
}

/** Beside an account with `bankMode`, one without rows may lack it. */
function isAccountEntry(name: string, value: unknown): boolean {
	if (isBankAccount(value)) return true;
	if (name === 'metadata' || !isJsonObject(value)) return false;
	return Array.isArray(value.metadata) || Array.isArray(value.transactions);
}

function readBankDocument(documentId: string | null, value: JsonObject): ExtractedDocument {
	const accounts = Object.entries(value)
		.filter(([name, entry]) => isAccountEntry(name, entry))
		.map(([name, entry]) => readAccount(name, entry as JsonObject));
	const metadata = isBankAccount(value.metadata) ? undefined : value.metadata;
	const extras = omit(value, (name, entry) => name === 'metadata' || isAccountEntry(name, entry));
	return { kind: 'bank', documentId, accounts, metadata, extras };
}

function readDocument(documentId: string | null, value: unknown): ExtractedDocument {
	return isJsonObject(value) && (isBankDocument(value) || isEmptyBankDocument(value))
		? readBankDocument(documentId, value)
		: { kind: 'payload', documentId, payload: value };
}

/** What is inside the wrapper, where the body is one; undefined where it is not. */
function unwrapped(body: JsonObject): unknown {
	for (const name of WRAPPERS) {
		const inner = body[name];
		if (!isStructure(inner)) continue;
		const beside = Object.keys(body).filter((other) => other !== name);
		if (isGroupedData(inner) && !beside.some((other) => isBankDocument(body[other]))) return inner;
		if (beside.every((other) => BESIDE_WRAPPER.has(other))) return inner;
	}
	return undefined;
}

const NUMERIC_ID = /^\d+$/;

/** A document of which there is no data is null. */
function isDocumentEntry(name: string, value: unknown, asked: string | null): boolean {
	return isStructure(value) || (value === null && (name === asked || NUMERIC_ID.test(name)));
}

/** Whether an object without any account has one payload for each document id. */
function isKeyedByDocument(body: JsonObject, asked: string | null): boolean {
	const entries = Object.entries(body);
	const names = entries
		.filter(([name, value]) => isDocumentEntry(name, value, asked))
		.map(([name]) => name);
	if (names.length === 0) return false;
	if (asked !== null) return names.includes(asked);
	return names.length === entries.length || names.every((name) => NUMERIC_ID.test(name));
}

function readKeyedDocuments(body: JsonObject, asked: string | null): ExtractedDocument[] {
	return Object.entries(body)
		.filter(([name, value]) => isDocumentEntry(name, value, asked))
		.map(([documentId, value]) => readDocument(documentId, value ?? {}));
}

/** Accounts without their document; documents that stand among them are read as documents. */
function readAccountLevel(body: JsonObject, documentId: string | null): ExtractedDocument[] {
	const isDocument = (value: unknown): boolean => isBankDocument(value) && !isBankAccount(value);
	const own = omit(body, (_, value) => isDocument(value));
	const others = omit(body, (_, value) => !isDocument(value));
	return [readBankDocument(documentId, own), ...readKeyedDocuments(others, null)];
}

function readObject(body: JsonObject, asked: string | null, depth: number): ExtractedDocument[] {
	const documentId = idText(body.documentId) ?? asked;
	if (isBankAccount(body)) {
		const accounts = [readAccount(idText(body.account), body)];
		return [{ kind: 'bank', documentId, accounts, metadata: undefined, extras: {} }];
	}
	const inner = depth < MOST_WRAPPERS ? unwrapped(body) : undefined;
	if (inner !== undefined) return readBody(inner, documentId, depth + 1);
	if (isBankDocument(body)) return readAccountLevel(body, documentId);
	if (Object.values(body).some(isBankDocument)) return readKeyedDocuments(body, asked);
	if (Object.keys(body).length === 0) return [];
	if (asked !== null && isEmptyBankDocument(body)) return [readBankDocument(asked, body)];
	if (isKeyedByDocument(body, asked)) return readKeyedDocuments(body, asked);
	return [{ kind: 'payload', documentId, payload: body }];
}

function readBody(body: unknown, asked: string | null, depth: number): ExtractedDocument[] {
	if (body === null || body === undefined || body === '') return [];
	if (isJsonObject(body)) return readObject(body, asked, depth);
	if (!isGroupedData(body)) return [{ kind: 'payload', documentId: asked, payload: body }];
	return (body as unknown[]).flatMap((part) =>
		isJsonObject(part)
			? readObject(part, asked, depth)
			: [{ kind: 'payload', documentId: asked, payload: part }],
	);
}

/**
 * Reads grouped data (section 2.8): document id, account, `bankMode`. Also reads
 * - one document without its id (account, `bankMode`), which then gets the id that was asked for,
 * - invoices and tax forms: any payload by document id, or one payload without an id,
 * - any of these inside `data` or a similar wrapper.
 * Never throws; an empty response gives no document.
 */
export function readGroupedData(body: unknown, askedFor?: IdLike): ExtractedDocument[] {
	return readBody(body, idText(askedFor), 0);
}
