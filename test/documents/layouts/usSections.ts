import { unitedStatesActivities } from '../activities/unitedStates.ts';
import { dayParts, englishMonth, isoDay, lastDayOfMonth } from '../calendar.ts';
import { fillPages, finishStatement } from '../finishStatement.ts';
import { holderIn } from '../holder.ts';
import { decimalText, pointStyle, printUnsigned, sum } from '../money.ts';
import { SeededRandom } from '../seededRandom.ts';
import { Sheet } from '../sheet.ts';
import { accountTruth, buildLedger } from '../statementTruth.ts';
import type {
	GeneratedStatement,
	LayoutOptions,
	LedgerEntry,
	TruthTransaction,
} from '../statementTruth.ts';
import { drawCells, drawHeadings } from '../table.ts';
import type { Column } from '../table.ts';

const BANK = 'Old Dominion Savings Bank';
const MAROON = '#5a1f33';
const LEFT = 50;
const RIGHT = 562;
const LEADING = 10;
const BOTTOM = 700;

const rowColumns: readonly Column[] = [
	{ heading: 'Date', x: LEFT, align: 'left' },
	{ heading: 'Description', x: 100, align: 'left' },
	{ heading: 'Amount', x: RIGHT, align: 'right' },
];

const checkColumns: readonly Column[] = [
	{ heading: 'Date', x: LEFT, align: 'left' },
	{ heading: 'Check #', x: 100, align: 'left' },
	{ heading: 'Amount', x: 276, align: 'right' },
	{ heading: 'Date', x: 320, align: 'left' },
	{ heading: 'Check #', x: 370, align: 'left' },
	{ heading: 'Amount', x: RIGHT, align: 'right' },
];

const dailyColumns: readonly Column[] = [
	{ heading: 'Date', x: LEFT, align: 'left' },
	{ heading: 'Balance ($)', x: 190, align: 'right' },
	{ heading: 'Date', x: 236, align: 'left' },
	{ heading: 'Balance ($)', x: 376, align: 'right' },
	{ heading: 'Date', x: 422, align: 'left' },
	{ heading: 'Balance ($)', x: RIGHT, align: 'right' },
];

const shortDay = (day: string) =>
	`${dayParts(day).month}/${dayParts(day).day}/${dayParts(day).year.slice(2)}`;

const monthDay = (day: string) => `${dayParts(day).month}/${dayParts(day).day}`;

const longDay = (day: string) =>
	`${englishMonth(day)} ${Number(dayParts(day).day)}, ${dayParts(day).year}`;

const unsigned = (minor: bigint) => printUnsigned(minor, pointStyle);

/**
 * United States, in sections: deposits, withdrawals, checks in a grid of two columns, then daily
 * balances in a grid of three, which hold no transactions. All amounts are printed without a sign;
 * the section says what they are. A check number after a gap carries an asterisk.
 */
export async function usSections(options: LayoutOptions): Promise<GeneratedStatement> {
	return await fillPages(options, draw);
}

async function draw(options: LayoutOptions): Promise<GeneratedStatement> {
	const random = new SeededRandom(`usSections ${options.seed}`);
	const year = random.between(2023, 2025);
	const month = random.between(1, 12);
	const startDate = isoDay(year, month, 1);
	const endDate = lastDayOfMonth(year, month);
	const holder = holderIn('US', random);
	const account = `${random.digits(4)} ${random.digits(4)} ${random.digits(4)}`;
	const ledger = buildLedger(random, {
		activities: unitedStatesActivities.map((activity) =>
			activity.check ? { ...activity, weight: 18 } : activity,
		),
		startDate,
		endDate,
		startBalance: BigInt(random.between(120_000, 900_000)),
		count: options.transactions ?? 46,
		lowest: 0n,
		large: BigInt(random.between(1_000_000, 9_000_000)),
		emptying: ['ONLINE TRANSFER TO CHK ...0091', `CONFIRMATION# ${random.digits(10)}`],
	});
	const deposits = ledger.entries.filter((entry) => entry.amount > 0n);
	const checks = ledger.entries.filter((entry) => entry.checkNumber !== '');
	const withdrawals = ledger.entries.filter(
		(entry) => entry.amount < 0n && entry.checkNumber === '',
	);
	const total = (entries: readonly LedgerEntry[]) => sum(entries.map((entry) => entry.amount));

	const sheet = new Sheet({ size: 'LETTER', title: 'Checking statement', author: BANK });
	const body = { size: 8.2 };
	const bold = { size: 8.2, font: 'Helvetica-Bold' };
	const transactions: TruthTransaction[] = [];
	let y = 0;

	sheet.frame(LEFT, 38, 30, 30, MAROON, 1.5);
	sheet.text('OD', LEFT + 15, 46, { font: 'Times-Bold', size: 15, color: MAROON, align: 'center' });
	sheet.text(BANK, LEFT + 40, 44, { font: 'Times-Roman', size: 18, color: MAROON });
	sheet.text('P.O. Box 25118, Richmond, VA 23219', RIGHT, 42, { ...body, align: 'right' });
	sheet.text('Customer service 1.800.555.0173', RIGHT, 54, { ...body, align: 'right' });
	sheet.lines([holder.name, ...holder.address], LEFT + 8, 110, 12, { font: 'Courier', size: 9.5 });
	sheet.text('Your Advantage Checking', LEFT, 178, { font: 'Times-Bold', size: 15, color: MAROON });
	sheet.text(
		`for ${longDay(startDate)} to ${longDay(endDate)}          Account number: ${account}`,
		LEFT,
		198,
		{ size: 9 },
	);
	sheet.text('Account summary', LEFT, 222, { ...bold, size: 11, color: MAROON });
	sheet.rule(LEFT, 330, 236, 1, MAROON);
	const summary: [string, string][] = [
		[`Beginning balance on ${longDay(startDate)}`, `$${unsigned(ledger.startBalance)}`],
		['Deposits and other credits', unsigned(total(deposits))],
		['Withdrawals and other debits', `-${unsigned(total(withdrawals))}`],
		['Checks', `-${unsigned(total(checks))}`],
		['Service fees', '-0.00'],
		[`Ending balance on ${longDay(endDate)}`, `$${unsigned(ledger.endBalance)}`],
	];
	for (const [index, [label, value]] of summary.entries()) {
		const style = index === 0 || index === 5 ? bold : body;
		sheet.text(label, LEFT, 242 + index * 14, style);
		sheet.text(value, 330, 242 + index * 14, { ...style, align: 'right' });
	}
	y = 346;

	const nextPage = () => {
		sheet.addPage();
		sheet.text(BANK, LEFT, 40, { font: 'Times-Roman', size: 12, color: MAROON });
		sheet.text(`${holder.name}  |  Account # ${account}`, RIGHT, 44, { ...body, align: 'right' });
		y = 76;
	};
	const title = (text: string, columns: readonly Column[]) => {
		sheet.text(text, LEFT, y, { ...bold, size: 11, color: MAROON });
		y += 16;
		drawHeadings(sheet, columns, y, bold);
		sheet.rule(LEFT, RIGHT, y + 11, 0.6, MAROON);
		y += 15;
	};
	const room = (height: number, text: string, columns: readonly Column[]) => {
		if (y + height <= BOTTOM) return;
		nextPage();
		title(`${text} - continued`, columns);
	};
	const record = (entry: LedgerEntry, lines: string[], checkNumber: string) => {
		transactions.push({
			period: '0',
			date: entry.date,
			postingDate: null,
			amount: decimalText(entry.amount),
			descriptionLines: lines,
			reference: '',
			balance: null,
			checkNumber,
			pageNumber: sheet.pageNumber,
		});
	};
	const rowSection = (text: string, entries: readonly LedgerEntry[]) => {
		if (entries.length === 0) return;
		if (y + 80 > BOTTOM) nextPage();
		title(text, rowColumns);
		for (const entry of entries) {
			const lines = entry.lines.map((line) => sheet.clip(line, 370, body));
			room(lines.length * LEADING + 2, text, rowColumns);
			drawCells(
				sheet,
				rowColumns,
				[shortDay(entry.date), lines, unsigned(entry.amount)],
				y,
				LEADING,
				body,
			);
			y += lines.length * LEADING + 2;
			record(entry, lines, '');
		}
		room(14, text, rowColumns);
		sheet.text(`Total ${text.toLowerCase()}`, LEFT, y + 2, bold);
		sheet.text(`$${unsigned(total(entries))}`, RIGHT, y + 2, { ...bold, align: 'right' });
		y += 28;
	};
	rowSection('Deposits and other credits', deposits);
	rowSection('Withdrawals and other debits', withdrawals);

	if (checks.length > 0) {
		if (y + 80 > BOTTOM) nextPage();
		title('Checks paid', checkColumns);
		const half = Math.ceil(checks.length / 2);
		const gapBefore = new Set(
			[...checks.keys()].filter((index) => index > 0 && random.chance(0.12)),
		);
		const offset = (index: number) => [...gapBefore].filter((gap) => gap <= index).length * 2;
		const printedNumber = (entry: LedgerEntry, index: number) =>
			String(Number(entry.checkNumber) + offset(index));
		const cellsOf = (index: number) => {
			const entry = checks[index];
			if (!entry) return ['', '', ''];
			const mark = gapBefore.has(index) ? '*' : '';
			record(entry, [], printedNumber(entry, index));
			return [
				shortDay(entry.date),
				`${printedNumber(entry, index)}${mark}`,
				unsigned(entry.amount),
			];
		};
		for (let row = 0; row < half; row++) {
			room(12, 'Checks paid', checkColumns);
			const cells = [...cellsOf(row), ...cellsOf(row + half)];
			drawCells(sheet, checkColumns, cells, y, LEADING, body);
			y += 12;
		}
		room(26, 'Checks paid', checkColumns);
		sheet.text('Total checks', LEFT, y + 2, bold);
		sheet.text(`$${unsigned(total(checks))}`, RIGHT, y + 2, { ...bold, align: 'right' });
		sheet.text('* There is a gap in sequential check numbers', LEFT, y + 14, { size: 7 });
		y += 36;
	}

	const daily = new Map<string, bigint>([[startDate, ledger.startBalance]]);
	for (const entry of ledger.entries) daily.set(entry.date, entry.balance);
	const days = [...daily];
	if (y + 60 > BOTTOM) nextPage();
	title('Daily ledger balances', dailyColumns);
	for (let index = 0; index < days.length; index += 3) {
		room(12, 'Daily ledger balances', dailyColumns);
		const cells = days
			.slice(index, index + 3)
			.flatMap(([day, balance]) => [monthDay(day), unsigned(balance)]);
		drawCells(sheet, dailyColumns, cells, y, LEADING, body);
		y += 12;
	}
	sheet.onEveryPage((page, pages) => {
		sheet.rule(LEFT, RIGHT, 724, 0.4, MAROON);
		sheet.text(
			`To report errors on your account, call or write within 60 days. ${BANK}, Member FDIC (fictional). Interest-free overdraft protection is available on request; see page 3 of your deposit agreement.`,
			LEFT,
			729,
			{ size: 6.5, width: 430 },
		);
		sheet.text(`Page ${page} of ${pages}`, RIGHT, 732, { size: 8, align: 'right' });
	});
	return await finishStatement(sheet, 'usSections', options, BANK, [
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
