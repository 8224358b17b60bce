/** Days as ISO text (YYYY-MM-DD); no time zone takes part. */

const DAY = 86_400_000;

export function addDays(day: string, count: number): string {
	return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
	return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY);
}

export function isoDay(year: number, month: number, day: number): string {
	return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

export function lastDayOfMonth(year: number, month: number): string {
	return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

export interface DayParts {
	year: string;
	/** Two digits. */
	month: string;
	/** Two digits. */
	day: string;
}

export function dayParts(day: string): DayParts {
	return { year: day.slice(0, 4), month: day.slice(5, 7), day: day.slice(8, 10) };
}

export const englishMonths = [
	'January',
	'February',
	'March',
	'April',
	'May',
	'June',
	'July',
	'August',
	'September',
	'October',
	'November',
	'December',
] as const;

/** `January`; `length` 3 gives `Jan`. */
export function englishMonth(day: string, length?: number): string {
	const name = englishMonths[Number(day.slice(5, 7)) - 1] ?? '';
	return length === undefined ? name : name.slice(0, length);
}
