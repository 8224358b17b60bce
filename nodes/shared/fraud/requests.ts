import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { idText, isJsonObject, type JsonObject } from '../extraction/model';
import { listIn } from '../extraction/looseFields';
import type { Access } from '../transport/access';
import { strangeAnswerFailure, type Task } from '../transport/failures';
import { askForJson, segment } from '../transport/request';

/** The most that the interface gives at once (section 8). */
const PAGE_SIZE = 100;
/** A list that is longer goes in circles. */
const MOST_PAGES = 1_000;

/** Which signals are wanted (section 4.1). */
export interface SignalFilter {
	type?: string;
	minConfidence?: number;
	maxConfidence?: number;
}

function taskOf(documentId: string, itemIndex: number, doing: string): Task {
	return {
		itemIndex,
		doing: `${doing} of the document ${documentId}`,
		subject: `The document ${documentId}`,
		field: 'Document',
		details: { documentId },
	};
}

/**
 * GET /protected/document/{id}/fraudScore (section 2.9): the record of the score; null where the
 * document has not been analysed. Throws NodeApiError.
 */
export async function fraudScore(
	this: IExecuteFunctions,
	access: Access,
	documentId: string,
	itemIndex: number,
): Promise<JsonObject | null> {
	const task = taskOf(documentId, itemIndex, 'give the fraud score');
	const path = `/protected/document/${segment(documentId)}/fraudScore`;
	const { answer, body } = await askForJson.call(this, access, { method: 'GET', path }, task);
	const score = isJsonObject(body) && 'score' in body ? body.score : undefined;
	if (score === null || isJsonObject(score)) return score;
	throw strangeAnswerFailure(this.getNode(), answer, task);
}

/**
 * GET /protected/document/{id}/fraudSignals, page after page, up to `limit` signals. Each comes once.
 * Throws NodeApiError.
 */
export async function fraudSignals(
	this: IExecuteFunctions,
	access: Access,
	documentId: string,
	options: { filter: SignalFilter; limit: number; itemIndex: number },
): Promise<JsonObject[]> {
	const { filter, limit, itemIndex } = options;
	const task = taskOf(documentId, itemIndex, 'list the fraud signals');
	const path = `/protected/document/${segment(documentId)}/fraudSignals`;
	const found = new Map<string, JsonObject>();
	let offset = 0;
	for (let page = 0; page < MOST_PAGES && found.size < limit; page++) {
		const query: IDataObject = { ...filter, limit: Math.min(PAGE_SIZE, limit), offset };
		const request = { method: 'GET' as const, path, query };
		const { answer, body } = await askForJson.call(this, access, request, task);
		const signals = listIn(body, ['signals', 'data', 'items'])?.filter(isJsonObject);
		if (signals === undefined) throw strangeAnswerFailure(this.getNode(), answer, task);
		const before = found.size;
		for (const signal of signals) {
			found.set(idText(signal.id) ?? `place ${offset + found.size}`, signal);
		}
		offset += signals.length;
		const total = isJsonObject(body) ? Number(body.total) : Number.NaN;
		if (found.size === before || offset >= total) break;
		if (Number.isNaN(total) && signals.length < PAGE_SIZE) break;
	}
	return [...found.values()].slice(0, limit);
}
