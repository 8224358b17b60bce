import { isJsonObject } from '../../shared/extraction/model';

/** A document that was seen and is not done with. */
export interface OpenDocument {
	id: string;
	/** When it was first seen, in milliseconds since 1970. */
	since: number;
	/** True once it need not be reported as new. */
	announced: boolean;
	/** True while it is known to be unfinished; false where its turn has only not come. */
	waits: boolean;
	/** How often its data could not be read. */
	tries: number;
	/** Not looked at again before this time. */
	next: number;
}

/** Id and arrival of a document, the arrival null where the service does not tell it. */
export type KnownDocument = [id: string, arrivedAt: number | null];

/**
 * What is remembered of a project between two polls. Bounded: see the constants in decide.ts.
 */
export interface ProjectState {
	/** The newest documents that were seen, newest first. */
	known: KnownDocument[];
	/** True while `known` has every document that was ever seen: all others are new. */
	complete: boolean;
	/** Whatever arrived until then and is not known was seen before; null where nobody can tell. */
	oldUpTo: number | null;
	/** In the order in which they are reported, oldest first. */
	open: OpenDocument[];
	/** Documents that failed and may yet be extracted by another job, oldest first. */
	failed: string[];
	/** True where there were more new documents than could be taken in. */
	backlog: boolean;
}

/** What is remembered of all projects of a trigger. */
export interface TriggerState {
	/** Base address of the service whose ids these are. */
	service: string;
	projects: Record<string, ProjectState>;
}

const VERSION = 1;

function isKnownDocument(value: unknown): value is KnownDocument {
	if (!Array.isArray(value)) return false;
	const [id, arrivedAt] = value as unknown[];
	return typeof id === 'string' && (arrivedAt === null || typeof arrivedAt === 'number');
}

function isOpenDocument(value: unknown): value is OpenDocument {
	if (!isJsonObject(value)) return false;
	const { id, since, announced, waits, tries, next } = value;
	const numbers = [since, tries, next].every((one) => Number.isFinite(one));
	return (
		typeof id === 'string' && numbers && [announced, waits].every((one) => typeof one === 'boolean')
	);
}

function isProjectState(value: unknown): value is ProjectState {
	if (!isJsonObject(value)) return false;
	const { known, complete, oldUpTo, open, failed, backlog } = value;
	return (
		Array.isArray(known) &&
		known.every(isKnownDocument) &&
		Array.isArray(open) &&
		open.every(isOpenDocument) &&
		Array.isArray(failed) &&
		failed.every((id) => typeof id === 'string') &&
		typeof complete === 'boolean' &&
		typeof backlog === 'boolean' &&
		(oldUpTo === null || typeof oldUpTo === 'number')
	);
}

/**
 * The state out of n8n's static data. Undefined where there is none. A project whose part is
 * damaged is left out, and begins anew. Never throws.
 */
export function readState(text: unknown): TriggerState | undefined {
	if (typeof text !== 'string') return undefined;
	let parsed: unknown;
	try {
		parsed = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (!isJsonObject(parsed) || parsed.version !== VERSION) return undefined;
	const { service, projects } = parsed;
	if (typeof service !== 'string' || !isJsonObject(projects)) return undefined;
	const sound = Object.entries(projects).filter(([, project]) => isProjectState(project));
	return { service, projects: Object.fromEntries(sound) as Record<string, ProjectState> };
}

/** As one text, so that n8n does not watch thousands of small objects for changes. */
export function writeState(state: TriggerState): string {
	return JSON.stringify({ version: VERSION, ...state });
}
