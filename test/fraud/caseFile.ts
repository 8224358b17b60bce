import { addDays } from '../documents/calendar.ts';
import type { StatementTruth } from '../documents/index.ts';
import type { SeededRandom } from '../documents/seededRandom.ts';
import { PdfFile, pdfDate } from './pdfFile.ts';

/** A statement for the calibration. */
export interface CaseFile {
	/** How it was made. */
	kind: string;
	/** What it was made from, to make it again. */
	name: string;
	pdf: Buffer;
}

/** The last day that a statement speaks of. */
export function lastDayOf(truth: StatementTruth): string {
	const days = truth.accounts.flatMap(({ periods, transactions }) => [
		...periods.flatMap(({ endDate }) => endDate ?? []),
		...transactions.map(({ date }) => date),
	]);
	return days.sort().at(-1) ?? '2025-12-31';
}

/** The first day that a statement speaks of. */
export function firstDayOf(truth: StatementTruth): string {
	const days = truth.accounts.flatMap(({ periods, transactions }) => [
		...periods.flatMap(({ startDate }) => startDate ?? []),
		...transactions.map(({ date }) => date),
	]);
	return days.sort()[0] ?? '2025-01-01';
}

/** The file as the bank writes it: a few days after the period has ended. */
export function writtenByBank(pdf: Buffer, lastDay: string, random: SeededRandom): PdfFile {
	const file = new PdfFile(pdf);
	dateFile(file, addDays(lastDay, random.between(1, 6)));
	return new PdfFile(file.write());
}

export function dateFile(file: PdfFile, day: string, modified = day): void {
	file.describe({
		Producer: 'Statement Composition 7.2',
		Creator: 'Document Services',
		CreationDate: pdfDate(day),
		ModDate: pdfDate(modified, '093012'),
	});
	file.describeXmp({
		'xmp:CreateDate': `${day}T09:30:00Z`,
		'xmp:CreatorTool': 'Document Services',
		'pdf:Producer': 'Statement Composition 7.2',
	});
}
