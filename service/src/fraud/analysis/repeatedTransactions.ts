import { isNegativeDecimal } from '../../extraction/money/decimal.ts';
import type { StatementTransaction } from '../../extraction/statements/statement.ts';
import type { FraudSignal } from './fraudSignal.ts';
import type { StatementView } from './statementView.ts';
import { dayOf } from './wording.ts';

/**
 * Rows that repeat in everything, a long reference number included, which is given once. Two equal
 * purchases on one day are real, so that this is a remark; it weighs more for money that comes in.
 */
export function repeatedTransactions(view: StatementView): FraudSignal[] {
	const groups = new Map<string, StatementTransaction[]>();
	for (const { rows } of view.periods) {
		for (const row of rows) {
			if (!/\d{6,}/.test(row.memo)) continue;
			const key = `${row.date} ${row.amount} ${row.memo}`;
			const group = groups.get(key);
			if (group) group.push(row);
			else groups.set(key, [row]);
		}
	}
	return (
		[...groups.values()]
			// A row without a line of its own was read twice.
			.filter((rows) => rows.length > 1 && rows.every((row) => view.isReadExactly(row)))
			.slice(0, 10)
			.map((rows) => {
				const [first] = rows as [StatementTransaction];
				const into = !isNegativeDecimal(first.amount);
				return view.rowSignal(first, {
					type: 'duplicate_transactions',
					reasonCode: 'row_repeats_with_reference',
					confidence: into ? (rows.length > 2 ? 0.45 : 0.3) : 0.1,
					details: `${rows.length} rows of ${dayOf(first)} are equal in amount (${first.amount}) and text, with the reference number in it: "${first.memo.slice(0, 80)}".`,
					metadata: { count: rows.length, amount: first.amount },
				});
			})
	);
}
