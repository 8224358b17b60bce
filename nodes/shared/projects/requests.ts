import type { IDataObject } from 'n8n-workflow';

import { isJsonObject } from '../extraction/model';
import type { Access } from '../transport/access';
import type { RequestContext } from '../transport/context';
import {
	operationFailure,
	strangeAnswerFailure,
	type Failure,
	type Task,
} from '../transport/failures';
import { ask, askForJson, segment, type ServiceRequest } from '../transport/request';
import { bodyOf } from '../transport/answer';
import { nextPage } from '../webhooks/pages';
import {
	documentOf,
	documentsOf,
	projectsOf,
	type DocumentRecord,
	type ProjectRecord,
} from './records';

/** The requests of section 4.3 of the interface that are about projects. */
export interface RequestOptions {
	/** The item to name in an error; undefined where there are no items. */
	itemIndex?: number;
	/** How often each request is tried at most. */
	attempts?: number;
	timeoutMs?: number;
}

/** The most that the interface gives at once (section 8). */
export const PAGE_SIZE = 200;
/** A quarter of a page at most, so that there is progress with short pages too. */
const OVERLAP = 20;
/** A list that is longer goes in circles. */
const MOST_PAGES = 10_000;
const MOST_RESTARTS = 8;
const MOST_PROJECT_PAGES = 100;

function itemOf({ itemIndex }: RequestOptions): Pick<Task, 'itemIndex'> {
	return itemIndex === undefined ? {} : { itemIndex };
}

function patienceOf({
	attempts,
	timeoutMs,
}: RequestOptions): Pick<ServiceRequest, 'attempts' | 'timeoutMs'> {
	return {
		...(attempts === undefined ? {} : { attempts }),
		...(timeoutMs === undefined ? {} : { timeoutMs }),
	};
}

/** GET /agent/projects: every project that the token can read. Throws NodeApiError. */
export async function listProjects(
	this: RequestContext,
	access: Access,
	options: RequestOptions = {},
): Promise<ProjectRecord[]> {
	const task: Task = { ...itemOf(options), doing: 'list the projects' };
	const found = new Map<string, ProjectRecord>();
	let query: IDataObject | undefined;
	for (let page = 0; page < MOST_PROJECT_PAGES; page++) {
		const request: ServiceRequest = {
			method: 'GET',
			path: '/agent/projects',
			...(query === undefined ? {} : { query }),
			...patienceOf(options),
		};
		const { answer, body } = await askForJson.call(this, access, request, task);
		const projects = projectsOf(body);
		if (projects === undefined) throw strangeAnswerFailure(this.getNode(), answer, task);
		const before = found.size;
		for (const project of projects) found.set(project.id, project);
		query = nextPage(body, found.size);
		if (query === undefined || found.size === before) break;
	}
	return [...found.values()];
}

interface Page {
	documents: DocumentRecord[];
	/** True where the answer says that nothing follows. */
	isLast: boolean;
}

function count(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function saysItIsLast(body: unknown, end: number, length: number): boolean {
	if (!isJsonObject(body)) return false;
	const beside = [body.pagination, body.paging, body.meta].filter(isJsonObject);
	return [body, ...beside].some((place) => {
		const total = count(place.total) ?? count(place.totalCount);
		if (total !== undefined) return end >= total;
		const limit = count(place.limit);
		return place.hasMore === false || (limit !== undefined && length < limit);
	});
}

async function readPage(
	this: RequestContext,
	access: Access,
	projectId: string,
	page: { limit: number; offset: number },
	options: RequestOptions,
): Promise<Page> {
	const task: Task = {
		...itemOf(options),
		doing: `list the documents of the project ${projectId}`,
		subject: `The project ${projectId}`,
		field: 'Project',
		details: { projectId },
	};
	const path = `/agent/projects/${segment(projectId)}/documents`;
	const request: ServiceRequest = {
		method: 'GET',
		path,
		query: { ...page },
		...patienceOf(options),
	};
	const { answer, body } = await askForJson.call(this, access, request, task);
	const documents = documentsOf(body);
	if (documents === undefined) throw strangeAnswerFailure(this.getNode(), answer, task);
	const isLast = saysItIsLast(body, page.offset + documents.length, documents.length);
	return { documents, isLast };
}

function restlessFailure(
	this: RequestContext,
	projectId: string,
	options: RequestOptions,
): Failure {
	return operationFailure(
		this.getNode(),
		`The documents of the project ${projectId} change faster than they can be read`,
		{
			...itemOf(options),
			description: 'Wait until fewer documents are deleted or arrive, and run the node again',
			details: { projectId },
		},
	);
}

function idsOf(documents: readonly DocumentRecord[]): string {
	return JSON.stringify(documents.map(({ id }) => id));
}

/** Documents that follow those before them, or begin anew. */
export interface DocumentPage {
	documents: DocumentRecord[];
	/** True where the list has changed so much that what was read before does not count. */
	isRestart: boolean;
}

/**
 * GET /agent/projects/{projectId}/documents, page after page, newest first. Each document comes
 * once and in the order of the list, and none is left out because the list moves while it is read:
 * a page begins a few documents before the end of the one before it. Documents that arrive push the
 * others down, documents that are deleted pull them up. Where that is more than the overlap, the
 * reading begins anew, with a longer one. What arrives meanwhile stands at the top and is not read.
 * Throws NodeApiError.
 */
export async function* documentPages(
	this: RequestContext,
	access: Access,
	projectId: string,
	options: RequestOptions & { pageSize?: number } = {},
): AsyncGenerator<DocumentPage, void> {
	const limit = Math.min(PAGE_SIZE, options.pageSize ?? PAGE_SIZE);
	const read = async (offset: number): Promise<Page> =>
		await readPage.call(this, access, projectId, { limit, offset }, options);
	let seen = new Set<string>();
	let offset = 0;
	let overlap = 0;
	let longest = 0;
	let before = '';
	let restarts = 0;
	let isRestart = false;
	for (let number = 0; number < MOST_PAGES; number++) {
		const { documents, isLast } = await read(offset);
		const lastSeen = documents.findLastIndex(({ id }) => seen.has(id));
		if (overlap > 0 && lastSeen === -1) {
			if (restarts === MOST_RESTARTS) {
				throw restlessFailure.call(this, projectId, options);
			}
			restarts++;
			[seen, offset, overlap, longest] = [new Set(), 0, 0, 0];
			[before, isRestart] = ['', true];
			continue;
		}
		// Before the last one that was seen stands only what has arrived meanwhile.
		const fresh = documents.slice(lastSeen + 1);
		for (const { id } of fresh) seen.add(id);
		if (fresh.length > 0 || isRestart) yield { documents: fresh, isRestart };
		isRestart = false;
		if (isLast || documents.length === 0) return;
		if (fresh.length === 0 && documents.length < longest) return;
		const ids = idsOf(documents);
		if (ids === before) {
			// A service that does not know offsets; or as many have arrived as the page is further on.
			if (idsOf((await read(0)).documents) === ids) return;
		}
		before = ids;
		longest = Math.max(longest, documents.length);
		const most = Math.max(1, Math.ceil((documents.length - 1) / (restarts === 0 ? 4 : 2)));
		overlap = Math.min(OVERLAP * 2 ** restarts, most);
		offset += documents.length - overlap;
	}
}

/**
 * The documents of a project, newest first, up to `limit`. Where all are wanted, those that arrived
 * while the pages were read are in the result too.
 */
export async function projectDocuments(
	this: RequestContext,
	access: Access,
	projectId: string,
	options: RequestOptions & { limit: number },
): Promise<DocumentRecord[]> {
	const { limit } = options;
	const pageSize = Math.min(PAGE_SIZE, Math.max(1, limit));
	const reading = { ...options, pageSize };
	const found = new Map<string, DocumentRecord>();
	let pages = 0;
	for await (const page of documentPages.call(this, access, projectId, reading)) {
		if (page.isRestart) found.clear();
		pages++;
		for (const document of page.documents) found.set(document.id, document);
		if (found.size >= limit) return [...found.values()].slice(0, limit);
	}
	if (pages < 2) return [...found.values()];
	const arrived = new Map<string, DocumentRecord>();
	for await (const page of documentPages.call(this, access, projectId, reading)) {
		const fresh = page.documents.filter(({ id }) => !found.has(id));
		for (const document of fresh) arrived.set(document.id, document);
		if (fresh.length < page.documents.length) break;
	}
	return [...arrived.values(), ...found.values()];
}

/** GET /agent/documents/{documentId}; undefined where it is not there any more. */
export async function findDocument(
	this: RequestContext,
	access: Access,
	documentId: string,
	options: RequestOptions = {},
): Promise<DocumentRecord | undefined> {
	const task: Task = {
		...itemOf(options),
		doing: `tell about the document ${documentId}`,
		subject: `The document ${documentId}`,
		details: { documentId },
	};
	const path = `/agent/documents/${segment(documentId)}`;
	const request: ServiceRequest = {
		method: 'GET',
		path,
		accepts: [404, 410],
		...patienceOf(options),
	};
	const answer = await ask.call(this, access, request, task);
	if (answer.status === 404 || answer.status === 410) return undefined;
	const document = documentOf(bodyOf(answer));
	if (document === undefined) throw strangeAnswerFailure(this.getNode(), answer, task);
	return document;
}
