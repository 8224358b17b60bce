import type { CompleteRow } from './descriptionLines.ts';
import { plainText } from './vocabulary/plainText.ts';

/**
 * Leaves out lists of checks whose every row repeats one of another table (the same number, day and
 * amount): some statements print the checks once more below the history. A list that holds a single
 * row of its own stays whole.
 */
export function withoutRepeatedChecks(rows: readonly CompleteRow[]): CompleteRow[] {
	const lists = new Map<number, CompleteRow[]>();
	const others = new Map<string, CompleteRow[]>();
	for (const row of rows) {
		if (row.columns.isCheckList) {
			const own = lists.get(row.table);
			if (own) own.push(row);
			else lists.set(row.table, [row]);
		} else {
			const key = keyOf(row);
			const same = others.get(key);
			if (same) same.push(row);
			else others.set(key, [row]);
		}
	}
	const repeated = new Set<CompleteRow>();
	for (const list of lists.values()) {
		const all = list.every((row) => {
			const words = new Set(row.read.line.words.map(({ text }) => plainText(text)));
			return (others.get(keyOf(row)) ?? []).some((other) =>
				other.read.line.words.some(({ text }) => /^\d{2,}$/.test(text) && words.has(text)),
			);
		});
		if (all) for (const row of list) repeated.add(row);
	}
	return repeated.size === 0 ? [...rows] : rows.filter((row) => !repeated.has(row));
}

function keyOf({ day, movements }: CompleteRow): string {
	const parts = day?.certain ? [day.certain.month, day.certain.day] : (day?.numbers ?? []);
	return `${parts.join('.')} ${movements.at(-1)?.token.value ?? ''}`;
}
