import type { INodeExecutionData } from 'n8n-workflow';

import { groupedDataToItems } from '../shared/extraction';
import { linkedItem } from '../shared/extraction/item';
import type { JsonObject } from '../shared/extraction/model';
import { withServiceFields } from '../shared/extraction/serviceFields';
import { documentName } from '../shared/projects/records';
import type { Emission } from './documents/readProject';
import type { Output } from './settings';

function jsonsOf({ document, data }: Emission<unknown>, output: Output): JsonObject[] {
	if (output === 'record' || data === undefined) return [];
	const options = { output, pairedItem: 0, documentId: document.id };
	return groupedDataToItems({ body: data }, options).map(({ json }): JsonObject => json);
}

/**
 * The items of a document: its record, or those of its data (see groupedDataToItems), each with
 * `documentEvent`, `projectId`, `documentId` and `fileName` before its own fields. A document in
 * which nothing was found gives its record, so that it is not missed. Never a top-level `error`.
 */
export function documentItems(
	emission: Emission<unknown>,
	{ output, projectId }: { output: Output; projectId: string },
): INodeExecutionData[] {
	const { event, document, failure } = emission;
	const facts: JsonObject = {
		documentEvent: event,
		projectId,
		documentId: document.id,
		fileName: documentName(document),
	};
	const jsons = jsonsOf(emission, output);
	if (failure !== undefined) facts.dataMissing = failure.message;
	return (jsons.length === 0 ? [document.record] : jsons).map((json) =>
		linkedItem(withServiceFields(facts, json), 0, null),
	);
}
