import type { Page } from '../../extraction/page.ts';
import type { Statement } from '../../extraction/statements/statement.ts';
import type { Box, PdfEvidence } from '../../reading/pdf/evidence/pdfEvidence.ts';

/** What is analysed. Nothing of it is changed. */
export interface AnalysisInput {
	statement: Statement;
	/** The words that the statement was extracted from; without them signals have no boxes. */
	pages?: readonly Page[];
	/** Null where the document is no PDF, or its text was recognised from a picture. */
	pdf: PdfEvidence | null;
}

export type SignalType =
	/** Figures that are printed contradict each other. */
	| 'balance_tampering'
	/** The file shows that what it says was changed after it was made. */
	| 'document_edit'
	/** Text is painted over other text, or hidden. */
	| 'covered_text'
	/** Figures are set in another way than those around them. */
	| 'font_inconsistency'
	/** What the file says about itself contradicts the statement, or names a program for editing. */
	| 'metadata_mismatch'
	| 'synthetic_income'
	| 'circular_transfers'
	| 'period_end_deposit'
	| 'duplicate_transactions';

/** One finding, in the fields of section 2.9 of the interface. */
export interface FraudSignal {
	type: SignalType;
	/** For programs; the list is in `docs/fraud.md`. */
	reasonCode: string;
	/** 0 to 1: how sure it is that somebody tampered. From 0.5 on it is an accusation. */
	confidence: number;
	/** For people: names the row, what is printed and what was expected. */
	details: string;
	/** Counts from 1. */
	pageNumber: number | null;
	/** Points from the top left corner of the page. */
	bbox: Box | null;
	/** What is printed there. */
	text: string | null;
	/** The account's sub-period, as in section 2.8. */
	period: string | null;
	metadata: Record<string, string | number | boolean | null>;
}

export type RiskLevel = 'low' | 'medium' | 'high';

/** The score of section 2.9: 0 is clean, 100 is certain. */
export interface FraudScore {
	score: number;
	/** 100 - score. */
	authenticityScore: number;
	riskLevel: RiskLevel;
	comment: string;
}

export interface FraudAnalysis {
	/** The surest first. */
	signals: FraudSignal[];
	score: FraudScore;
}
