import fc from 'fast-check';

import type { Bounds } from '../../../nodes/DocumentExtractionProjectTrigger/documents/decide';
import {
	readProject,
	type ReadOptions,
} from '../../../nodes/DocumentExtractionProjectTrigger/documents/readProject';
import {
	readState,
	writeState,
	type ProjectState,
} from '../../../nodes/DocumentExtractionProjectTrigger/documents/state';
import { SimulatedProject, Unreachable } from './simulatedProject';

jest.setTimeout(120_000);

const MINUTE = 60_000;

type Change =
	/** `late`: arrived so long before the newest one, and shows up only now. */
	| { kind: 'arrive'; count: number; apart: number; late: number; finished: boolean }
	| { kind: 'finish'; which: number; status: 'extracted' | 'failed' }
	| { kind: 'delete'; which: number };

type Step =
	| { kind: 'change'; change: Change }
	| {
			kind: 'poll';
			/** What happens before the first, second, … answer. */
			meanwhile: Change[];
			/** The answer with this number does not come. */
			failsAt: number;
			/** n8n is killed before it has kept anything. */
			killed: boolean;
	  }
	| { kind: 'restart' }
	| { kind: 'time'; minutes: number };

const change = (deletes: boolean, lateMs: number): fc.Arbitrary<Change> =>
	fc.oneof(
		fc.record({
			kind: fc.constant('arrive' as const),
			count: fc.integer({ min: 1, max: 9 }),
			apart: fc.integer({ min: 0, max: 2 }),
			late: fc.integer({ min: 0, max: lateMs }),
			finished: fc.boolean(),
		}),
		fc.record({
			kind: fc.constant('finish' as const),
			which: fc.nat(1000),
			status: fc.constantFrom('extracted' as const, 'failed' as const),
		}),
		...(deletes ? [fc.record({ kind: fc.constant('delete' as const), which: fc.nat(1000) })] : []),
	);

const steps = (deletes: boolean, lateMs: number): fc.Arbitrary<Step[]> =>
	fc.array(
		fc.oneof(
			fc.record({ kind: fc.constant('change' as const), change: change(deletes, lateMs) }),
			fc.record({
				kind: fc.constant('poll' as const),
				meanwhile: fc.array(change(deletes, lateMs), { maxLength: 6 }),
				failsAt: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 12 })),
				killed: fc.boolean(),
			}),
			fc.constant({ kind: 'restart' as const }),
			fc.record({ kind: fc.constant('time' as const), minutes: fc.integer({ min: 0, max: 90 }) }),
		),
		{ maxLength: 40 },
	);

interface World {
	pageSize: number;
	tellsTimes: boolean;
	tellsTotal: boolean;
	numbers: boolean;
	start: 'now' | 'everything';
	limit: number;
	/** Documents that are new are put out too. */
	withNew: boolean;
	/** Documents before the first poll. */
	before: Change[];
	/** Every so manieth document cannot be read. 0: none. */
	broken: number;
}

const world = (tellsTimes: boolean): fc.Arbitrary<World> =>
	fc.record({
		pageSize: fc.integer({ min: 2, max: 7 }),
		tellsTimes: fc.constant(tellsTimes),
		tellsTotal: fc.boolean(),
		numbers: fc.boolean(),
		start: fc.constantFrom('now' as const, 'everything' as const),
		limit: fc.integer({ min: 1, max: 8 }),
		withNew: fc.boolean(),
		before: fc.array(change(false, 0), { maxLength: 6 }),
		broken: fc.constantFrom(0, 0, 3),
	});

/** Runs the schedule, then lets everything end, and counts what was put out. */
async function course(setting: World, schedule: Step[], bounds: Bounds) {
	const project = new SimulatedProject(setting);
	let now = Date.UTC(2026, 0, 1);
	let newest = now;
	let created = 0;
	const due = new Set<string>();
	const deleted = new Set<string>();
	const fromBefore = new Set<string>();
	let begun = false;

	const apply = (one: Change) => {
		if (one.kind === 'arrive') {
			const base = Math.max(newest - one.late, Date.UTC(2026, 0, 1));
			for (let number = 0; number < one.count; number++) {
				created++;
				const arrivedAt = base + number * one.apart;
				newest = Math.max(newest, arrivedAt);
				const id = setting.numbers ? created : `d${created}`;
				project.add({ id, status: one.finished ? 'extracted' : 'processing', arrivedAt });
				if (setting.broken > 0 && created % setting.broken === 0) project.broken.add(String(id));
				if (begun || setting.start === 'everything') due.add(String(id));
			}
			return;
		}
		const document = project.documents[one.which % Math.max(1, project.documents.length)];
		if (document === undefined) return;
		if (one.kind === 'delete') {
			project.documents = project.documents.filter((other) => other !== document);
			deleted.add(String(document.id));
		} else if (document.status === 'processing') {
			document.status = one.status;
		}
	};

	const emitted = new Map<string, number>();
	const announced = new Map<string, number>();
	const wanted = { new: setting.withNew, extracted: true, failed: true };
	let inMemory: ProjectState | undefined;
	let kept: string | undefined;
	const restored = () => readState(kept)?.projects.p;

	const poll = async (meanwhile: Change[], failsAt: number, killed: boolean) => {
		let answers = 0;
		const changes = [...meanwhile];
		project.beforeAnswer = () => {
			answers++;
			if (answers === failsAt) throw new Unreachable();
			const next = changes.shift();
			// The first poll decides what was there before; what arrives during it may be either.
			if (next !== undefined && inMemory !== undefined) apply(next);
		};
		const options: ReadOptions = {
			wanted,
			start: { kind: setting.start },
			limit: setting.limit,
			now,
			isOver: () => false,
			bounds,
		};
		try {
			const result = await readProject(inMemory, project.source(), options);
			if (killed) {
				inMemory = restored();
				return 0;
			}
			expect(result.givenUp).toEqual([]);
			if (!begun && setting.start === 'now') {
				// What is unfinished at the beginning finishes from now on.
				const newest = project.documents.slice(0, bounds.remembered);
				const unfinished = newest.filter(({ status }) => status === 'processing');
				const open = result.state.open.map(({ id }) => id);
				expect(open).toEqual(expect.arrayContaining(unfinished.map(({ id }) => String(id))));
				for (const id of open) {
					due.add(id);
					fromBefore.add(id);
				}
			}
			begun = true;
			inMemory = result.state;
			// n8n saves the state together with the items, and may lose it where there are none.
			if (result.emissions.length > 0 || kept === undefined) {
				kept = writeState({ service: 's', projects: { p: result.state } });
			}
			for (const { event, document } of result.emissions) {
				const counts = event === 'new' ? announced : emitted;
				// What is new comes before its end.
				if (event === 'new') expect(emitted.has(document.id)).toBe(false);
				counts.set(document.id, (counts.get(document.id) ?? 0) + 1);
			}
			return result.emissions.length;
		} catch (error) {
			const names = [error, (error as { cause?: unknown }).cause].map(String).join();
			expect(`${names} ${(error as Error).message}`).toMatch(/Unreachable|could not be reached/);
			return 0;
		} finally {
			project.beforeAnswer = () => {};
		}
	};

	for (const one of setting.before) apply(one);
	for (const step of schedule) {
		now += MINUTE;
		if (step.kind === 'change') apply(step.change);
		else if (step.kind === 'time') now += step.minutes * MINUTE;
		else if (step.kind === 'restart') inMemory = restored();
		else await poll(step.meanwhile, step.failsAt, step.killed);
		expect([...emitted.values(), ...announced.values()].every((count) => count === 1)).toBe(true);
	}
	if (!begun) await poll([], 0, false);
	for (const document of project.documents) {
		if (document.status === 'processing') document.status = 'extracted';
	}
	project.broken.clear();
	for (let quiet = 0; quiet < 4;) {
		now += 8 * 60 * MINUTE;
		quiet = (await poll([], 0, false)) === 0 ? quiet + 1 : 0;
	}
	const left = project.documents.map(({ id }) => String(id)).filter((id) => due.has(id));
	expect([...announced.values()].every((count) => count === 1)).toBe(true);
	const unannounced = left.filter((id) => !announced.has(id) && !fromBefore.has(id));
	expect(setting.withNew ? unannounced : [...announced.keys()]).toEqual([]);
	return { emitted, left, due, deleted, state: inMemory!, created };
}

const RUNS = 200;
/** So small that a schedule goes beyond them. */
const SMALL: Bounds = { remembered: 6, lateMs: 3, readAgain: 2, mostOpen: 9 };

describe('every finished document is put out exactly once', () => {
	it.each([
		['by a service that tells times', true],
		['by a service that tells none, which never deletes', false],
	])('%s', async (_name, tellsTimes) => {
		const lateMs = tellsTimes ? SMALL.lateMs : 0;
		await fc.assert(
			fc.asyncProperty(world(tellsTimes), steps(tellsTimes, lateMs), async (setting, schedule) => {
				const { emitted, left, due, state, created } = await course(setting, schedule, SMALL);
				expect([...emitted.values()].filter((count) => count !== 1)).toEqual([]);
				expect(left.filter((id) => !emitted.has(id))).toEqual([]);
				expect([...emitted.keys()].filter((id) => !due.has(id))).toEqual([]);
				expect(state.open).toEqual([]);
				expect(state.known.length).toBeLessThanOrEqual(created);
			}),
			{ numRuns: RUNS },
		);
	});

	it('in a project of usual size, whatever is deleted and in whatever order it is listed', async () => {
		const large: Bounds = { remembered: 1_000, lateMs: 0, readAgain: 1_000, mostOpen: 2_000 };
		await fc.assert(
			fc.asyncProperty(world(false), steps(true, 1_000), async (setting, schedule) => {
				const { emitted, left, due } = await course(setting, schedule, large);
				expect([...emitted.values()].filter((count) => count !== 1)).toEqual([]);
				expect(left.filter((id) => !emitted.has(id))).toEqual([]);
				expect([...emitted.keys()].filter((id) => !due.has(id))).toEqual([]);
			}),
			{ numRuns: RUNS },
		);
	});
});
