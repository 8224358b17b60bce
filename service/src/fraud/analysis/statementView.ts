import type { Page } from '../../extraction/page.ts';
import type { Line } from '../../extraction/layout/line.ts';
import { linesOfPage } from '../../extraction/layout/lines.ts';
import { withoutWatermarks } from '../../extraction/layout/watermark.ts';
import {
	absoluteDecimal,
	canonicalDecimal,
	subtractDecimals,
	sumDecimals,
} from '../../extraction/money/decimal.ts';
import { decideNumberFormat } from '../../extraction/money/numberFormat.ts';
import { parseAmount } from '../../extraction/money/printedAmount.ts';
import type { DecimalMark, PrintedAmount } from '../../extraction/money/printedAmount.ts';
import type {
	AccountPeriod,
	PrintedRow,
	StatementAccount,
	StatementTransaction,
} from '../../extraction/statements/statement.ts';
import type { Box } from '../../reading/pdf/evidence/pdfEvidence.ts';
import { plainText } from '../../extraction/statements/vocabulary/plainText.ts';
import { isSummaryText, isTotalsText } from '../../extraction/statements/vocabulary/totals.ts';
import { isBalanceLine, kindOf } from './balanceLabels.ts';
import type { AnalysisInput, FraudSignal } from './fraudSignal.ts';

/** So many lines say how a document writes its numbers. */
const LINES_FOR_FORMAT = 800;

/** A day stands in front of a row. */
const BEGINS_LIKE_ROW = /^(?:\d{1,4}[./ -](?:\d|[A-Za-zé]{3})|[A-Z][a-z]{2,8}\.? \d{1,2}\b)/;

/** The rows of one period of one account, in the order of time. */
export interface PeriodRows {
	account: StatementAccount;
	period: AccountPeriod;
	rows: StatementTransaction[];
	newestFirst: boolean;
}

/** An amount that is printed outside the transactions, with the text beside it. */
export interface PrintedFigure {
	line: PrintedRow;
	/** Text of the cell before it, or above it; empty where there is none. */
	label: string;
	amount: PrintedAmount;
}

/** A statement with what detectors ask of it. */
export class StatementView {
	readonly input: AnalysisInput;
	readonly decimal: DecimalMark;
	readonly periods: PeriodRows[];
	/** Pages that are missing, by the numbers that are printed on the others. */
	readonly missingPages: boolean;
	readonly #allLines = new Map<StatementTransaction, PrintedRow[]>();
	readonly #lines = new Map<number, Line[]>();
	readonly #otherLines: PrintedRow[];
	#figures: PrintedFigure[] | null = null;
	#rowTexts: Set<string> | null = null;
	#unread: PrintedRow[] | null = null;

	constructor(input: AnalysisInput) {
		this.input = input;
		const { statement } = input;
		this.decimal = decideNumberFormat(
			statement.printedRows.slice(0, LINES_FOR_FORMAT).map(({ text }) => text.split(' ')),
		).decimal;
		this.periods = statement.accounts.flatMap((account) => periodsOf(account));
		const accounts = new Map(statement.accounts.map((account) => [account.account, account]));
		for (const line of statement.printedRows) {
			if (line.transaction === null) continue;
			const { account, index } = line.transaction;
			const row = accounts.get(account)?.transactions[index];
			// The line with the amount names a row better than the first line of its text.
			if (!row) continue;
			const lines = this.#allLines.get(row);
			if (lines) lines.push(line);
			else this.#allLines.set(row, [line]);
		}
		this.#otherLines = statement.printedRows.filter(({ transaction }) => transaction === null);
		this.missingPages = pagesAreMissing(statement.printedRows);
	}

	/** The printed line of a transaction that holds its amount, else its first; null where none is known. */
	lineOf(row: StatementTransaction): PrintedRow | null {
		const lines = this.#allLines.get(row) ?? [];
		if (lines.length < 2) return lines[0] ?? null;
		const value = canonicalDecimal(absoluteDecimal(row.amount));
		return lines.find((line) => this.valuesIn(line).includes(value)) ?? lines[0] ?? null;
	}

	/** True where the row's amount and balance stand in its lines just as they were read. */
	isReadExactly(row: StatementTransaction): boolean {
		const lines = this.#allLines.get(row);
		if (lines === undefined) return this.#sharesLine(row);
		const values = lines.flatMap((line) => this.valuesIn(line));
		const stands = (amount: string) => values.includes(canonicalDecimal(amount.replace('-', '')));
		return stands(row.amount) && (row.balance === null || stands(row.balance));
	}

	/**
	 * Where two rows stand side by side, their line belongs to one of them: the page has to print the
	 * amount as often as rows have it.
	 */
	#sharesLine(row: StatementTransaction): boolean {
		const value = (amount: string) => canonicalDecimal(absoluteDecimal(amount));
		const wanted = value(row.amount);
		const { accounts, printedRows } = this.input.statement;
		const rows = accounts
			.flatMap(({ transactions }) => transactions)
			.filter(
				({ pageNumber, amount }) => pageNumber === row.pageNumber && value(amount) === wanted,
			);
		const printed = printedRows
			.filter(({ pageNumber, transaction }) => pageNumber === row.pageNumber && transaction)
			.flatMap((line) => this.valuesIn(line))
			.filter((other) => other === wanted);
		return printed.length >= rows.length;
	}

	/** Lines that belong to no transaction. */
	get otherLines(): readonly PrintedRow[] {
		return this.#otherLines;
	}

	/** Amounts that are printed outside the transactions. */
	get figures(): readonly PrintedFigure[] {
		this.#figures ??= this.#otherLines.flatMap((line, index) => this.#figuresOf(line, index));
		return this.#figures;
	}

	/**
	 * Lines with amounts among the rows, or right beside them, that were not read as rows and name no
	 * balance and no total: where there is one, the extraction has missed something.
	 */
	get unreadLines(): readonly PrintedRow[] {
		this.#unread ??= this.#findUnread();
		return this.#unread;
	}

	#findUnread(): PrintedRow[] {
		const ranges = new Map<number, { first: number; last: number }>();
		for (const { pageNumber, lineNumber, transaction } of this.input.statement.printedRows) {
			if (transaction === null) continue;
			const { first, last } = ranges.get(pageNumber) ?? { first: lineNumber, last: lineNumber };
			ranges.set(pageNumber, {
				first: Math.min(first, lineNumber),
				last: Math.max(last, lineNumber),
			});
		}
		return this.#otherLines.filter((line) => {
			const range = ranges.get(line.pageNumber);
			const { lineNumber } = line;
			if (this.valuesIn(line).length === 0) return false;
			if (!range) {
				// A page none of whose rows was read; days and balances alone are no rows.
				const words = line.text.split(' ').filter((word) => /\p{L}{4}/u.test(word)).length;
				return BEGINS_LIKE_ROW.test(line.text) && words >= 2 && !isBalanceLine(line.text);
			}
			if (lineNumber < range.first - 3 || lineNumber > range.last + 3) return false;
			const balance = isBalanceLine(line.text);
			if (BEGINS_LIKE_ROW.test(line.text)) return !balance;
			const plain = plainText(line.text.replaceAll(/[\d.,]+/g, ' '));
			const inside = lineNumber > range.first && lineNumber < range.last;
			return inside && kindOf(line.text) === null && !isTotalsText(plain) && !isSummaryText(plain);
		});
	}

	/** True where a row's line prints the amount, and no row of the page has it. */
	isSpare(amount: string): boolean {
		const value = canonicalDecimal(absoluteDecimal(amount));
		const { accounts, printedRows } = this.input.statement;
		const rows = accounts.flatMap(({ transactions }) => transactions);
		return printedRows.some(
			(line) =>
				line.transaction !== null &&
				this.valuesIn(line).includes(value) &&
				!rows.some(
					(row) =>
						row.pageNumber === line.pageNumber &&
						[row.amount, row.balance ?? row.amount].some(
							(own) => canonicalDecimal(absoluteDecimal(own)) === value,
						),
				),
		);
	}

	/** True where a row prints another amount that would make up for a difference. */
	otherAmountExplains(rows: readonly StatementTransaction[], difference: string): boolean {
		const wanted = canonicalDecimal(absoluteDecimal(difference));
		return rows.some((row) => {
			const amount = absoluteDecimal(row.amount);
			const own = [amount, row.balance ?? amount].map((value) =>
				canonicalDecimal(absoluteDecimal(value)),
			);
			return (this.#allLines.get(row) ?? [])
				.flatMap((line) => this.valuesIn(line))
				.some(
					(value) =>
						!own.includes(value) &&
						[subtractDecimals(amount, value), sumDecimals([amount, value])].some(
							(apart) => canonicalDecimal(absoluteDecimal(apart)) === wanted,
						),
				);
		});
	}

	/** The amounts in a line, without sign, one text for each value. */
	valuesIn(line: PrintedRow): string[] {
		const values: string[] = [];
		for (const cell of line.cells) {
			const whole = parseAmount(cell, this.decimal);
			for (const text of whole ? [cell] : cell.split(' ')) {
				const amount = parseAmount(text, this.decimal);
				if (amount && (amount.shape === 'decimal' || whole))
					values.push(canonicalDecimal(amount.value));
			}
		}
		return values;
	}

	/** The box of a line, or of a word in it. */
	boxOf(line: PrintedRow | null, word?: string): Box | null {
		const page = line && this.input.pages?.find(({ number }) => number === line.pageNumber);
		if (!page) return null;
		const found = this.#linesOf(page).find(({ text }) => text === line.text);
		if (!found) return null;
		const words = found.words.filter(({ text }) => text === word);
		const boxed = words.length > 0 ? words.slice(-1) : found.words;
		return {
			x0: Math.min(...boxed.map(({ x0 }) => x0)),
			y0: Math.min(...boxed.map(({ y0 }) => y0)),
			x1: Math.max(...boxed.map(({ x1 }) => x1)),
			y1: Math.max(...boxed.map(({ y1 }) => y1)),
		};
	}

	/** The line of the page that a box lies on, as text; empty where none does. */
	textAt(pageNumber: number, box: Box): string {
		const page = this.input.pages?.find(({ number }) => number === pageNumber);
		if (!page) return '';
		const middle = (box.y0 + box.y1) / 2;
		const line = this.#linesOf(page).find(({ words }) =>
			words.some(({ y0, y1 }) => y0 <= middle && middle <= y1),
		);
		return line?.text ?? '';
	}

	/** True where the line that a box lies on was read as part of a transaction. */
	isInRow(pageNumber: number, box: Box): boolean {
		const text = this.textAt(pageNumber, box);
		if (text === '') return false;
		this.#rowTexts ??= new Set(
			this.input.statement.printedRows.flatMap((line) =>
				line.transaction === null ? [] : [`${line.pageNumber} ${line.text}`],
			),
		);
		return this.#rowTexts.has(`${pageNumber} ${text}`);
	}

	/** A signal about a row; its place and text are those of the row. */
	rowSignal(
		row: StatementTransaction,
		signal: Omit<FraudSignal, 'pageNumber' | 'bbox' | 'text' | 'period'>,
	): FraudSignal {
		const line = this.lineOf(row);
		return {
			...signal,
			pageNumber: row.pageNumber,
			bbox: this.boxOf(line),
			text: line?.text ?? row.memo,
			period: row.period,
		};
	}

	#linesOf(page: Page): Line[] {
		let lines = this.#lines.get(page.number);
		if (!lines) this.#lines.set(page.number, (lines = linesOfPage(withoutWatermarks(page))));
		return lines;
	}

	/** Pairs of label and amount: beside each other, or labels on one line and amounts on the next. */
	#figuresOf(line: PrintedRow, index: number): PrintedFigure[] {
		const read = line.cells.map((cell) => parseAmount(cell.replaceAll(/\s/g, ''), this.decimal));
		const amounts = read.filter((amount) => amount !== null);
		if (amounts.length === 0) return [];
		const above = this.#otherLines[index - 1];
		if (
			amounts.length === line.cells.length &&
			amounts.length > 1 &&
			above?.pageNumber === line.pageNumber &&
			above.cells.length === line.cells.length
		) {
			return amounts.map((amount, cell) => ({ line, label: above.cells[cell] ?? '', amount }));
		}
		return read.flatMap((amount, cell) => {
			if (!amount || amount.shape === 'plain') return [];
			return [
				{ line, label: line.cells.slice(0, cell).findLast((_, at) => !read[at]) ?? '', amount },
			];
		});
	}
}

function periodsOf(account: StatementAccount): PeriodRows[] {
	return account.periods.map((period) => {
		const rows = account.transactions.filter((row) => row.period === period.period);
		const first = rows[0]?.date ?? '';
		const newestFirst = first > (rows.at(-1)?.date ?? first);
		return { account, period, rows: newestFirst ? rows.reverse() : rows, newestFirst };
	});
}

const PAGE_OF =
	/\b(?:page|seite|pagina|página|sheet|blatt|feuille)?\s*(\d{1,3})\s*(?:of|von|van|de|sur|di|\/)\s*(\d{1,3})\b/i;

/** Looks for `Page 1 of 3` on each page. */
function pagesAreMissing(lines: readonly PrintedRow[]): boolean {
	const numbers = new Map<number, { page: number; of: number }>();
	for (const line of lines) {
		if (line.transaction !== null) continue;
		for (const cell of line.cells) {
			const match = PAGE_OF.exec(cell);
			if (!match || (match[0].length < cell.trim().length - 4 && !/^\s*page/i.test(cell))) continue;
			const [page, of] = [Number(match[1]), Number(match[2])];
			if (page >= 1 && page <= of) numbers.set(line.pageNumber, { page, of });
		}
	}
	const said = [...numbers].sort((left, right) => left[0] - right[0]);
	if (said.length < 2) return said.some(([at, { page, of }]) => page !== at && of > 1);
	return said.some(([at, { page }], index) => {
		const before = said[index - 1];
		return before !== undefined && page - before[1].page > at - before[0];
	});
}
