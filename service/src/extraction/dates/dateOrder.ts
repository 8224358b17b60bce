import { dayNumber, isPossibleDay } from './calendarDate.ts';
import type { CalendarDate } from './calendarDate.ts';
import type { PrintedDate } from './printedDate.ts';

/** Whether the day or the month is printed first. */
export type DateOrder = 'day-first' | 'month-first';

export interface DateOrderEvidence {
	/** Dates of rows and of the statement, in the order in which they are printed. */
	dates: readonly PrintedDate[];
	/** The statement's period where it is known without doubt. */
	period: { start: CalendarDate; end: CalendarDate } | null;
	/** What the language and the currency of the document suggest. */
	usual: DateOrder;
}

/**
 * Decides for the whole document: first by numbers above 12, then by the period, then by which
 * order makes the dates run evenly, then by what is usual.
 */
export function decideDateOrder({ dates, period, usual }: DateOrderEvidence): DateOrder {
	const pairs = dates.flatMap((date) =>
		date.numbers ? [{ numbers: date.numbers, year: date.year }] : [],
	);
	let dayFirst = 0;
	let monthFirst = 0;
	for (const { numbers } of pairs) {
		if (numbers[0] > 12 && numbers[1] <= 12) dayFirst++;
		if (numbers[1] > 12 && numbers[0] <= 12) monthFirst++;
	}
	if (dayFirst !== monthFirst) return dayFirst > monthFirst ? 'day-first' : 'month-first';
	const years = pairs.map(({ year }) => year).filter((year) => year !== null);
	const fallbackYear = years[0] ?? period?.end.year ?? 2001;
	const numbersUnder = (order: DateOrder) =>
		pairs.flatMap(({ numbers, year }) => {
			const [month, day] = order === 'day-first' ? [numbers[1], numbers[0]] : numbers;
			if (!isPossibleDay(month, day)) return [];
			return [dayNumber({ year: year ?? fallbackYear, month, day })];
		});
	if (period) {
		const from = dayNumber(period.start) - 7;
		const to = dayNumber(period.end) + 7;
		const inside = (order: DateOrder) =>
			pairs.filter(({ numbers, year }) => {
				const [month, day] = order === 'day-first' ? [numbers[1], numbers[0]] : numbers;
				if (!isPossibleDay(month, day)) return false;
				return [year, period.start.year, period.end.year].some((candidate) => {
					if (candidate === null || (year !== null && candidate !== year)) return false;
					const number = dayNumber({ year: candidate, month, day });
					return number >= from && number <= to;
				});
			}).length;
		const difference = inside('day-first') - inside('month-first');
		if (difference !== 0) return difference > 0 ? 'day-first' : 'month-first';
	}
	const unevenness = (numbers: number[]) => {
		let sum = 0;
		for (let index = 1; index < numbers.length; index++) {
			sum += Math.abs((numbers[index] ?? 0) - (numbers[index - 1] ?? 0));
		}
		return sum;
	};
	if (pairs.length >= 3) {
		const day = unevenness(numbersUnder('day-first'));
		const month = unevenness(numbersUnder('month-first'));
		if (day * 1.5 < month) return 'day-first';
		if (month * 1.5 < day) return 'month-first';
	}
	return usual;
}

/** Day and month of a printed date under the decided order, or null where that is impossible. */
export function dayAndMonth(
	date: PrintedDate,
	order: DateOrder,
): { month: number; day: number } | null {
	if (date.certain) return date.certain;
	if (!date.numbers) return null;
	const [first, second] = date.numbers;
	const preferred =
		order === 'day-first' ? { day: first, month: second } : { day: second, month: first };
	if (isPossibleDay(preferred.month, preferred.day, date.year)) return preferred;
	const other = { day: preferred.month, month: preferred.day };
	return isPossibleDay(other.month, other.day, date.year) ? other : null;
}
