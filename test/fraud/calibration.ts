import { EvidenceCollector } from '../../service/src/reading/pdf/evidence/evidenceCollector.ts';
import { readPdf } from '../../service/src/reading/pdf/readPdf.ts';
import { extractStatement } from '../../service/src/extraction/statements/extractStatement.ts';
import { analyseStatement } from '../../service/src/fraud/analysis/analyseStatement.ts';
import { accuses } from '../../service/src/fraud/analysis/fraudScore.ts';
import type { FraudAnalysis } from '../../service/src/fraud/analysis/fraudSignal.ts';
import { UnreadableDocumentError } from '../../service/src/extraction/unreadable.ts';
import type { CaseFile } from './caseFile.ts';

export interface Judged {
	file: CaseFile;
	analysis: FraudAnalysis;
	accused: boolean;
}

/** Reads a statement as the service does, and analyses it. Null where it cannot be extracted. */
export async function judge(file: CaseFile): Promise<Judged | null> {
	const bytes = new Uint8Array(file.pdf);
	const evidence = new EvidenceCollector(bytes);
	try {
		const pages = await readPdf(bytes, { maxPages: 500, evidence });
		const statement = extractStatement(pages);
		const analysis = analyseStatement({ statement, pages, pdf: evidence.evidence });
		return { file, analysis, accused: accuses(analysis.signals, analysis.score) };
	} catch (error) {
		if (error instanceof UnreadableDocumentError) return null;
		throw error;
	}
}

export interface KindTally {
	total: number;
	accused: number;
	/** Refused by the extraction, so that nobody is told anything. */
	refused: number;
	/** The others: names of clean statements that were accused, of tampered ones that were not. */
	wrong: string[];
	/** By reason code: how many statements it accused. */
	reasons: Map<string, number>;
}

/** How many of each kind are accused. */
export async function tally(
	files: AsyncIterable<CaseFile>,
	expected: boolean,
): Promise<Map<string, KindTally>> {
	const kinds = new Map<string, KindTally>();
	for await (const file of files) {
		let kind = kinds.get(file.kind);
		if (!kind)
			kinds.set(
				file.kind,
				(kind = { total: 0, accused: 0, refused: 0, wrong: [], reasons: new Map() }),
			);
		kind.total++;
		const judged = await judge(file);
		if (judged === null) kind.refused++;
		if (judged?.accused) kind.accused++;
		const strongest = judged?.analysis.signals[0];
		if (judged?.accused && strongest)
			kind.reasons.set(strongest.reasonCode, (kind.reasons.get(strongest.reasonCode) ?? 0) + 1);
		if ((judged?.accused ?? false) !== expected)
			kind.wrong.push(
				`${file.name}: ${judged === null ? 'refused by the extraction' : judged.analysis.score.comment}`,
			);
	}
	return kinds;
}
