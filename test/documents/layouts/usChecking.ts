import { dayParts, englishMonth, isoDay, lastDayOfMonth } from '../calendar.ts';
import { holderIn } from '../holder.ts';
import { ledgerForPages } from '../ledgerForPages.ts';
import { finishStatement } from '../finishStatement.ts';
import { absolute, decimalText, pointStyle, printSigned, printUnsigned, sum } from '../money.ts';
import { SeededRandom } from '../seededRandom.ts';
import { Sheet } from '../sheet.ts';
import { accountTruth } from '../statementTruth.ts';
import type {
	GeneratedStatement,
	LayoutOptions,
	LedgerEntry,
	TruthTransaction,
} from '../statementTruth.ts';
import { unitedStatesActivities } from '../activities/unitedStates.ts';

const BANK = 'Cascadia Harbor Bank';
const BLUE = '#12395b';
const LEFT = 48;
const RIGHT = 564;
const AMOUNT = 482;
const DESCRIPTION = 96;
const LEADING = 10.5;
const TOP_OF_ROWS_FIRST = 366;
const TOP_OF_ROWS_NEXT = 112;
const BOTTOM = 712;

const longDay = (day: string) =>
	`${englishMonth(day)} ${Number(dayParts(day).day)}, ${dayParts(day).year}`;

const shortDay = (day: string) => `${dayParts(day).month}/${dayParts(day).day}`;

const heightOf = (entry: LedgerEntry) => entry.lines.length * LEADING + 4;

/**
 * United States, current account: one signed amount column and a running balance, dates as MM/DD
 * without a year, a box with beginning and ending balance, headings on every page.
 */
export async function usChecking(options: LayoutOptions): Promise<GeneratedStatement> {
	return await drawUsChecking(options, { layout: 'usChecking', endBalanceOff: 0n });
}

/**
 * The same page. `endBalanceOff` (minor units) is added to the printed ending balance; the page
 * `leftOutPage` (from 2) is left out, its rows with it, as when a sheet is lost before the scan.
 */
export async function drawUsChecking(
	options: LayoutOptions,
	drawn: { layout: string; endBalanceOff: bigint; leftOutPage?: number },
): Promise<GeneratedStatement> {
	const random = new SeededRandom(`${drawn.layout} ${options.seed}`);
	const year = random.between(2023, 2025);
	const month = random.between(1, 12);
	const startDate = isoDay(year, month, 1);
	const endDate = lastDayOfMonth(year, month);
	const holder = holderIn('US', random);
	const account = `${random.digits(4)} ${random.digits(4)} ${random.digits(4)}`;
	const ledger = ledgerForPages(
		random,
		options,
		34,
		{
			activities: unitedStatesActivities,
			startDate,
			endDate,
			startBalance: BigInt(random.between(40_000, 900_000)),
			lowest: -150_000n,
			large: BigInt(random.between(1_100_000, random.chance(0.3) ? 180_000_000 : 9_000_000)),
			emptying: ['ONLINE TRANSFER TO SAV ...2207', `CONFIRMATION# ${random.digits(10)}`],
		},
		{ heightOf, first: BOTTOM - TOP_OF_ROWS_FIRST, next: BOTTOM - TOP_OF_ROWS_NEXT },
	);
	const printedEnd = ledger.endBalance + drawn.endBalanceOff;
	const sheet = new Sheet({ size: 'LETTER', title: 'Account statement', author: BANK });
	const credits = ledger.entries.filter((entry) => entry.amount > 0n);
	const debits = ledger.entries.filter((entry) => entry.amount < 0n);

	sheet.fill(LEFT, 40, 30, 30, BLUE);
	sheet.text('CH', LEFT + 15, 48, {
		font: 'Times-Bold',
		size: 16,
		color: '#ffffff',
		align: 'center',
	});
	sheet.text(BANK, LEFT + 40, 42, { font: 'Times-Bold', size: 19, color: BLUE });
	sheet.text('P.O. Box 15284, Portland, OR 97204', LEFT + 40, 62, { size: 7.5 });
	sheet.text('Your Everyday Checking statement', RIGHT, 44, {
		size: 12,
		align: 'right',
		color: BLUE,
	});
	sheet.text(`for ${longDay(startDate)} to ${longDay(endDate)}`, RIGHT, 60, { align: 'right' });
	sheet.text(`Account number: ${account}`, RIGHT, 72, {
		align: 'right',
		font: 'Helvetica-Bold',
	});
	sheet.lines([holder.name, ...holder.address], LEFT + 12, 128, 12, { font: 'Courier', size: 9.5 });
	sheet.text('Customer service information', 372, 122, { font: 'Helvetica-Bold', size: 9 });
	sheet.lines(
		[
			'Customer service: 1.800.555.0110',
			'cascadiaharbor.example',
			'TDD/TTY users only: 1.800.555.0111',
		],
		372,
		136,
		11,
		{ size: 8 },
	);

	sheet.text('Account summary', LEFT, 196, { font: 'Helvetica-Bold', size: 12, color: BLUE });
	sheet.frame(LEFT, 212, 300, 92, BLUE);
	const summary: [string, string][] = [
		[`Beginning balance on ${longDay(startDate)}`, dollars(ledger.startBalance)],
		['Deposits and other additions', printUnsigned(sum(credits.map((e) => e.amount)), pointStyle)],
		[
			'Withdrawals and other subtractions',
			`-${printUnsigned(sum(debits.map((e) => e.amount)), pointStyle)}`,
		],
		['Service fees', '-0.00'],
		[`Ending balance on ${longDay(endDate)}`, dollars(printedEnd)],
	];
	for (const [index, [label, value]] of summary.entries()) {
		const font = index === 0 || index === 4 ? 'Helvetica-Bold' : 'Helvetica';
		sheet.text(label, LEFT + 8, 220 + index * 16.5, { font });
		sheet.text(value, LEFT + 292, 220 + index * 16.5, { font, align: 'right' });
	}
	sheet.text(
		`# of deposits/credits: ${credits.length}   # of withdrawals/debits: ${debits.length}   # of days in cycle: ${Number(dayParts(endDate).day)}   Average ledger balance: $${printUnsigned(absolute(ledger.startBalance + ledger.endBalance) / 2n, pointStyle)}`,
		LEFT,
		311,
		{ size: 7.5 },
	);

	const transactions: TruthTransaction[] = [];
	for (const [index, entries] of ledger.pages.entries()) {
		if (index + 1 === drawn.leftOutPage) continue;
		if (index > 0) {
			sheet.addPage();
			sheet.text(BANK, LEFT, 40, { font: 'Times-Bold', size: 12, color: BLUE });
			sheet.text(
				`${holder.name}  |  Account # ${account}  |  ${longDay(startDate)} to ${longDay(endDate)}`,
				LEFT,
				56,
				{ size: 8 },
			);
		}
		let y = (index === 0 ? TOP_OF_ROWS_FIRST : TOP_OF_ROWS_NEXT) - 34;
		sheet.text(`Transaction history${index > 0 ? ' - continued' : ''}`, LEFT, y, {
			font: 'Helvetica-Bold',
			size: 12,
			color: BLUE,
		});
		y += 18;
		const heading = { font: 'Helvetica-Bold', size: 8 };
		sheet.text('Date', LEFT, y, heading);
		sheet.text('Description', DESCRIPTION, y, heading);
		sheet.text('Amount', AMOUNT, y, { ...heading, align: 'right' });
		sheet.text('Balance', RIGHT, y, { ...heading, align: 'right' });
		sheet.rule(LEFT, RIGHT, y + 11, 0.8, BLUE);
		y += 16;
		if (ledger.entries.length === 0) {
			sheet.text(
				'There was no activity on this account during the statement period.',
				DESCRIPTION,
				y,
				{
					size: 8,
				},
			);
		}
		for (const entry of entries) {
			const size = { size: 8 };
			const lines = entry.lines.map((line) => sheet.clip(line, 330, size));
			sheet.text(shortDay(entry.date), LEFT, y, size);
			sheet.lines(lines, DESCRIPTION, y, LEADING, size);
			sheet.text(printSigned(entry.amount, pointStyle), AMOUNT, y, { ...size, align: 'right' });
			sheet.text(printSigned(entry.balance, pointStyle), RIGHT, y, { ...size, align: 'right' });
			y += heightOf(entry);
			sheet.rule(LEFT, RIGHT, y - 3, 0.2, '#c4c9ce');
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
	sheet.onEveryPage((page) => {
		const printed = drawn.leftOutPage !== undefined && page >= drawn.leftOutPage ? page + 1 : page;
		sheet.rule(LEFT, RIGHT, 728, 0.4);
		sheet.text(
			`Please examine this statement at once. If you find an error, tell us no later than 60 days after we sent you the FIRST statement on which it appeared. ${BANK}, N.A. Member FDIC. Equal Housing Lender. Overdraft and unpaid item fees for this period: $0.00.`,
			LEFT,
			733,
			{ size: 6.5, width: 440 },
		);
		sheet.text(`Page ${printed} of ${ledger.pages.length}`, RIGHT, 735, {
			size: 8,
			align: 'right',
		});
	});
	return await finishStatement(sheet, drawn.layout, options, BANK, [
		accountTruth({
			account,
			currency: 'USD',
			balanceMeans: 'held',
			startDate,
			endDate,
			startBalance: ledger.startBalance,
			endBalance: printedEnd,
			transactions,
		}),
	]);
}

function dollars(minor: bigint): string {
	return `${minor < 0n ? '-' : ''}$${printUnsigned(minor, pointStyle)}`;
}
