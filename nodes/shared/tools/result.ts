import type { INodeExecutionData } from 'n8n-workflow';

import { flatRowsToItems, groupedDataToItems, recordToItem } from '../extraction';
import { readFlatRows } from '../extraction/flatRows';
import { isGroupedData } from '../extraction/groupedData';
import { listIn } from '../extraction/looseFields';
import { isJsonObject, type JsonObject } from '../extraction/model';
import { bodyOf, isWebPage, type Answer } from '../transport/answer';

/** What a tool gave, or what it says went wrong although the answer is a success. */
export type ToolResult = { result: unknown } | { failure: string };

/** The texts of an answer in the manner of the Model Context Protocol. */
function contentTexts(content: unknown[]): string[] {
	return content
		.filter(isJsonObject)
		.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
}

function parsed(text: string): unknown {
	try {
		return bodyOf({ status: 200, headers: {}, text }) ?? { text };
	} catch {
		return { text };
	}
}

function protocolResult(body: JsonObject): ToolResult | undefined {
	const { content, isError, structuredContent } = body;
	if (!Array.isArray(content) || !(content as unknown[]).every(isJsonObject)) return undefined;
	const texts = contentTexts(content);
	if (isError === true) return { failure: texts.join(' ').slice(0, 1_000) };
	if (isJsonObject(structuredContent)) return { result: structuredContent };
	const [only, ...others] = texts;
	if (only === undefined || others.length > 0) return undefined;
	return content.length === 1 ? { result: parsed(only) } : undefined;
}

/**
 * What the tool gave: the JSON of the answer, the content of an answer of the Model Context
 * Protocol, or text as `csv` or `text`. Undefined for a web page. Never throws.
 */
export function toolResult(answer: Answer): ToolResult | undefined {
	const body = bodyOf(answer);
	if (isJsonObject(body)) return protocolResult(body) ?? { result: body };
	if (body !== undefined) return { result: body };
	if (isWebPage(answer)) return undefined;
	if (answer.text.trim() === '') return { result: {} };
	const type = answer.headers['content-type'];
	const isCsv = typeof type === 'string' && /\bcsv\b/i.test(type);
	return { result: isCsv ? { csv: answer.text } : { text: answer.text } };
}

const LISTS = ['documents', 'projects', 'rows', 'items', 'data', 'results', 'records', 'tools'];

/**
 * One item for each row of the result: transactions as Get Transactions gives them, or the entries
 * of another list. A result without rows is one item, so that a job that has not ended keeps its id.
 */
export function rowItems(
	result: unknown,
	options: { toolName: string; itemIndex: number },
): INodeExecutionData[] {
	const { toolName, itemIndex: pairedItem } = options;
	if (isJsonObject(result) && Array.isArray(result.transactions)) {
		return flatRowsToItems({ body: result }, { pairedItem });
	}
	if (isGroupedData(result)) return groupedDataToItems({ body: result }, { pairedItem });
	const isAboutRows = /transaction|statement/i.test(toolName);
	if (isAboutRows && readFlatRows(result) !== undefined) {
		return flatRowsToItems({ body: result }, { pairedItem });
	}
	const list = listIn(result, LISTS);
	if (list === undefined) return [recordToItem(result, pairedItem)];
	return list.map((entry) => recordToItem(entry, pairedItem));
}

/** How many rows are missing from the result because the tool gives no more at once; 0 for none. */
export function missingRows(result: unknown): number {
	if (!isJsonObject(result) || result.truncated !== true) return 0;
	const { total, count, transactions } = result;
	const given = Array.isArray(transactions) ? transactions.length : Number(count);
	const missing = Number(total) - given;
	return Number.isFinite(missing) && missing > 0 ? missing : 0;
}
