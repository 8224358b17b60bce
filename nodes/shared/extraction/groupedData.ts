import {
	idText,
	isJsonObject,
	type ExtractedAccount,
	type ExtractedDocument,
	type IdLike,
	type JsonObject,
} from './model';

/** Fields in which a response may wrap the grouped data, and fields that may stand beside them. */
const WRAPPERS = ['data', 'result', 'results', 'documents', 'extractedData'];
const BESIDE_WRAPPER = new Set([
	'id',
	'jobId',
	'documentId',
	'status',
	'jobType',
	'subType',
	'documentType',
	'type',
	'count',
	'total',
	'success',
	'message',
]);

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

/** True where the body holds at least one account of section 2.8, at whatever level. */
export function isGroupedData(body: unknown): boolean {
	if (Array.isArray(body)) return body.some(isGroupedData);
	if (!isJsonObject(body)) return false;
	if (isBankAccount(body) || isBankDocument(body)) return true;
	return Object.values(body).some((value) => isBankDocument(value));
}

function rowsOf(transactions: unknown): unknown[] {
	if (Array.isArray(transactions)) return transactions as unknown[];
	if (isJsonObject(transactions)) return Object.values(transactions);
	return transactions === undefined || transactions === null ? [] : [transactions];
}

function omit(source: JsonObject, left: (name: string, value: unknown) => boolean): JsonObject {
	return Object.fromEntries(
		Object.entries(source).filter(([name, value]) => !left(name, value)),
	) as JsonObject;
}

function readAccount(account: string | null, value: JsonObject): ExtractedAccount {
	const bankMode = isJsonObject(value.bankMode) ? value.bankMode : {};
	return {
		account,
		rows: rowsOf(bankMode.transactions),
		bankMode: omit(bankMode, (name) => name === 'transactions'),
		metadata: value.metadata,
		extras: omit(value, (name) => name === 'metadata' || name === 'bankMode'),
	};
}

/** An account without rows may come without `bankMode`. */
function isAccountEntry(name: string, value: unknown): boolean {
	if (isBankAccount(value)) return true;
	return name !== 'metadata' && isJsonObject(value) && Array.isArray(value.metadata);
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

function unwrapped(body: JsonObject): unknown {
	for (const name of WRAPPERS) {
		const inner = body[name];
		if (!isStructure(inner)) continue;
		const beside = Object.keys(body).filter((other) => other !== name);
		if (isGroupedData(inner) || (beside.length > 0 && beside.every((n) => BESIDE_WRAPPER.has(n)))) {
			return inner;
		}
	}
	return undefined;
}

/** Whether an object without any account has one payload for each document id. */
function isKeyedByDocument(body: JsonObject, asked: string | null): boolean {
	const names = Object.keys(body).filter((name) => isStructure(body[name]));
	if (names.length === 0) return false;
	if (asked !== null) return names.includes(asked);
	return names.length === Object.keys(body).length || names.every((name) => /^\d+$/.test(name));
}

/**
 * Reads grouped data (section 2.8): document id, account, `bankMode`. Also reads
 * - one document without its id (account, `bankMode`), which then gets the id that was asked for,
 * - invoices and tax forms: any payload by document id, or one payload without an id,
 * - grouped data inside `data` or a similar wrapper.
 * Never throws; an empty response gives no document.
 */
export function readGroupedData(body: unknown, askedFor?: IdLike): ExtractedDocument[] {
	const asked = idText(askedFor);
	if (body === null || body === undefined || body === '') return [];
	if (Array.isArray(body)) {
		if (body.length === 0) return [];
		if (!body.some(isGroupedData)) return [{ kind: 'payload', documentId: asked, payload: body }];
		return body.flatMap((part) => readGroupedData(part, askedFor));
	}
	if (!isJsonObject(body)) return [{ kind: 'payload', documentId: asked, payload: body }];
	if (isBankAccount(body)) {
		const account = readAccount(idText(body.account), body);
		return [
			{
				kind: 'bank',
				documentId: idText(body.documentId) ?? asked,
				accounts: [account],
				metadata: undefined,
				extras: {},
			},
		];
	}
	if (isBankDocument(body)) {
		return [readBankDocument(idText(body.documentId) ?? asked, body)];
	}
	if (!isGroupedData(body)) {
		const inner = unwrapped(body);
		if (inner !== undefined)
			return readGroupedData(inner, askedFor ?? idText(body.documentId) ?? undefined);
		if (Object.keys(body).length === 0) return [];
		if (asked !== null && isEmptyBankDocument(body)) return [readBankDocument(asked, body)];
		if (!isKeyedByDocument(body, asked)) {
			return [{ kind: 'payload', documentId: idText(body.documentId) ?? asked, payload: body }];
		}
	}
	return Object.entries(body)
		.filter(([, value]) => isStructure(value))
		.map(([documentId, value]) => readDocument(documentId, value));
}
