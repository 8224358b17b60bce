import type { DocumentRecord } from '../../shared/projects/records';
import type { DocumentPage } from '../../shared/projects/requests';
import {
	afterFailedLook,
	afterFailure,
	afterReport,
	begin,
	BOUNDS,
	hasRoom,
	isEnoughToBegin,
	makeRoom,
	mayBeFollowed,
	MOST_TRIES,
	NOTHING_SEEN,
	plan,
	takeIn,
	toLookAt,
	without,
	type Bounds,
	type DocumentEvent,
	type Report,
	type Wanted,
} from './decide';
import type { ProjectState } from './state';

/** What became of reading something of a document: its record, or its data. */
export type Reading<Value> =
	| { kind: 'found'; value: Value }
	/** The document was deleted. */
	| { kind: 'gone' }
	/** `isService` where the same is to be expected of the next document. */
	| { kind: 'failure'; failure: Error; isService: boolean };

/** A project as the service shows it. Only `pages` throws, where the service cannot be asked. */
export interface ProjectSource<Data> {
	/** Its documents, newest first, each once (see documentPages). */
	pages(): AsyncIterable<DocumentPage>;
	/** One document as it is now. */
	look(id: string): Promise<Reading<DocumentRecord>>;
	/** What was extracted; undefined where the trigger puts out records only. */
	data?(document: DocumentRecord): Promise<Reading<Data>>;
}

/** A document that is put out. */
export interface Emission<Data> {
	event: DocumentEvent;
	document: DocumentRecord;
	/** Undefined where the record is all there is. */
	data?: Data;
	/** Why the data is missing, where it could not be read in all tries. */
	failure?: Error;
}

export interface ReadOptions {
	wanted: Wanted;
	/** With which documents to begin where nothing is remembered. */
	start: { kind: 'now' } | { kind: 'everything' } | { kind: 'from'; from: number };
	/** How many documents are put out at most. */
	limit: number;
	now: number;
	/** Tests bring smaller ones. */
	bounds?: Bounds;
	/** True once the time for this poll is used up. */
	isOver(): boolean;
}

export interface ReadResult<Data> {
	emissions: Array<Emission<Data>>;
	state: ProjectState;
	/** Documents that never ended. */
	givenUp: string[];
	/** The last failure to read a document or its data, which is tried again. */
	failure?: Error;
}

/** How many documents are asked for one by one in a poll. */
const MOST_LOOKS = 100;
/** After so many documents in a row, it is the service and not the documents. */
const FAILURES_IN_A_ROW = 3;

async function beginning<Data>(
	source: ProjectSource<Data>,
	{ start, wanted, now, bounds = BOUNDS }: ReadOptions,
): Promise<ProjectState> {
	if (start.kind === 'everything') return NOTHING_SEEN;
	let listing: DocumentRecord[] = [];
	let isWhole = true;
	for await (const { documents, isRestart } of source.pages()) {
		listing = isRestart ? documents : [...listing, ...documents];
		if (!isEnoughToBegin(listing, bounds)) continue;
		isWhole = false;
		break;
	}
	const from = start.kind === 'from' ? { from: start.from } : {};
	return begin(listing, { isWhole, wanted, now, bounds, ...from });
}

async function listed<Data>(
	source: ProjectSource<Data>,
	state: ProjectState,
	bounds: Bounds,
): Promise<DocumentRecord[]> {
	let listing: DocumentRecord[] = [];
	for await (const { documents, isRestart } of source.pages()) {
		listing = isRestart ? documents : [...listing, ...documents];
		if (!mayBeFollowed(state, listing, documents, bounds)) break;
	}
	return listing;
}

/** Reads the data of what is reported, in order, until the limit or until the service gives up. */
async function emissionsOf<Data>(
	source: ProjectSource<Data>,
	planned: { state: ProjectState; reports: Report[] },
	options: ReadOptions,
): Promise<Pick<ReadResult<Data>, 'emissions' | 'state' | 'failure'>> {
	const { wanted, limit, now, isOver } = options;
	const emissions: Array<Emission<Data>> = [];
	let { state } = planned;
	let failure: Error | undefined;
	let inARow = 0;
	for (const report of planned.reports) {
		if (emissions.length >= limit || inARow >= FAILURES_IN_A_ROW || isOver()) break;
		const { event, document, tries } = report;
		const reading =
			event === 'extracted' && source.data !== undefined ? await source.data(document) : undefined;
		if (reading?.kind === 'gone') {
			state = without(state, document.id);
			continue;
		}
		if (reading?.kind === 'failure') {
			failure = reading.failure;
			inARow = reading.isService ? inARow + 1 : 0;
			if (tries + 1 < MOST_TRIES) {
				state = afterFailure(state, report, now);
				continue;
			}
			emissions.push({ event, document, failure });
		} else {
			inARow = 0;
			emissions.push({
				event,
				document,
				...(reading === undefined ? {} : { data: reading.value }),
			});
		}
		state = afterReport(state, report, wanted);
	}
	return { emissions, state, ...(failure === undefined ? {} : { failure }) };
}

/** Looks at the open documents that are due and not in the listing. */
async function lookAt<Data>(
	source: ProjectSource<Data>,
	state: ProjectState,
	listing: readonly DocumentRecord[],
	{ limit, now, isOver }: ReadOptions,
): Promise<{
	state: ProjectState;
	found: Map<string, DocumentRecord | undefined>;
	failure?: Error;
}> {
	const found = new Map<string, DocumentRecord | undefined>();
	for (const document of listing) found.set(document.id, document);
	const most = Math.min(MOST_LOOKS, Math.max(limit, MOST_LOOKS / 2));
	let after = state;
	let failure: Error | undefined;
	let inARow = 0;
	for (const id of toLookAt(state, new Set(found.keys()), { now, most })) {
		if (inARow >= FAILURES_IN_A_ROW || isOver()) break;
		const reading = await source.look(id);
		if (reading.kind === 'failure') {
			failure = reading.failure;
			inARow = reading.isService ? inARow + 1 : 0;
			after = afterFailedLook(after, id, now);
			continue;
		}
		inARow = 0;
		found.set(id, reading.kind === 'found' ? reading.value : undefined);
	}
	return { state: after, found, ...(failure === undefined ? {} : { failure }) };
}

/**
 * One look at a project: what is new is taken in, what was unfinished is looked at again, and what
 * is due is put out. The returned state is to be kept together with what was put out; without it,
 * the next look puts the same out again and misses nothing. Throws, with nothing put out, where the
 * project cannot be listed.
 *
 * A document that cannot be read, or whose data cannot, is tried again later and does not stop the
 * others. After the last try for the data its record is put out with the failure.
 */
export async function readProject<Data>(
	remembered: ProjectState | undefined,
	source: ProjectSource<Data>,
	options: ReadOptions,
): Promise<ReadResult<Data>> {
	const { wanted, now, start, bounds = BOUNDS } = options;
	if (remembered === undefined && start.kind === 'now') {
		return { emissions: [], state: await beginning(source, options), givenUp: [] };
	}
	const roomy = makeRoom(remembered ?? (await beginning(source, options)), now, bounds);
	let { state } = roomy;
	const isListed = hasRoom(state, bounds);
	const listing = isListed ? await listed(source, state, bounds) : [];
	if (isListed) state = takeIn(state, listing, now, bounds);

	const looked = await lookAt(source, state, listing, options);
	const planned = plan(looked.state, looked.found, { wanted, now });
	const result = await emissionsOf(source, planned, options);
	const failure = result.failure ?? looked.failure;
	return {
		...result,
		givenUp: [...roomy.givenUp, ...planned.givenUp],
		...(failure === undefined ? {} : { failure }),
	};
}
