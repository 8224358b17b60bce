import type {
	Box,
	ChangedPage,
	PdfEvidence,
	TextDifference,
} from '../../reading/pdf/evidence/pdfEvidence.ts';
import type { FraudSignal } from './fraudSignal.ts';
import type { StatementView } from './statementView.ts';

const MOST_SIGNALS = 20;
const HOLDS_DIGIT = /\d/;

/**
 * Updates that were appended to the file after it was first written. An update that only signs, adds
 * properties, or stamps the margin is none to accuse for; one that changes figures is.
 */
export function fileChanges(view: StatementView, pdf: PdfEvidence): FraudSignal[] {
	const signals: FraudSignal[] = [];
	for (const [index, revision] of pdf.revisions.entries()) {
		if (index === 0) continue;
		const metadata = {
			update: index,
			updates: pdf.revisions.length - 1,
			fileLength: revision.length,
			lengthBefore: pdf.revisions[index - 1]?.length ?? null,
		};
		const who = revision.info.producer ? ` by "${revision.info.producer}"` : '';
		const when = revision.info.modified ? ` (modified ${revision.info.modified})` : '';
		for (const page of revision.changedPages) {
			signals.push(
				...pageSignals(view, page, pdf).map((signal) => ({
					...signal,
					details: `Update ${index} of the file${who}${when}: ${signal.details}`,
					metadata: { ...signal.metadata, ...metadata },
				})),
			);
		}
		const before = pdf.revisions[index - 1]?.info.producer ?? null;
		const after = revision.info.producer;
		if (before !== null && after !== null && before !== after) {
			signals.push({
				type: 'document_edit',
				reasonCode: 'producer_differs_between_revisions',
				confidence: revision.changedPages.some(changesText) ? 0.6 : 0.25,
				details: `The file was first written by "${before}" and later changed by "${after}"${when}.`,
				...NOWHERE,
				metadata,
			});
		}
	}
	return signals.sort((left, right) => right.confidence - left.confidence).slice(0, MOST_SIGNALS);
}

const NOWHERE = { pageNumber: null, bbox: null, text: null, period: null };

type Found = Omit<FraudSignal, 'type' | 'period'> & Pick<FraudSignal, 'type' | 'period'>;

function changesText({ differences }: ChangedPage): boolean {
	return differences === null || differences.some(({ before }) => before !== '');
}

function pageSignals(view: StatementView, page: ChangedPage, pdf: PdfEvidence): Found[] {
	const { pageNumber, differences, kind } = page;
	const at = (difference: TextDifference) => ({
		pageNumber,
		bbox: difference.bbox,
		text: view.textAt(pageNumber, difference.bbox) || difference.after || difference.before,
		period: null,
	});
	if (differences === null) {
		return [
			{
				type: 'document_edit',
				reasonCode: 'page_content_replaced',
				confidence: kind === 'replaced' ? 0.6 : 0.3,
				details: `the content of page ${pageNumber} was ${kind === 'replaced' ? 'replaced' : 'added to'}. What it was before cannot be read.`,
				...NOWHERE,
				pageNumber,
				metadata: {},
			},
		];
	}
	const signals: Found[] = [];
	const changed = differences.filter(({ before }) => before !== '');
	for (const difference of changed) {
		const { before, after } = difference;
		const figures = HOLDS_DIGIT.test(before) || HOLDS_DIGIT.test(after);
		signals.push({
			type: 'document_edit',
			reasonCode: figures ? 'figure_changed_by_update' : 'text_changed_by_update',
			confidence: figures ? (after === '' ? 0.85 : 0.97) : 0.7,
			details:
				after === ''
					? `page ${pageNumber} printed "${before}" before, and no longer does.`
					: `page ${pageNumber} prints "${after}" where it printed "${before}" before.`,
			...at(difference),
			metadata: { before, after },
		});
	}
	const added = differences.filter(({ before }) => before === '');
	const figures = added.filter(
		({ after, bbox }) => HOLDS_DIGIT.test(after) && liesOnText(pdf, pageNumber, bbox, after),
	);
	for (const difference of figures) {
		signals.push({
			type: 'document_edit',
			reasonCode: 'figure_put_over_by_update',
			confidence: 0.9,
			details: `"${difference.after}" was put over other text on page ${pageNumber}.`,
			...at(difference),
			metadata: { after: difference.after },
		});
	}
	const inRows = added.filter(
		(difference) => !figures.includes(difference) && liesInRow(view, pageNumber, difference),
	);
	if (inRows.length > 0) {
		const [first] = inRows as [TextDifference];
		signals.push({
			type: 'document_edit',
			reasonCode: 'row_text_added_by_update',
			confidence: 0.75,
			details: `text was added to the rows of page ${pageNumber}: "${inRows
				.map(({ after }) => after)
				.join(' ')
				.slice(0, 120)}".`,
			...at(first),
			metadata: { words: inRows.length },
		});
	}
	if (signals.length === 0 && added.length > 0) {
		const [first] = added as [TextDifference];
		signals.push({
			type: 'document_edit',
			reasonCode: 'text_added_beside_rows',
			confidence: 0.1,
			details: `text was added to page ${pageNumber}, away from its rows: "${added
				.map(({ after }) => after)
				.join(' ')
				.slice(0, 120)}".`,
			...at(first),
			metadata: { words: added.length },
		});
	}
	return signals;
}

/** True where other text than the word itself lies in the box. */
function liesOnText(pdf: PdfEvidence, pageNumber: number, box: Box, word: string): boolean {
	const page = pdf.pages.find(({ number }) => number === pageNumber);
	return (page?.runs ?? []).some((run) => {
		if (run.text.includes(word) || word.includes(run.text.trim())) return false;
		const wide = Math.min(run.x + run.width, box.x1) - Math.max(run.x, box.x0);
		const high = Math.min(run.y, box.y1) - Math.max(run.y - run.fontSize, box.y0);
		return wide > 0.5 * Math.min(run.width, box.x1 - box.x0) && high > 0.5 * run.fontSize;
	});
}

/** True where the word is part of a line that was read as a row. */
function liesInRow(
	view: StatementView,
	pageNumber: number,
	{ bbox, after }: TextDifference,
): boolean {
	return view.textAt(pageNumber, bbox).includes(after) && view.isInRow(pageNumber, bbox);
}
