import { businessActivities } from '../activities/business.ts';
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

const BANK = 'Straits Meridian Bank';
const LEFT = 40;
const RIGHT = 555;
const LEADING = 9.2;
const ROWS_FIRST = 270;
const ROWS_NEXT = 60;
const BOTTOM = 790;
const DEFAULT_PAGES = 200;

const columns: readonly Column[] = [
	{ heading: 'DATE', x: LEFT, align: 'left' },
	{ heading: 'TRANSACTION', x: 100, align: 'left' },
	{ heading: 'WITHDRAWAL', x: 408, align: 'right' },
	{ heading: 'DEPOSIT', x: 480, align: 'right' },
	{ heading: 'BALANCE (SGD)', x: RIGHT, align: 'right' },
];

const day = (iso: string) =>
	`${dayParts(iso).day} ${englishMonth(iso, 3).toUpperCase()} ${dayParts(iso).year}`;

const heightOf = (entry: LedgerEntry) => entry.lines.length * LEADING + 2.6;

/**
 * Singapore, a company's account over a quarter: 200 pages unless told otherwise, with the headings
 * Withdrawal / Deposit / Balance on the first page only.
 */
export async function longLedger(options: LayoutOptions): Promise<GeneratedStatement> {
	const random = new SeededRandom(`longLedger ${options.seed}`);
	const year = random.between(2023, 2025);
	const month = random.pick([1, 4, 7, 10]);
	const startDate = isoDay(year, month, 1);
	const endDate = lastDayOfMonth(year, month + 2);
	const account = `${random.digits(3)}-${random.digits(6)}-${random.digits(1)}`;
	const whole = options.pages === undefined && options.transactions === undefined;
	const ledger = ledgerForPages(
		random,
		whole ? { ...options, pages: DEFAULT_PAGES } : options,
		0,
		{
			activities: businessActivities,
			startDate,
			endDate,
			startBalance: BigInt(random.between(2_000_000, 60_000_000)),
			lowest: -30_000_000n,
			large: BigInt(random.between(100_000_000, 2_000_000_000)),
			emptying: ['CASH POOLING SWEEP', 'TARGET BALANCE ZERO'],
		},
		{ heightOf, first: BOTTOM - ROWS_FIRST - 20, next: BOTTOM - ROWS_NEXT - 20 },
	);
	const sheet = new Sheet({ size: 'A4', title: 'Account activity', author: BANK });
	const body = { size: 7.4 };
	const bold = { size: 7.6, font: 'Helvetica-Bold' };
	sheet.fill(LEFT, 36, 4, 30, '#b3402a');
	sheet.fill(LEFT + 7, 44, 4, 22, '#b3402a');
	sheet.text('Straits Meridian Bank', LEFT + 20, 38, { font: 'Times-Bold', size: 18 });
	sheet.text('Corporate & Transaction Banking', LEFT + 20, 58, { size: 8, color: '#666666' });
	sheet.text('ACCOUNT ACTIVITY STATEMENT', RIGHT, 42, { ...bold, size: 11, align: 'right' });
	sheet.lines(
		['TANJONG TRADING PTE. LTD.', '61 KAMPONG BAHRU ROAD #04-12', 'SINGAPORE 169368'],
		LEFT,
		100,
		12,
		{ size: 9 },
	);
	const facts: [string, string][] = [
		['Account Number', account],
		['Account Type', 'Corporate Current'],
		['Currency', 'SGD'],
		['Statement Period', `${day(startDate)} to ${day(endDate)}`],
		['Opening Balance', printSigned(ledger.startBalance, pointStyle)],
		['Closing Balance', printSigned(ledger.endBalance, pointStyle)],
	];
	for (const [index, [label, value]] of facts.entries()) {
		sheet.text(label, 330, 100 + index * 14, body);
		sheet.text(value, RIGHT, 100 + index * 14, { ...bold, align: 'right' });
	}

	const transactions: TruthTransaction[] = [];
	let y = 0;
	for (const [index, entries] of ledger.pages.entries()) {
		if (index > 0) sheet.addPage();
		y = index === 0 ? ROWS_FIRST - 42 : ROWS_NEXT;
		if (index === 0) {
			sheet.rule(LEFT, RIGHT, y - 5, 0.8);
			drawHeadings(sheet, columns, y, bold);
			sheet.rule(LEFT, RIGHT, y + 12, 0.8);
			y += 20;
			const cells = [
				day(startDate),
				'BALANCE B/F',
				'',
				'',
				printSigned(ledger.startBalance, pointStyle),
			];
			drawCells(sheet, columns, cells, y, LEADING, bold);
			y += 22;
		}
		for (const entry of entries) {
			drawCells(
				sheet,
				columns,
				[
					day(entry.date),
					entry.lines,
					entry.amount < 0n ? printUnsigned(entry.amount, pointStyle) : '',
					entry.amount < 0n ? '' : printUnsigned(entry.amount, pointStyle),
					printSigned(entry.balance, pointStyle),
				],
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
				descriptionLines: entry.lines,
				reference: '',
				balance: decimalText(entry.balance),
				checkNumber: entry.checkNumber,
				pageNumber: sheet.pageNumber,
			});
		}
	}
	const closing = [day(endDate), 'BALANCE C/F', '', '', printSigned(ledger.endBalance, pointStyle)];
	drawCells(sheet, columns, closing, y + 4, LEADING, bold);
	sheet.onEveryPage((page, pages) => {
		sheet.text(
			`${BANK} Limited  Co. Reg. No. 000000000K  Please notify the Bank of any discrepancy within 14 days.`,
			LEFT,
			808,
			{ size: 6.4, color: '#666666' },
		);
		sheet.text(`${page}/${pages}`, RIGHT, 808, { size: 7, align: 'right' });
	});
	return await finishStatement(sheet, 'longLedger', options, BANK, [
		accountTruth({
			account,
			currency: 'SGD',
			balanceMeans: 'held',
			startDate,
			endDate,
			startBalance: ledger.startBalance,
			endBalance: ledger.endBalance,
			transactions,
		}),
	]);
}
