import type { INodeExecutionData } from 'n8n-workflow';

import { groupedDataToItems } from '../../shared/extraction';
import { linkedItem } from '../../shared/extraction/item';
import type { JsonObject, OutputMode } from '../../shared/extraction/model';
import { withServiceFields } from '../../shared/extraction/serviceFields';
import { holdsExtraction } from './contents';
import type { Delivery } from './delivery';

/** Values of the node's `output` parameter. */
export type DeliveryOutput = 'delivery' | Exclude<OutputMode, 'raw'>;

export interface ItemOptions {
	output: DeliveryOutput;
	/** Rows, accounts and documents of others are left out. Empty: all. */
	documentIds: readonly string[];
	/** Put into each item where it is given. */
	headers?: JsonObject;
}

function extractedJsons(delivery: Delivery, options: ItemOptions): JsonObject[] | undefined {
	const { output, documentIds } = options;
	if (output === 'delivery' || !holdsExtraction(delivery)) return undefined;
	const items = groupedDataToItems({ body: delivery.body.data }, { output, pairedItem: 0 });
	const jsons = items.map(({ json }): JsonObject => json);
	if (documentIds.length === 0) return jsons;
	return jsons.filter(
		({ documentId }) => typeof documentId !== 'string' || documentIds.includes(documentId),
	);
}

/**
 * The items of a delivery: one with its body, or those of the extraction (see groupedDataToItems),
 * each with `eventId`, `eventName` and `jobId` before its own fields. A delivery without extracted
 * data is one item in every mode. Never a top-level `error`.
 */
export function deliveryItems(delivery: Delivery, options: ItemOptions): INodeExecutionData[] {
	const { eventId, eventName, jobId, body } = delivery;
	const { headers } = options;
	return (extractedJsons(delivery, options) ?? [body]).map((json) => {
		const facts: JsonObject = { eventId, eventName, jobId };
		if (headers !== undefined) facts.headers = { ...headers };
		return linkedItem(withServiceFields(facts, json), 0, null);
	});
}
