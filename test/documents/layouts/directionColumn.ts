import { kenyanActivities } from '../activities/kenya.ts';
import { dayParts, englishMonth, isoDay, lastDayOfMonth } from '../calendar.ts';
import { finishStatement } from '../finishStatement.ts';
import { ledgerForPages } from '../ledgerForPages.ts';
import { decimalText, pointStyle, printSigned, printUnsigned } from '../money.ts';
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

const BANK = 'Savanna Commerce Bank';
const EARTH = '#7a3b12';
const LEFT = 40;
const RIGHT = 800;
const LEADING = 10;
const ROWS_FIRST = 236;
const ROWS_NEXT = 110;
const BOTTOM = 520;

const columns: readonly Column[] = [
	{ heading: 'Trans Date', x: LEFT, align: 'left' },
	{ heading: 'Value Date', x: 112, align: 'left' },
	{ heading: 'Narration', x: 186, align: 'left' },
	{ heading: 'Amount (KES)', x: 600, align: 'right' },
	{ heading: 'DR/CR', x: 636, align: 'center' },
	{ heading: 'Balance (KES)', x: RIGHT, align: 'right' },
];

/** 05-Jan-2025 */
const day = (iso: string) => `${dayParts(iso).day}-${englishMonth(iso, 3)}-${dayParts(iso).year}`;

const heightOf = (entry: LedgerEntry) => entry.lines.length * LEADING + 6;

/**
 * Kenya, current account on landscape pages that the file holds upright and turns by 90 degrees: one
 * unsigned amount column, and DR or CR in a column of its own that says the direction.
 */
export async function directionColumn(options: LayoutOptions): Promise<GeneratedStatement> {
	const random = new SeededRandom(`directionColumn ${options.seed}`);
	const year = random.between(2023, 2025);
	const month = random.between(1, 12);
	const startDate = isoDay(year, month, 1);
	const endDate = lastDayOfMonth(year, month);
	const account = `01${random.digits(11)}`;
	const ledger = ledgerForPages(
		random,
		options,
		36,
		{
			activities: kenyanActivities,
			startDate,
			endDate,
			startBalance: BigInt(random.between(500_000, 40_000_000)),
			lowest: -5_000_000n,
			large: BigInt(random.between(20_000_000, 900_000_000)),
			emptying: ['SWEEP TO CALL DEPOSIT'],
		},
		{ heightOf, first: BOTTOM - ROWS_FIRST, next: BOTTOM - ROWS_NEXT },
	);
	const sheet = new Sheet({ size: 'A4', title: 'Account statement', author: BANK, rotated: true });
	const body = { size: 8.4 };
	const bold = { size: 8.6, font: 'Helvetica-Bold' };
	sheet.doc.roundedRect(LEFT, 34, 30, 30, 6).fill(EARTH);
	sheet.doc.circle(LEFT + 15, 49, 8).fill('#f2b632');
	sheet.text('SAVANNA', LEFT + 40, 36, { font: 'Helvetica-Bold', size: 18, color: EARTH });
	sheet.text('COMMERCE BANK', LEFT + 40, 56, { size: 8, color: EARTH });
	sheet.text('Account Statement', RIGHT, 38, { ...bold, size: 15, align: 'right' });
	sheet.lines(['KILIFI AGROVET SUPPLIES', 'P.O. BOX 41127-00100', 'NAIROBI'], LEFT, 92, 12, {
		size: 9,
	});
	const facts: [string, string][] = [
		['Account No', account],
		['Currency', 'KES'],
		['Branch', 'WESTLANDS'],
		['Period', `${day(startDate)} to ${day(endDate)}`],
		['Opening Balance', printSigned(ledger.startBalance, pointStyle)],
		['Closing Balance', printSigned(ledger.endBalance, pointStyle)],
	];
	for (const [index, [label, value]] of facts.entries()) {
		sheet.text(label, 560, 84 + index * 14, { ...body, color: '#555555' });
		sheet.text(value, RIGHT, 84 + index * 14, { ...bold, align: 'right' });
	}
	const transactions: TruthTransaction[] = [];
	for (const [index, entries] of ledger.pages.entries()) {
		if (index > 0) {
			sheet.addPage();
			sheet.text(BANK, LEFT, 40, { ...bold, color: EARTH });
			sheet.text(`Account No ${account}`, RIGHT, 40, { ...body, align: 'right' });
		}
		let y = (index === 0 ? ROWS_FIRST : ROWS_NEXT) - 32;
		sheet.fill(LEFT - 4, y - 5, RIGHT - LEFT + 8, 18, '#f4e6da');
		drawHeadings(sheet, columns, y, bold);
		y += 22;
		for (const entry of entries) {
			const lines = entry.lines.map((line) => sheet.clip(line, 320, body));
			drawCells(
				sheet,
				columns,
				[
					day(entry.date),
					day(entry.date),
					lines,
					printUnsigned(entry.amount, pointStyle),
					entry.amount < 0n ? 'DR' : 'CR',
					printSigned(entry.balance, pointStyle),
				],
				y,
				LEADING,
				body,
			);
			y += heightOf(entry);
			sheet.rule(LEFT, RIGHT, y - 4, 0.2, '#d9c7b8');
			transactions.push({
				period: '0',
				date: entry.date,
				postingDate: entry.date,
				amount: decimalText(entry.amount),
				descriptionLines: lines,
				reference: '',
				balance: decimalText(entry.balance),
				checkNumber: '',
				pageNumber: sheet.pageNumber,
			});
		}
	}
	sheet.onEveryPage((page, pages) => {
		sheet.text(
			`${BANK} is regulated by a fictional central bank. Report differences within 30 days. Tel 020 000 0000.`,
			LEFT,
			556,
			{ size: 6.8, color: '#555555' },
		);
		sheet.text(`Page ${page} of ${pages}`, RIGHT, 556, { size: 7.5, align: 'right' });
	});
	return await finishStatement(sheet, 'directionColumn', options, BANK, [
		accountTruth({
			account,
			currency: 'KES',
			balanceMeans: 'held',
			startDate,
			endDate,
			startBalance: ledger.startBalance,
			endBalance: ledger.endBalance,
			transactions,
		}),
	]);
}
