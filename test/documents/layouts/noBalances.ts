import { unitedStatesActivities } from '../activities/unitedStates.ts';
import { addDays, dayParts, isoDay } from '../calendar.ts';
import { finishStatement } from '../finishStatement.ts';
import { ledgerForPages } from '../ledgerForPages.ts';
import { decimalText, pointStyle, printUnsigned } from '../money.ts';
import { SeededRandom } from '../seededRandom.ts';
import { Sheet } from '../sheet.ts';
import { accountTruth } from '../statementTruth.ts';
import type {
	GeneratedStatement,
	LayoutOptions,
	LedgerEntry,
	TruthTransaction,
} from '../statementTruth.ts';
import { drawCells, drawHeadings } from '../table.ts';
import type { Column } from '../table.ts';

const BANK = 'Prairie Lantern Bank';
const AMBER = '#9a5b13';
const LEFT = 54;
const RIGHT = 558;
const LEADING = 10.4;
const ROWS_FIRST = 226;
const ROWS_NEXT = 96;
const BOTTOM = 724;

const columns: readonly Column[] = [
	{ heading: 'Posted', x: LEFT, align: 'left' },
	{ heading: 'Details', x: 128, align: 'left' },
	{ heading: 'Type', x: 430, align: 'left' },
	{ heading: 'Amount', x: RIGHT, align: 'right' },
];

/** 3/7/2025, without leading zeros. */
const day = (iso: string) =>
	`${Number(dayParts(iso).month)}/${Number(dayParts(iso).day)}/${dayParts(iso).year}`;

const heightOf = (entry: LedgerEntry) => entry.lines.length * LEADING + 5;

const signed = (minor: bigint) => `${minor < 0n ? '-' : '+'}$${printUnsigned(minor, pointStyle)}`;

/** A printout of transactions without any balance: right rows, and nothing to check against. */
export async function noBalances(options: LayoutOptions): Promise<GeneratedStatement> {
	const random = new SeededRandom(`noBalances ${options.seed}`);
	const startDate = isoDay(
		random.between(2023, 2025),
		random.between(1, 12),
		random.between(1, 28),
	);
	const endDate = addDays(startDate, random.between(20, 44));
	const account = `****${random.digits(4)}`;
	const ledger = ledgerForPages(
		random,
		options,
		28,
		{
			activities: unitedStatesActivities,
			startDate,
			endDate,
			startBalance: BigInt(random.between(50_000, 600_000)),
			lowest: -90_000n,
			large: BigInt(random.between(1_000_000, 20_000_000)),
			emptying: ['INTERNET TRANSFER TO XXXXXX1180'],
		},
		{ heightOf, first: BOTTOM - ROWS_FIRST, next: BOTTOM - ROWS_NEXT },
	);
	const sheet = new Sheet({ size: 'LETTER', title: 'Transaction history', author: BANK });
	const body = { size: 8.4 };
	const bold = { size: 8.4, font: 'Helvetica-Bold' };
	sheet.doc
		.circle(LEFT + 13, 52, 13)
		.lineWidth(3)
		.strokeColor(AMBER)
		.stroke();
	sheet.doc.circle(LEFT + 13, 52, 5).fill(AMBER);
	sheet.text('PRAIRIE LANTERN BANK', LEFT + 36, 44, { font: 'Times-Bold', size: 15, color: AMBER });
	sheet.text('Transaction history', LEFT, 96, { font: 'Helvetica-Bold', size: 14 });
	sheet.text(`Account: Lantern Checking ${account}`, LEFT, 120, body);
	sheet.text(`Date range: ${day(startDate)} - ${day(endDate)}`, LEFT, 134, body);
	sheet.text('Printed from online banking. Not an official statement.', LEFT, 148, body);

	const transactions: TruthTransaction[] = [];
	for (const [index, entries] of ledger.pages.entries()) {
		if (index > 0) sheet.addPage();
		let y = (index === 0 ? ROWS_FIRST : ROWS_NEXT) - 34;
		drawHeadings(sheet, columns, y, bold);
		sheet.rule(LEFT, RIGHT, y + 13, 1, AMBER);
		y += 22;
		for (const entry of entries) {
			const lines = entry.lines.map((line) => sheet.clip(line, 290, body));
			const type = entry.checkNumber !== '' ? 'Check' : entry.amount < 0n ? 'Debit' : 'Credit';
			drawCells(
				sheet,
				columns,
				[day(entry.date), lines, type, signed(entry.amount)],
				y,
				LEADING,
				body,
			);
			y += heightOf(entry);
			transactions.push({
				period: '0',
				date: entry.date,
				postingDate: null,
				amount: decimalText(entry.amount),
				descriptionLines: lines,
				reference: type,
				balance: null,
				checkNumber: entry.checkNumber,
				pageNumber: sheet.pageNumber,
			});
		}
	}
	sheet.onEveryPage((page, pages) => {
		sheet.rule(LEFT, RIGHT, 742, 0.4, AMBER);
		sheet.text(
			'Prairie Lantern Bank. Questions? Call 701.555.0144. Amounts in US dollars.',
			LEFT,
			748,
			{
				size: 6.6,
			},
		);
		sheet.text(`Page ${page} / ${pages}`, RIGHT, 748, { size: 7.5, align: 'right' });
	});
	return await finishStatement(sheet, 'noBalances', options, BANK, [
		accountTruth({
			account,
			currency: 'USD',
			balanceMeans: 'held',
			startDate,
			endDate,
			startBalance: null,
			endBalance: null,
			transactions,
		}),
	]);
}
