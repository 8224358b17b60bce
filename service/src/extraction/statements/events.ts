import type { CalendarDate } from '../dates/calendarDate.ts';
import { dayNumber } from '../dates/calendarDate.ts';
import { equalDecimals } from '../money/decimal.ts';
import type { AccountMarker } from './accountNumbers.ts';
import { sameAccount } from './accountNumbers.ts';
import type { CompleteRow } from './descriptionLines.ts';
import type { PrintedPeriod } from './statementPeriods.ts';
import type { DecimalText } from './statement.ts';
import type { BalanceKind } from './vocabulary/balances.ts';

/** What a document prints, in the order in which it is read. */
export type StatementEvent =
	| { kind: 'account'; marker: AccountMarker }
	| { kind: 'heading' }
	| { kind: 'period'; period: PrintedPeriod }
	| { kind: 'statementDate'; date: CalendarDate }
	| { kind: 'row'; row: CompleteRow }
	| {
			kind: 'balance';
			balance: Exclude<BalanceKind, 'ignored'>;
			/** Signed as printed. */
			value: DecimalText;
			date: CalendarDate | null;
			inTable: boolean;
	  };

/** One period of one account, as printed. */
export interface PeriodDraft {
	rows: CompleteRow[];
	opening: DecimalText | null;
	openingDate: CalendarDate | null;
	closing: DecimalText | null;
	closingDate: CalendarDate | null;
	closingInTable: boolean;
	brought: DecimalText | null;
	carried: DecimalText | null;
	dated: { value: DecimalText; date: CalendarDate | null; afterRows: boolean }[];
	period: PrintedPeriod | null;
	/** The day that the statement is made up to, where it is labelled. */
	statementDate: CalendarDate | null;
}

export interface AccountDraft {
	markers: AccountMarker[];
	periods: PeriodDraft[];
}

function emptyPeriod(): PeriodDraft {
	return {
		rows: [],
		opening: null,
		openingDate: null,
		closing: null,
		closingDate: null,
		closingInTable: false,
		brought: null,
		carried: null,
		dated: [],
		period: null,
		statementDate: null,
	};
}

/** Sorts what is printed into accounts and their periods. */
export function accountsOf(events: readonly StatementEvent[]): AccountDraft[] {
	const accounts: AccountDraft[] = [{ markers: [], periods: [emptyPeriod()] }];
	let account = accounts[0] as AccountDraft;
	// A number that is named only counts as a new account once a table or balance follows it.
	let pending: AccountMarker[] = [];
	const settle = () => {
		if (pending.length === 0) return;
		account = accountFor(accounts, account, pending);
		pending = [];
	};
	for (const event of events) {
		if (event.kind === 'account') {
			pending = pending.filter(({ kind }) => kind !== event.marker.kind);
			pending.push(event.marker);
			continue;
		}
		if (event.kind === 'heading') {
			settle();
			continue;
		}
		if (
			event.kind === 'balance' &&
			(event.balance === 'opening' || event.balance === 'brought' || !hasRows(account))
		)
			settle();
		if (event.kind === 'row' && account.markers.length === 0) settle();
		addTo(account, event);
	}
	settle();
	for (const draft of accounts) mergeTrailing(draft);
	const withRows = accounts.filter(hasRows);
	if (withRows.length > 0) return withRows;
	return accounts.filter(({ periods }) =>
		periods.some((period) => period.opening ?? period.closing ?? period.brought),
	);
}

function hasRows({ periods }: AccountDraft): boolean {
	return periods.some(({ rows }) => rows.length > 0);
}

function accountFor(
	accounts: AccountDraft[],
	current: AccountDraft,
	markers: readonly AccountMarker[],
): AccountDraft {
	const matches = (draft: AccountDraft) =>
		markers.some((marker) => draft.markers.some((own) => sameAccount(own.account, marker.account)));
	const conflicts = (draft: AccountDraft) =>
		markers.some((marker) =>
			draft.markers.some(
				(own) => own.kind === marker.kind && !sameAccount(own.account, marker.account),
			),
		);
	const known = matches(current) ? current : accounts.find(matches);
	const target = known ?? (conflicts(current) ? null : current);
	if (target) {
		for (const marker of markers) {
			if (!target.markers.some((own) => own.kind === marker.kind)) target.markers.push(marker);
		}
		return target;
	}
	const created = { markers: [...markers], periods: [emptyPeriod()] };
	accounts.push(created);
	return created;
}

function addTo(account: AccountDraft, event: StatementEvent): void {
	let period = account.periods.at(-1) as PeriodDraft;
	const renew = () => {
		period = emptyPeriod();
		account.periods.push(period);
	};
	if (event.kind === 'row') {
		period.rows.push(event.row);
		period.carried = null;
		return;
	}
	if (event.kind === 'period') {
		if (!period.period) {
			if (period.rows.length === 0 || !startsLater(event.period, period))
				period.period = event.period;
		} else if (period.rows.length > 0 && apart(event.period, period.period)) {
			renew();
			period.period = event.period;
		} else if (event.period.named && !period.period.named && period.rows.length === 0) {
			period.period = event.period;
		}
		return;
	}
	if (event.kind === 'statementDate') {
		period.statementDate ??= event.date;
		return;
	}
	if (event.kind !== 'balance') return;
	const { value, date, inTable } = event;
	if (event.balance === 'opening') {
		if (period.opening === null) {
			if (
				period.rows.length > 0 &&
				period.brought !== null &&
				(period.closing !== null || period.carried !== null)
			)
				renew();
			else if (
				period.rows.length > 0 &&
				period.brought !== null &&
				!equalDecimals(period.brought, value) &&
				inTable
			)
				return;
		} else {
			if (period.rows.length === 0 || equalDecimals(period.opening, value)) {
				period.openingDate ??= date;
				return;
			}
			// Another opening balance after rows: the next period, unless it only opens a page.
			if (!opensNext(period, value, inTable)) return;
			renew();
		}
		period.opening = value;
		period.openingDate = date;
	} else if (event.balance === 'closing') {
		if (
			period.closing === null ||
			(inTable && !period.closingInTable) ||
			(inTable && period.closingInTable && period.rows.length > 0)
		) {
			period.closing = value;
			period.closingInTable = inTable;
			period.closingDate = date ?? period.closingDate;
		} else {
			period.closingDate ??= date;
		}
	} else if (event.balance === 'brought') {
		if (period.rows.length === 0 && period.brought === null) {
			period.brought = value;
			period.openingDate ??= date;
		}
	} else if (event.balance === 'carried') {
		if (period.rows.length > 0) {
			period.carried = value;
			period.closingDate ??= date;
		}
	} else {
		period.dated.push({ value, date, afterRows: period.rows.length > 0 });
	}
}

function opensNext(period: PeriodDraft, value: DecimalText, inTable: boolean): boolean {
	if (period.closing !== null)
		return equalDecimals(period.closing, value) || !inTable || period.closingInTable;
	return !inTable;
}

function startsLater(next: PrintedPeriod, period: PeriodDraft): boolean {
	return period.closing !== null && next.named;
}

function apart(next: PrintedPeriod, own: PrintedPeriod): boolean {
	return (
		next.named === own.named &&
		(dayNumber(next.start) > dayNumber(own.end) - 3 ||
			dayNumber(next.end) < dayNumber(own.start) + 3) &&
		dayNumber(next.end) - dayNumber(next.start) > 2
	);
}

/** A summary at the end prints opening and closing after the rows: it is no period of its own. */
function mergeTrailing(account: AccountDraft): void {
	while (account.periods.length > 1) {
		const last = account.periods.at(-1) as PeriodDraft;
		const before = account.periods.at(-2) as PeriodDraft;
		if (last.rows.length > 0) break;
		account.periods.pop();
		before.opening ??= last.opening;
		before.openingDate ??= last.openingDate;
		before.closing ??= last.closing;
		before.closingDate ??= last.closingDate;
		before.period ??= last.period;
	}
	// A period without rows between others holds nothing either, unless it prints both balances.
	account.periods = account.periods.filter(
		(period, _, all) =>
			period.rows.length > 0 ||
			all.length === 1 ||
			(period.opening !== null && period.closing !== null),
	);
}
