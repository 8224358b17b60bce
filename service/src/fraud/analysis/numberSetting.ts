import type {
	Box,
	PageEvidence,
	PdfEvidence,
	TextPiece,
} from '../../reading/pdf/evidence/pdfEvidence.ts';
import type { FraudSignal } from './fraudSignal.ts';
import type { StatementView } from './statementView.ts';

/** An amount on a page, with the runs that it is made of. */
interface Figure {
	page: PageEvidence;
	text: string;
	/** Runs that hold its digits, from left to right. */
	runs: TextPiece[];
	bbox: Box;
	/** The nearest other run to the left on about the same line; null where there is none. */
	neighbour: TextPiece | null;
	/** True where other text of the line is set in the same font and size. */
	likeItsLine: () => boolean;
}

const AMOUNT =
	/^[-+–−(]?\s?[\p{Sc}A-Z]{0,3}\s?[-+–−]?\d[\d.,'’\s]*[.,]\d{2}\)?\s?[-+–−]?(?:\s?(?:CR|DR|Cr|Dr|D|S|H|C))?$/u;
const HOLDS_CENTS = /[.,]\d{2}/;
const HOLDS_DIGIT = /\d/;
/** Runs closer than this part of their size are parts of one figure. */
const TOUCHING = 0.2;
/** Right edges this close stand in one column, in points. */
const COLUMN_WIDTH = 4;
const FEWEST_IN_COLUMN = 8;
/** A habit of the program that made the file: of so many figures, at most this share differs. */
const FEWEST_FIGURES = 15;
const UNUSUAL_SHARE = 0.04;
const MOST_SIGNALS = 12;

/**
 * Figures that are set in another way than those around them: another font or size inside a number or
 * in one cell of a column, another baseline, digits that are placed apart. Each is measured against
 * the habit of the whole file, so that a bank's own odd way of writing accuses nobody.
 */
export function numberSetting(view: StatementView, pdf: PdfEvidence): FraudSignal[] {
	const figures = pdf.pages.flatMap((page) => (page.isScan ? [] : figuresOn(page)));
	const found = new Map<Figure, FraudSignal>();
	const report = (figure: Figure, reasonCode: string, confidence: number, what: string) => {
		const known = found.get(figure);
		if (known && known.confidence >= confidence) return;
		found.set(figure, {
			type: 'font_inconsistency',
			reasonCode,
			confidence,
			details: `On page ${figure.page.number} the figure "${figure.text}" ${what}`,
			pageNumber: figure.page.number,
			bbox: figure.bbox,
			text: view.textAt(figure.page.number, figure.bbox) || figure.text,
			period: null,
			metadata: {
				figure: figure.text,
				fonts: [...new Set(figure.runs.map(({ font }) => font))].join(', '),
				sizes: [
					...new Set(figure.runs.map(({ fontSize }) => Math.round(fontSize * 100) / 100)),
				].join(', '),
			},
		});
	};
	const heights = figures.map(({ bbox }) => bbox.y1 - bbox.y0).sort((a, b) => a - b);
	const usualHeight = heights[Math.floor(heights.length / 2)] ?? 0;
	const inRow = (figure: Figure) => view.isInRow(figure.page.number, figure.bbox);
	insideFigures(
		figures,
		(figure) => figure.bbox.y1 - figure.bbox.y0 < 1.4 * usualHeight,
		inRow,
		report,
	);
	inColumns(figures, inRow, report);
	baselines(figures, inRow, report);
	const signals = [...found.values()].sort((left, right) => right.confidence - left.confidence);
	return signals.slice(0, MOST_SIGNALS);
}

type Report = (figure: Figure, reasonCode: string, confidence: number, what: string) => void;

/** True for figures on a line that was read as a row. */
type InRow = (figure: Figure) => boolean;

function isRare(count: number, of: number): boolean {
	return of >= FEWEST_FIGURES && count <= Math.max(2, Math.floor(of * UNUSUAL_SHARE));
}

/** Fonts, sizes and baselines that change between the digits of one figure; digits set apart. */
function insideFigures(
	all: readonly Figure[],
	isOrdinary: InRow,
	inRow: InRow,
	report: Report,
): void {
	// Large figures in a heading are often set with small cents.
	const figures = all.filter(isOrdinary);
	const several = figures.filter(({ runs }) => runs.length > 1);
	const mixed = several.filter(({ runs }) => new Set(runs.map(familyAndWeight)).size > 1);
	if (isRare(mixed.length, figures.length)) {
		for (const figure of mixed)
			report(
				figure,
				'font_changes_inside_figure',
				new Set(figure.runs.map(({ font }) => family(font))).size > 1 ? 0.92 : 0.85,
				`is set in ${[...new Set(figure.runs.map(({ font }) => font))].join(' and ')}; the digits of the other ${figures.length - mixed.length} figures are of one font each.`,
			);
	}
	const sized = several.filter(({ runs }) => spread(runs.map(({ fontSize }) => fontSize)) > 0.15);
	if (isRare(sized.length, figures.length)) {
		for (const figure of sized)
			report(figure, 'size_changes_inside_figure', 0.85, 'is set in digits of several sizes.');
	}
	const uneven = several.filter(({ runs }) => spread(runs.map(({ y }) => y)) > 0.08);
	if (isRare(uneven.length, figures.length)) {
		for (const figure of uneven)
			report(
				figure,
				'baseline_changes_inside_figure',
				0.8,
				'has digits that stand at different heights.',
			);
	}
	if (isRare(several.length, figures.length)) {
		for (const figure of several)
			report(
				figure,
				'digits_placed_apart',
				inRow(figure) ? 0.6 : 0.3,
				`is put together from ${figure.runs.length} pieces ("${figure.runs.map(({ text }) => text.trim()).join('", "')}"); the other figures are one piece each.`,
			);
	}
}

function inColumns(figures: readonly Figure[], inRow: InRow, report: Report): void {
	for (const column of columnsOf(figures)) {
		const styles = new Map<string, Figure[]>();
		for (const figure of column) {
			const key = style(figure.runs[0] as TextPiece);
			const list = styles.get(key);
			if (list) list.push(figure);
			else styles.set(key, [figure]);
		}
		const [usual, ...others] = [...styles.values()].sort((a, b) => b.length - a.length);
		// Figures of a summary may stand above the same edge.
		const odd = others.flat().filter(inRow);
		if (!usual || odd.length === 0 || odd.length > Math.max(2, column.length * 0.05)) continue;
		const [model] = usual[0]?.runs ?? [];
		if (!model) continue;
		for (const figure of odd) {
			const [run] = figure.runs as [TextPiece];
			const otherFamily = family(run.font) !== family(model.font);
			const otherSize = Math.abs(run.fontSize - model.fontSize) > 0.15;
			// A whole line in bold is a total; a whole line in another font was put in.
			const confidence = figure.likeItsLine()
				? otherFamily && otherSize === false
					? 0.55
					: 0.1
				: otherFamily
					? 0.85
					: otherSize
						? 0.7
						: 0.2;
			if (confidence < 0.2) continue;
			report(
				figure,
				'figure_unlike_its_column',
				confidence,
				`is set in ${run.font} of ${rounded(run.fontSize)} points; the ${usual.length} other figures of its column are in ${model.font} of ${rounded(model.fontSize)} points.`,
			);
		}
		edges(usual, inRow, report);
	}
}

/** In a column that is set to the right all figures end at one place, almost to the hundredth. */
function edges(column: readonly Figure[], inRow: InRow, report: Report): void {
	const plain = column.filter(({ text }) => /\d$/.test(text));
	if (plain.length < FEWEST_FIGURES) return;
	const rights = plain.map(({ bbox }) => bbox.x1).sort((a, b) => a - b);
	const middle = rights[Math.floor(rights.length / 2)] ?? 0;
	const off = plain.filter(({ bbox }) => Math.abs(bbox.x1 - middle) > 0.4);
	if (!isRare(off.length, plain.length)) return;
	for (const figure of off.filter(inRow))
		report(
			figure,
			'figure_out_of_line',
			0.4,
			`ends ${rounded(Math.abs(figure.bbox.x1 - middle))} points beside the edge at which the ${plain.length - off.length} other figures of its column end.`,
		);
}

/** Figures stand on the baseline of their row. */
function baselines(figures: readonly Figure[], inRow: InRow, report: Report): void {
	const beside = figures.filter(({ neighbour }) => neighbour !== null);
	const shifted = beside.filter(
		({ neighbour, runs }) => Math.abs((neighbour?.y ?? 0) - (runs[0]?.y ?? 0)) > 0.1,
	);
	if (!isRare(shifted.length, beside.length)) return;
	for (const figure of shifted.filter(inRow))
		report(
			figure,
			'figure_off_its_baseline',
			0.6,
			`stands ${rounded(Math.abs((figure.neighbour?.y ?? 0) - (figure.runs[0]?.y ?? 0)))} points off the baseline of its row; ${beside.length - shifted.length} others stand on theirs.`,
		);
}

/** Figures by the place of their right edges, over all pages. */
function columnsOf(figures: readonly Figure[]): Figure[][] {
	const sorted = [...figures].sort((left, right) => left.bbox.x1 - right.bbox.x1);
	const columns: Figure[][] = [];
	let column: Figure[] = [];
	for (const figure of sorted) {
		const last = column.at(-1);
		if (last && figure.bbox.x1 - last.bbox.x1 > COLUMN_WIDTH) {
			columns.push(column);
			column = [];
		}
		column.push(figure);
	}
	columns.push(column);
	return columns.filter(({ length }) => length >= FEWEST_IN_COLUMN);
}

/** The amounts of a page: runs that touch each other and read as one amount. */
function figuresOn(page: PageEvidence): Figure[] {
	const runs = [...page.runs].sort((left, right) => left.y - right.y || left.x - right.x);
	const figures: Figure[] = [];
	let band: TextPiece[] = [];
	const close = () => {
		if (band.length > 0) figures.push(...figuresIn(page, band));
		band = [];
	};
	for (const run of runs) {
		const last = band.at(-1);
		if (last && run.y - (band[0]?.y ?? 0) > 0.3 * Math.min(run.fontSize, last.fontSize)) close();
		band.push(run);
	}
	close();
	return figures;
}

/** The amounts among the runs of one line. */
function figuresIn(page: PageEvidence, band: readonly TextPiece[]): Figure[] {
	const line = [...band].sort((left, right) => left.x - right.x);
	const chains: TextPiece[][] = [];
	for (const run of line) {
		const chain = chains.at(-1);
		const last = chain?.at(-1);
		const gap = last ? run.x - (last.x + last.width) : Infinity;
		if (chain && last && gap < TOUCHING * run.fontSize && gap > -0.5 * run.fontSize)
			chain.push(run);
		else chains.push([run]);
	}
	const texts = chains.map((chain) =>
		(chain.length === 1
			? (chain[0] as TextPiece).text
			: chain.map((run) => run.text).join('')
		).trim(),
	);
	// Cheap questions first: most texts of a statement are words.
	const amounts = texts.map(
		(text) => text.length >= 4 && text.length <= 24 && HOLDS_CENTS.test(text) && AMOUNT.test(text),
	);
	if (!amounts.includes(true)) return [];
	return chains.flatMap((chain, index): Figure[] => {
		if (!amounts[index]) return [];
		const digits = chain.length === 1 ? chain : chain.filter(({ text }) => HOLDS_DIGIT.test(text));
		const [first] = digits as [TextPiece];
		const last = chain.at(-1) as TextPiece;
		return [
			{
				page,
				text: texts[index] ?? '',
				runs: digits,
				bbox: {
					x0: chain[0]?.x ?? 0,
					y0: first.y - first.fontSize,
					x1: last.x + last.width,
					y1: first.y,
				},
				neighbour: chains[index - 1]?.at(-1) ?? null,
				likeItsLine: () =>
					chains.some(
						(other, at) => !amounts[at] && other.some((run) => style(run) === style(first)),
					),
			},
		];
	});
}

function style({ font, fontSize }: TextPiece): string {
	return `${font} ${Math.round(fontSize * 10)}`;
}

/** The name of a font without the words for its weight and slant. */
function family(font: string): string {
	return font
		.replace(/^[A-Z]{6}\+/, '')
		.replaceAll(
			/[-, ]|bold|italic|oblique|regular|roman|medium|light|semi|black|book|PSMT|PS|MT$/gi,
			'',
		)
		.toLowerCase();
}

function familyAndWeight({ font }: TextPiece): string {
	return font.replace(/^[A-Z]{6}\+/, '');
}

function spread(values: readonly number[]): number {
	return Math.max(...values) - Math.min(...values);
}

function rounded(value: number): number {
	return Math.round(value * 100) / 100;
}
