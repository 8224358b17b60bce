import { businessActivities } from '../activities/business.ts';
import { dayParts, englishMonth, isoDay, lastDayOfMonth } from '../calendar.ts';
import { finishStatement } from '../finishStatement.ts';
import { ledgerForPages } from '../ledgerForPages.ts';
import { decimalText, pointStyle, printSigned, printUnsigned, sum } from '../money.ts';
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

const BANK = 'Laurentide Commercial Bank';
const PINE = '#234d3b';
const LEFT = 44;
const RIGHT = 568;
const LEADING = 10;
const ROWS_FIRST = 300;
const ROWS_NEXT = 150;
const BOTTOM = 690;

const columns: readonly Column[] = [
	{ heading: 'Date', x: 70, align: 'center' },
	{ heading: 'Details', x: 112, align: 'left' },
	{ heading: 'Withdrawals ($)', x: 358, align: 'center' },
	{ heading: 'Deposits ($)', x: 446, align: 'center' },
	{ heading: 'Balance ($)', x: 532, align: 'center' },
];

const longDay = (day: string) =>
	`${englishMonth(day)} ${Number(dayParts(day).day)}, ${dayParts(day).year}`;

const heightOf = (entry: LedgerEntry) => entry.lines.length * LEADING + 5;

/**
 * Canada, a company's account: headings on each page, several lines with references, centred amounts,
 * totals of the page and a page number at each foot, a diagonal watermark in the text layer.
 */
export async function canadianBusiness(options: LayoutOptions): Promise<GeneratedStatement> {
	const random = new SeededRandom(`canadianBusiness ${options.seed}`);
	const year = random.between(2023, 2025);
	const month = random.between(1, 12);
	const startDate = isoDay(year, month, 1);
	const endDate = lastDayOfMonth(year, month);
	const account = `${random.digits(5)}-${random.digits(3)}-${random.digits(7)}`;
	const ledger = ledgerForPages(
		random,
		options,
		44,
		{
			activities: businessActivities,
			startDate,
			endDate,
			startBalance: BigInt(random.between(1_000_000, 30_000_000)),
			lowest: 0n,
			large: BigInt(random.between(30_000_000, 900_000_000)),
			emptying: ['ACCOUNT TRANSFER', 'TO OPERATING LINE 0044', 'REF CLEARANCE'],
		},
		{ heightOf, first: BOTTOM - ROWS_FIRST, next: BOTTOM - ROWS_NEXT },
	);
	const sheet = new Sheet({ size: 'LETTER', title: 'Business account statement', author: BANK });
	const body = { size: 8 };
	const bold = { size: 8, font: 'Helvetica-Bold' };
	const transactions: TruthTransaction[] = [];
	for (const [index, entries] of ledger.pages.entries()) {
		if (index > 0) sheet.addPage();
		sheet.watermark('DUPLICATE COPY');
		sheet.doc.polygon([LEFT, 66], [LEFT + 11, 36], [LEFT + 22, 66]).fill(PINE);
		sheet.doc.polygon([LEFT + 14, 66], [LEFT + 25, 44], [LEFT + 36, 66]).fill('#6f9c87');
		sheet.text('Laurentide', LEFT + 46, 38, { font: 'Times-Bold', size: 17, color: PINE });
		sheet.text('COMMERCIAL BANK', LEFT + 46, 57, { size: 7, color: PINE });
		sheet.text('Business Account Statement', RIGHT, 40, { ...bold, size: 12, align: 'right' });
		sheet.text(`${longDay(startDate)} to ${longDay(endDate)}`, RIGHT, 57, {
			...body,
			align: 'right',
		});
		sheet.text(`Account number: ${account}`, RIGHT, 70, { ...body, align: 'right' });
		if (index === 0) {
			sheet.lines(
				['NORTHERN QUILL PRINTING LTD', '4408 RUE SAINTE-ANNE', 'GATINEAU QC  J8X 2M4'],
				LEFT,
				110,
				12,
				{ size: 9 },
			);
			sheet.frame(LEFT, 172, RIGHT - LEFT, 62, PINE);
			sheet.text('Account Summary for this Period', LEFT + 8, 178, { ...bold, color: PINE });
			const paid = sum(ledger.entries.map((e) => (e.amount < 0n ? e.amount : 0n)));
			const received = sum(ledger.entries.map((e) => (e.amount > 0n ? e.amount : 0n)));
			const facts: [string, string][] = [
				[`Opening balance on ${longDay(startDate)}`, printSigned(ledger.startBalance, pointStyle)],
				['Total deposits & credits', `+ ${printUnsigned(received, pointStyle)}`],
				['Total cheques & debits', `- ${printUnsigned(paid, pointStyle)}`],
				[`Closing balance on ${longDay(endDate)}`, printSigned(ledger.endBalance, pointStyle)],
			];
			for (const [row, [label, value]] of facts.entries()) {
				const x = row < 2 ? LEFT + 8 : 312;
				const y = 195 + (row % 2) * 17;
				sheet.text(label, x, y, body);
				sheet.text(`$ ${value}`, x + 240, y, { ...bold, align: 'right' });
			}
		}
		let y = (index === 0 ? ROWS_FIRST : ROWS_NEXT) - 44;
		sheet.text(`Account Activity Details${index > 0 ? ' - continued' : ''}`, LEFT, y, {
			...bold,
			color: PINE,
			size: 9.5,
		});
		y += 17;
		sheet.fill(LEFT, y - 4, RIGHT - LEFT, 16, '#dde9e3');
		drawHeadings(sheet, columns, y, bold);
		y += 18;
		for (const entry of entries) {
			const lines = entry.lines.map((line) => sheet.clip(line, 196, body));
			drawCells(
				sheet,
				columns,
				[
					entry.date,
					lines,
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
				descriptionLines: lines,
				reference: '',
				balance: decimalText(entry.balance),
				checkNumber: '',
				pageNumber: sheet.pageNumber,
			});
		}
		const out = sum(entries.map((entry) => (entry.amount < 0n ? entry.amount : 0n)));
		const into = sum(entries.map((entry) => (entry.amount > 0n ? entry.amount : 0n)));
		sheet.rule(LEFT, RIGHT, BOTTOM + 4, 0.6, PINE);
		const totals = [
			'',
			'Totals on this page',
			printUnsigned(out, pointStyle),
			printUnsigned(into, pointStyle),
			'',
		];
		drawCells(sheet, columns, totals, BOTTOM + 9, LEADING, bold);
	}
	sheet.onEveryPage((page, pages) => {
		sheet.text(
			`Please check this statement promptly and tell us of errors within 30 days. ${BANK}, member of a fictional deposit insurance scheme. GST/HST registration R000000000.`,
			LEFT,
			738,
			{ size: 6.4, width: 400, color: '#555555' },
		);
		sheet.text(`${page} of ${pages}`, RIGHT, 740, { size: 8, align: 'right' });
	});
	return await finishStatement(sheet, 'canadianBusiness', options, BANK, [
		accountTruth({
			account,
			currency: 'CAD',
			balanceMeans: 'held',
			startDate,
			endDate,
			startBalance: ledger.startBalance,
			endBalance: ledger.endBalance,
			transactions,
		}),
	]);
}
