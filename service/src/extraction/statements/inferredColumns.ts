import {
	absoluteDecimal,
	equalDecimals,
	isNegativeDecimal,
	subtractDecimals,
} from '../money/decimal.ts';
import type { AmountToken } from '../money/amountTokens.ts';
import { TableColumns } from './columns.ts';
import type { HeadingColumn } from './headings.ts';
import type { ReadLine } from './readLine.ts';
import type { ColumnRole } from './vocabulary/headings.ts';
import { matchBalance } from './vocabulary/balances.ts';

const SAME_EDGE = 3;

interface Column {
	at: number;
	x0: number;
	x1: number;
	count: number;
}

/**
 * For tables whose headings are missing or in an unknown language: rows are lines that begin with a
 * date and hold an amount; columns are where amounts end at the same place; the balance is the
 * column that the others explain. Null where there are no such rows.
 */
export function inferColumns(lines: readonly ReadLine[]): TableColumns | null {
	const rows = lines.filter(
		({ dates, amounts, plain }) =>
			dates[0] !== undefined &&
			dates[0].from <= 1 &&
			!dates[0].weak &&
			amounts.some(isMoney(dates[0].to)) &&
			matchBalance(plain) === null,
	);
	if (rows.length < 2) return null;
	const columns = clusters(
		rows.flatMap(({ amounts, dates }) => amounts.filter(isMoney(dates[0]?.to ?? 0))),
	);
	const usual = columns.filter(({ count }) => count >= Math.max(1, rows.length * 0.04)).slice(-3);
	if (usual.length === 0) return null;
	const roles = rolesOf(usual, rows);
	const first = rows[0]?.dates[0];
	if (!first) return null;
	const dateX0 = Math.min(...rows.map(({ dates }) => dates[0]?.x0 ?? Infinity));
	const dateX1 = Math.max(...rows.map(({ dates }) => dates[0]?.x1 ?? -Infinity));
	const second = secondDates(rows);
	const textX0 = (second?.x1 ?? dateX1) + 1;
	const headings: HeadingColumn[] = [
		{ role: 'date', x0: dateX0, x1: dateX1 },
		...(second ? [second] : []),
		{ role: 'description', x0: textX0, x1: Math.max(textX0 + 1, (usual[0]?.x0 ?? 0) - 1) },
		...usual.map(({ x0, x1 }, index) => ({ role: roles[index] as ColumnRole, x0, x1 })),
	];
	const table = new TableColumns(headings);
	table.learn(rows.flatMap(({ amounts, dates }) => amounts.filter(isMoney(dates[0]?.to ?? 0))));
	return table;
}

/** Dates that stand right beside the first ones on most rows. */
function secondDates(rows: readonly ReadLine[]): HeadingColumn | null {
	const beside = rows.flatMap(({ dates: [first, next] }) =>
		first && next && next.from === first.to ? [next] : [],
	);
	if (beside.length * 4 < rows.length * 3) return null;
	return {
		role: 'valueDate',
		x0: Math.min(...beside.map(({ x0 }) => x0)),
		x1: Math.max(...beside.map(({ x1 }) => x1)),
	};
}

function isMoney(from: number) {
	return (token: AmountToken) => token.shape !== 'plain' && token.from >= from;
}

function clusters(tokens: readonly AmountToken[]): Column[] {
	const columns: Column[] = [];
	for (const { x0, x1 } of [...tokens].sort((left, right) => left.x1 - right.x1)) {
		const last = columns.at(-1);
		if (last && x1 - last.at < SAME_EDGE) {
			last.at = x1;
			last.x0 = Math.min(last.x0, x0);
			last.x1 = Math.max(last.x1, x1);
			last.count++;
		} else {
			columns.push({ at: x1, x0, x1, count: 1 });
		}
	}
	return columns;
}

function rolesOf(columns: readonly Column[], rows: readonly ReadLine[]): ColumnRole[] {
	if (columns.length === 1) return ['amount'];
	const cells = rows.map(({ amounts }) =>
		columns.map(
			({ at, x0 }) =>
				amounts.find(
					({ x1 }) =>
						x1 <= at + SAME_EDGE &&
						x1 > Math.min(x0, at - SAME_EDGE) &&
						Math.abs(x1 - at) < 2 * SAME_EDGE,
				) ?? null,
		),
	);
	const last = columns.length - 1;
	const movements = columns.map((_, index) => index).filter((index) => index !== last);
	let explained = 0;
	let compared = 0;
	const incoming = columns.map(() => 0);
	for (let row = 1; row < cells.length; row++) {
		const before = cells[row - 1]?.[last];
		const after = cells[row]?.[last];
		if (!before || !after) continue;
		compared++;
		const change = subtractDecimals(signed(after), signed(before));
		for (const column of movements) {
			// In a newest-first list the change belongs to the row above.
			const own = cells[row]?.[column] ?? cells[row - 1]?.[column];
			if (own && equalDecimals(absoluteDecimal(change), own.value)) {
				explained++;
				incoming[column] = (incoming[column] ?? 0) + (isNegativeDecimal(change) ? -1 : 1);
				break;
			}
		}
	}
	const hasBalance = compared > 0 && explained >= compared * 0.4;
	const rest = hasBalance ? movements : columns.map((_, index) => index);
	const roles: ColumnRole[] = columns.map(() => 'amount');
	if (hasBalance) roles[last] = 'balance';
	if (rest.length >= 2) {
		const [left = 0, right = 1] = rest.slice(-2);
		const together = cells.filter((row) => row[left] && row[right]).length;
		if (together > rows.length * 0.5) {
			// Two amounts on every row: the last is the running balance, or the first is foreign.
			roles[left] = hasBalance ? 'foreignAmount' : 'amount';
			roles[right] = hasBalance ? 'amount' : 'balance';
		} else {
			const swapped = (incoming[left] ?? 0) > (incoming[right] ?? 0);
			roles[left] = swapped ? 'credit' : 'debit';
			roles[right] = swapped ? 'debit' : 'credit';
		}
	}
	return roles;
}

function signed({ value, mark }: AmountToken): string {
	return mark === 'minus' || mark === 'debit' ? `-${value}` : value;
}
