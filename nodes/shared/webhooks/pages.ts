import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../extraction/model';

const CURSORS: Array<[field: string, parameter: string]> = [
	['nextCursor', 'cursor'],
	['next_cursor', 'cursor'],
	['nextPageToken', 'pageToken'],
	['next_page_token', 'page_token'],
];

function integer(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Only the query of an address is used: a token is never sent to an address out of an answer. */
function queryOf(next: string): IDataObject | undefined {
	const at = next.indexOf('?');
	if (at === -1) return undefined;
	const query = Object.fromEntries(new URLSearchParams(next.slice(at + 1)));
	return Object.keys(query).length === 0 ? undefined : query;
}

/**
 * The query of the page after this one; undefined where the answer shows none. The interface
 * leaves open whether a list is paged, so the usual ways are understood: `next` as an address,
 * a cursor, and `total` or `hasMore` with `limit` and `offset`. `seen` counts the entries of this
 * page and all before it. Never throws.
 */
export function nextPage(body: unknown, seen: number): IDataObject | undefined {
	if (!isJsonObject(body)) return undefined;
	const beside = [body.pagination, body.paging, body.meta, body.links].filter(isJsonObject);
	for (const place of [body, ...beside]) {
		if (typeof place.next === 'string') {
			const query = queryOf(place.next);
			if (query !== undefined) return query;
		}
		for (const [field, parameter] of CURSORS) {
			const cursor = place[field];
			if (typeof cursor === 'string' && cursor !== '') return { [parameter]: cursor };
		}
		const limit = integer(place.limit);
		const total = integer(place.total) ?? integer(place.totalCount);
		const more =
			total === undefined ? place.hasMore === true || place.has_more === true : seen < total;
		if (more && seen > 0) return { ...(limit === undefined ? {} : { limit }), offset: seen };
	}
	return undefined;
}
