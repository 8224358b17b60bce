import { creditCardActivities } from '../activities/creditCard.ts';
import { addDays, dayParts, englishMonth, isoDay } from '../calendar.ts';
import { finishStatement } from '../finishStatement.ts';
import { holderIn } from '../holder.ts';
import { ledgerForPages } from '../ledgerForPages.ts';
import { absolute, decimalText, pointStyle, printUnsigned, sum } from '../money.ts';
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

const BANK = 'Sterling Peak Card Services';
const INK = '#2b2350';
const LEFT = 46;
const RIGHT = 566;
const LEADING = 10;
const ROWS_FIRST = 404;
const ROWS_NEXT = 116;
const BOTTOM = 690;

const columns: readonly Column[] = [
	{ heading: 'Trans Date', x: LEFT, align: 'left' },
	{ heading: 'Post Date', x: 104, align: 'left' },
	{ heading: 'Reference Number', x: 160, align: 'left' },
	{ heading: 'Description of Transaction or Credit', x: 254, align: 'left' },
	{ heading: 'Amount', x: RIGHT, align: 'right' },
];

const monthDay = (day: string) => `${dayParts(day).month}/${dayParts(day).day}`;

const longDay = (day: string) =>
	`${englishMonth(day, 3)} ${Number(dayParts(day).day)}, ${dayParts(day).year}`;

const heightOf = (entry: LedgerEntry) => entry.lines.length * LEADING + 3;

/**
 * Credit card: purchases positive, payments and refunds with a trailing CR (even seeds) or a minus
 * (odd seeds), previous and new balance in a summary, transaction and posting date, across the end
 * of a year for some seeds. Balances are what the holder owes.
 */
export async function creditCard(options: LayoutOptions): Promise<GeneratedStatement> {
	const random = new SeededRandom(`creditCard ${options.seed}`);
	const endDate = isoDay(
		random.between(2024, 2026),
		random.pick([1, 1, 4, 7, 11]),
		random.between(8, 20),
	);
	const startDate = addDays(endDate, -random.between(28, 31));
	const holder = holderIn('US', random);
	const account = `XXXX XXXX XXXX ${random.digits(4)}`;
	const credit = (minor: bigint) =>
		options.seed % 2 === 0
			? `${printUnsigned(minor, pointStyle)} CR`
			: `-${printUnsigned(minor, pointStyle)}`;
	const printed = (amount: bigint) =>
		amount > 0n ? credit(amount) : printUnsigned(amount, pointStyle);
	const owedText = (owed: bigint) =>
		owed < 0n ? `$${credit(owed)}`.replace('$-', '-$') : `$${printUnsigned(owed, pointStyle)}`;
	if (options.pages !== undefined && options.pages < 2) {
		throw new Error('This layout has at least 2 pages: the last one holds the interest table.');
	}
	const ledger = ledgerForPages(
		random,
		options.pages === undefined ? options : { ...options, pages: options.pages - 1 },
		33,
		{
			activities: creditCardActivities,
			startDate,
			endDate: addDays(endDate, -2),
			startBalance: -BigInt(random.between(20_000, 340_000)),
			lowest: -900_000n,
			large: BigInt(random.between(100_000, 1_500_000)),
			emptying: ['PAYMENT - THANK YOU'],
			debt: true,
		},
		{ heightOf, first: BOTTOM - ROWS_FIRST, next: BOTTOM - ROWS_NEXT },
	);
	const amounts = ledger.entries.map((entry) => entry.amount);
	const payments = sum(amounts.filter((amount) => amount > 0n));
	const purchases = -sum(amounts.filter((amount) => amount < 0n));
	const sheet = new Sheet({ size: 'LETTER', title: 'Credit card statement', author: BANK });
	const body = { size: 7.8 };
	const bold = { size: 8, font: 'Helvetica-Bold' };

	sheet.fill(0, 0, sheet.width, 78, INK);
	sheet.doc.polygon([LEFT, 56], [LEFT + 18, 22], [LEFT + 36, 56]).fill('#c9b458');
	sheet.text('STERLING PEAK', LEFT + 48, 26, { font: 'Times-Bold', size: 18, color: '#ffffff' });
	sheet.text('Platinum Rewards Card', LEFT + 48, 48, { size: 9, color: '#d8d3ea' });
	sheet.text(`Account ending in ${account.slice(-4)}`, RIGHT, 26, {
		color: '#ffffff',
		align: 'right',
	});
	sheet.text(`Statement closing date ${longDay(endDate)}`, RIGHT, 40, {
		color: '#ffffff',
		align: 'right',
	});
	sheet.text(`Opening/Closing Date ${longDay(startDate)} - ${longDay(endDate)}`, RIGHT, 54, {
		color: '#ffffff',
		align: 'right',
		size: 8,
	});
	sheet.lines([holder.name, ...holder.address], LEFT, 100, 12, { font: 'Courier', size: 9.5 });
	sheet.text(`Account Number: ${account}`, LEFT, 160, bold);
	sheet.frame(LEFT, 176, 252, 118, INK);
	sheet.text('ACCOUNT SUMMARY', LEFT + 8, 182, { ...bold, color: INK });
	const summary: [string, string][] = [
		['Previous Balance', owedText(-ledger.startBalance)],
		['Payments, Credits', `-$${printUnsigned(payments, pointStyle)}`],
		['Purchases, Fees and Interest', `+$${printUnsigned(purchases, pointStyle)}`],
		['Cash Advances', '+$0.00'],
		['New Balance', owedText(-ledger.endBalance)],
		['Credit Line', '$12,000.00'],
	];
	for (const [index, [label, value]] of summary.entries()) {
		sheet.text(label, LEFT + 8, 198 + index * 15, label.endsWith('Balance') ? bold : body);
		sheet.text(value, LEFT + 244, 198 + index * 15, { ...body, align: 'right' });
	}
	sheet.frame(320, 176, RIGHT - 320, 118, INK);
	sheet.text('PAYMENT INFORMATION', 328, 182, { ...bold, color: INK });
	const due: [string, string][] = [
		['New Balance', owedText(-ledger.endBalance)],
		['Minimum Payment Due', '$35.00'],
		['Payment Due Date', longDay(addDays(endDate, 25))],
	];
	for (const [index, [label, value]] of due.entries()) {
		sheet.text(label, 328, 198 + index * 15, body);
		sheet.text(value, RIGHT - 8, 198 + index * 15, { ...body, align: 'right' });
	}
	sheet.text(
		'Late Payment Warning: If we do not receive your minimum payment by the date listed above, you may have to pay a late fee of up to $39.00 and your APRs may be increased up to 29.99%.',
		328,
		248,
		{ size: 6.8, width: 228 },
	);
	sheet.text(
		'Minimum Payment Warning: If you make only the minimum payment each period, you will pay more in interest and it will take you longer to pay off your balance.',
		LEFT,
		304,
		{ size: 7, width: RIGHT - LEFT },
	);

	const transactions: TruthTransaction[] = [];
	let y = 0;
	for (const [index, entries] of ledger.pages.entries()) {
		if (index > 0) {
			sheet.addPage();
			sheet.text('STERLING PEAK', LEFT, 34, { font: 'Times-Bold', size: 13, color: INK });
			sheet.text(`Account Number: ${account}`, RIGHT, 38, { ...body, align: 'right' });
		}
		y = (index === 0 ? ROWS_FIRST : ROWS_NEXT) - 44;
		sheet.text(`TRANSACTIONS${index > 0 ? ' (continued)' : ''}`, LEFT, y, {
			...bold,
			size: 10,
			color: INK,
		});
		y += 18;
		sheet.fill(LEFT - 2, y - 4, RIGHT - LEFT + 4, 16, '#e9e6f3');
		drawHeadings(sheet, columns, y, { size: 7.4, font: 'Helvetica-Bold' });
		y += 20;
		for (const entry of entries) {
			const lines = entry.lines.map((line) => sheet.clip(line, 240, body));
			const late = addDays(entry.date, random.between(0, 2));
			const reference = random.digits(17);
			const postingDate = late > endDate ? endDate : late;
			drawCells(
				sheet,
				columns,
				[monthDay(entry.date), monthDay(postingDate), reference, lines, printed(entry.amount)],
				y,
				LEADING,
				body,
			);
			y += heightOf(entry);
			transactions.push({
				period: '0',
				date: entry.date,
				postingDate,
				amount: decimalText(entry.amount),
				descriptionLines: lines,
				reference,
				balance: null,
				checkNumber: '',
				pageNumber: sheet.pageNumber,
			});
		}
	}
	sheet.addPage();
	sheet.text('STERLING PEAK', LEFT, 34, { font: 'Times-Bold', size: 13, color: INK });
	const closingYear = dayParts(endDate).year;
	sheet.text(`${closingYear} Totals Year-to-Date`, LEFT, 80, { ...bold, size: 10, color: INK });
	sheet.text(`Total fees charged in ${closingYear}`, LEFT, 98, body);
	sheet.text('$78.00', 320, 98, { ...body, align: 'right' });
	sheet.text(`Total interest charged in ${closingYear}`, LEFT, 111, body);
	sheet.text('$214.66', 320, 111, { ...body, align: 'right' });
	sheet.text('Interest Charge Calculation', LEFT, 140, { ...bold, size: 10, color: INK });
	sheet.text(
		'Your Annual Percentage Rate (APR) is the annual interest rate on your account.',
		LEFT,
		156,
		body,
	);
	const rates: readonly Column[] = [
		{ heading: 'Balance Type', x: LEFT, align: 'left' },
		{ heading: 'Annual Percentage Rate (APR)', x: 300, align: 'right' },
		{ heading: 'Balance Subject to Interest Rate', x: 450, align: 'right' },
		{ heading: 'Interest Charge', x: RIGHT, align: 'right' },
	];
	drawHeadings(sheet, rates, 176, bold);
	const subject = printUnsigned(absolute(ledger.startBalance) / 3n, pointStyle);
	drawCells(sheet, rates, ['Purchases', '21.24% (v)', `$${subject}`, '$0.00'], 192, LEADING, body);
	drawCells(sheet, rates, ['Cash Advances', '29.99% (v)', '$0.00', '$0.00'], 205, LEADING, body);
	sheet.onEveryPage((page, pages) => {
		sheet.rule(LEFT, RIGHT, 716, 0.4, INK);
		sheet.text(
			`Notice: See the reverse side for important information about your account. ${BANK} is a fictional issuer. Billing rights summary: if you think there is an error on your statement, write to us at P.O. Box 8810, Denver, CO 80201.`,
			LEFT,
			722,
			{ size: 6.4, width: 420 },
		);
		sheet.text(`Page ${page} of ${pages}`, RIGHT, 724, { size: 7.5, align: 'right' });
	});
	return await finishStatement(sheet, 'creditCard', options, BANK, [
		accountTruth({
			account,
			currency: 'USD',
			balanceMeans: 'owed',
			startDate,
			endDate,
			startBalance: -ledger.startBalance,
			endBalance: -ledger.endBalance,
			transactions,
		}),
	]);
}
