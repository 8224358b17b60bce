import type { FraudScore, FraudSignal, RiskLevel } from './fraudSignal.ts';

/**
 * What hangs together counts once: a changed row breaks the running balance and the totals alike, and
 * an editor leaves its name and another date. Of each family only the surest signal counts.
 */
const FAMILIES: Record<FraudSignal['type'], string> = {
	balance_tampering: 'figures',
	document_edit: 'edits',
	covered_text: 'edits',
	font_inconsistency: 'fonts',
	metadata_mismatch: 'metadata',
	synthetic_income: 'transactions',
	circular_transfers: 'transactions',
	period_end_deposit: 'transactions',
	duplicate_transactions: 'transactions',
};

/** From these scores on the risk is medium, and high. */
export const MEDIUM_FROM = 50;
export const HIGH_FROM = 80;

/** Signals from this confidence on are accusations; weaker ones are remarks. */
export const ACCUSING_CONFIDENCE = 0.5;

/**
 * The score that follows from the signals: the chance that at least one family of them is right, as
 * if families were independent, in percent. Remarks of several families add up that way too, but not
 * those of one family.
 */
export function fraudScore(signals: readonly FraudSignal[]): FraudScore {
	const surest = new Map<string, FraudSignal>();
	for (const signal of signals) {
		const family = FAMILIES[signal.type];
		const known = surest.get(family);
		if (known === undefined || signal.confidence > known.confidence) surest.set(family, signal);
	}
	let clean = 1;
	for (const { confidence } of surest.values()) clean *= 1 - confidence;
	const score = Math.round(100 * (1 - clean));
	const riskLevel: RiskLevel =
		score >= HIGH_FROM ? 'high' : score >= MEDIUM_FROM ? 'medium' : 'low';
	return {
		score,
		authenticityScore: 100 - score,
		riskLevel,
		comment: comment(signals, surest, riskLevel),
	};
}

function comment(
	signals: readonly FraudSignal[],
	surest: ReadonlyMap<string, FraudSignal>,
	riskLevel: RiskLevel,
): string {
	if (signals.length === 0) return 'Nothing in the file or in its figures points to tampering.';
	const reasons = [...surest.values()]
		.sort((left, right) => right.confidence - left.confidence)
		.map(({ reasonCode, confidence }) => `${reasonCode} (${Math.round(confidence * 100)} %)`);
	const count = signals.length === 1 ? '1 signal' : `${signals.length} signals`;
	return `Risk ${riskLevel}, from ${count}. The surest of each kind: ${reasons.join(', ')}.`;
}

/** True where the analysis accuses: a risk above low, or one signal that is an accusation. */
export function accuses(signals: readonly FraudSignal[], score: FraudScore): boolean {
	return (
		score.riskLevel !== 'low' || signals.some(({ confidence }) => confidence >= ACCUSING_CONFIDENCE)
	);
}
