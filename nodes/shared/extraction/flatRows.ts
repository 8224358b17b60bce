import { isGroupedData } from './groupedData';
import { idText, isJsonObject, type IdLike, type JsonObject } from './model';
import { rowAccount, rowDocumentId } from './rowFields';

/** Where a flat answer may hold its rows, in order of preference. */
const ROW_FIELDS = ['transactions', 'rows', 'data', 'items', 'results', 'records', 'lines'];

/** A row of a `/transactions` answer with what it belongs to. */
export interface FlatRow {
	documentId: string | null;
	account: string | null;
	row: unknown;
}

function isRowList(value: unknown): value is unknown[] {
	return Array.isArray(value) && value.some(isJsonObject);
}

function keyedRows(body: JsonObject): FlatRow[] | undefined {
	const lists = Object.entries(body).filter(([, value]) => Array.isArray(value));
	if (lists.length === 0 || lists.length !== Object.keys(body).length) return undefined;
	return lists.flatMap(([documentId, rows]) =>
		(rows as unknown[]).map((row) => flatRow(row, documentId)),
	);
}

function flatRow(row: unknown, documentId: string | null): FlatRow {
	if (!isJsonObject(row)) return { documentId, account: null, row };
	return { documentId: rowDocumentId(row) ?? documentId, account: rowAccount(row), row };
}

/**
 * Reads the flat view of `/transactions`, whose row names the interface does not show: an array
 * of rows; an object that holds them as `transactions`, `rows`, `data`, `items`, `results`,
 * `records` or `lines`, also one level deeper; or lists of rows by document id. A row that names
 * no document gets the id beside the rows, or the one that was asked for.
 *
 * Undefined where the body is grouped data, or nothing that holds rows.
 */
export function readFlatRows(body: unknown, askedFor?: IdLike): FlatRow[] | undefined {
	return readRows(body, idText(askedFor), 0);
}

function readRows(body: unknown, asked: string | null, depth: number): FlatRow[] | undefined {
	if (isGroupedData(body)) return undefined;
	if (Array.isArray(body)) return (body as unknown[]).map((row) => flatRow(row, asked));
	if (!isJsonObject(body)) return undefined;
	const documentId = rowDocumentId(body) ?? asked;
	for (const name of ROW_FIELDS) {
		if (!Object.hasOwn(body, name)) continue;
		const value = body[name];
		if (value === null) return [];
		if (Array.isArray(value)) return (value as unknown[]).map((row) => flatRow(row, documentId));
		if (!isJsonObject(value) || depth > 1) continue;
		const inner = readRows(value, documentId, depth + 1) ?? keyedRows(value);
		if (inner !== undefined) return inner;
	}
	const lists = Object.values(body).filter(isRowList);
	const only = lists[0];
	if (lists.length === 1 && only !== undefined) {
		const keyed = keyedRows(body);
		return keyed ?? only.map((row) => flatRow(row, documentId));
	}
	return keyedRows(body);
}
