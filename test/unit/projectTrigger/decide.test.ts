import {
	begin,
	BOUNDS,
	hasRoom,
	makeRoom,
	mayBeFollowed,
	newDocuments,
	NOTHING_SEEN,
	plan,
	takeIn,
	toLookAt,
} from '../../../nodes/DocumentExtractionProjectTrigger/documents/decide';
import {
	readState,
	writeState,
	type ProjectState,
} from '../../../nodes/DocumentExtractionProjectTrigger/documents/state';
import type { DocumentRecord, DocumentState } from '../../../nodes/shared/projects/records';

const DAY = 24 * 60 * 60_000;
const NOW = Date.UTC(2026, 2, 1);
const wanted = { new: false, extracted: true, failed: true };

function document(
	id: number | string,
	arrivedAt?: number,
	state: DocumentState = 'extracted',
): DocumentRecord {
	return { id: String(id), state, ...(arrivedAt === undefined ? {} : { arrivedAt }), record: {} };
}

/** Newest first, a minute apart. */
const listing = (count: number, state?: DocumentState) =>
	Array.from({ length: count }, (_one, at) => document(count - at, NOW - at * 60_000, state));

const idsOf = (documents: ReadonlyArray<{ id: string }>) => documents.map(({ id }) => id);

describe('what is remembered', () => {
	it('is bounded, whatever comes', () => {
		let state = begin([], { isWhole: true, wanted, now: NOW });
		for (let day = 0; day < 20; day++) {
			const page = Array.from({ length: 400 }, (_one, at) =>
				document(`${day}-${400 - at}`, NOW + day * DAY - at * 60_000),
			);
			state = takeIn(state, page, NOW + day * DAY);
			state = { ...state, open: [] };
		}
		expect(state.known.length).toBe(BOUNDS.remembered);
		expect(state.complete).toBe(false);
		expect(writeState({ service: 's', projects: { p: state } }).length).toBeLessThan(60_000);
	});

	it('has all of several that arrived at the same time, or none', () => {
		const together = Array.from({ length: 1500 }, (_one, at) => document(at, NOW));
		const taken = takeIn(NOTHING_SEEN, together, NOW);
		expect(taken.known).toHaveLength(1500);
		const later = [document('later', NOW + DAY), ...together];
		const state = takeIn({ ...taken, open: [] }, later, NOW + DAY);
		expect(newDocuments(state, later)).toEqual([]);
		// In another order, as some databases give them.
		expect(newDocuments(state, [later[0]!, ...[...together].reverse()])).toEqual([]);
	});

	it('survives being written and read, and nothing else does', () => {
		const state = begin(listing(5, 'unfinished'), { isWhole: true, wanted, now: NOW });
		const text = writeState({ service: 'http://s', projects: { p: state } });
		expect(readState(text)).toEqual({ service: 'http://s', projects: { p: state } });
		for (const damaged of [undefined, 7, '', '{}', text.slice(0, -2), text.replace('1', '9')]) {
			expect(readState(damaged)).toBeUndefined();
		}
		const broken = JSON.stringify({
			version: 1,
			service: 's',
			projects: { p: { ...state, known: [[1, 2]] }, q: state },
		});
		expect(Object.keys(readState(broken)!.projects)).toEqual(['q']);
	});
});

describe('what is new', () => {
	const known: ProjectState = begin(listing(1000), { isWhole: false, wanted, now: NOW });

	it('what was never read is old', () => {
		const older = [document('old', NOW - 1000 * 60_000), document('older', NOW - DAY)];
		expect(newDocuments(known, [...listing(1000), ...older])).toEqual([]);
	});

	it('what stands before something known is new, with or without a time', () => {
		const page = [document('a', NOW + 1), document('b'), ...listing(3)];
		expect(idsOf(newDocuments(known, page))).toEqual(['a', 'b']);
	});

	it('what arrived later is new, although everything known was deleted', () => {
		const page = [document('a', NOW + 1), document('old', NOW - 2000 * 60_000)];
		expect(idsOf(newDocuments(known, page))).toEqual(['a']);
	});

	it('a quiet project costs one page', () => {
		expect(mayBeFollowed(known, listing(200), listing(200))).toBe(false);
		const page = [document('a', NOW + 1), ...listing(199)];
		expect(mayBeFollowed(known, page, page)).toBe(true);
	});
});

describe('more than there is room for', () => {
	const many = listing(5000, 'unfinished');
	const full = takeIn(NOTHING_SEEN, many, NOW);

	it('the oldest are taken in, and the others wait in the project', () => {
		expect(full.open).toHaveLength(BOUNDS.mostOpen);
		expect(full.open[0]?.id).toBe('1');
		expect(full.backlog).toBe(true);
		expect(hasRoom(full)).toBe(false);
		expect(newDocuments(full, many)).toHaveLength(3000);
	});

	const waiting = plan(full, new Map(many.map((one) => [one.id, one])), { wanted, now: NOW }).state;

	it('those that wait make room after a day, no more than is needed', () => {
		expect(makeRoom(waiting, NOW + DAY / 2).givenUp).toEqual([]);
		const roomy = makeRoom(waiting, NOW + 2 * DAY);
		expect(roomy.givenUp).toHaveLength(BOUNDS.mostOpen / 4);
		expect(roomy.givenUp[0]).toBe('1');
		expect(hasRoom(roomy.state)).toBe(true);
	});

	it('those whose turn has not come are never given up for it', () => {
		expect(makeRoom(full, NOW + 2 * DAY).givenUp).toEqual([]);
	});

	it('some of both are looked at', () => {
		const half = {
			...waiting,
			open: waiting.open.map((one, at) => ({ ...one, waits: at % 2 === 0 })),
		};
		const looks = toLookAt(half, new Set(), { now: NOW + DAY, most: 100 });
		expect(looks).toHaveLength(100);
		const waits = new Set(half.open.filter((one) => one.waits).map(({ id }) => id));
		expect(looks.filter((id) => waits.has(id))).toHaveLength(50);
	});
});
