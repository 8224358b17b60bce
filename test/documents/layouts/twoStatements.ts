import { businessActivities } from '../activities/business.ts';
import { dayParts, englishMonth, isoDay, lastDayOfMonth } from '../calendar.ts';
import { fillPages, finishStatement } from '../finishStatement.ts';
import { decimalText, pointStyle, printUnsigned, sum } from '../money.ts';
import { paginate } from '../pagination.ts';
import { SeededRandom } from '../seededRandom.ts';
import { Sheet } from '../sheet.ts';
import { buildLedger, judge } from '../statementTruth.ts';
import type {
	GeneratedStatement,
	LayoutOptions,
	LedgerEntry,
	TruthPeriod,
	TruthTransaction,
} from '../statementTruth.ts';
import { drawCells, drawHeadings } from '../table.ts';
import type { Column } from '../table.ts';

const BANK = 'Otago Mutual';
const SEA = '#0b4f6c';
const LEFT = 46;
const RIGHT = 549;
const LEADING = 10;
const ROWS_FIRST = 290;
const ROWS_NEXT = 120;
const BOTTOM = 740;

const columns: readonly Column[] = [
	{ heading: 'Date', x: LEFT, align: 'left' },
	{ heading: 'Transaction details', x: 96, align: 'left' },
	{ heading: 'Debits', x: 400, align: 'right' },
	{ heading: 'Credits', x: 474, align: 'right' },
	{ heading: 'Balance', x: RIGHT, align: 'right' },
];

const shortDay = (day: string) => `${dayParts(day).day} ${englishMonth(day, 3)}`;

const longDay = (day: string) => `${dayParts(day).day} ${englishMonth(day)} ${dayParts(day).year}`;

const heightOf = (entry: LedgerEntry) => entry.lines.length * LEADING + 4;

/** Overdrawn balances carry OD. */
const balanceText = (minor: bigint) =>
	`${printUnsigned(minor, pointStyle)}${minor < 0n ? ' OD' : ''}`;

/**
 * New Zealand: the statements of two months of one account in one file, December and January, each
 * with its own first page, period and balances. Rows have no year.
 */
export async function twoStatements(options: LayoutOptions): Promise<GeneratedStatement> {
	return await fillPages(options, draw);
}

async function draw(options: LayoutOptions): Promise<GeneratedStatement> {
	const random = new SeededRandom(`twoStatements ${options.seed}`);
	const year = random.between(2022, 2024);
	const account = `03-${random.digits(4)}-${random.digits(7)}-00`;
	const rows = options.transactions ?? 40;
	const months = [
		{
			startDate: isoDay(year, 12, 1),
			endDate: lastDayOfMonth(year, 12),
			count: Math.ceil(rows / 2),
		},
		{
			startDate: isoDay(year + 1, 1, 1),
			endDate: lastDayOfMonth(year + 1, 1),
			count: Math.floor(rows / 2),
		},
	];
	const sheet = new Sheet({ size: 'A4', title: 'Statements', author: BANK });
	const body = { size: 8 };
	const bold = { size: 8.2, font: 'Helvetica-Bold' };
	const transactions: TruthTransaction[] = [];
	const periods: TruthPeriod[] = [];
	const footers: string[] = [];
	let balance = BigInt(random.between(500_000, 9_000_000));
	for (const [index, month] of months.entries()) {
		const { startDate, endDate } = month;
		const ledger = buildLedger(random, {
			activities: businessActivities,
			startDate,
			endDate,
			startBalance: balance,
			count: month.count,
			lowest: -2_000_000n,
			large: BigInt(random.between(3_000_000, 70_000_000)),
			emptying: ['AUTOMATIC SWEEP', 'TO CALL ACCOUNT 01'],
		});
		balance = ledger.endBalance;
		const amounts = ledger.entries.map((entry) => entry.amount);
		periods.push({
			period: String(index),
			startDate,
			endDate,
			startBalance: decimalText(ledger.startBalance),
			endBalance: decimalText(ledger.endBalance),
			...judge(ledger.startBalance, ledger.endBalance, amounts, 'held'),
		});
		const pages = paginate(ledger.entries, heightOf, BOTTOM - ROWS_FIRST, BOTTOM - ROWS_NEXT);
		for (const [page, entries] of pages.entries()) {
			if (index + page > 0) sheet.addPage();
			footers.push(`Statement ${index + 41} page ${page + 1} of ${pages.length}`);
			sheet.doc.circle(LEFT + 14, 54, 14).fill(SEA);
			sheet.doc.moveTo(LEFT + 4, 57).bezierCurveTo(LEFT + 10, 47, LEFT + 18, 67, LEFT + 24, 53);
			sheet.doc.lineWidth(2).strokeColor('#ffffff').stroke();
			sheet.text('Otago Mutual', LEFT + 38, 44, { font: 'Times-Bold', size: 18, color: SEA });
			sheet.text(`Account number ${account}`, RIGHT, 44, { ...body, align: 'right' });
			sheet.text(`Statement number ${index + 41}`, RIGHT, 56, { ...body, align: 'right' });
			if (page === 0) {
				sheet.lines(
					['KAURI POINT JOINERY LIMITED', '17 MARINE PARADE', 'DUNEDIN 9016'],
					LEFT,
					104,
					12,
					{ size: 9 },
				);
				sheet.text('Business Current Account', LEFT, 170, { ...bold, size: 12 });
				sheet.text(
					`Statement period: ${longDay(startDate)} to ${longDay(endDate)}`,
					LEFT,
					188,
					body,
				);
				const facts: [string, string][] = [
					['Opening balance', balanceText(ledger.startBalance)],
					['Total credits', printUnsigned(sum(amounts.filter((a) => a > 0n)), pointStyle)],
					['Total debits', printUnsigned(sum(amounts.filter((a) => a < 0n)), pointStyle)],
					['Closing balance', balanceText(ledger.endBalance)],
				];
				sheet.frame(LEFT, 206, RIGHT - LEFT, 38, SEA);
				for (const [fact, [label, value]] of facts.entries()) {
					sheet.text(label, LEFT + 10 + fact * 126, 212, { size: 7.4, color: '#555555' });
					sheet.text(value, LEFT + 10 + fact * 126, 225, { ...bold, size: 9.5 });
				}
			}
			let y = (page === 0 ? ROWS_FIRST : ROWS_NEXT) - 32;
			drawHeadings(sheet, columns, y, bold);
			sheet.rule(LEFT, RIGHT, y + 12, 0.8, SEA);
			y += 18;
			for (const entry of entries) {
				const lines = entry.lines.map((line) => sheet.clip(line, 240, body));
				drawCells(
					sheet,
					columns,
					[
						shortDay(entry.date),
						lines,
						entry.amount < 0n ? printUnsigned(entry.amount, pointStyle) : '',
						entry.amount < 0n ? '' : printUnsigned(entry.amount, pointStyle),
						balanceText(entry.balance),
					],
					y,
					LEADING,
					body,
				);
				y += heightOf(entry);
				transactions.push({
					period: String(index),
					date: entry.date,
					postingDate: null,
					amount: decimalText(entry.amount),
					descriptionLines: lines,
					reference: '',
					balance: decimalText(entry.balance),
					checkNumber: '',
					pageNumber: sheet.pageNumber,
				});
			}
		}
	}
	sheet.onEveryPage((page) => {
		sheet.rule(LEFT, RIGHT, 766, 0.4, SEA);
		sheet.text(
			`${BANK} Limited. Please check all entries and tell us of errors within 28 days. OD means overdrawn. GST 000-000-000. All amounts in NZD.`,
			LEFT,
			772,
			{ size: 6.6, color: '#555555' },
		);
		sheet.text(footers[page - 1] ?? '', RIGHT, 784, { size: 7.5, align: 'right' });
	});
	return await finishStatement(sheet, 'twoStatements', options, BANK, [
		{ account, currency: 'NZD', balanceMeans: 'held', periods, transactions },
	]);
}
