import { isNegativeDecimal } from '../../extraction/money/decimal.ts';
import type { StatementTransaction } from '../../extraction/statements/statement.ts';
import { plainText } from '../../extraction/statements/vocabulary/plainText.ts';
import { hasPayrollMarks, OWN_ACCOUNT, partyKey, REVERSAL, SALARY } from './counterparties.ts';
import type { FraudSignal } from './fraudSignal.ts';
import type { PeriodRows, StatementView } from './statementView.ts';
import { daysOf, dayOf } from './wording.ts';

/** In units of the currency; smaller credits are no income that anybody would make up. */
const SMALLEST = 250;

/** What counts as round: banknotes. */
const ROUND_TO = 50;

/**
 * Income that looks made up: the same round amount several times, without any of the marks that a
 * payroll run leaves on a statement, as most of what comes in. A round salary with such marks, and
 * round rents once a month, are none.
 */
export function madeUpIncome(view: StatementView, parts: readonly PeriodRows[]): FraudSignal[] {
	const credits = parts
		.flatMap(({ rows }) => rows)
		.filter(({ amount }) => !isNegativeDecimal(amount) && Number(amount) >= 1);
	// Card statements print payments as credits; those are no income.
	if (
		parts.some(
			({ period }) =>
				isNegativeDecimal(period.startBalance ?? '0') &&
				isNegativeDecimal(period.endBalance ?? '0'),
		)
	)
		return [];
	const total = credits.reduce((sum, { amount }) => sum + Number(amount), 0);
	const groups = new Map<string, StatementTransaction[]>();
	for (const row of credits) {
		const plain = plainText(row.memo);
		if (Number(row.amount) < SMALLEST || REVERSAL.test(plain) || OWN_ACCOUNT.test(plain)) continue;
		const key = `${partyKey(row)} ${Number(row.amount)}`;
		const group = groups.get(key);
		if (group) group.push(row);
		else groups.set(key, [row]);
	}
	return [...groups.values()].flatMap((rows) => groupSignal(view, rows, total, parts));
}

function groupSignal(
	view: StatementView,
	rows: readonly StatementTransaction[],
	total: number,
	parts: readonly PeriodRows[],
): FraudSignal[] {
	const [first] = rows as [StatementTransaction];
	const amount = Number(first.amount);
	const isRound = Number.isInteger(amount) && amount % ROUND_TO === 0;
	if (!isRound || rows.some(hasPayrollMarks)) return [];
	const share = (amount * rows.length) / Math.max(total, 1);
	const says = SALARY.test(plainText(first.memo));
	const weekend = rows.filter((row) =>
		[0, 6].includes(new Date(`${dayOf(row)}T00:00:00Z`).getUTCDay()),
	).length;
	const days = rows.map((row) => daysOf(dayOf(row))).sort((a, b) => a - b);
	const gaps = days.slice(1).map((day, index) => day - (days[index] ?? 0));
	const oftenAMonth = gaps.some((gap) => gap < 20);
	if (rows.length < 2 && !says) return [];
	// A tenant pays the same round sum once a month; nobody's salary comes so without a mark.
	if (!says && (!oftenAMonth || rows.length < 3 || share < 0.5)) return [];
	let confidence = says ? (rows.length >= 2 ? 0.6 : 0.3) : 0.35;
	if (share >= 0.5) confidence += says && rows.length >= 2 ? 0.1 : 0.05;
	if (rows.length >= 3) confidence += 0.08;
	if (rows.length >= 4) confidence += 0.08;
	if (weekend > 0) confidence += 0.05;
	const lasting = parts.length > 1 ? ` over ${parts.length} periods` : '';
	return [
		view.rowSignal(first, {
			type: 'synthetic_income',
			reasonCode: says ? 'round_salary_without_payroll_marks' : 'round_income_repeats',
			confidence: Math.min(confidence, 0.9),
			details:
				`${rows.length === 1 ? 'A credit' : `${rows.length} credits`} of exactly ${first.amount} ("${first.memo.slice(0, 60)}") ` +
				`on ${rows.map(dayOf).join(', ')}${lasting}: a round amount, ` +
				`${Math.round(share * 100)} % of all that came in, without a number, scheme or company that a payroll leaves` +
				`${weekend > 0 ? `, ${weekend} of them on a weekend` : ''}.`,
			metadata: {
				amount: first.amount,
				count: rows.length,
				shareOfIncome: Math.round(share * 100) / 100,
				onWeekends: weekend,
			},
		}),
	];
}
