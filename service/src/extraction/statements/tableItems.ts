import type { AmountToken } from '../money/amountTokens.ts';
import type { NumberFormat } from '../money/numberFormat.ts';
import type { Line } from '../layout/line.ts';
import { insideTable } from './besideTable.ts';
import { TableColumns } from './columns.ts';
import { headingAt, isDateRole } from './headings.ts';
import type { HeadingColumn } from './headings.ts';
import { inferColumns } from './inferredColumns.ts';
import { partOfLine, plainWithout } from './readLine.ts';
import type { ReadLine } from './readLine.ts';
import { balanceInTable } from './tableBalances.ts';
import type { RowItem, TableItem } from './tableItem.ts';
import { linksDates } from './statementPeriods.ts';
import { beginsWithAccountLabel } from './accountNumbers.ts';
import { matchBalance } from './vocabulary/balances.ts';
import {
	isClosingTitle,
	isSubtotalText,
	isSummaryText,
	isTotalsText,
} from './vocabulary/totals.ts';
import { roleOfHeading } from './vocabulary/headings.ts';
import { plainText } from './vocabulary/plainText.ts';
import { isDailyBalances, isUnbooked, sectionDirection } from './vocabulary/sections.ts';
import type { SectionDirection } from './vocabulary/sections.ts';

/** A table, or one of several tables that stand side by side under one heading. */
interface Strip {
	columns: TableColumns;
	left: number;
	right: number;
}

interface Placed {
	read: ReadLine;
	/** The tables that the line lies in; none before the first heading. */
	strips: Strip[];
	table: number;
	isHeading: boolean;
}

export interface TableReading {
	items: TableItem[];
	/** Lines that hold a balance of the table, an opening row or a carried-forward one. */
	balanceLines: Map<ReadLine, { token: AmountToken; debit: boolean }>;
	/** True where the document has a table of movements, with or without rows. */
	hasTable: boolean;
	/** The lines that hold headings; those of tables of movements apart. */
	headingLines: ReadLine[];
	otherHeadingLines: ReadLine[];
	/** The printed line of each part of a line. */
	wholeLine: Map<ReadLine, ReadLine>;
}

/** A gap (in font sizes) after which text no longer belongs to the table above it. */
const FAR = 5;

/**
 * Walks through the lines of a document from top to bottom and says which are rows, which are
 * text of rows, and which are neither.
 *
 * @param lines all lines in order, page headers and footers left out
 */
export function readTables(
	lines: readonly ReadLine[],
	format: NumberFormat,
	isCard: boolean,
): TableReading {
	const placed = placeLines(lines);
	const hasTable = placed.some(({ strips }) =>
		strips.some(({ columns }) => columns.holdsMovements),
	);
	if (!hasTable) {
		const inferred = inferColumns(lines);
		if (inferred) {
			for (const place of placed) {
				place.strips = [{ columns: inferred, left: -Infinity, right: Infinity }];
				place.isHeading = false;
			}
		}
	} else {
		learnColumns(placed, format);
	}
	const reading: TableReading = {
		items: [],
		balanceLines: new Map(),
		hasTable,
		headingLines: [],
		otherHeadingLines: [],
		wholeLine: new Map(),
	};
	let section: SectionDirection | null = null;
	// Lines since the section's title, and whether rows have stood under it.
	let sectionAge = 0;
	let sectionUsed = false;
	let headings: TableColumns | null = null;
	let ended = false;
	let seenDate = false;
	let inBalances = false;
	// The first table under the title of such a section.
	let asideColumns: TableColumns | null = null;
	let previous: Line | null = null;
	for (const [index, { read, strips, table, isHeading }] of placed.entries()) {
		const { line } = read;
		// Marks of footnotes on a baseline of their own.
		if (!/[\p{L}\p{N}]/u.test(line.text)) continue;
		if (isHeading) {
			const moving = strips.some(({ columns }) => columns.holdsMovements);
			(moving ? reading.headingLines : reading.otherHeadingLines).push(read);
			dropTitle(reading.items);
			reading.items.push({ kind: 'break', read });
			const columns = strips[0]?.columns ?? null;
			// Words of a summary far above the table are no title of it.
			if (section !== null && (sectionUsed ? columns !== headings : sectionAge > 6)) section = null;
			if (inBalances && asideColumns !== null && columns !== asideColumns) inBalances = false;
			else if (inBalances) asideColumns = columns;
			if (sectionAge > 6 || sectionUsed) inBalances = false;
			headings = columns;
			ended = false;
			previous = line;
			continue;
		}
		sectionAge++;
		const tight = previous !== null && followsTightly(previous, line);
		const next = placed[index + 1];
		// A word such as "Debits" may be a line of a row's text; titles stand above rows or headings.
		const amidText = tight && next !== undefined && !next.isHeading && isMoreText(next.read, line);
		const direction =
			!amidText && read.amounts.length === 0 && read.dates.length === 0
				? sectionDirection(read.plain, isCard)
				: null;
		if (direction || isDailyBalances(read.plain) || isAsideTitle(read)) {
			section = direction;
			sectionAge = 0;
			sectionUsed = false;
			inBalances = direction === null;
			asideColumns = null;
			reading.items.push({ kind: 'break', read });
			previous = line;
			continue;
		}
		if (strips.length === 0 || inBalances) {
			reading.items.push({ kind: 'break', read });
			continue;
		}
		for (const strip of strips) {
			const part =
				strips.length === 1
					? insideTable(read, strip.columns, format)
					: partOfLine(read, strip.left, strip.right, format);
			if (!part && strips.length === 1) continue;
			if (!part || !strip.columns.holdsMovements) {
				reading.items.push({ kind: 'break', read: part ?? read });
				continue;
			}
			reading.wholeLine.set(part, read);
			const near: boolean =
				previous !== null && previous.pageNumber === line.pageNumber
					? line.y - previous.y < FAR * Math.max(line.fontSize, previous.fontSize)
					: true;
			const item = itemOf(part, strip.columns, {
				section,
				table,
				mayLackDate: seenDate && !ended && near,
				near,
				tight,
				ended,
			});
			if (item.kind === 'balance') {
				reading.balanceLines.set(part, { token: item.token, debit: item.debit });
				reading.items.push({ kind: 'break', read: part });
				if (item.closes) ended = true;
				previous = line;
			} else {
				reading.items.push(item);
				if (item.kind !== 'break') previous = line;
				if ((item.kind === 'row' || item.kind === 'text') && item.date) seenDate = true;
				if (item.kind === 'day') seenDate = true;
				if (item.kind === 'row') {
					ended = false;
					sectionUsed = true;
				}
				if (item.kind === 'break' && endsTable(part)) ended = true;
			}
		}
	}
	return reading;
}

/** The title of rows that are not booked: pending, reverted, to come. */
function isAsideTitle({ plain, amounts, line }: ReadLine): boolean {
	return (
		line.words.length <= 10 && !amounts.some(({ shape }) => shape !== 'plain') && isUnbooked(plain)
	);
}

/** The line above headings that begins under the dates is a title, not the end of a row. */
function dropTitle(items: TableItem[]): void {
	const last = items.at(-1);
	if (last?.kind !== 'text' || last.date) return;
	const leading = last.columns.leadingDateColumn;
	if (leading && last.read.line.x0 < leading.x1) {
		items[items.length - 1] = { kind: 'break', read: last.read };
	}
}

/** Finds headings and gives every line the tables it lies in; tables go on over the pages. */
function placeLines(lines: readonly ReadLine[]): Placed[] {
	const placed: Placed[] = [];
	const known: TableColumns[] = [];
	let strips: Strip[] = [];
	let table = 0;
	let index = 0;
	while (index < lines.length) {
		const heading = headingAt(lines, index);
		if (!heading) {
			placed.push({ read: lines[index] as ReadLine, strips, table, isHeading: false });
			index++;
			continue;
		}
		table++;
		strips = stripsOf(heading.columns).map((strip) => {
			const same = known.find((columns) => columns.sameAs(strip.columns));
			if (!same) known.push(strip.columns);
			return same ? { ...strip, columns: same } : strip;
		});
		for (let row = 0; row < heading.height; row++) {
			placed.push({ read: lines[index + row] as ReadLine, strips, table, isHeading: true });
		}
		index += heading.height;
	}
	return placed;
}

/** Headings that repeat on one line (checks in two or three columns) are tables side by side. */
function stripsOf(columns: readonly HeadingColumn[]): Strip[] {
	const first = columns[0];
	const amounts = columns.filter(({ role }) => role === 'amount').length;
	const dates = columns.filter(({ role }) => role === 'date').length;
	const starts = columns.flatMap((column, index) => (column.role === first?.role ? [index] : []));
	if (!first || amounts < 2 || starts.length !== amounts || (dates > 0 && dates !== amounts)) {
		return [{ columns: new TableColumns(columns), left: -Infinity, right: Infinity }];
	}
	return starts.map((start, index) => {
		const end = starts[index + 1] ?? columns.length;
		const leftmost = columns[start] as HeadingColumn;
		const next = columns[end];
		const before = columns[start - 1];
		return {
			columns: new TableColumns(columns.slice(start, end)),
			left: before ? (before.x1 + leftmost.x0) / 2 : -Infinity,
			right: next ? ((columns[end - 1] as HeadingColumn).x1 + next.x0) / 2 : Infinity,
		};
	});
}

function learnColumns(placed: readonly Placed[], format: NumberFormat): void {
	const samples = new Map<
		TableColumns,
		{ dated: ReadLine[]; other: ReadLine[]; underRows: ReadLine[]; rowFirst: boolean }
	>();
	for (const [index, { read, strips, isHeading }] of placed.entries()) {
		if (isHeading || read.amounts.length === 0) continue;
		for (const { columns, left, right } of strips) {
			const part = strips.length === 1 ? read : partOfLine(read, left, right, format);
			if (!part || part.amounts.length === 0) continue;
			const rowFirst = placed[index - 1]?.isHeading === true && part.dates.length === 0;
			const sample = samples.get(columns) ?? { dated: [], other: [], underRows: [], rowFirst };
			samples.set(columns, sample);
			const dated = part.dates.some((date) => columns.dateRoleOf(date) !== null);
			(dated ? sample.dated : sample.other).push(part);
			const below = placed[index + 1];
			if (part.dates.length === 0 && below && !below.isHeading && beginsWithDate(below.read))
				sample.underRows.push(below.read);
		}
	}
	for (const [columns, { dated, other, underRows, rowFirst }] of samples) {
		const undated = other.filter(
			({ dates, amounts }) => dates.length === 0 && amounts.some(({ shape }) => shape !== 'plain'),
		);
		// The table begins with an amount, and below most amounts a line begins with a date.
		if (!columns.hasDates && rowFirst && underRows.length * 3 > undated.length * 2) {
			columns.learnDates(underRows);
			columns.datesBelow = columns.hasDates;
		}
		if (!columns.hasDates) columns.learnDates([...dated, ...other]);
		const rows = dated.length > 0 ? dated : other;
		columns.learn(
			rows.flatMap(({ amounts, dates }) =>
				amounts.filter(
					({ from, to }) =>
						!dates.some(
							(date) => date.from < to && from < date.to && columns.dateRoleOf(date) !== null,
						),
				),
			),
		);
		const moving = other.filter(({ amounts }) =>
			amounts.some((token) => ['debit', 'credit', 'amount'].includes(columns.roleOf(token) ?? '')),
		);
		columns.datesEveryRow = datesEveryRow(dated, moving.length);
	}
}

/**
 * Where rows of one day, one below the other, both print it, the date is no heading of the day: each
 * row has its own. Other lines with amounts have to be few.
 */
function datesEveryRow(dated: readonly ReadLine[], undated: number): boolean {
	let twice = 0;
	for (const [index, read] of dated.entries()) {
		const before = dated[index - 1];
		if (before?.line.pageNumber !== read.line.pageNumber) continue;
		if (textOfDate(before) === textOfDate(read)) twice++;
	}
	return twice > 0 && undated <= Math.max(2, dated.length / 4);
}

function textOfDate({ dates: [date], line }: ReadLine): string {
	return date
		? plainText(
				line.words
					.slice(date.from, date.to)
					.map(({ text }) => text)
					.join(' '),
			)
		: '';
}

/** A line that begins with a whole date. */
function beginsWithDate({ dates: [date] }: ReadLine): boolean {
	return date?.from === 0 && !date.weak && date.year !== null;
}

/** Lines set in the same size, no further apart than those of one paragraph. */
function followsTightly(previous: Line, line: Line): boolean {
	return (
		previous.pageNumber === line.pageNumber &&
		Math.abs(previous.fontSize - line.fontSize) <= 2 &&
		line.fontSize <= previous.fontSize + 0.3 &&
		line.y - previous.y < 1.5 * previous.fontSize
	);
}

function isMoreText({ line, dates, amounts }: ReadLine, above: Line): boolean {
	return (
		followsTightly(above, line) &&
		dates.length === 0 &&
		amounts.every(({ shape }) => shape === 'plain')
	);
}

interface Place {
	section: SectionDirection | null;
	table: number;
	mayLackDate: boolean;
	near: boolean;
	/** The line follows a row as closely as its own further lines do. */
	tight: boolean;
	ended: boolean;
}

type Judged = TableItem | { kind: 'balance'; closes: boolean; token: AmountToken; debit: boolean };

function itemOf(read: ReadLine, columns: TableColumns, place: Place): Judged {
	const { date, isValueDate } = isTextUnderDates(read, columns)
		? { date: null, isValueDate: false }
		: rowDate(read, columns);
	const dates = read.dates.filter((token) => columns.dateRoleOf(token) !== null);
	const amounts = read.amounts.filter(
		({ from, to }) => !dates.some((token) => token.from < to && from < token.to),
	);
	const movements: RowItem['movements'] = [];
	let balance: RowItem['balance'] = null;
	for (const token of amounts) {
		const role = columns.roleOf(token);
		if (role === 'balance') balance = token;
		else if (role && role !== 'foreignAmount' && role !== 'aside') movements.push({ role, token });
	}
	const used = [...dates, ...movements.map(({ token }) => token), ...(balance ? [balance] : [])];
	const plain = plainWithout(read, used);
	const found = balanceInTable({
		read,
		plain,
		hasDate: date !== null,
		movements,
		balance,
		hasBalanceColumn: columns.has('balance'),
	});
	const printed = balance ?? movements.at(-1)?.token;
	if (found && printed) {
		const debit = balance === null && movements.at(-1)?.role === 'debit';
		return { kind: 'balance', closes: found === 'closing', token: printed, debit };
	}
	const holdsAmounts = movements.length > 0 || balance !== null;
	if (holdsAmounts && isSubtotalText(plain)) return { kind: 'break', read };
	if (holdsAmounts && isSpanOfDays(read, columns)) return { kind: 'break', read };
	// A day's balance between the rows: no movement, and no part of a description.
	if (balance && movements.length === 0 && saysBalance(plain) && (date || isShort(plain)))
		return { kind: 'break', read };
	if (holdsAmounts && date === null && (isTotalsText(plain) || isSummaryText(read.plain)))
		return { kind: 'break', read };
	if (isTotalsText(plain) && movements.length + (balance ? 1 : 0) > 1 && date === null)
		return { kind: 'break', read };
	if (movements.length > 0) {
		const leading = columns.leadingDateColumn;
		const saysSomething = /\p{L}{2}/u.test(plainWithout(read, [...dates, ...read.amounts]));
		const inDateColumn = leading !== null && read.line.x0 < leading.x1 && read.dates[0]?.from !== 0;
		const needsDate = columns.isCheckList ? columns.hasDates : columns.datesEveryRow;
		if (!date && needsDate && (columns.isCheckList || !isCharge(plain))) {
			// A figure in a line of text, such as a foreign amount, or a sum at the left edge.
			const indented = leading === null || read.line.x0 > leading.x1;
			if (!indented || balance || !place.near || place.ended || isTotalsText(plain))
				return { kind: 'break', read };
			return columns.isCheckList || !read.dates.every((token) => token.from > 0)
				? { kind: 'break', read }
				: { kind: 'text', read, columns, date: null, table: place.table };
		}
		const below = columns.datesBelow && saysSomething;
		if (date || below || (place.mayLackDate && saysSomething && !inDateColumn)) {
			return {
				kind: 'row',
				read,
				columns,
				date,
				isValueDate,
				movements,
				balance,
				section: place.section ?? (columns.isCheckList ? 'out' : null),
				table: place.table,
			};
		}
		return { kind: 'break', read };
	}
	// Sums in a column of their own, and the titles of what follows the table.
	if (!date && (holdsTotal(read) || isClosingTitle(read.plain))) return { kind: 'break', read };
	const [only] = read.dates;
	if (only && read.dates.length === 1 && namesDay(read) && !columns.datesBelow)
		return { kind: 'day', read, date: only };
	if (/^\d{4}$/.test(read.plain) || isContinued(read.plain)) return { kind: 'break', read };
	if (place.ended && !date) return { kind: 'break', read };
	if (!place.near && !date) return { kind: 'break', read };
	if (!date && isBalanceLabel(read)) return { kind: 'break', read };
	// A counterparty's number stands within a row, that of an account above a table.
	const within = place.tight && /^iban\b/.test(read.plain);
	if (beginsWithAccountLabel(read.plain) && !within) return { kind: 'break', read };
	// Lists of checks hold no text.
	if (columns.isCheckList) return { kind: 'break', read };
	return { kind: 'text', read, columns, date, table: place.table };
}

const BALANCE_WORD = /bal|sald|sold|kontostand|bakiye|zustatek/;

function isContinued(plain: string): boolean {
	return /^(?:continued on (?:the )?(?:next page|reverse)|continued overleaf|wordt vervolgd|fortsetzung (?:auf )?(?:der )?nachsten? seite|suite au verso)$/.test(
		plain,
	);
}

/** Interest and fees are now and then printed without a date, below the rows of a card. */
function isCharge(plain: string): boolean {
	return /\b(?:interest|fee|fees|charge|charges)\b/.test(plain);
}

/** Text that begins where dates should stand, with a date further on: "Transfer until 01 Mar 2025". */
function isTextUnderDates(read: ReadLine, columns: TableColumns): boolean {
	const leading = columns.leadingDateColumn;
	const [first] = read.line.words;
	if (!leading || !first || first.x0 >= leading.x1 || !/^\p{L}{3,}$/u.test(first.text))
		return false;
	return !read.dates.some(({ from, x0 }) => from === 0 || x0 < leading.x1);
}

function isShort(plain: string): boolean {
	return plain.split(' ').length <= 4;
}

function saysBalance(plain: string): boolean {
	return BALANCE_WORD.test(plain);
}

/** "03/01/2024 - 03/29/2024" in one column of dates is a period, not the date of a row. */
function isSpanOfDays({ dates, line }: ReadLine, columns: TableColumns): boolean {
	const [first, second] = dates;
	if (!first || !second || columns.columns.filter(({ role }) => isDateRole(role)).length > 1)
		return false;
	return second.from > first.to && linksDates(line.words.slice(first.to, second.from));
}

function endsTable({ plain }: ReadLine): boolean {
	return isTotalsText(plain) || isClosingTitle(plain);
}

/** A line with a date alone, or with the word for it: "Buchungsdatum: 05.02.2024". */
function namesDay(read: ReadLine): boolean {
	const rest = plainWithout(read, read.dates);
	const role = /^(?:20\d{2})?$/.test(rest) ? 'date' : roleOfHeading(rest);
	return role === 'date' || role === 'postingDate';
}

function holdsTotal(read: ReadLine): boolean {
	return (
		read.amounts.some(({ shape }) => shape !== 'plain') &&
		isTotalsText(plainWithout(read, read.amounts))
	);
}

/** A line that only names a balance, whose amount stands below. */
function isBalanceLabel({ plain, line }: ReadLine): boolean {
	const match = matchBalance(plain);
	return (
		match !== null &&
		line.words.length < 14 &&
		['opening', 'closing', 'ignored'].includes(match.kind) &&
		plain.startsWith(match.phrase.split(' ')[0] ?? '')
	);
}

/** The date that counts for the row: the first one printed that is no value date. */
function rowDate(
	read: ReadLine,
	columns: TableColumns,
): { date: RowItem['date']; isValueDate: boolean } {
	let value: RowItem['date'] = null;
	for (const token of read.dates) {
		const role = columns.dateRoleOf(token);
		if (role === 'valueDate') value ??= token;
		else if (role) return { date: token, isValueDate: false };
	}
	return { date: value, isValueDate: value !== null };
}
