import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import {
	isJsonObject,
	type ExtractionPayload,
	type JsonObject,
	type PairedItemSource,
} from './model';
import { parseJsonExactly } from './losslessJson';
import { safeTopLevel } from './serviceFields';

/**
 * One item. Each gets its own link object, since n8n may write to it.
 * The json must be safe already (see serviceFields).
 */
export function linkedItem(
	json: JsonObject,
	source: PairedItemSource,
	documentId: string | null,
): INodeExecutionData {
	const link = typeof source === 'function' ? source(documentId) : source;
	const pairedItem =
		typeof link === 'number'
			? { item: link }
			: Array.isArray(link)
				? link.map((one) => ({ ...one }))
				: { ...link };
	// A value parsed from JSON is an IDataObject; its fields are only not known by name.
	return { json: json as IDataObject, pairedItem };
}

/**
 * One item from a record of the service as it came (a job, a document, an upload): all its fields,
 * with a top-level `error` renamed to `serviceError`. A record that is no object becomes `data`.
 */
export function recordToItem(record: unknown, pairedItem: PairedItemSource): INodeExecutionData {
	const json = isJsonObject(record) ? safeTopLevel(record) : { data: record ?? null };
	return linkedItem(json, pairedItem, null);
}

/**
 * The parsed response: from the text where there is one, so that numbers keep their digits.
 * Text that is no JSON is answered with `body`, or as the text itself.
 */
export function readPayload(payload: ExtractionPayload): unknown {
	if (payload.text === undefined) return payload.body;
	try {
		return parseJsonExactly(payload.text);
	} catch {
		return payload.body ?? payload.text;
	}
}
