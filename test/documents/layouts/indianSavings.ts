import { indianActivities } from '../activities/india.ts';
import { dayParts, isoDay, lastDayOfMonth } from '../calendar.ts';
import { finishStatement } from '../finishStatement.ts';
import { holderIn } from '../holder.ts';
import { ledgerForPages } from '../ledgerForPages.ts';
import { decimalText, lakhStyle, printUnsigned, sum } from '../money.ts';
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

const BANK = 'Deccan National Bank';
const NAVY = '#1b2c66';
const LEFT = 32;
const RIGHT = 563;
const LEADING = 9.4;
const ROWS_FIRST = 262;
const ROWS_NEXT = 118;
const BOTTOM = 700;

const columns: readonly Column[] = [
	{ heading: 'Date', x: LEFT + 3, align: 'left' },
	{ heading: 'Narration', x: 84, align: 'left' },
	{ heading: 'Chq./Ref.No.', x: 262, align: 'left' },
	{ heading: 'Value Dt', x: 324, align: 'left' },
	{ heading: 'Withdrawal Amt.', x: 430, align: 'right' },
	{ heading: 'Deposit Amt.', x: 488, align: 'right' },
	{ heading: 'Closing Balance', x: RIGHT - 3, align: 'right' },
];

const slashed = (day: string) =>
	`${dayParts(day).day}/${dayParts(day).month}/${dayParts(day).year}`;

const short = (day: string) =>
	`${dayParts(day).day}/${dayParts(day).month}/${dayParts(day).year.slice(2)}`;

const heightOf = (entry: LedgerEntry) => entry.lines.length * LEADING + 5;

const rupees = (minor: bigint) => printUnsigned(minor, lakhStyle);

const withSide = (minor: bigint) => `${rupees(minor)} ${minor < 0n ? 'Dr' : 'Cr'}`;

/**
 * India, savings account over three months: lakh grouping (12,34,567.00), Withdrawal / Deposit /
 * Closing Balance in a ruled grid, Dr or Cr behind balances. The opening row prints its value in the
 * deposit column although it is no deposit. Cheque and reference numbers share a column.
 */
export async function indianSavings(options: LayoutOptions): Promise<GeneratedStatement> {
	const random = new SeededRandom(`indianSavings ${options.seed}`);
	const year = random.between(2023, 2025);
	const month = random.pick([1, 4, 7, 10]);
	const startDate = isoDay(year, month, 1);
	const endDate = lastDayOfMonth(year, month + 2);
	const holder = holderIn('IN', random);
	const account = `5010${random.digits(10)}`;
	const ledger = ledgerForPages(
		random,
		options,
		38,
		{
			activities: indianActivities,
			startDate,
			endDate,
			startBalance: BigInt(random.between(2_500_000, 19_000_000)),
			lowest: -5_000_000n,
			large: BigInt(random.between(15_000_000, 420_000_000)),
			emptying: ['IB FUNDS TRANSFER DR-5010XXXX7741', 'SWEEP TO FIXED DEPOSIT'],
			firstCheckNumber: random.between(100, 800),
		},
		{ heightOf, first: BOTTOM - ROWS_FIRST, next: BOTTOM - ROWS_NEXT },
	);
	const sheet = new Sheet({ size: 'A4', title: 'Statement of account', author: BANK });
	const body = { size: 7.4 };
	const bold = { size: 7.6, font: 'Helvetica-Bold' };

	const head = () => {
		sheet.fill(LEFT, 28, 26, 26, NAVY);
		sheet.fill(LEFT + 8, 36, 10, 10, '#e0b13a');
		sheet.text('DECCAN NATIONAL BANK', LEFT + 34, 32, {
			font: 'Helvetica-Bold',
			size: 14,
			color: NAVY,
		});
		sheet.text('Relationships that grow', LEFT + 34, 49, { size: 7, color: '#666666' });
	};
	head();
	sheet.lines([holder.name, ...holder.address, 'INDIA'], LEFT, 76, 11, { size: 8.5 });
	sheet.text('JOINT HOLDERS :', LEFT, 140, body);
	sheet.text('Nomination : Registered', LEFT, 152, body);
	const facts: [string, string][] = [
		['Account Branch', 'KORAMANGALA'],
		['Address', '80 FEET ROAD, 4TH BLOCK, BENGALURU 560034'],
		['Phone no.', '1800 000 0000'],
		['OD Limit', '50,000.00'],
		['Currency', 'INR'],
		['Cust ID', random.digits(8)],
		['Account No', account],
		['A/C Open Date', '14/08/2016'],
		['RTGS/NEFT IFSC', 'DNBK0000412   MICR : 560240019'],
	];
	for (const [index, [label, value]] of facts.entries()) {
		sheet.text(label, 318, 34 + index * 12.4, body);
		sheet.text(`: ${value}`, 392, 34 + index * 12.4, body);
	}
	sheet.text(`From : ${slashed(startDate)}      To : ${slashed(endDate)}`, LEFT, 172, bold);
	sheet.text('Statement of account', RIGHT, 172, { ...bold, align: 'right' });

	const transactions: TruthTransaction[] = [];
	let y = 0;
	for (const [index, entries] of ledger.pages.entries()) {
		if (index > 0) {
			sheet.addPage();
			head();
			sheet.text(`Account No : ${account}`, RIGHT, 36, { ...body, align: 'right' });
		}
		const top = (index === 0 ? ROWS_FIRST : ROWS_NEXT) - 44;
		sheet.fill(LEFT, top, RIGHT - LEFT, 16, '#dfe4f2');
		drawHeadings(sheet, columns, top + 4, { size: 7, font: 'Helvetica-Bold' });
		y = top + 20;
		if (index === 0) {
			const opening = rupees(ledger.startBalance);
			const cells = [
				short(startDate),
				'OPENING BALANCE',
				'',
				'',
				ledger.startBalance < 0n ? opening : '',
				ledger.startBalance < 0n ? '' : opening,
				withSide(ledger.startBalance),
			];
			drawCells(sheet, columns, cells, y, LEADING, body);
		}
		y += 18;
		for (const entry of entries) {
			sheet.rule(LEFT, RIGHT, y - 3, 0.3, '#9aa2bd');
			const lines = entry.lines.map((line) => sheet.clip(line, 172, body));
			const reference =
				entry.checkNumber === '' ? random.digits(12) : entry.checkNumber.padStart(6, '0');
			drawCells(
				sheet,
				columns,
				[
					short(entry.date),
					lines,
					reference,
					short(entry.date),
					entry.amount < 0n ? rupees(entry.amount) : '',
					entry.amount < 0n ? '' : rupees(entry.amount),
					withSide(entry.balance),
				],
				y,
				LEADING,
				body,
			);
			y += heightOf(entry);
			transactions.push({
				period: '0',
				date: entry.date,
				postingDate: entry.date,
				amount: decimalText(entry.amount),
				descriptionLines: lines,
				reference,
				balance: decimalText(entry.balance),
				checkNumber: entry.checkNumber === '' ? '' : reference,
				pageNumber: sheet.pageNumber,
			});
		}
		sheet.frame(LEFT, top, RIGHT - LEFT, y - top, '#6b76a0');
		for (const x of [LEFT + 48, 258, 320, 362, 433, 491]) {
			sheet.doc.moveTo(x, top).lineTo(x, y).lineWidth(0.3).strokeColor('#9aa2bd').stroke();
		}
	}
	const debits = ledger.entries.map((entry) => entry.amount).filter((amount) => amount < 0n);
	const credits = ledger.entries.map((entry) => entry.amount).filter((amount) => amount > 0n);
	const totals: readonly Column[] = [
		{ heading: 'Opening Balance', x: LEFT + 70, align: 'right' },
		{ heading: 'Dr Count', x: 170, align: 'right' },
		{ heading: 'Cr Count', x: 220, align: 'right' },
		{ heading: 'Debits', x: 320, align: 'right' },
		{ heading: 'Credits', x: 430, align: 'right' },
		{ heading: 'Closing Bal', x: RIGHT - 3, align: 'right' },
	];
	sheet.text('STATEMENT SUMMARY :-', LEFT, y + 8, bold);
	drawHeadings(sheet, totals, y + 22, bold);
	drawCells(
		sheet,
		totals,
		[
			withSide(ledger.startBalance),
			String(debits.length),
			String(credits.length),
			rupees(sum(debits)),
			rupees(sum(credits)),
			withSide(ledger.endBalance),
		],
		y + 34,
		LEADING,
		body,
	);
	sheet.onEveryPage((page, pages) => {
		sheet.text(
			'*Closing balance includes funds earmarked for hold and uncleared funds. Contents of this statement will be considered correct if no error is reported within 30 days of receipt. This is a computer generated statement and does not require a signature.',
			LEFT,
			786,
			{ size: 6.4, width: 440, color: '#555555' },
		);
		sheet.text(`Page No .: ${page} / ${pages}`, RIGHT, 788, { size: 7, align: 'right' });
	});
	return await finishStatement(sheet, 'indianSavings', options, BANK, [
		accountTruth({
			account,
			currency: 'INR',
			balanceMeans: 'held',
			startDate,
			endDate,
			startBalance: ledger.startBalance,
			endBalance: ledger.endBalance,
			transactions,
		}),
	]);
}
