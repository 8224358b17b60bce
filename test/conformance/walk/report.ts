import type { Outcome } from './outcome.ts';
import type { RowResult, WalkResult } from './walk.ts';

const NAME_WIDTH = 52;
const OUTCOMES: readonly Outcome[] = ['pass', 'fail', 'not tried', 'not served yet', 'no claim'];
const OUTCOME_WIDTH = Math.max(...OUTCOMES.map(({ length }) => length));

/** One row: its id, what became of it, what was seen. */
export function line({ row, outcome, seen }: RowResult): string {
	return `${row.id.padEnd(NAME_WIDTH)}  ${outcome.padEnd(OUTCOME_WIDTH)}  ${oneLine(seen)}`;
}

/** How many rows ended how, and the failed ones once more. */
export function summary({ results, requests, passed }: WalkResult, seconds: number): string {
	const counts = OUTCOMES.map((outcome) => ({
		outcome,
		count: results.filter((result) => result.outcome === outcome).length,
	})).filter(({ count, outcome }) => count > 0 || outcome === 'fail');
	const failed = results.filter(({ outcome }) => outcome === 'fail');
	const untried = results.filter(({ outcome }) => outcome === 'not tried');
	return [
		`${results.length} rows: ${counts.map(({ outcome, count }) => `${count} ${outcome}`).join(', ')}`,
		`${requests} requests in ${seconds.toFixed(1)} s`,
		...failed.map(({ row, seen }) => `FAILED     ${row.id} (${row.text}): ${oneLine(seen)}`),
		...untried.map(({ row, seen }) => `NOT TRIED  ${row.id}: ${oneLine(seen)}`),
		passed ? 'The interface is kept.' : 'The interface is not kept.',
	].join('\n');
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
