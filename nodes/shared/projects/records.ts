import { firstText, listIn, millisecondsOf } from '../extraction/looseFields';
import { idText, isJsonObject, type JsonObject } from '../extraction/model';

/** A project (section 2.11 of the interface), whose fields are mostly not shown there. */
export interface ProjectRecord {
	id: string;
	/** Its id where the answer names no name. */
	name: string;
	/** Path or name of the folder above; undefined at the top and where the answer does not say. */
	parentFolder?: string;
	/** All fields as they came. */
	record: JsonObject;
}

/** How far a document is. Whatever is not known to be an end is unfinished. */
export type DocumentState = 'unfinished' | 'extracted' | 'failed';

/** A document in the list of a project (section 2.11). */
export interface DocumentRecord {
	id: string;
	state: DocumentState;
	/** When it arrived, in milliseconds since 1970; undefined where the answer does not say. */
	arrivedAt?: number;
	/** All fields as they came. */
	record: JsonObject;
}

const PROJECT_LISTS = ['projects', 'data', 'items', 'results', 'records', 'result', 'folders'];
const DOCUMENT_LISTS = ['documents', 'data', 'items', 'results', 'records', 'result', 'files'];

const ENDS: Record<string, DocumentState> = {
	extracted: 'extracted',
	succeeded: 'extracted',
	success: 'extracted',
	completed: 'extracted',
	complete: 'extracted',
	done: 'extracted',
	finished: 'extracted',
	processed: 'extracted',
	failed: 'failed',
	failure: 'failed',
	error: 'failed',
	outofcredits: 'failed',
	unsupported: 'failed',
	rejected: 'failed',
};

function readProject(entry: unknown): ProjectRecord | undefined {
	if (!isJsonObject(entry)) return undefined;
	const id = idText(entry.id) ?? idText(entry.projectId);
	if (id === null) return undefined;
	const parent: unknown = entry.parentFolder ?? entry.parent ?? entry.folder;
	const parentFolder = isJsonObject(parent)
		? firstText(parent, ['path', 'name', 'title'])
		: (idText(parent) ?? undefined);
	return {
		id,
		name: firstText(entry, ['name', 'title', 'displayName']) ?? id,
		...(parentFolder === undefined ? {} : { parentFolder }),
		record: entry,
	};
}

/** Reads the list of projects; undefined where the answer holds no list. Never throws. */
export function projectsOf(body: unknown): ProjectRecord[] | undefined {
	return listIn(body, PROJECT_LISTS)
		?.map(readProject)
		.filter((project) => project !== undefined);
}

/** `extracted` and `failed` are ends (section 2.11), and so are other words for them. */
export function documentState(status: unknown): DocumentState {
	if (typeof status !== 'string') return 'unfinished';
	return ENDS[status.toLowerCase().replace(/[^a-z]/g, '')] ?? 'unfinished';
}

const ARRIVAL = ['createdAt', 'created_at', 'created', 'arrivedAt', 'receivedAt', 'uploadedAt'];

function arrivalOf(record: JsonObject): number | undefined {
	for (const name of ARRIVAL) {
		const time = millisecondsOf(record[name]);
		if (time !== undefined) return time;
	}
	return undefined;
}

function readDocument(entry: unknown): DocumentRecord | undefined {
	if (!isJsonObject(entry)) return undefined;
	const id = idText(entry.id) ?? idText(entry.documentId);
	if (id === null) return undefined;
	const arrivedAt = arrivalOf(entry);
	return {
		id,
		state: documentState(entry.status ?? entry.state),
		...(arrivedAt === undefined ? {} : { arrivedAt }),
		record: entry,
	};
}

/** Reads one document, bare or inside `document` or `data`; undefined where there is none. */
export function documentOf(body: unknown): DocumentRecord | undefined {
	if (!isJsonObject(body)) return undefined;
	for (const name of ['document', 'data', 'result']) {
		const inner = readDocument(body[name]);
		if (inner !== undefined) return inner;
	}
	return readDocument(body);
}

/** Reads a page of a project's documents; undefined where the answer holds no list. Never throws. */
export function documentsOf(body: unknown): DocumentRecord[] | undefined {
	return listIn(body, DOCUMENT_LISTS)
		?.map(readDocument)
		.filter((document) => document !== undefined);
}

/** Its name as a person knows it, for lists. */
export function documentName({ id, record }: DocumentRecord): string {
	return firstText(record, ['originalname', 'originalName', 'fileName', 'filename', 'name']) ?? id;
}
