import type {
	Box,
	PageEvidence,
	PdfEvidence,
	TextPiece,
} from '../../reading/pdf/evidence/pdfEvidence.ts';
import type { FraudSignal } from './fraudSignal.ts';
import type { StatementView } from './statementView.ts';

const MOST_SIGNALS = 20;
/** Where more of the runs than this lie over each other, the program that made the file writes so. */
const USUAL_SHARE = 0.05;

/** Text that was painted over, annotations over figures, and figures that lie on each other. */
export function coveredText(view: StatementView, pdf: PdfEvidence): FraudSignal[] {
	const signals: FraudSignal[] = [];
	for (const page of pdf.pages) {
		signals.push(...covers(view, page), ...annotations(view, page));
	}
	const runs = pdf.pages.reduce((count, page) => count + page.runs.length, 0);
	const overlaps = pdf.pages.flatMap((page) =>
		page.isScan ? [] : overlapsOn(page).map((overlap) => ({ page, ...overlap })),
	);
	if (overlaps.length <= Math.max(3, runs * USUAL_SHARE)) {
		for (const { page, one, other, bbox } of overlaps) {
			if (
				signals.some(
					(known) => known.pageNumber === page.number && known.bbox && meet(known.bbox, bbox),
				)
			)
				continue;
			signals.push({
				type: 'covered_text',
				reasonCode: 'figures_over_each_other',
				confidence: 0.8,
				details: `On page ${page.number} "${one}" and "${other}" are printed at the same place.`,
				pageNumber: page.number,
				bbox,
				text: view.textAt(page.number, bbox) || other,
				period: null,
				metadata: { below: one, above: other },
			});
		}
	}
	return signals.sort((left, right) => right.confidence - left.confidence).slice(0, MOST_SIGNALS);
}

function covers(view: StatementView, page: PageEvidence): FraudSignal[] {
	return page.covers.flatMap(({ bbox, hidden, over, shade, kind }): FraudSignal[] => {
		if (!/[\p{L}\d]/u.test(hidden)) return [];
		const area = `a ${shade === 'white' ? 'white ' : ''}${kind === 'picture' ? 'picture' : 'box'}`;
		const signal = (reasonCode: string, confidence: number, details: string): FraudSignal => ({
			type: 'covered_text',
			reasonCode,
			confidence,
			details,
			pageNumber: page.number,
			bbox,
			text: view.textAt(page.number, bbox) || over || hidden,
			period: null,
			metadata: { hidden, over, shade, kind },
		});
		const figures = /\d/.test(hidden) || /\d/.test(over);
		if (over !== '' && figures) {
			return [
				signal(
					'figure_painted_over',
					hidden === over ? 0.3 : 0.95,
					`On page ${page.number} ${area} hides "${hidden}", and "${over}" is written over it.`,
				),
			];
		}
		if (over !== '') {
			return [
				signal(
					'text_painted_over',
					hidden === over ? 0.2 : 0.75,
					`On page ${page.number} ${area} hides "${hidden}", and "${over}" is written over it.`,
				),
			];
		}
		// Blackened account numbers hide text in the open; paper-coloured boxes do not.
		return [
			signal(
				'text_hidden',
				shade === 'white' ? (figures ? 0.7 : 0.4) : 0.15,
				`On page ${page.number} ${area} hides "${hidden}".`,
			),
		];
	});
}

const OVERWRITING = new Set(['FreeText', 'Square', 'Redact']);

function annotations(view: StatementView, page: PageEvidence): FraudSignal[] {
	return page.annotations.flatMap(({ subtype, bbox, contents }): FraudSignal[] => {
		const below = page.runs.filter((run) => {
			const wide = Math.min(run.x + run.width, bbox.x1) - Math.max(run.x, bbox.x0);
			const high = Math.min(run.y, bbox.y1) - Math.max(run.y - 0.7 * run.fontSize, bbox.y0);
			return wide > 0.5 * Math.min(run.width, bbox.x1 - bbox.x0) && high > 0.4 * run.fontSize;
		});
		const hidden = below
			.map(({ text }) => text)
			.join(' ')
			.slice(0, 200);
		const tall = bbox.y1 - bbox.y0 > 60;
		if (!/\d/.test(hidden) || !OVERWRITING.has(subtype) || tall) return [];
		const rewrites = subtype === 'FreeText' && /\d/.test(contents);
		return [
			{
				type: 'covered_text',
				reasonCode: 'annotation_over_figure',
				confidence: rewrites ? 0.8 : 0.3,
				details: `On page ${page.number} an annotation (${subtype}${contents ? `: "${contents}"` : ''}) lies over "${hidden}".`,
				pageNumber: page.number,
				bbox,
				text: view.textAt(page.number, bbox) || hidden,
				period: null,
				metadata: { subtype, contents, hidden },
			},
		];
	});
}

interface Overlap {
	one: string;
	other: string;
	bbox: Box;
}

/** Pairs of runs of which different figures lie on each other. */
function overlapsOn(page: PageEvidence): Overlap[] {
	const sizes = page.runs.map(({ fontSize }) => fontSize).sort((a, b) => a - b);
	const usual = sizes[Math.floor(sizes.length / 2)] ?? 0;
	// Large letters over a page are a watermark.
	const runs = page.runs
		.filter(({ fontSize, text }) => fontSize < 2.5 * usual && /\d/.test(text))
		.sort((left, right) => left.y - right.y);
	const found: Overlap[] = [];
	for (let index = 0; index < runs.length; index++) {
		const one = runs[index] as TextPiece;
		for (let next = index + 1; next < runs.length; next++) {
			const other = runs[next] as TextPiece;
			if (other.y - one.y > 0.4 * Math.min(one.fontSize, other.fontSize)) break;
			const x0 = Math.max(one.x, other.x);
			const x1 = Math.min(one.x + one.width, other.x + other.width);
			if (x1 - x0 < 0.5 * Math.min(one.width, other.width)) continue;
			const below = charactersIn(one, x0, x1);
			const above = charactersIn(other, x0, x1);
			if (below === above || one.text.trim() === other.text.trim()) continue;
			if (below.includes(above) || above.includes(below)) continue;
			if (!isFigure(below) || !isFigure(above)) continue;
			found.push({
				one: one.text.trim().slice(0, 80),
				other: other.text.trim().slice(0, 80),
				bbox: { x0, y0: Math.min(one.y, other.y) - one.fontSize, x1, y1: Math.max(one.y, other.y) },
			});
			if (found.length > 100) return found;
		}
	}
	return found;
}

function isFigure(text: string): boolean {
	return /\d/.test(text) && /^[\d\s.,'’$€£₹()+\-–−CRDHSr]+$/.test(text);
}

function charactersIn(run: TextPiece, x0: number, x1: number): string {
	const characters = [...run.text];
	const unit = run.width / characters.length;
	return characters
		.filter((_, index) => {
			const middle = run.x + (index + 0.5) * unit;
			return middle > x0 && middle < x1;
		})
		.join('')
		.trim();
}

function meet(one: Box, other: Box): boolean {
	return one.x0 < other.x1 && other.x0 < one.x1 && one.y0 < other.y1 && other.y0 < one.y1;
}
