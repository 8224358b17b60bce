import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { documentName } from '../../shared/projects/records';
import { listProjects, projectDocuments } from '../../shared/projects/requests';
import { matches, projectName } from '../../shared/projects/search';
import { listTools } from '../../shared/tools/requests';
import { tokenAccessOf } from '../../shared/transport/access';
import { listWebhooks } from '../../shared/webhooks/requests';

/** A list in the panel shall not keep a person waiting: one try each. */
const QUICK = { attempts: 1 };
/** Of how many projects the documents are read at a time, and how many of each. */
const PROJECTS_AT_A_TIME = 10;
const DOCUMENTS_OF_A_PROJECT = 200;

/** Every webhook of the account, as its address and its events. */
export async function searchWebhooks(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const access = await tokenAccessOf.call(this);
	const webhooks = await listWebhooks.call(this, access, QUICK);
	const results = webhooks.map(({ id, url, events }) => ({
		name: `${url === '' ? `Webhook ${id}` : url} (${events.join(', ')})`,
		value: id,
	}));
	return { results: results.filter(({ name, value }) => matches(filter, [name, value])) };
}

/**
 * The newest documents of every project: the service lists documents by project only, so those of
 * ten projects are read at a time, and the list goes on with the next ten. A search that finds
 * nothing looks further, up to thirty.
 */
export async function searchDocuments(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const access = await tokenAccessOf.call(this);
	const projects = await listProjects.call(this, access, QUICK);
	const results: INodeListSearchItems[] = [];
	let next = Number(paginationToken ?? 0) || 0;
	const most = next + (filter ? 3 : 1) * PROJECTS_AT_A_TIME;
	while (next < Math.min(most, projects.length) && results.length === 0) {
		for (const project of projects.slice(next, next + PROJECTS_AT_A_TIME)) {
			const options = { ...QUICK, limit: DOCUMENTS_OF_A_PROJECT };
			const documents = await projectDocuments.call(this, access, project.id, options);
			for (const document of documents) {
				const name = `${documentName(document)} (${projectName(project)})`;
				if (matches(filter, [name, document.id])) results.push({ name, value: document.id });
			}
		}
		next += PROJECTS_AT_A_TIME;
	}
	return next < projects.length ? { results, paginationToken: String(next) } : { results };
}

/** Every tool of the service, with what it does. */
export async function searchTools(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const access = await tokenAccessOf.call(this);
	const tools = await listTools.call(this, access, QUICK);
	const results = tools
		.filter(({ name, description }) => matches(filter, [name, description]))
		.map(({ name, description }) => ({
			name,
			value: name,
			...(description ? { description } : {}),
		}));
	return { results };
}
