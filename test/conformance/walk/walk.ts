import { checks } from './checks/index.ts';
import { NO_CLAIM } from './checks/check.ts';
import type { Check } from './checks/check.ts';
import { collecting, Http } from './http.ts';
import type { Validate } from './http.ts';
import { notServedYet } from './notServedYet.ts';
import { NotTried, Unmet } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { Receiver } from './receiver.ts';
import { rows } from './rows.ts';
import type { Row, RowId } from './rows.ts';
import { Scene } from './scene.ts';
import type { Stage } from './stage.ts';

/** Rows are mostly waited for: for jobs, for deliveries, for the end of a limit. */
const ROWS_AT_ONCE = 12;

export interface RowResult {
	row: Row;
	outcome: Outcome;
	/** What was seen, or what was missing. */
	seen: string;
}

export interface WalkOptions {
	/** Beginnings of row ids, such as `4.1` or `2.8 transaction`; none for all rows. */
	only?: readonly string[];
	/** These rows alone. */
	rows?: readonly RowId[];
	/** Objections to an answer fail the row that asked for it. */
	validate?: Validate;
	/** Called for every row in the order of the interface, as soon as all before it are done. */
	report?: (result: RowResult) => void;
}

export interface WalkResult {
	results: RowResult[];
	/** Requests that were sent to the service. */
	requests: number;
	/** No row failed; for the local service also none was left untried. */
	passed: boolean;
}

/** Whether a row belongs to a selection: `4.1` takes all of section 4.1, and not 4.10. */
export function isSelected(row: Row, only: readonly string[]): boolean {
	return only.length === 0 || only.some((part) => row.section === part || row.id.startsWith(part));
}

/** Walks the rows of the interface against a running service. */
export async function walk(stage: Stage, options: WalkOptions = {}): Promise<WalkResult> {
	const receiver = await Receiver.start({ ...stage.receiver, isLocal: stage.isLocal });
	const http = new Http(options.validate);
	const scene = new Scene(stage, http, receiver);
	const selected = rows.filter(
		(row) => isSelected(row, options.only ?? []) && (options.rows?.includes(row.id) ?? true),
	);
	const results = new Array<RowResult>(selected.length);
	let reported = 0;
	const report = (): void => {
		for (;;) {
			const next = results[reported];
			if (next === undefined) return;
			options.report?.(next);
			reported++;
		}
	};
	// What takes longest begins first; the order of the report is that of the interface.
	const order = selected.map((row, index) => ({ row, index })).toSorted(slowFirst);
	const walker = async (): Promise<void> => {
		for (let next = order.shift(); next !== undefined; next = order.shift()) {
			const result = await tryRow(next.row, scene, stage);
			results[next.index] = { ...result, seen: withoutCredentials(result.seen, stage) };
			report();
		}
	};
	try {
		await Promise.all(Array.from({ length: ROWS_AT_ONCE }, walker));
		await scene.end();
	} finally {
		await receiver.stop();
	}
	const bad: Outcome[] = stage.isLocal ? ['fail', 'not tried'] : ['fail'];
	return {
		results,
		requests: http.count,
		passed: results.every(({ outcome }) => !bad.includes(outcome)),
	};
}

/** Thirty seconds of silence, three attempts, another service, ten thousand rows. */
const SLOW = [
	'3 attempt silent',
	'3 OutOfCredits',
	'8 download_transactions rows',
	'4.3 GET /agent/projects',
	'3 dead-letter',
	'2.9 id',
];

function slowFirst(one: { row: Row }, other: { row: Row }): number {
	const place = ({ row }: { row: Row }): number => {
		const found = SLOW.indexOf(row.id);
		return found === -1 ? SLOW.length : found;
	};
	return place(one) - place(other);
}

async function tryRow(row: Row, scene: Scene, stage: Stage): Promise<RowResult> {
	const check = checks.get(row.id);
	if (check === undefined) return { row, outcome: 'fail', seen: 'the walk has no check for it' };
	if (check === NO_CLAIM) return { row, outcome: 'no claim', seen: await check(scene) };
	const result = await run(row, check, scene);
	const reason = stage.isLocal ? notServedYet[row.id] : undefined;
	if (reason === undefined) return result;
	if (result.outcome === 'fail') return { row, outcome: 'not served yet', seen: reason };
	const seen = `it is in the list of what is not served yet, but: ${result.seen}`;
	return { row, outcome: 'fail', seen };
}

async function run(row: Row, check: Check, scene: Scene): Promise<RowResult> {
	const objections: string[] = [];
	try {
		const seen = await collecting(objections, async () => check(scene));
		if (objections.length === 0) return { row, outcome: 'pass', seen };
		return { row, outcome: 'fail', seen: described(objections) };
	} catch (error) {
		if (error instanceof NotTried) return { row, outcome: 'not tried', seen: error.message };
		if (error instanceof Unmet) return { row, outcome: 'fail', seen: error.message };
		return { row, outcome: 'fail', seen: noAnswer(error) };
	}
}

/** Whatever a service answers, the report does not repeat what lets into it. */
function withoutCredentials(text: string, { access }: Stage): string {
	return text.replaceAll(access.token, '<token>').replaceAll(access.jwt, '<jwt>');
}

function described(objections: string[]): string {
	const [first = ''] = objections;
	const more = objections.length > 1 ? ` (and ${objections.length - 1} more)` : '';
	return `against the OpenAPI document: ${first}${more}`;
}

/** A connection that failed says why in its cause. */
function noAnswer(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
	return `${error.name}: ${error.message}${cause}`;
}
