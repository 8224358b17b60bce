const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})(?:\.\d+)?(?:\[[^\]]*\])?)?$/;
const ISO =
	/^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysInMonth(year: number, month: number): number {
	const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
	return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}

/**
 * The calendar date of a value as `YYYY-MM-DD`.
 *
 * Reads what the service sends: 14 digits `YYYYMMDDHHMMSS` (section 2.8; 8 digits too, and the
 * OFX form with a time zone in brackets) and ISO 8601 dates with or without a time. The date is
 * the one that is written; time zones are not converted. Null where the value is in another
 * format, or names a day or a time that does not exist: no date is better than a wrong one.
 */
export function toIsoDate(value: unknown): string | null {
	const text = typeof value === 'number' ? String(value) : value;
	if (typeof text !== 'string' || text.length > 64) return null;
	const trimmed = text.trim();
	const parts = COMPACT.exec(trimmed) ?? ISO.exec(trimmed);
	if (parts === null) return null;
	const [, year = '', month = '', day = '', hour = '0', minute = '0', second = '0'] = parts;
	if (Number(year) < 1000 || Number(day) < 1) return null;
	if (Number(day) > daysInMonth(Number(year), Number(month))) return null;
	if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
	return `${year}-${month}-${day}`;
}
