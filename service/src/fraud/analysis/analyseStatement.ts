import { circularTransfers } from './circularTransfers.ts';
import { coveredText } from './coveredText.ts';
import { fileChanges } from './fileChanges.ts';
import { fileMetadata } from './fileMetadata.ts';
import { ACCUSING_CONFIDENCE, fraudScore } from './fraudScore.ts';
import type { AnalysisInput, FraudAnalysis, FraudSignal } from './fraudSignal.ts';
import { madeUpIncome } from './income.ts';
import { numberSetting } from './numberSetting.ts';
import { periodBalances } from './periodBalances.ts';
import { periodEndDeposits } from './periodEndDeposits.ts';
import { printedTotals } from './printedTotals.ts';
import { repeatedTransactions } from './repeatedTransactions.ts';
import { runningBalances } from './runningBalances.ts';
import { StatementView } from './statementView.ts';

/** More signals than this say nothing more. */
const MOST_SIGNALS = 100;

/**
 * Looks for tampering in a bank statement: in its figures, in its file, and in its transactions
 * (section 2.9). Pure; the same input gives the same answer. The score follows from the signals.
 */
export function analyseStatement(input: AnalysisInput): FraudAnalysis {
	const view = new StatementView(input);
	const signals: FraudSignal[] = [];
	const off = new Set<string>();
	for (const part of view.periods) {
		const running = runningBalances(view, part);
		for (const signal of running.signals) off.add(String(signal.metadata.difference));
		signals.push(...running.signals, ...periodBalances(view, part, running));
	}
	const accused = signals.some(({ confidence }) => confidence >= ACCUSING_CONFIDENCE);
	signals.push(...printedTotals(view, off, accused));
	if (input.pdf !== null) {
		signals.push(
			...fileChanges(view, input.pdf),
			...coveredText(view, input.pdf),
			...numberSetting(view, input.pdf),
			...fileMetadata(view, input.pdf),
		);
	}
	signals.push(
		...madeUpIncome(view, view.periods),
		...circularTransfers(view),
		...periodEndDeposits(view),
		...repeatedTransactions(view),
	);
	signals.sort((left, right) => right.confidence - left.confidence);
	const kept = signals.slice(0, MOST_SIGNALS);
	return { signals: kept, score: fraudScore(kept) };
}
