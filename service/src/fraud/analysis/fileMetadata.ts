import type { PdfEvidence } from '../../reading/pdf/evidence/pdfEvidence.ts';
import type { FraudSignal } from './fraudSignal.ts';
import type { StatementView } from './statementView.ts';
import { daysOf, dayOf } from './wording.ts';

/** Programs that are made to change the text of a finished PDF. */
const EDITORS =
	/sejda|pdfescape|ilovepdf|i love pdf|smallpdf|pdf ?filler|pdffiller|foxit (?:phantom|editor|pdf editor)|phantompdf|nitro (?:pro|pdf)|pdf-xchange editor|pdfelement|wondershare|soda ?pdf|dochub|pdf ?candy|master pdf editor|infix|pdf ?expert|pdf ?buddy|able2extract|pdfzorro|formswift|lumin ?pdf|hipdf|xodo|cleverpdf|pdf2go|movavi|icecream pdf|a-pdf|pdf ?studio|pdf editor|edit ?pdf|pdf architect|inpixio/i;
/** Programs in which people also merge, split and shrink files. */
const TOOLS =
	/acrobat (?:pro|standard|dc|\d)|pdf24|kofax power|power ?pdf|foxit quick|pdfsam|cubepdf|gios pdf|apago/i;
/** Programs for pictures and drawings. */
const DRAWING =
	/photoshop|illustrator|indesign|inkscape|gimp|canva\b|figma|coreldraw|affinity|sketch\b|paint\.net|pixlr|scribus|libreoffice draw|\bdraw$/i;
/** Programs for letters and tables. */
const OFFICE =
	/microsoft.{0,3} (?:office )?(?:word|excel|powerpoint|publisher)|\bword \d|libreoffice|openoffice|google docs|google sheets|\bpages\b.*apple|\bwriter\b|\bcalc\b|wps (?:writer|office)|onlyoffice/i;
/** Programs that print or copy a PDF without changing what it says; banks use libraries of both kinds. */
const COPIES =
	/quartz pdfcontext|microsoft.{0,3} print to pdf|ghostscript|skia\/pdf|pdfium|cups|qpdf|pdfcreator|bullzip|cutepdf|chrom(?:e|ium)|safari|preview|pdf-lib|pypdf|pymupdf|mupdf|itext|pdfbox|pdftk|acrobat distiller|docuworks|scansnap|xerox|ricoh|canon|epson/i;

/** What the file says about itself against what the statement says, and against itself. */
export function fileMetadata(view: StatementView, pdf: PdfEvidence): FraudSignal[] {
	return [...dates(view, pdf), ...programs(pdf), ...twoAccounts(pdf)];
}

function signal(
	reasonCode: string,
	confidence: number,
	details: string,
	metadata: FraudSignal['metadata'],
): FraudSignal {
	return {
		type: 'metadata_mismatch',
		reasonCode,
		confidence,
		details,
		pageNumber: null,
		bbox: null,
		text: null,
		period: null,
		metadata,
	};
}

function dates(view: StatementView, pdf: PdfEvidence): FraudSignal[] {
	const signals: FraudSignal[] = [];
	const { created, modified } = pdf.info;
	const rowDays = view.periods.flatMap(({ rows }) => rows.map(dayOf)).sort();
	const lastRow = rowDays.at(-1) ?? null;
	const lastEnd =
		view.periods
			.flatMap(({ period }) => period.endDate ?? [])
			.sort()
			.at(-1) ?? null;
	const facts = { created, modified, lastRow, periodEnd: lastEnd };
	// Of both sources the earlier date: one that was set back stays in the other.
	const starts = [created, pdf.xmp?.created ?? null].filter((date) => date !== null).sort();
	const [start] = starts;
	if (start !== undefined && lastRow !== null) {
		// A file is written in another time zone than the rows are booked in.
		const early = daysOf(lastRow) - daysOf(start);
		if (early >= 2) {
			signals.push(
				signal(
					'created_before_last_row',
					// Without a printed period the year of a row may be a guess.
					lastEnd === null || daysOf(lastEnd) < daysOf(start) ? 0.4 : early >= 3 ? 0.8 : 0.5,
					`The file says that it was created on ${start.slice(0, 10)}, but it prints a row of ${lastRow}, ${early} days later.`,
					facts,
				),
			);
		} else if (lastEnd !== null && daysOf(lastEnd) - daysOf(start) >= 2) {
			const before = daysOf(lastEnd) - daysOf(start);
			signals.push(
				signal(
					'created_before_period_end',
					before >= 5 ? 0.5 : 0.25,
					`The file says that it was created on ${start.slice(0, 10)}, ${before} days before the end of the period, ${lastEnd}.`,
					facts,
				),
			);
		}
	}
	if (created !== null && modified !== null) {
		const later = daysOf(modified) - daysOf(created);
		if (later < -1) {
			signals.push(
				signal(
					'modified_before_created',
					0.3,
					`The file says that it was modified on ${modified.slice(0, 10)}, before it was created on ${created.slice(0, 10)}.`,
					facts,
				),
			);
		} else if (later >= 1) {
			signals.push(
				signal(
					'modified_later',
					0.1,
					`The file was modified on ${modified.slice(0, 10)}, ${later} days after it was created.`,
					facts,
				),
			);
		}
	}
	return signals;
}

function programs(pdf: PdfEvidence): FraudSignal[] {
	const named = [
		['Producer', pdf.info.producer],
		['Creator', pdf.info.creator],
		['XMP producer', pdf.xmp?.producer ?? null],
		['XMP creator', pdf.xmp?.creator ?? null],
		...pdf.revisions.slice(1).map(({ info }) => ['Producer of an update', info.producer] as const),
	] as const;
	const kinds = [
		[DRAWING, 'drawing_program', 0.7, 'a program for pictures and drawings'],
		[EDITORS, 'editing_program', 0.6, 'a program for editing finished PDFs'],
		[OFFICE, 'office_program', 0.5, 'a program for letters and tables'],
		[TOOLS, 'pdf_tool', 0.3, 'a program for merging, shrinking and changing PDFs'],
	] as const;
	for (const [pattern, reasonCode, confidence, words] of kinds) {
		const found = named.find(([, name]) => name !== null && pattern.test(name));
		if (!found) continue;
		return [
			signal(
				reasonCode,
				confidence,
				`The file names "${found[1]}" (${found[0]}), ${words}; banks make statements with other programs.`,
				{ field: found[0], program: found[1] },
			),
		];
	}
	return [];
}

/** The information dictionary and the XMP packet say the same of each file that one program wrote. */
function twoAccounts(pdf: PdfEvidence): FraudSignal[] {
	if (pdf.xmp === null) return [];
	const { info, xmp } = pdf;
	const different: string[] = [];
	if (info.producer !== null && xmp.producer !== null && !alike(info.producer, xmp.producer))
		different.push(`producer "${info.producer}" and "${xmp.producer}"`);
	const apart =
		info.created !== null && xmp.created !== null
			? Math.abs(daysOf(info.created) - daysOf(xmp.created))
			: 0;
	if (apart >= 2)
		different.push(`created ${info.created?.slice(0, 10)} and ${xmp.created?.slice(0, 10)}`);
	if (different.length === 0) return [];
	// Programs that copy a file change the one and leave the other.
	const copied = info.producer !== null && COPIES.test(info.producer);
	const confidence = copied ? 0.1 : apart >= 2 ? 0.55 : 0.4;
	return [
		signal(
			'metadata_contradicts_itself',
			confidence,
			`The file describes itself twice, and differently: ${different.join('; ')}.`,
			{ producer: info.producer, xmpProducer: xmp.producer, daysApart: apart },
		),
	];
}

function alike(one: string, other: string): boolean {
	const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '');
	const [a, b] = [plain(one), plain(other)];
	return a.includes(b) || b.includes(a);
}
