import { dayNumber, isPossibleDay } from './calendarDate.ts';
import type { CalendarDate } from './calendarDate.ts';

export interface YearClues {
	start: CalendarDate | null;
	end: CalendarDate | null;
	/** A year printed anywhere, where there is no period. */
	anyYear: number | null;
}

/** Days after the end of the period in which a row may still be dated (later booking). */
const GRACE_DAYS = 45;

/**
 * Gives a date without year its year: the one that puts it into the period, or else nearest to it.
 * Where only the end is known, the latest year that does not pass it by more than a few weeks.
 */
export function withYear(month: number, day: number, clues: YearClues): CalendarDate | null {
	const reference = clues.end ?? clues.start;
	if (!reference) {
		const year = clues.anyYear;
		return year !== null && isPossibleDay(month, day, year) ? { year, month, day } : null;
	}
	const candidates = [reference.year - 1, reference.year, reference.year + 1];
	if (clues.start) candidates.push(clues.start.year);
	let best: CalendarDate | null = null;
	let bestDistance = Infinity;
	for (const year of candidates) {
		if (!isPossibleDay(month, day, year)) continue;
		const date = { year, month, day };
		const distance = outside(dayNumber(date), clues);
		if (distance < bestDistance) [best, bestDistance] = [date, distance];
	}
	return best;
}

function outside(number: number, { start, end }: YearClues): number {
	const from = start ? dayNumber(start) : null;
	const to = end ? dayNumber(end) : null;
	if (from !== null && number < from) return from - number;
	if (to !== null && number > to)
		return from === null && number > to + GRACE_DAYS ? 1e6 + number - to : number - to;
	if (from === null && to !== null) return (to - number) / 1e3;
	if (to === null && from !== null) return (number - from) / 1e3;
	return 0;
}
