import { dayNumber, isoDate } from '../dates/calendarDate.ts';
import type { CalendarDate } from '../dates/calendarDate.ts';
import type { PrintedDate } from '../dates/printedDate.ts';
import { equalDecimals, isZeroDecimal, negateDecimal, sumDecimals } from '../money/decimal.ts';
import type { AmountToken } from '../money/amountTokens.ts';
import { balanceBreaks } from './balanceBreaks.ts';
import type { AccountDraft, PeriodDraft } from './events.ts';
import type { CompleteRow } from './descriptionLines.ts';
import { fitIdMaker } from './fitId.ts';
import { categoryOf, checkNumberOf, nameOf, payeeOf } from './labels.ts';
import { rowTextOf } from './rowText.ts';
import { movementsOf } from './movements.ts';
import { decideSigns } from './signs.ts';
import type { SignedRow } from './signs.ts';
import type {
	AccountPeriod,
	DecimalText,
	StatementAccount,
	StatementTransaction,
} from './statement.ts';
import { plainText } from './vocabulary/plainText.ts';

interface Context {
	isCard: boolean;
	resolve: (date: PrintedDate | null) => CalendarDate | null;
	currency: string | null;
	/** Notes for a person are added here. */
	notes: string[];
}

export interface BuiltAccounts {
	accounts: StatementAccount[];
	/** Where each row went. */
	rowOfTransaction: Map<CompleteRow, { account: string; index: number }>;
}

/** Turns drafts into accounts: dates, signs, balances, and the verdict on each period. */
export function statementAccounts(
	drafts: readonly AccountDraft[],
	context: Context,
): BuiltAccounts {
	const accounts: StatementAccount[] = [];
	const rowOfTransaction: BuiltAccounts['rowOfTransaction'] = new Map();
	const keys = new Set<string>();
	for (const draft of drafts) {
		const account = uniqueKey(accountKey(draft), keys);
		const makeFitId = fitIdMaker();
		const transactions: StatementTransaction[] = [];
		const periods: AccountPeriod[] = [];
		for (const period of inOrderOfTime(draft.periods)) {
			const name = String(periods.length);
			const built = builtPeriod(period, name, account, context, makeFitId);
			for (const [row, transaction] of built.transactions) {
				rowOfTransaction.set(row, { account, index: transactions.length });
				transactions.push(transaction);
			}
			periods.push(built.period);
		}
		accounts.push({ account, currency: context.currency, periods, transactions });
	}
	return { accounts, rowOfTransaction };
}

function accountKey({ markers }: AccountDraft): string {
	const number = markers.find(({ kind }) => kind === 'number') ?? markers[0];
	const key = number?.account.replaceAll(/\s+/g, '') ?? '';
	// "metadata" is a key of the document itself.
	return key === '' || key === 'metadata' ? 'unknown' : key;
}

function uniqueKey(key: string, taken: Set<string>): string {
	let unique = key;
	for (let count = 2; taken.has(unique); count++) unique = `${key}-${count}`;
	taken.add(unique);
	return unique;
}

/** Periods that are printed newest first are turned round, if all of them say when they are. */
function inOrderOfTime(periods: readonly PeriodDraft[]): PeriodDraft[] {
	const starts = periods.map(({ period }) => (period ? dayNumber(period.start) : null));
	if (starts.some((start) => start === null)) return [...periods];
	return [...periods].sort(
		(left, right) =>
			dayNumber(left.period?.start as CalendarDate) -
			dayNumber(right.period?.start as CalendarDate),
	);
}

function signedToken(token: AmountToken | null, isCard: boolean): DecimalText | null {
	if (!token) return null;
	// On a card's statement what is owed is printed without a sign, and CR is the opposite.
	const against = isCard ? 'credit' : 'debit';
	const negative = token.mark === 'minus' || token.mark === against;
	return negative ? negateDecimal(token.value) : token.value;
}

function builtPeriod(
	draft: PeriodDraft,
	name: string,
	account: string,
	context: Context,
	makeFitId: ReturnType<typeof fitIdMaker>,
): { period: AccountPeriod; transactions: [CompleteRow, StatementTransaction][] } {
	const dated = draft.rows.flatMap((row) => {
		const day = context.resolve(row.day);
		return day ? [{ row, day }] : [];
	});
	if (dated.length < draft.rows.length) {
		context.notes.push(
			`${draft.rows.length - dated.length} row(s) of account ${account} have no date that can be read and were left out.`,
		);
	}
	const firstDay = dated[0]?.day;
	const lastDay = dated.at(-1)?.day;
	const newestFirst =
		firstDay !== undefined && lastDay !== undefined && dayNumber(firstDay) > dayNumber(lastDay);
	const printed = balancesOf(
		draft,
		dated.map(({ day }) => day),
	);
	const texts = dated.map(({ row }) => rowTextOf(row));
	const chosen = movementsOf(
		dated.map(({ row }) => row),
		printed.start,
		newestFirst,
		(token) => signedToken(token, context.isCard),
	);
	const rows = dated.map(({ row }, index): SignedRow => {
		const { role, token } = chosen.movements[index] as CompleteRow['movements'][number];
		const text = texts[index] as ReturnType<typeof rowTextOf>;
		return {
			role,
			value: token.value,
			mark: token.mark,
			type: text.byRole.get('type') ?? '',
			section: row.section,
			balance: signedToken(row.balance, context.isCard),
			plain: plainText(text.lines.join(' ')),
		};
	});
	const signs = decideSigns(rows, {
		isCard: context.isCard,
		opening: printed.start,
		closing: printed.end,
		newestFirst,
	});
	if (chosen.unproven > 0) {
		context.notes.push(
			`${chosen.unproven} row(s) of account ${account} print more than one amount; the last one was taken. Compare these rows with the document.`,
		);
	}
	for (const note of signs.notes) if (!context.notes.includes(note)) context.notes.push(note);
	const owed = (value: DecimalText | null) =>
		value !== null && context.isCard && signs.balancesOwed && !isZeroDecimal(value)
			? negateDecimal(value)
			: value;
	const startBalance = owed(printed.start);
	const endBalance = owed(printed.end);
	const transactions = dated.map(({ row, day }, index): [CompleteRow, StatementTransaction] => {
		const text = texts[index] as ReturnType<typeof rowTextOf>;
		const amount = signs.amounts[index] as DecimalText;
		const date = `${isoDate(day).replaceAll('-', '')}${row.day?.time ?? '000000'}`;
		const payee = payeeOf(text);
		return [
			row,
			{
				period: name,
				date,
				amount,
				memo: text.memo,
				name: nameOf(text, payee),
				payee,
				checkNumber: checkNumberOf(text),
				balance: owed(signedToken(row.balance, context.isCard)),
				category: categoryOf(text),
				fitId: makeFitId({ account, date, amount, text: text.lines.join(' ') }),
				descriptionLines: text.lines,
				pageNumber: row.read.line.pageNumber,
			},
		];
	});
	const breaks = balanceBreaks(
		transactions.map(([, transaction]) => transaction),
		startBalance,
		newestFirst,
	);
	const [first] = breaks;
	// Where most balances do not follow, the order of the rows is unusual, and no row is to blame.
	if (first && breaks.length * 2 <= transactions.length) {
		const { row, difference } = first;
		const day = `${row.date.slice(0, 4)}-${row.date.slice(4, 6)}-${row.date.slice(6, 8)}`;
		context.notes.push(
			`Account ${account}: the balance printed on ${day} (page ${row.pageNumber}, amount ${row.amount}) differs by ${difference} ` +
				`from the balance before it and the amounts between them${breaks.length > 1 ? `; so do ${breaks.length - 1} more` : ''}. Compare these rows with the document.`,
		);
	}
	const sum = startBalance === null ? null : sumDecimals([startBalance, ...signs.amounts]);
	const days = periodDays(
		draft,
		printed,
		dated.map(({ day }) => day),
	);
	return {
		period: {
			period: name,
			startBalance,
			endBalance,
			startDate: days.start ? isoDate(days.start) : null,
			endDate: days.end ? isoDate(days.end) : null,
			isReconciled:
				transactions.length > 0 &&
				sum !== null &&
				endBalance !== null &&
				equalDecimals(sum, endBalance),
		},
		transactions,
	};
}

interface PrintedBalances {
	start: DecimalText | null;
	startDay: CalendarDate | null;
	end: DecimalText | null;
	endDay: CalendarDate | null;
}

/** The balances at both ends, as printed; never from the rows. */
function balancesOf(draft: PeriodDraft, days: readonly CalendarDate[]): PrintedBalances {
	const result: PrintedBalances = {
		start: draft.opening ?? draft.brought,
		startDay: draft.openingDate,
		end: draft.closing ?? draft.carried,
		endDay: draft.closingDate,
	};
	if (result.start !== null && result.end !== null) return result;
	const numbers = days.map(dayNumber);
	const first = numbers.reduce((least, number) => Math.min(least, number), Infinity);
	const last = numbers.reduce((most, number) => Math.max(most, number), -Infinity);
	const dated = draft.dated.filter(({ date }) => date !== null) as {
		value: DecimalText;
		date: CalendarDate;
		afterRows: boolean;
	}[];
	const sorted = [...dated].sort((left, right) => dayNumber(left.date) - dayNumber(right.date));
	const earliest = sorted[0];
	const latest = sorted.at(-1);
	const apart = earliest && latest && dayNumber(latest.date) > dayNumber(earliest.date);
	const periodStart = draft.period ? dayNumber(draft.period.start) : first;
	const periodEnd = draft.period ? dayNumber(draft.period.end) : last;
	if (
		result.start === null &&
		earliest &&
		dayNumber(earliest.date) <= Math.min(first, periodStart + 3) &&
		(apart || !earliest.afterRows)
	) {
		[result.start, result.startDay] = [earliest.value, earliest.date];
	}
	if (
		result.end === null &&
		latest &&
		dayNumber(latest.date) >= Math.max(last, periodEnd - 3) &&
		(apart || latest.afterRows || result.startDay !== latest.date)
	) {
		[result.end, result.endDay] = [latest.value, latest.date];
	}
	const undated = draft.dated.filter(({ date }) => date === null);
	if (result.start === null)
		result.start = undated.find(({ afterRows }) => !afterRows)?.value ?? null;
	if (result.end === null)
		result.end = undated.findLast(({ afterRows }) => afterRows)?.value ?? null;
	return result;
}

function periodDays(
	draft: PeriodDraft,
	printed: PrintedBalances,
	rowDays: readonly CalendarDate[],
): { start: CalendarDate | null; end: CalendarDate | null } {
	if (draft.period) return draft.period;
	const { statementDate } = draft;
	// A statement that is dated before its last row is not made up to that day.
	const last = rowDays.reduce((most, day) => Math.max(most, dayNumber(day)), -Infinity);
	const upTo = statementDate && dayNumber(statementDate) >= last ? statementDate : null;
	return { start: printed.startDay, end: printed.endDay ?? upTo };
}
