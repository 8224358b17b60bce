import type { DocumentRecord } from '../../shared/projects/records';
import type { OpenDocument, ProjectState } from './state';

/*
 * Which documents of a project are reported, from what is remembered and what was read. Pure: no
 * requests, no clock. Times are in milliseconds since 1970; lists are newest first.
 */

/** How much is remembered of a project. */
export interface Bounds {
	/** So many documents by their id, and all that arrived shortly before the newest one. */
	remembered: number;
	/** A document may show up behind newer ones, because its transaction was slower than theirs. */
	lateMs: number;
	/** So many documents that are known are read again, for the same reason. */
	readAgain: number;
	/** So many documents are under way; more wait in the project until there is room. */
	mostOpen: number;
}

export const BOUNDS: Bounds = {
	remembered: 1_000,
	lateMs: 10 * 60_000,
	readAgain: 200,
	mostOpen: 2_000,
};
/** With less room than this part, documents that wait in the project are not taken in yet. */
const ENOUGH_ROOM = 1 / 4;
/** An unfinished document makes room for others after a day, and is given up after a month. */
const MAKES_ROOM_AFTER_MS = 24 * 60 * 60_000;
const GIVEN_UP_AFTER_MS = 30 * MAKES_ROOM_AFTER_MS;
/** An unfinished document is looked at again after a tenth of its age, after an hour at most. */
const LONGEST_PAUSE_MS = 60 * 60_000;
/** Data that cannot be read is asked for after 1, 2, 4, … minutes; twelve times within about a day. */
const FIRST_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 6 * 60 * 60_000;
export const MOST_TRIES = 12;
/** So many of the newest documents that failed are watched for a later job that extracts them. */
const MOST_FAILED = 200;

/** What happened to a document. */
export type DocumentEvent = 'new' | 'extracted' | 'failed';

/** Which of it is wanted. */
export type Wanted = Readonly<Record<DocumentEvent, boolean>>;

export const NOTHING_SEEN: ProjectState = {
	known: [],
	complete: true,
	oldUpTo: null,
	open: [],
	failed: [],
	backlog: false,
};

function idsOf(documents: ReadonlyArray<{ id: string }>): string[] {
	return documents.map(({ id }) => id);
}

function timesOf(documents: ReadonlyArray<{ arrivedAt?: number }>): number[] {
	return documents.map(({ arrivedAt }) => arrivedAt).filter((time) => time !== undefined);
}

function opened(id: string, since: number, announced: boolean): OpenDocument {
	return { id, since, announced, waits: false, tries: 0, next: 0 };
}

function withFailed(state: ProjectState, ids: readonly string[]): ProjectState {
	return ids.length === 0
		? state
		: { ...state, failed: [...state.failed, ...ids].slice(-MOST_FAILED) };
}

function waitsForEnd(wanted: Wanted): boolean {
	return wanted.extracted || wanted.failed;
}

/** True once a listing goes back far enough for `begin`, where it is not whole. */
export function isEnoughToBegin(
	listing: readonly DocumentRecord[],
	{ remembered, lateMs }: Bounds = BOUNDS,
): boolean {
	if (listing.length < remembered) return false;
	const last = listing.at(-1)?.arrivedAt;
	return last === undefined || last < Math.max(...timesOf(listing)) - lateMs;
}

/**
 * The state from which only what comes from now on is reported. `listing` has the newest documents
 * of the project; `isWhole` says that it has all of them. With `from`, documents that arrived at
 * that time or later are still to be reported. Documents that are unfinished now finish from now on.
 */
export function begin(
	listing: readonly DocumentRecord[],
	options: { isWhole: boolean; wanted: Wanted; now: number; from?: number; bounds?: Bounds },
): ProjectState {
	const { isWhole, wanted, now, from, bounds = BOUNDS } = options;
	const old = listing.filter(({ arrivedAt }) => from === undefined || (arrivedAt ?? from) < from);
	const unfinished = waitsForEnd(wanted) ? old.filter(({ state }) => state === 'unfinished') : [];
	const open = unfinished.map(({ id }) => opened(id, now, true)).reverse();
	const ended = wanted.extracted ? old.filter(({ state }) => state === 'failed') : [];
	const failed = idsOf(ended.slice(0, MOST_FAILED)).reverse();
	const base = { open: open.slice(-bounds.mostOpen), failed, backlog: false };
	const remember = (documents: readonly DocumentRecord[]): ProjectState['known'] =>
		documents.map(({ id, arrivedAt }) => [id, arrivedAt ?? null]);
	if (isWhole) return { ...base, known: remember(old), complete: true, oldUpTo: null };
	if (from !== undefined) {
		return { ...base, known: remember(old), complete: false, oldUpTo: from - 1 };
	}
	const times = timesOf(listing);
	// What was not read is no newer than the last that was.
	const oldUpTo = times.length < listing.length ? null : (times.at(-1) ?? null);
	return { ...base, known: remember(old), complete: false, oldUpTo };
}

/**
 * True where the page that was read last may be followed by new documents: it has some itself, or
 * it is not far enough behind the newest one that is known.
 */
export function mayBeFollowed(
	state: ProjectState,
	listing: readonly DocumentRecord[],
	page: readonly DocumentRecord[],
	{ lateMs, readAgain }: Bounds = BOUNDS,
): boolean {
	const known = new Map(state.known);
	const { complete, oldUpTo } = state;
	const hasNew = page.some(({ id, arrivedAt }) => {
		if (known.has(id)) return false;
		return complete || oldUpTo === null || arrivedAt === undefined || arrivedAt > oldUpTo;
	});
	if (hasNew) return true;
	const last = page.at(-1)?.arrivedAt;
	if (last !== undefined && oldUpTo !== null && last < oldUpTo) return false;
	const again = listing.filter(({ id }) => known.has(id)).length;
	if (again < readAgain) return true;
	const newest = Math.max(...[...known.values()].filter((time) => time !== null));
	return last !== undefined && last >= newest - lateMs;
}

/**
 * The documents of the listing that were not seen before, newest first. New is what is not known
 * and stands before something that is known, or arrived after everything that was forgotten.
 */
export function newDocuments(
	state: ProjectState,
	listing: readonly DocumentRecord[],
): DocumentRecord[] {
	const known = new Set(state.known.map(([id]) => id));
	const { complete, oldUpTo } = state;
	const lastKnown = listing.findLastIndex(({ id }) => known.has(id));
	return listing.filter(({ id, arrivedAt }, position) => {
		if (known.has(id)) return false;
		if (complete || position < lastKnown) return true;
		if (arrivedAt === undefined || oldUpTo === null) return lastKnown === -1;
		return arrivedAt > oldUpTo;
	});
}

/** Gives up those that have waited longest where others wait for room. */
export function makeRoom(
	state: ProjectState,
	now: number,
	{ mostOpen }: Bounds = BOUNDS,
): { state: ProjectState; givenUp: string[] } {
	const missing = Math.ceil(mostOpen * ENOUGH_ROOM) - (mostOpen - state.open.length);
	if (!state.backlog || missing <= 0) return { state, givenUp: [] };
	const givenUp = state.open
		.filter(({ waits, since }) => waits && now - since > MAKES_ROOM_AFTER_MS)
		.slice(0, missing)
		.map(({ id }) => id);
	const gone = new Set(givenUp);
	return { state: { ...state, open: state.open.filter(({ id }) => !gone.has(id)) }, givenUp };
}

/** False while so much is under way that the project need not be listed. */
export function hasRoom({ backlog, open }: ProjectState, { mostOpen }: Bounds = BOUNDS): boolean {
	return !backlog || mostOpen - open.length >= mostOpen * ENOUGH_ROOM;
}

/** Forgets the oldest, never one of several that arrived at the same time. */
function forget(
	state: ProjectState,
	notTaken: readonly DocumentRecord[],
	{ remembered, lateMs }: Bounds,
): ProjectState {
	const { known } = state;
	const newest = known.reduce((latest, [, time]) => Math.max(latest, time ?? 0), 0);
	// Nothing that arrived with or after a document that still waits for room.
	const from = Math.min(...timesOf(notTaken), newest - lateMs);
	let end = remembered;
	while (end < known.length && known[end]?.[1] === known[end - 1]?.[1]) {
		if (known[end]?.[1] === null) break;
		end++;
	}
	const isKept = (time: number | null, position: number) =>
		position < end || (time !== null && time >= from);
	const forgotten = known.filter(([, time], position) => !isKept(time, position));
	if (forgotten.length === 0) return state;
	const times = forgotten.map(([, time]) => time).filter((time) => time !== null);
	const oldUpTo = times.reduce<number | null>(
		(latest, time) => Math.max(latest ?? time, time),
		state.oldUpTo,
	);
	const kept = known.filter(([, time], position) => isKept(time, position));
	return { ...state, known: kept, complete: false, oldUpTo };
}

/**
 * Takes the new documents of the listing in, oldest first, as many as there is room for; and those
 * that had failed and are extracted now.
 */
export function takeIn(
	state: ProjectState,
	listing: readonly DocumentRecord[],
	now: number,
	bounds: Bounds = BOUNDS,
): ProjectState {
	const fresh = newDocuments(state, listing);
	const room = Math.max(0, bounds.mostOpen - state.open.length);
	const taken = fresh.slice(Math.max(0, fresh.length - room));
	const notTaken = fresh.slice(0, fresh.length - taken.length);
	const isTaken = new Set(taken.map(({ id }) => id));
	const times = new Map(state.known);
	const listed = listing
		.filter(({ id }) => times.has(id) || isTaken.has(id))
		.map(({ id, arrivedAt }): ProjectState['known'][number] => [
			id,
			arrivedAt ?? times.get(id) ?? null,
		]);
	const isListed = new Set(listed.map(([id]) => id));
	const known = [...listed, ...state.known.filter(([id]) => !isListed.has(id))];
	const hadFailed = new Set(state.failed);
	const extracted = listing.filter(
		({ id, state: end }) => end === 'extracted' && hadFailed.has(id) && !isTaken.has(id),
	);
	const again = new Set(idsOf(extracted.slice(0, room - taken.length)));
	const open = [
		...state.open,
		...[...again].map((id) => opened(id, now, true)).reverse(),
		...taken.map(({ id }) => opened(id, now, false)).reverse(),
	];
	const failed = state.failed.filter((id) => !again.has(id));
	return forget({ ...state, known, open, failed, backlog: notTaken.length > 0 }, notTaken, bounds);
}

/**
 * Which open documents that are not in the listing are to be looked at, those whose turn to be
 * reported has come before those that are unfinished.
 */
export function toLookAt(
	state: ProjectState,
	listed: ReadonlySet<string>,
	options: { now: number; most: number },
): string[] {
	const { now, most } = options;
	const due = state.open.filter(({ id, next }) => !listed.has(id) && next <= now);
	const ready = due.filter(({ waits }) => !waits);
	const waiting = due.filter(({ waits }) => waits).sort((one, other) => one.next - other.next);
	// A part for those that wait, however many are ready.
	const first = ready.slice(0, Math.max(most - waiting.length, Math.ceil(most / 2)));
	return [...first, ...waiting].slice(0, most).map(({ id }) => id);
}

/** Something to report. */
export interface Report {
	event: DocumentEvent;
	document: DocumentRecord;
	/** How often its data could not be read. */
	tries: number;
}

/**
 * What is to be reported of the open documents, oldest first, and the state without those that
 * need no report. `found` has the records that were read; undefined for a document that was deleted.
 */
export function plan(
	state: ProjectState,
	found: ReadonlyMap<string, DocumentRecord | undefined>,
	options: { wanted: Wanted; now: number },
): { state: ProjectState; reports: Report[]; givenUp: string[] } {
	const { wanted, now } = options;
	const reports: Report[] = [];
	const givenUp: string[] = [];
	const failed: string[] = [];
	const open = state.open.flatMap((entry): OpenDocument[] => {
		if (!found.has(entry.id)) return [entry];
		const document = found.get(entry.id);
		if (document === undefined) return [];
		const { tries } = entry;
		const isNew = wanted.new && !entry.announced;
		if (isNew) reports.push({ event: 'new', document, tries: 0 });
		if (document.state === 'unfinished') {
			if (!waitsForEnd(wanted)) return isNew ? [entry] : [];
			const age = now - entry.since;
			if (age > GIVEN_UP_AFTER_MS && !isNew) {
				givenUp.push(entry.id);
				return [];
			}
			const next = now + Math.min(LONGEST_PAUSE_MS, Math.max(0, age / 10));
			return [{ ...entry, waits: true, next }];
		}
		if (!wanted[document.state]) {
			if (isNew) return [{ ...entry, waits: false }];
			if (wanted.extracted) failed.push(entry.id);
			return [];
		}
		if (tries === 0 || entry.next <= now) reports.push({ event: document.state, document, tries });
		return [{ ...entry, waits: false, next: tries === 0 ? 0 : entry.next }];
	});
	return { state: withFailed({ ...state, open }, failed), reports, givenUp };
}

/** The state after a report has gone out. */
export function afterReport(state: ProjectState, report: Report, wanted: Wanted): ProjectState {
	const { event, document } = report;
	const isDone =
		event !== 'new' ||
		!(document.state === 'unfinished' ? waitsForEnd(wanted) : wanted[document.state]);
	const open = state.open.flatMap((entry) => {
		if (entry.id !== document.id) return [entry];
		return isDone ? [] : [{ ...entry, announced: true }];
	});
	const mayYetBeExtracted = isDone && document.state === 'failed' && wanted.extracted;
	return withFailed({ ...state, open }, mayYetBeExtracted ? [document.id] : []);
}

/** The state after the data of a document could not be read: later again. */
export function afterFailure(state: ProjectState, report: Report, now: number): ProjectState {
	return {
		...state,
		open: state.open.map((entry) => {
			if (entry.id !== report.document.id) return entry;
			const pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** entry.tries);
			return { ...entry, tries: entry.tries + 1, next: now + pause };
		}),
	};
}

/** The state after a document could not be looked at: later again. */
export function afterFailedLook(state: ProjectState, id: string, now: number): ProjectState {
	return {
		...state,
		open: state.open.map((entry) => {
			if (entry.id !== id) return entry;
			const pause = Math.max(FIRST_RETRY_MS, (now - entry.since) / 10);
			return { ...entry, next: now + Math.min(LONGEST_PAUSE_MS, pause) };
		}),
	};
}

/** The state without a document that is not there any more. */
export function without(state: ProjectState, id: string): ProjectState {
	return { ...state, open: state.open.filter((entry) => entry.id !== id) };
}
