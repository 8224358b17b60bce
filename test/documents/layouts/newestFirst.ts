import { unitedStatesActivities } from '../activities/unitedStates.ts';
import { dayParts, englishMonth, isoDay, lastDayOfMonth } from '../calendar.ts';
import { finishStatement } from '../finishStatement.ts';
import { holderIn } from '../holder.ts';
import { countForPages, paginate } from '../pagination.ts';
import { decimalText, pointStyle, printUnsigned } from '../money.ts';
import { SeededRandom } from '../seededRandom.ts';
import { Sheet } from '../sheet.ts';
import { accountTruth, buildLedger } from '../statementTruth.ts';
import type {
	GeneratedStatement,
	LayoutOptions,
	Ledger,
	LedgerEntry,
	TruthTransaction,
} from '../statementTruth.ts';
import { drawCells, drawHeadings } from '../table.ts';
import type { Column } from '../table.ts';

const BANK = 'Fathom Online Bank';
const VIOLET = '#4b3aa8';
const LEFT = 48;
const RIGHT = 564;
const LEADING = 10.4;
const ROWS_FIRST = 268;
const ROWS_NEXT = 96;
const BOTTOM = 720;

const columns: readonly Column[] = [
	{ heading: 'Date', x: LEFT, align: 'left' },
	{ heading: 'Description', x: 122, align: 'left' },
	{ heading: 'Amount (USD)', x: 478, align: 'right' },
	{ heading: 'Running balance', x: RIGHT, align: 'right' },
];

const day = (iso: string) =>
	`${englishMonth(iso, 3)} ${Number(dayParts(iso).day)}, ${dayParts(iso).year}`;

const heightOf = (entry: LedgerEntry) => entry.lines.length * LEADING + 6;

/** Negative amounts stand in parentheses; the closing one sticks out to the right of the digits. */
const bracketed = (minor: bigint) => {
	const digits = `$${printUnsigned(minor, pointStyle)}`;
	return minor < 0n ? `(${digits})` : digits;
};

/**
 * An online bank's printout: newest rows first, negative amounts and balances in parentheses. The
 * file holds the texts column by column.
 */
export async function newestFirst(options: LayoutOptions): Promise<GeneratedStatement> {
	const random = new SeededRandom(`newestFirst ${options.seed}`);
	const year = random.between(2023, 2025);
	const month = random.between(1, 12);
	const startDate = isoDay(year, month, 1);
	const endDate = lastDayOfMonth(year, month);
	const holder = holderIn('US', random);
	const account = `${random.digits(10)}`;
	const first = BOTTOM - ROWS_FIRST;
	const next = BOTTOM - ROWS_NEXT;
	const make = (count: number): Ledger =>
		buildLedger(random, {
			activities: unitedStatesActivities,
			startDate,
			endDate,
			startBalance: BigInt(random.between(50_000, 600_000)),
			count,
			lowest: -90_000n,
			large: BigInt(random.between(1_000_000, 20_000_000)),
			emptying: ['TRANSFER TO FATHOM VAULT ...8841'],
		});
	const fill = (pages: number): Ledger => {
		const long = make(pages * 80);
		const kept = countForPages(long.entries.toReversed(), heightOf, first, next, pages);
		const entries = long.entries.slice(long.entries.length - kept);
		const oldest = entries[0];
		const startBalance = oldest ? oldest.balance - oldest.amount : long.startBalance;
		return { startBalance, endBalance: long.endBalance, entries };
	};
	const ledger =
		options.pages === undefined ? make(options.transactions ?? 30) : fill(options.pages);
	const sheet = new Sheet({
		size: 'LETTER',
		title: 'Account activity',
		author: BANK,
		order: 'byColumn',
	});
	const body = { size: 8.4 };
	const bold = { size: 8.4, font: 'Helvetica-Bold' };
	sheet.doc.roundedRect(LEFT, 38, 34, 34, 9).fill(VIOLET);
	sheet.text('f', LEFT + 17, 40, {
		font: 'Times-BoldItalic',
		size: 28,
		color: '#ffffff',
		align: 'center',
	});
	sheet.text('fathom', LEFT + 44, 42, { font: 'Helvetica-Bold', size: 22, color: VIOLET });
	sheet.text('Account activity', RIGHT, 44, { size: 14, align: 'right' });
	sheet.text(`${day(startDate)} – ${day(endDate)}`, RIGHT, 62, { ...body, align: 'right' });
	sheet.lines([holder.name, ...holder.address], LEFT, 100, 12, { size: 9 });
	sheet.text('Everyday Spending', LEFT, 160, { ...bold, size: 11 });
	sheet.text(`Account number ${account}   Routing number 000000000`, LEFT, 176, body);
	sheet.frame(330, 100, RIGHT - 330, 66, VIOLET);
	sheet.text('Closing balance', 340, 110, body);
	sheet.text(bracketed(ledger.endBalance), RIGHT - 10, 110, { ...bold, align: 'right' });
	sheet.text('Opening balance', 340, 128, body);
	sheet.text(bracketed(ledger.startBalance), RIGHT - 10, 128, { ...bold, align: 'right' });
	sheet.text('Available credit', 340, 146, body);
	sheet.text('$0.00', RIGHT - 10, 146, { ...bold, align: 'right' });
	sheet.text('Most recent transactions are shown first.', LEFT, 204, { ...body, color: '#666666' });

	const transactions: TruthTransaction[] = [];
	const pages = paginate(ledger.entries.toReversed(), heightOf, first, next);
	for (const [index, entries] of pages.entries()) {
		if (index > 0) sheet.addPage();
		let y = (index === 0 ? ROWS_FIRST : ROWS_NEXT) - 34;
		drawHeadings(sheet, columns, y, { ...bold, color: VIOLET });
		sheet.rule(LEFT, RIGHT, y + 13, 0.8, VIOLET);
		y += 22;
		for (const entry of entries) {
			const lines = entry.lines.map((line) => sheet.clip(line, 285, body));
			drawCells(
				sheet,
				columns,
				[day(entry.date), lines, bracketed(entry.amount), bracketed(entry.balance)],
				y,
				LEADING,
				body,
			);
			y += heightOf(entry);
			sheet.rule(LEFT, RIGHT, y - 4, 0.2, '#d7d4ea');
			transactions.push({
				period: '0',
				date: entry.date,
				postingDate: null,
				amount: decimalText(entry.amount),
				descriptionLines: lines,
				reference: '',
				balance: decimalText(entry.balance),
				checkNumber: entry.checkNumber,
				pageNumber: sheet.pageNumber,
			});
		}
	}
	sheet.onEveryPage((page, count) => {
		sheet.text(
			'Fathom is a brand of a fictional bank. Questions? help@fathom.example. Pending transactions are not shown.',
			LEFT,
			748,
			{ size: 6.6, color: '#666666' },
		);
		sheet.text(`${page} of ${count}`, RIGHT, 748, { size: 7.5, align: 'right' });
	});
	return await finishStatement(sheet, 'newestFirst', options, BANK, [
		accountTruth({
			account,
			currency: 'USD',
			balanceMeans: 'held',
			startDate,
			endDate,
			startBalance: ledger.startBalance,
			endBalance: ledger.endBalance,
			transactions,
		}),
	]);
}
