import { isGroupedData, readGroupedData } from '../../shared/extraction/groupedData';
import { idText, isJsonObject, type JsonObject } from '../../shared/extraction/model';
import type { DocumentKind } from '../../shared/transport/jobs';
import type { Delivery } from './delivery';

/** True where `data` holds what was extracted, and no record of another kind. */
export function holdsExtraction({ eventName, body }: Delivery): boolean {
	const { data } = body;
	if (typeof data !== 'object' || data === null) return false;
	return isGroupedData(data) || (eventName !== null && /\.extraction\.completed$/i.test(eventName));
}

function kindsOfData(data: unknown): DocumentKind[] {
	if (isGroupedData(data)) {
		const accounts = readGroupedData(data).flatMap((document) =>
			document.kind === 'bank' ? document.accounts : [],
		);
		const isCheck = accounts.map(({ account }) => account === 'checks');
		const kinds: DocumentKind[] = [];
		if (isCheck.includes(true)) kinds.push('checks');
		if (isCheck.includes(false) || isCheck.length === 0) kinds.push('bankStatement');
		return kinds;
	}
	const payloads = isJsonObject(data) ? Object.values(data) : [];
	const isForm = payloads.some(
		(payload) =>
			Array.isArray(payload) && payload.some((item) => isJsonObject(item) && 'form' in item),
	);
	return isForm ? ['form'] : [];
}

/**
 * What kinds of document the delivery is about; empty where it does not say. Statements and check
 * images share an event: the account key `checks` tells them apart (section 2.8).
 */
export function kindsOf(delivery: Delivery): DocumentKind[] {
	const { eventName, body } = delivery;
	const name = eventName ?? '';
	if (/^invoice\./i.test(name)) return ['invoice'];
	if (/^form\./i.test(name)) return ['form'];
	if (!holdsExtraction(delivery)) return [];
	const kinds = kindsOfData(body.data);
	if (kinds.length > 0) return kinds;
	// Without rows nothing tells a statement from a check.
	return /^bank_statement\./i.test(name) ? ['bankStatement', 'checks'] : [];
}

function idsIn(record: unknown): Array<string | null> {
	return isJsonObject(record) ? [idText(record.id) ?? idText(record.documentId)] : [idText(record)];
}

/** The ids of the documents that the delivery is about; empty where it names none. */
export function documentIdsOf(delivery: Delivery): string[] {
	const { data } = delivery.body;
	const records: JsonObject[] = [delivery.body, delivery.body.job, data].filter(isJsonObject);
	const found = records.flatMap((record) => [
		idText(record.documentId),
		...('document' in record ? idsIn(record.document) : []),
		...(Array.isArray(record.documents) ? (record.documents as unknown[]).flatMap(idsIn) : []),
	]);
	if (holdsExtraction(delivery)) {
		found.push(...readGroupedData(data).map(({ documentId }) => documentId));
	}
	return [...new Set(found.filter((id) => id !== null))];
}
