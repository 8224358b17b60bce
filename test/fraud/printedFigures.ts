import { minorUnits, absolute, printUnsigned } from '../documents/money.ts';
import type { NumberStyle } from '../documents/money.ts';
import type { TruthTransaction } from '../documents/index.ts';
import type { RecordedStatement, TextCall } from './recordedSheet.ts';

const FIGURE = /^([^\d]{0,6})(\d[\d.,' \u00a0\u202f]*[.,]\d{2})([^\d]{0,5})$/;

/** The minor units of a text that is nothing but a figure, without sign; null for other texts. */
export function figureIn(text: string): bigint | null {
	const core = FIGURE.exec(text.trim())?.[2];
	return core === undefined ? null : BigInt(core.replaceAll(/\D/g, ''));
}

/** The same text with another figure in it, in the same way of writing. */
export function withFigure(text: string, minor: bigint, style: NumberStyle): string {
	return text.replace(/\d[\d.,' \u00a0\u202f]*[.,]\d{2}/, printUnsigned(minor, style));
}

/** How a statement writes its figures, told by one of them. */
export function styleOf(calls: readonly TextCall[], layout: string): NumberStyle {
	const texts = calls.map(({ text }) => text.trim()).filter((text) => FIGURE.test(text));
	const decimal = texts[0]?.match(/([.,])\d{2}\D*$/)?.[1] ?? '.';
	const grouped = texts.find((text) => /\d[^\d]\d{3}[.,]\d{2}/.test(text));
	const thousands = grouped?.match(/\d([^\d])\d{3}[.,]\d{2}/)?.[1] ?? '';
	return {
		decimal,
		thousands,
		...(layout === 'indianSavings' && { grouping: 'lakh' as const }),
	};
}

/** Where a transaction of the truth stands on the sheet. */
export interface PlacedTransaction {
	transaction: TruthTransaction;
	amount: TextCall;
	balance: TextCall | null;
	/** The topmost text of the row. */
	top: number;
}

/** The texts of each transaction; empty where not all are found. */
export function placedTransactions({ truth, calls }: RecordedStatement): PlacedTransaction[] {
	const placed: PlacedTransaction[] = [];
	let from = 0;
	for (const transaction of truth.accounts.flatMap(({ transactions }) => transactions)) {
		const value = absolute(minorUnits(transaction.amount));
		const at = calls.findIndex(
			({ index, page, text }) =>
				index >= from && page === transaction.pageNumber && figureIn(text) === value,
		);
		const amount = calls[at];
		if (!amount) return [];
		const owed = transaction.balance === null ? null : absolute(minorUnits(transaction.balance));
		const next = calls[at + 1];
		const balance =
			owed !== null && next && figureIn(next.text) === owed && next.page === amount.page
				? next
				: null;
		const first = transaction.descriptionLines[0] ?? '';
		const near = calls
			.slice(Math.max(0, at - 10), at + 6)
			.filter(
				({ text, page, y }) =>
					page === amount.page &&
					Math.abs(y - amount.y) < 60 &&
					text.replaceAll(/ +/g, ' ') === first.replaceAll(/ +/g, ' '),
			);
		const top = Math.min(amount.y, ...near.map(({ y }) => y));
		placed.push({ transaction, amount, balance, top });
		from = at + (balance ? 2 : 1);
	}
	return placed;
}
