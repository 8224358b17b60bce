import { isPossibleDay } from './calendarDate.ts';
import { monthOfName } from './monthNames.ts';

/** A date as printed; which number is the day may still be open. */
export interface PrintedDate {
	/** Null where no year is printed. */
	year: number | null;
	/** Day and month where they are certain. */
	certain: { month: number; day: number } | null;
	/** The two numbers in printed order where they are not. */
	numbers: [number, number] | null;
	/** HHMMSS where a time follows; otherwise null. */
	time: string | null;
	/** How many words the date takes. */
	wordCount: number;
	/** Numbers without any mark of a date (`02 01`): a date only in a column of dates. */
	weak: boolean;
}

const WEEKDAY =
	/^(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|ma|di|wo|do|vr|za|zo|mo|mi|fr|sa|so|lun|mar|mer|mie|jeu|jue|ven|vie|sam|sab|dim|dom|gio)[.,]?$/i;
const ORDINAL = /^(\d{1,2})(?:st|nd|rd|th|er|e|º|°)?[.,]?$/i;
const TIME = /^([01]?\d|2[0-3])[:.h]([0-5]\d)(?:[:.]([0-5]\d))?$/;

function fullYear(text: string | undefined): number | null {
	if (text === undefined) return null;
	const bare = text.replace(/^['’]/, '').replace(/[.,]$/, '');
	if (!/^(\d{2}|\d{4})$/.test(bare)) return null;
	const year = Number(bare);
	if (bare.length === 2) return year >= 70 ? 1900 + year : 2000 + year;
	return year >= 1950 && year <= 2100 ? year : null;
}

function certain(
	day: number,
	month: number,
	year: number | null,
	wordCount: number,
): PrintedDate | null {
	if (!isPossibleDay(month, day, year)) return null;
	return { year, certain: { month, day }, numbers: null, time: null, wordCount, weak: false };
}

function uncertain(
	first: number,
	second: number,
	year: number | null,
	wordCount: number,
	weak = false,
): PrintedDate | null {
	if (!isPossibleDay(second, first, year) && !isPossibleDay(first, second, year)) return null;
	return { year, certain: null, numbers: [first, second], time: null, wordCount, weak };
}

/**
 * Reads a date that begins at `words[at]`: `01/06/2025`, `1.6.25`, `02.10.`, `2025-06-01`,
 * `2 okt`, `2. Januar 2024`, `Jan 2, 2024`, `1er janvier`, `01JUN2025`, `2 de enero de 2024`.
 * A weekday before it and a time after it are taken in. Null where there is none.
 */
export function parseDateAt(words: readonly string[], at: number): PrintedDate | null {
	const first = words[at];
	if (first === undefined || first.length > 24) return null;
	if (WEEKDAY.test(first)) {
		const rest = dateAt(words, at + 1);
		if (rest && !rest.weak) return withTime(words, at, { ...rest, wordCount: rest.wordCount + 1 });
	}
	const found = dateAt(words, at);
	return found ? withTime(words, at, found) : null;
}

function withTime(words: readonly string[], at: number, date: PrintedDate): PrintedDate {
	const next = words[at + date.wordCount];
	const match = next === undefined || !next.includes(':') ? null : TIME.exec(next);
	if (!match) return date;
	const time = `${(match[1] ?? '').padStart(2, '0')}${match[2] ?? ''}${match[3] ?? '00'}`;
	return { ...date, time, wordCount: date.wordCount + 1 };
}

function dateAt(words: readonly string[], at: number): PrintedDate | null {
	const first = words[at];
	if (first === undefined || !/[\p{L}\d]/u.test(first)) return null;
	return (
		oneWord(
			first
				.replace(/^\((.*)\)$/, '$1')
				.replace(/[,;:)*†]+$/, '')
				.replace(/^\(/, ''),
		) ?? severalWords(words, at)
	);
}

function oneWord(word: string): PrintedDate | null {
	let match = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})\.?$/.exec(word);
	if (match) {
		const year = fullYear(match[1]);
		return year === null ? null : certain(Number(match[4]), Number(match[3]), year, 1);
	}
	match = /^(\d{4})年(\d{1,2})月(\d{1,2})日$/.exec(word);
	if (match) return certain(Number(match[3]), Number(match[2]), Number(match[1]), 1);
	match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?/.exec(word);
	if (match) {
		const date = certain(Number(match[3]), Number(match[2]), Number(match[1]), 1);
		return date && { ...date, time: `${match[4]}${match[5]}${match[6] ?? '00'}` };
	}
	match = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})\.?$/.exec(word);
	if (match) {
		const year = fullYear(match[4]);
		return year === null ? null : uncertain(Number(match[1]), Number(match[3]), year, 1);
	}
	match =
		/^(\d{1,2})([-/])(\d{1,2})$/.exec(word) ??
		/^(\d{1,2})(\.)(\d{2})\.?$/.exec(word) ??
		/^(\d{1,2})(\.)(\d{1,2})\.$/.exec(word);
	if (match) return uncertain(Number(match[1]), Number(match[3]), null, 1);
	match = /^(\d{1,2})[-/. ]?(\p{L}{3,12})\.?[-/. ]?['’]?(\d{4}|\d{2})?$/u.exec(word);
	if (match) {
		const month = monthOfName(match[2] ?? '');
		return month === null ? null : certain(Number(match[1]), month, fullYear(match[3]), 1);
	}
	match = /^(\p{L}{3,12})\.?[-/.]?(\d{1,2})(?:[-/,.](\d{4}|\d{2}))?$/u.exec(word);
	if (match) {
		const month = monthOfName(match[1] ?? '');
		return month === null ? null : certain(Number(match[2]), month, fullYear(match[3]), 1);
	}
	match = /^(19[5-9]\d|20\d{2})(\d{2})(\d{2})$/.exec(word);
	if (match) {
		const date = certain(Number(match[3]), Number(match[2]), Number(match[1]), 1);
		return date && { ...date, weak: true };
	}
	return null;
}

const LINK = /^(?:de|di|of|del|d')$/i;

function severalWords(words: readonly string[], at: number): PrintedDate | null {
	const first = words[at] ?? '';
	const day = ORDINAL.exec(first)?.[1];
	let next = at + 1;
	if (day !== undefined) {
		if (LINK.test(words[next] ?? '')) next++;
		const month = monthOfName(words[next] ?? '');
		if (month !== null) {
			next++;
			const linked = LINK.test(words[next] ?? '') ? next + 1 : next;
			// In "01 Mar 02 Mar" the second number begins another date.
			const another = monthOfName(words[linked + 1] ?? '') !== null;
			const year = yearWord(words[linked], linked > next || another);
			return certain(Number(day), month, year, (year === null ? next : linked + 1) - at);
		}
		return numbersApart(words, at);
	}
	const month = monthOfName(first);
	if (month === null) return null;
	// `DEC 29/23`
	const dayAndYear = /^(\d{1,2})\/(\d{2}|\d{4})[.,]?$/.exec(words[next] ?? '');
	if (dayAndYear)
		return certain(Number(dayAndYear[1]), month, fullYear(dayAndYear[2]), next + 1 - at);
	const dayAfter = /^(\d{1,2})(?:st|nd|rd|th)?[.,]?$/i.exec(words[next] ?? '')?.[1];
	if (dayAfter === undefined) return null;
	next++;
	// After month and day only a year of four digits is a year; two digits are too often an amount.
	const year = yearWord(words[next], true);
	return certain(Number(dayAfter), month, year, (year === null ? next : next + 1) - at);
}

/** Two digits count as a year only with an apostrophe; four always do. */
function yearWord(word: string | undefined, fourDigitsOnly: boolean): number | null {
	if (word === undefined) return null;
	const bare = word.replace(/[,.;:)]+$/, '');
	if (/^\d{4}$/.test(bare)) return fullYear(bare);
	if (/^['’]\d{2}$/.test(bare)) return fullYear(bare);
	if (!fourDigitsOnly && /^\d{2}$/.test(bare)) return fullYear(bare);
	return null;
}

function numbersApart(words: readonly string[], at: number): PrintedDate | null {
	const first = words[at] ?? '';
	const second = words[at + 1] ?? '';
	if (!/^\d{2}$/.test(first) || !/^\d{2}$/.test(second)) return null;
	const year = /^(\d{2}|\d{4})$/.test(words[at + 2] ?? '') ? fullYear(words[at + 2]) : null;
	return uncertain(Number(first), Number(second), year, year === null ? 2 : 3, true);
}
