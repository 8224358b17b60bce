/** A day of the calendar. Months count from 1. */
export interface CalendarDate {
	year: number;
	month: number;
	day: number;
}

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function isLeapYear(year: number): boolean {
	return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/** With no year, 29 February counts as possible. */
export function isPossibleDay(month: number, day: number, year: number | null = null): boolean {
	const length = LENGTHS[month - 1];
	if (length === undefined || day < 1) return false;
	const leap = month === 2 && (year === null || isLeapYear(year));
	return day <= (leap ? 29 : length);
}

/** Days since 1 March 0000, so that dates can be compared and subtracted. */
export function dayNumber({ year, month, day }: CalendarDate): number {
	const y = month <= 2 ? year - 1 : year;
	const m = (month + 9) % 12;
	const era = Math.floor(y / 400);
	const ofEra = y - era * 400;
	const ofYear = Math.floor((153 * m + 2) / 5) + day - 1;
	return era * 146097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear;
}

/** `YYYY-MM-DD`. */
export function isoDate({ year, month, day }: CalendarDate): string {
	const two = (value: number) => String(value).padStart(2, '0');
	return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}
