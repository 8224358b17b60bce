import type { IDataObject } from 'n8n-workflow';

import type { Access } from '../transport/access';
import { bodyOf } from '../transport/answer';
import type { RequestContext } from '../transport/context';
import { strangeAnswerFailure, type Task } from '../transport/failures';
import { ask, askForJson, type ServiceRequest } from '../transport/request';
import { nextPage } from '../webhooks/pages';
import { toolsOf, type ToolRecord } from './records';

const PATH = '/agent/mcp/tools';
const MOST_PAGES = 100;

/** GET /agent/mcp/tools: every tool of the service, with its schema. Throws NodeApiError. */
export async function listTools(
	this: RequestContext,
	access: Access,
	options: { itemIndex?: number; attempts?: number } = {},
): Promise<ToolRecord[]> {
	const { itemIndex, attempts } = options;
	const task: Task = {
		...(itemIndex === undefined ? {} : { itemIndex }),
		doing: 'list the tools',
	};
	const found = new Map<string, ToolRecord>();
	let query: IDataObject | undefined;
	for (let page = 0; page < MOST_PAGES; page++) {
		const request: ServiceRequest = {
			method: 'GET',
			path: PATH,
			...(query === undefined ? {} : { query }),
			...(attempts === undefined ? {} : { attempts }),
		};
		const { answer, body } = await askForJson.call(this, access, request, task);
		const tools = toolsOf(body);
		if (tools === undefined) throw strangeAnswerFailure(this.getNode(), answer, task);
		const before = found.size;
		for (const tool of tools) found.set(tool.name, tool);
		query = nextPage(body, found.size);
		if (query === undefined || found.size === before) break;
	}
	return [...found.values()];
}

/** Statuses of a service that runs tools but lists none. */
const NO_LIST = [404, 405, 501];

/**
 * What the service says about one tool; undefined where it lists no tools, or not this one: then
 * only the service can say what the tool takes.
 */
export async function findTool(
	this: RequestContext,
	access: Access,
	name: string,
	options: { itemIndex?: number } = {},
): Promise<ToolRecord | undefined> {
	const { itemIndex } = options;
	const task: Task = {
		...(itemIndex === undefined ? {} : { itemIndex }),
		doing: 'list the tools',
	};
	const request: ServiceRequest = { method: 'GET', path: PATH, accepts: NO_LIST };
	const answer = await ask.call(this, access, request, task);
	if (NO_LIST.includes(answer.status)) return undefined;
	const body = bodyOf(answer);
	const first = toolsOf(body);
	const tool = first?.find((one) => one.name === name);
	if (tool !== undefined || first === undefined || nextPage(body, first.length) === undefined) {
		return tool;
	}
	const all = await listTools.call(this, access, options);
	return all.find((one) => one.name === name);
}
