import type { DateToken } from '../dates/dateTokens.ts';
import { dayNumber, isPossibleDay } from '../dates/calendarDate.ts';
import type { CalendarDate } from '../dates/calendarDate.ts';
import { dayAndMonth } from '../dates/dateOrder.ts';
import type { DateOrder } from '../dates/dateOrder.ts';
import { monthOfName } from '../dates/monthNames.ts';
import type { Word } from '../page.ts';
import type { ReadLine } from './readLine.ts';
import { plainText } from './vocabulary/plainText.ts';

export interface PrintedPeriod {
	start: CalendarDate;
	end: CalendarDate;
	/** True where the line says that it is the period of the statement. */
	named: boolean;
}

const LINK =
	/^(?:to|through|thru|until|till|and|-|–|—|−|t\/m|tot|tm|tot en met|bis|bis zum|zum|au|jusqu'au|al|a|hasta|hasta el|ate|a \d+|till|e|und|en|et|y|do|\/)$/;
const NAMED =
	/\b(?:period|statement|billing|cycle|from|zeitraum|auszug|kontoauszug|abrechnung|vom|von|periode|afschrift|van|periodo|releve|du|desde|del|dal|extracto|estratto|ab|between|transactions)\b/;

/** The period that a line prints: two dates with a word such as "to" between them. */
export function periodOnLine(read: ReadLine, order: DateOrder): PrintedPeriod | null {
	return betweenDates(read, order) ?? daysOfOneMonth(read);
}

/** A period printed on lines of their own: a date, a word such as "through", another date. */
export function periodOverLines(
	lines: readonly ReadLine[],
	at: number,
	order: DateOrder,
): PrintedPeriod | null {
	const [first, link, last] = [lines[at], lines[at + 1], lines[at + 2]];
	if (!first || !link || !last || first.line.pageNumber !== last.line.pageNumber) return null;
	if (first.dates.length !== 1 || last.dates.length !== 1 || !LINK.test(link.plain)) return null;
	const [left, right] = [first.dates[0], last.dates[0]];
	if (!left || !right || left.to !== first.line.words.length || right.from !== 0) return null;
	const period = periodOf(left, right, order);
	return period && { ...period, named: true };
}

/** True for the words between the two dates of a period. */
export function linksDates(words: readonly Word[]): boolean {
	const plain = plainText(words.map((word) => word.text).join(' '));
	return LINK.test(plain.replace(/^(?:gmt|utc|cet|cest|bst) /, ''));
}

function betweenDates(read: ReadLine, order: DateOrder): PrintedPeriod | null {
	const { dates, line } = read;
	for (let index = 1; index < dates.length; index++) {
		const left = dates[index - 1] as DateToken;
		const right = dates[index] as DateToken;
		const linked = linksDates(line.words.slice(left.to, right.from));
		// The word between them may have been taken for a weekday: `do` is one in Dutch.
		const own = left.to === right.from && LINK.test(plainText(line.words[right.from]?.text ?? ''));
		if (!linked && !own) continue;
		const period = periodOf(left, right, order);
		if (period) return { ...period, named: NAMED.test(read.plain) };
	}
	return null;
}

function periodOf(
	left: DateToken,
	right: DateToken,
	order: DateOrder,
): { start: CalendarDate; end: CalendarDate } | null {
	const from = dayAndMonth(left, order);
	const to = dayAndMonth(right, order);
	const year = right.year ?? left.year;
	if (!from || !to || year === null) return null;
	const end = { year, ...to };
	// A start without year lies in the year before where it would else come after the end.
	let start = { year: left.year ?? year, ...from };
	if (left.year === null && dayNumber(start) > dayNumber(end)) start = { ...start, year: year - 1 };
	const days = dayNumber(end) - dayNumber(start);
	return days >= 0 && days <= 1100 ? { start, end } : null;
}

/** `1 to 31 January 2024`, `1 - 31 januari 2024`. */
function daysOfOneMonth({ line, dates }: ReadLine): PrintedPeriod | null {
	const match =
		/\b(\d{1,2})(?:st|nd|rd|th|\.)?\s*(?:to|-|–|—|bis|tot|t\/m|au|al|a)\s*(\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:de\s+)?(\p{L}{3,12})\.?,?\s+(?:de\s+)?(\d{4})\b/u.exec(
			line.text,
		);
	if (!match || dates.length > 2) return null;
	const month = monthOfName(match[3] ?? '');
	const [from, to, year] = [Number(match[1]), Number(match[2]), Number(match[4])];
	if (month === null || from >= to || !isPossibleDay(month, to, year)) return null;
	return { start: { year, month, day: from }, end: { year, month, day: to }, named: true };
}
