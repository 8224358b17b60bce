import type { Page } from '../page.ts';
import { UnreadableDocumentError } from '../unreadable.ts';
import { dayNumber } from '../dates/calendarDate.ts';
import type { CalendarDate } from '../dates/calendarDate.ts';
import { dayAndMonth, decideDateOrder } from '../dates/dateOrder.ts';
import type { DateOrder } from '../dates/dateOrder.ts';
import type { PrintedDate } from '../dates/printedDate.ts';
import { withYear } from '../dates/yearOfDate.ts';
import type { YearClues } from '../dates/yearOfDate.ts';
import type { Line } from '../layout/line.ts';
import { linesOfPage } from '../layout/lines.ts';
import { pageFurniture } from '../layout/furniture.ts';
import { withoutSpokenMarks } from '../layout/spokenCells.ts';
import { withoutWatermarks } from '../layout/watermark.ts';
import { currencyOfMark, currencyOfName } from '../money/currency.ts';
import { decideNumberFormat } from '../money/numberFormat.ts';
import { equalDecimals, negateDecimal } from '../money/decimal.ts';
import type { AmountToken } from '../money/amountTokens.ts';
import type { AccountMarker } from './accountNumbers.ts';
import { accountMarkers } from './accountNumbers.ts';
import { statementAccounts } from './accounts.ts';
import { completeRows } from './descriptionLines.ts';
import type { CompleteRow } from './descriptionLines.ts';
import { accountsOf } from './events.ts';
import type { AccountDraft, StatementEvent } from './events.ts';
import { headingAt } from './headings.ts';
import { printedRows } from './printedRows.ts';
import { withoutRepeatedChecks } from './repeatedRows.ts';
import { readLine, plainWithout } from './readLine.ts';
import type { ReadLine } from './readLine.ts';
import type { Statement } from './statement.ts';
import { statementDateAt } from './statementDate.ts';
import { periodOnLine, periodOverLines } from './statementPeriods.ts';
import type { PrintedPeriod } from './statementPeriods.ts';
import { isOwed, summaryBalances } from './summaryBalances.ts';
import type { PrintedBalance } from './summaryBalances.ts';
import { readTables } from './tableItems.ts';
import { matchBalance } from './vocabulary/balances.ts';
import { looksLikeCardStatement } from './vocabulary/cards.ts';

/**
 * Extracts a bank or card statement from positioned words. Pure: the same pages give the same
 * statement. A statement without transactions gives accounts with no rows.
 *
 * @throws UnreadableDocumentError `no_transactions_found` where the document is no statement
 */
export function extractStatement(pages: readonly Page[]): Statement {
	const notes: string[] = [];
	const printedLines = withoutSpokenMarks(
		pages.map((page) => linesOfPage(withoutWatermarks(page))),
	);
	const pageLines = pages.map(({ height }, index) => ({
		height,
		lines: printedLines[index] as Line[],
	}));
	const format = decideNumberFormat(
		pageLines.flatMap(({ lines }) => lines.map(({ words }) => words.map(({ text }) => text))),
	);
	const readPages = pageLines.map(({ height, lines }) => ({
		height,
		reads: lines.map((line) => readLine(line, format)),
	}));
	const all = readPages.flatMap(({ reads }) => reads);
	const readOf = new Map(all.map((read) => [read.line, read]));
	const furniture = pageFurniture(pageLines, (line) => {
		const read = readOf.get(line);
		return read !== undefined && read.amounts.some(({ shape }) => shape !== 'plain');
	});
	const headingLines = furnitureHeadings(all, furniture);
	const body = all.filter((read) => !furniture.has(read.line) || headingLines.has(read));
	const isCard = looksLikeCardStatement(cardEvidence(readPages));
	const tables = readTables(body, format, isCard);
	const rows = withoutRepeatedChecks(completeRows(tables.items));

	const inRows = new Set<ReadLine>();
	for (const row of rows) {
		for (const read of [row.read, ...row.above, ...row.below]) {
			inRows.add(read);
			const whole = tables.wholeLine.get(read);
			if (whole) inRows.add(whole);
		}
	}
	const outside = all.filter((read) => !inRows.has(read));
	const headings = new Set(tables.headingLines);
	const noTitles = outside.filter(
		(read) => !headings.has(read) && !tables.otherHeadingLines.includes(read),
	);
	const balances = balancesOf(noTitles, tables.balanceLines, tables.wholeLine);
	const order = orderOf(outside, rows, balances, all);
	const periods = new Map<ReadLine, PrintedPeriod>();
	for (const [index, read] of outside.entries()) {
		const period =
			read.dates.length > 0 || /\d{4}/.test(read.plain)
				? (periodOnLine(read, order) ?? periodOverLines(outside, index, order))
				: null;
		if (period) periods.set(read, period);
	}
	// The date of the statement may stand so close under the table that it became part of a row.
	const labelled = outside.flatMap((_, index) => statementDateAt(outside, index) ?? []);
	const clues = yearClues(periods, balances, [...outside, ...all], order, labelled);
	const resolve = (date: PrintedDate | null): CalendarDate | null => {
		if (!date) return null;
		const parts = dayAndMonth(date, order);
		if (!parts) return null;
		return date.year !== null
			? { year: date.year, ...parts }
			: withYear(parts.month, parts.day, clues);
	};

	const rowsByLine = new Map<ReadLine, CompleteRow[]>();
	for (const row of rows) {
		const whole = tables.wholeLine.get(row.read) ?? row.read;
		const list = rowsByLine.get(whole);
		if (list) list.push(row);
		else rowsByLine.set(whole, [row]);
	}
	const markers = markersOf(readPages, all, inRows, isCard);
	const statementDates = new Map(
		outside.flatMap((read, index) => {
			const date = resolve(statementDateAt(outside, index));
			return date ? [[read, date] as const] : [];
		}),
	);
	const events: StatementEvent[] = [];
	for (const read of all) {
		if (!inRows.has(read)) {
			for (const marker of markers.get(read) ?? []) events.push({ kind: 'account', marker });
			const period = periods.get(read);
			if (period) events.push({ kind: 'period', period });
			const statementDate = statementDates.get(read);
			if (statementDate) events.push({ kind: 'statementDate', date: statementDate });
			if (headings.has(read)) events.push({ kind: 'heading' });
			for (const balance of balances.get(read) ?? []) {
				events.push({
					kind: 'balance',
					balance: balance.kind,
					value: signedBalance(balance, isCard),
					date: resolve(balance.date),
					inTable: balance.inTable,
				});
			}
		}
		for (const row of rowsByLine.get(read) ?? []) events.push({ kind: 'row', row });
	}
	const drafts = accountsOf(events);
	if (rows.length === 0 && !isEmptyStatement(tables.hasTable, drafts)) {
		throw new UnreadableDocumentError(
			'no_transactions_found',
			'No table of transactions was found in the document. Check that it is a bank or card statement, ' +
				'and that its transactions are printed as a list with dates and amounts.',
		);
	}
	if (rows.length === 0 && drafts.some(movedWithoutRows)) {
		throw new UnreadableDocumentError(
			'no_transactions_found',
			'The balances on the statement differ, so money moved, but no list of transactions could be ' +
				'read. Check that all pages are in the file and that the transactions are printed as text.',
		);
	}
	const currency = currencyOf(outside, rows);
	const { accounts, rowOfTransaction } = statementAccounts(drafts, {
		isCard,
		resolve,
		currency,
		notes,
	});
	if (rows.length > 0 && accounts.every(({ transactions }) => transactions.length === 0)) {
		throw new UnreadableDocumentError(
			'no_transactions_found',
			'Rows with amounts were found, but no year is printed on the document, so that they cannot be ' +
				'dated. Upload the whole statement, with the page that prints its period or its date.',
		);
	}
	for (const page of pages) {
		if (page.words.length === 0) {
			notes.push(
				`Page ${page.number} holds no text. If it is a scan, its transactions are missing here.`,
			);
		}
	}
	return {
		accounts,
		printedRows: printedRows(
			pageLines.map(({ lines }) => lines),
			rowOfTransaction,
			tables,
		),
		notes,
	};
}

/** Headings that repeat on every page are no page headers: the table goes on under them. */
function furnitureHeadings(all: readonly ReadLine[], furniture: ReadonlySet<Line>): Set<ReadLine> {
	const found = new Set<ReadLine>();
	for (const [index, read] of all.entries()) {
		if (!furniture.has(read.line)) continue;
		const heading = headingAt(all, index);
		for (let row = 0; heading && row < heading.height; row++)
			found.add(all[index + row] as ReadLine);
	}
	return found;
}

/** The part of a page below which account numbers are those of the bank, or of a payment slip. */
const FOOT = 0.88;

/** Account numbers by line; those at the foot of a page count only where there are no others. */
function markersOf(
	pages: readonly { height: number; reads: readonly ReadLine[] }[],
	all: readonly ReadLine[],
	inRows: ReadonlySet<ReadLine>,
	isCard: boolean,
): Map<ReadLine, AccountMarker[]> {
	const above = new Map<ReadLine, AccountMarker[]>();
	const below = new Map<ReadLine, AccountMarker[]>();
	let index = -1;
	for (const { height, reads } of pages) {
		for (const read of reads) {
			index++;
			if (inRows.has(read)) continue;
			const markers = accountMarkers(all, index);
			if (markers.length > 0) (read.line.y > height * FOOT ? below : above).set(read, markers);
		}
	}
	const found = above.size > 0 ? above : below;
	if (isCard || ![...found.values()].flat().some(({ ofCard }) => !ofCard)) return found;
	// A bank account's card has a section of its own, but no account of its own.
	return new Map([...found].map(([read, list]) => [read, list.filter(({ ofCard }) => !ofCard)]));
}

/** The first pages and the last say what kind of statement it is. */
function* cardEvidence(pages: readonly { reads: readonly ReadLine[] }[]): Iterable<string> {
	for (const [index, { reads }] of pages.entries()) {
		if (index >= 3 && index < pages.length - 1) continue;
		for (const { plain, dates } of reads) {
			// Rows of a bank account also speak of credit cards.
			if (dates[0]?.from !== 0) yield plain;
		}
	}
}

function balancesOf(
	outside: readonly ReadLine[],
	balanceLines: ReadonlyMap<ReadLine, { token: AmountToken; debit: boolean }>,
	wholeLine: ReadonlyMap<ReadLine, ReadLine>,
): Map<ReadLine, PrintedBalance[]> {
	const inTables = new Map<ReadLine, PrintedBalance[]>();
	for (const [part, found] of balanceLines) {
		const plain = plainWithout(part, [...part.dates, ...part.amounts]);
		const match = matchBalance(plain) ?? matchBalance(plainWithout(part, part.amounts));
		if (!match || match.kind === 'ignored') continue;
		const whole = wholeLine.get(part) ?? part;
		const list = inTables.get(whole) ?? [];
		list.push({
			kind: match.kind,
			token: found.token,
			date: part.dates[0] ?? null,
			owed: found.debit || isOwed(plain),
			inTable: true,
		});
		inTables.set(whole, list);
	}
	const balances = new Map<ReadLine, PrintedBalance[]>();
	for (const [index, read] of outside.entries()) {
		const list = inTables.get(read) ?? summaryBalances(outside, index);
		if (list.length > 0) balances.set(read, list);
	}
	return balances;
}

/** On a card's statement a balance marked CR is the opposite of the debts that are printed there. */
function signedBalance({ token, owed }: PrintedBalance, isCard: boolean): string {
	if (isCard && token.mark === 'credit') return negateDecimal(token.value);
	if (isCard && token.mark === 'debit') return token.value;
	const negative =
		token.mark === 'minus' || token.mark === 'debit' || (owed && token.mark === 'none');
	return negative ? negateDecimal(token.value) : token.value;
}

function orderOf(
	outside: readonly ReadLine[],
	rows: readonly CompleteRow[],
	balances: ReadonlyMap<ReadLine, readonly PrintedBalance[]>,
	all: readonly ReadLine[],
): DateOrder {
	const rowDates = rows.flatMap(({ day }) => (day ? [day] : []));
	const full = outside.flatMap(({ dates }) => dates.filter(({ year }) => year !== null));
	const certain = full.flatMap(({ certain: parts, year }) =>
		parts && year !== null ? [{ year, ...parts }] : [],
	);
	const sorted = certain.sort((left, right) => dayNumber(left) - dayNumber(right));
	const [first] = sorted;
	const last = sorted.at(-1);
	const spans =
		first &&
		last &&
		dayNumber(last) - dayNumber(first) >= 5 &&
		dayNumber(last) - dayNumber(first) < 400;
	const ownDates = [...balances.values()].flat().flatMap(({ date }) => (date ? [date] : []));
	return decideDateOrder({
		dates: [...rowDates, ...ownDates, ...full],
		period: spans ? { start: first, end: last } : null,
		usual: usualOrder(all, rowDates),
	});
}

/** Month first is usual in the United States: English words, slashes, dollars. */
function usualOrder(all: readonly ReadLine[], dates: readonly PrintedDate[]): DateOrder {
	if (dates.length === 0) return 'day-first';
	let american = 0;
	let other = 0;
	for (const { plain, line, amounts } of all) {
		if (
			/\b(?:checking|zip|routing|member fdic|fdic|ach|zelle|checks paid|withdrawals? and|usd)\b/.test(
				plain,
			)
		)
			american++;
		if (/\b[A-Z]{2},? \d{5}(?:-\d{4})?\b/.test(line.text)) american++;
		if (
			/\b(?:iban|bic|vat|gst|sgd|eur|gbp|inr|aud|nzd|zar|sort code|ifsc|bsb|cheque|btw|mwst|tva|iva)\b/.test(
				plain,
			)
		)
			other += 2;
		if (
			/[€£₹]/.test(line.text) ||
			amounts.some(({ currency }) => currency !== null && currency !== 'USD')
		)
			other++;
		if (/\$/.test(line.text)) american += 0.2;
	}
	return american > other ? 'month-first' : 'day-first';
}

function yearClues(
	periods: ReadonlyMap<ReadLine, PrintedPeriod>,
	balances: ReadonlyMap<ReadLine, readonly PrintedBalance[]>,
	outside: readonly ReadLine[],
	order: DateOrder,
	labelled: readonly PrintedDate[],
): YearClues {
	const full = (date: PrintedDate): CalendarDate[] => {
		const parts = date.year === null ? null : dayAndMonth(date, order);
		return parts && date.year !== null ? [{ year: date.year, ...parts }] : [];
	};
	const named = [...periods.values()].filter((period) => period.named);
	const used = named.length > 0 ? named : [...periods.values()];
	if (used.length > 0)
		return { ...range(used.flatMap(({ start, end }) => [start, end])), anyYear: null };
	const days = [...balances.values()].flat().flatMap(({ date }) => (date ? full(date) : []));
	const closings = [...balances.values()]
		.flat()
		.flatMap(({ kind, date }) => (kind === 'closing' && date ? full(date) : []));
	if (days.length === 1 && closings[0]) return { start: null, end: closings[0], anyYear: null };
	if (days.length >= 2) return { ...range(days), anyYear: null };
	// The date of the statement: the first one that is printed with its year.
	const first =
		labelled.flatMap(full)[0] ?? outside.flatMap(({ dates }) => dates.flatMap(full))[0] ?? days[0];
	if (first) return { start: null, end: first, anyYear: null };
	for (const { plain } of outside) {
		const year = /\b(20\d{2})\b/.exec(plain)?.[1];
		if (year) return { start: null, end: null, anyYear: Number(year) };
	}
	return { start: null, end: null, anyYear: null };
}

function range(dates: readonly CalendarDate[]): { start: CalendarDate; end: CalendarDate } {
	const [first] = dates as [CalendarDate];
	let [start, end] = [first, first];
	for (const date of dates) {
		if (dayNumber(date) < dayNumber(start)) start = date;
		if (dayNumber(date) > dayNumber(end)) end = date;
	}
	return { start, end };
}

function isEmptyStatement(
	hasTable: boolean,
	drafts: readonly {
		periods: readonly {
			opening: string | null;
			closing: string | null;
			brought: string | null;
			carried: string | null;
		}[];
	}[],
): boolean {
	const periods = drafts.flatMap(({ periods: own }) => own);
	const both = periods.some(
		({ opening, closing, brought, carried }) =>
			(opening ?? brought) !== null && (closing ?? carried) !== null,
	);
	const one = periods.some(
		({ opening, closing, brought }) => (opening ?? closing ?? brought) !== null,
	);
	return both || (hasTable && one);
}

function movedWithoutRows({ periods }: AccountDraft): boolean {
	return periods.some((period) => {
		const start = period.opening ?? period.brought;
		const end = period.closing ?? period.carried;
		return start !== null && end !== null && !equalDecimals(start, end);
	});
}

/** The currency that most amounts of the table name, or that the page writes out beside it. */
function currencyOf(outside: readonly ReadLine[], rows: readonly CompleteRow[]): string | null {
	const counts = new Map<string, number>();
	const vote = (code: string | null) => {
		if (code) counts.set(code, (counts.get(code) ?? 0) + 1);
	};
	for (const { movements, balance } of rows) {
		for (const { token } of movements) vote(token.currency);
		vote(balance?.currency ?? null);
	}
	for (const { line, amounts } of outside) {
		for (const { currency } of amounts) vote(currency);
		if (line.words.length > 14) continue;
		for (const { text } of line.words) {
			const bare = text.replaceAll(/[()[\]:,]/g, '');
			if (/^(?:[A-Z]{3}|€|£|₹|[A-Z]{1,2}\$)$/.test(bare)) vote(currencyOfMark(bare));
		}
		vote(currencyOfName(line.text));
	}
	let best: string | null = null;
	let most = 0;
	for (const [code, count] of counts) if (count > most) [best, most] = [code, count];
	return best;
}
