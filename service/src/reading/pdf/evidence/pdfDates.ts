const PDF_DATE =
	/^\s*(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?\s*(?:(Z)|([+-])(\d{2})'?(\d{2})?)?/;

/** ISO 8601 in UTC from a date as PDF or XMP writes it; null where it is none. */
export function isoFromPdfDate(text: string | null): string | null {
	if (text === null) return null;
	if (/^\s*\d{4}-\d{2}/.test(text)) {
		const zoned = /[zZ]$|[+-]\d{2}:?\d{2}$/.test(text.trim()) ? text : `${text.trim()}Z`;
		const time = Date.parse(/T/.test(text) ? zoned : text);
		return Number.isNaN(time) ? null : new Date(time).toISOString();
	}
	const match = PDF_DATE.exec(text);
	if (!match) return null;
	const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00'] = match;
	const time = Date.UTC(
		Number(year),
		Number(month) - 1,
		Number(day),
		Number(hour),
		Number(minute),
		Number(second),
	);
	const sign = match[8] === '-' ? 1 : -1;
	const shift = match[9] ? sign * (Number(match[9]) * 60 + Number(match[10] ?? '0')) * 60_000 : 0;
	const date = new Date(time + shift);
	const sensible = Number(year) >= 1980 && Number(month) <= 12 && Number(day) <= 31;
	return sensible && !Number.isNaN(date.getTime()) ? date.toISOString() : null;
}
