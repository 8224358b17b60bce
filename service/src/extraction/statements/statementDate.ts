import type { DateToken } from '../dates/dateTokens.ts';
import { plainWithout } from './readLine.ts';
import type { ReadLine } from './readLine.ts';
import { phrases } from './vocabulary/plainText.ts';

const LABELS = phrases(
	`statement date, statement closing date, closing date, date of statement, statement as at, statement as of, account summary as at, account summary as of, datum afschrift, afschriftdatum, datum rekeningafschrift, auszugsdatum, date du releve, date de releve, fecha del extracto, fecha de extracto, data estratto, data estratto conto`,
);

/** The day that a statement is made up to, where a line labels one: beside its label, or below it. */
export function statementDateAt(lines: readonly ReadLine[], at: number): DateToken | null {
	const read = lines[at];
	if (!read || read.line.words.length > 14) return null;
	const label = LABELS.find((text) => ` ${read.plain} `.includes(` ${text} `));
	if (label === undefined) return null;
	for (const date of read.dates) {
		const before = plainWithout(read, [{ from: date.from, to: read.line.words.length }]);
		if (before.endsWith(label)) return date;
	}
	const below = lines[at + 1];
	if (read.dates.length > 0 || !below || below.line.pageNumber !== read.line.pageNumber)
		return null;
	if (below.line.y - read.line.y > 2.5 * read.line.fontSize) return null;
	const place = placeOf(read, label);
	return (
		below.dates.find(({ x0, x1 }) => place && Math.min(x1, place.x1) > Math.max(x0, place.x0)) ??
		null
	);
}

function placeOf(read: ReadLine, label: string): { x0: number; x1: number } | null {
	const { words } = read.line;
	const length = label.split(' ').length;
	for (let from = 0; from + length <= words.length; from++) {
		const outside = [
			{ from: 0, to: from },
			{ from: from + length, to: words.length },
		];
		const [first, last] = [words[from], words[from + length - 1]];
		if (first && last && plainWithout(read, outside) === label)
			return { x0: first.x0, x1: last.x1 };
	}
	return null;
}
