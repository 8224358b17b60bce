import {
	absoluteDecimal,
	canonicalDecimal,
	equalDecimals,
	isNegativeDecimal,
	isZeroDecimal,
	subtractDecimals,
	sumDecimals,
} from '../../extraction/money/decimal.ts';
import { kindOf } from './balanceLabels.ts';
import type { FraudSignal } from './fraudSignal.ts';
import type { RunningBalances } from './runningBalances.ts';
import type { PeriodRows, PrintedFigure, StatementView } from './statementView.ts';

/** Lines of limits print round amounts that are no rows. */
const LIMITS = /limit|kredit|overdraft|credit line|minimum|deckung|plafond|protected up to/i;

/** With fewer rows nothing is said about a sum. */
const FEWEST_ROWS = 3;

/**
 * The printed balances at both ends against the rows: start + rows = end. Where a running balance is
 * printed, it says which end is wrong; where the page prints an amount that explains the difference,
 * or the extraction itself is unsure, the signal stays a remark.
 */
export function periodBalances(
	view: StatementView,
	part: PeriodRows,
	running: RunningBalances,
): FraudSignal[] {
	const { startBalance, endBalance, isReconciled } = part.period;
	if (startBalance === null || endBalance === null || isReconciled) return [];
	if (part.rows.length < FEWEST_ROWS) return [];
	const reached = sumDecimals([startBalance, ...part.rows.map(({ amount }) => amount)]);
	const difference = subtractDecimals(endBalance, reached);
	if (isZeroDecimal(difference)) return [];
	// The row that breaks the running balance has been named; the sum is off for the same reason.
	if (running.signals.length > 0) return [];
	const end = figureOf(view, endBalance, ['closing', 'dated', 'carried']);
	const metadata = {
		account: part.account.account,
		startBalance,
		endBalance,
		expectedEndBalance: reached,
		difference,
		rows: part.rows.length,
	};
	const signal = (
		reasonCode: string,
		confidence: number,
		details: string,
		figure: PrintedFigure | null,
	): FraudSignal => ({
		type: 'balance_tampering',
		reasonCode,
		confidence,
		details,
		pageNumber: figure?.line.pageNumber ?? null,
		bbox: figure ? view.boxOf(figure.line) : null,
		text: figure?.line.text ?? null,
		period: part.period.period,
		metadata,
	});
	const holds = running.links >= FEWEST_ROWS && running.broken === 0;
	if (holds && running.last !== null) {
		const elsewhere = view.figures.filter(
			({ amount }) =>
				canonicalDecimal(amount.value) === canonicalDecimal(absoluteDecimal(running.last ?? '0')),
		);
		const facts =
			`The statement says that it ends with ${endBalance}, but its last row leads to ${running.last} ` +
			`(difference ${difference}). All ${running.links} running balances hold.`;
		// Another line says the right balance as the closing one: either was read for the other.
		const right = elsewhere.some(({ label, line }) =>
			['closing', 'dated'].includes(kindOf(label) ?? kindOf(line.text) ?? ''),
		);
		if (end === null || view.missingPages || view.unreadLines.length > 0) {
			return [signal('end_balance_not_clear', 0.2, facts, end)];
		}
		return [signal('end_balance_changed', right ? 0.6 : 0.85, facts, end)];
	}
	const facts =
		`The rows lead from ${startBalance} to ${reached}, but the statement says that it ends with ` +
		`${endBalance} (difference ${difference}, ${part.rows.length} rows).`;
	const doubt = doubts(view, part, difference);
	if (doubt !== null) {
		return [signal('does_not_add_up', 0.15, `${facts} ${doubt}`, end)];
	}
	return [
		signal(
			'does_not_add_up',
			0.65,
			`${facts} No line of the document explains the difference.`,
			end,
		),
	];
}

/** Why the difference may come from the reading of the document; null where nothing speaks for that. */
export function doubts(view: StatementView, part: PeriodRows, difference: string): string | null {
	const { statement } = view.input;
	if (view.missingPages) return 'A page is missing, by the numbers that are printed on the pages.';
	if (statement.notes.length > 0) return 'The extraction was not sure of all rows.';
	if (statement.accounts.length > 1)
		return 'The document has several accounts; a row may have been given to another one.';
	if (part.rows.some((row) => !view.isReadExactly(row)))
		return 'The figures of some rows do not stand in their lines just as they were read.';
	const { startBalance, endBalance } = part.period;
	const named =
		startBalance !== null &&
		endBalance !== null &&
		figureOf(view, startBalance, ['opening', 'dated', 'brought']) &&
		figureOf(view, endBalance, ['closing', 'dated', 'carried']);
	if (!named) return 'The balances do not stand beside words that name them.';
	const missing = canonicalDecimal(absoluteDecimal(difference));
	const [line] = view.unreadLines;
	if (line) return `The line "${line.text.slice(0, 80)}" was not read as a row.`;
	const loose = view.otherLines.find(
		(other) =>
			view.valuesIn(other).includes(missing) &&
			kindOf(other.text) === null &&
			!LIMITS.test(other.text),
	);
	if (loose)
		return `The line "${loose.text.slice(0, 80)}" prints ${missing} and was not read as a row.`;
	if (view.isSpare(difference) || view.otherAmountExplains(part.rows, difference))
		return 'A row prints another amount, with which it would add up.';
	const turned = part.rows.find((row) =>
		equalDecimals(
			absoluteDecimal(difference),
			absoluteDecimal(sumDecimals([row.amount, row.amount])),
		),
	);
	if (turned) return 'With one sign the other way round it would add up.';
	return null;
}

/** Where a balance is printed as such. */
export function figureOf(
	view: StatementView,
	balance: string,
	kinds: readonly string[],
): PrintedFigure | null {
	const value = canonicalDecimal(absoluteDecimal(balance));
	return (
		view.figures.find(
			({ amount, label, line }) =>
				canonicalDecimal(amount.value) === value &&
				kinds.includes(kindOf(label) ?? kindOf(line.text) ?? ''),
		) ?? null
	);
}

/** Sums of what came in and what went out, without sign. */
export function sumsOf(amounts: readonly string[]): { in: string; out: string } {
	return {
		in: sumDecimals(amounts.filter((amount) => !isNegativeDecimal(amount))),
		out: absoluteDecimal(
			sumDecimals(amounts.filter((amount) => isNegativeDecimal(amount) && !isZeroDecimal(amount))),
		),
	};
}
