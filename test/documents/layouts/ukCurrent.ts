import { unitedKingdomActivities } from '../activities/unitedKingdom.ts';
import { addDays, dayParts, englishMonth, isoDay } from '../calendar.ts';
import { finishStatement } from '../finishStatement.ts';
import { holderIn } from '../holder.ts';
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

const BANK = 'Wharfedale & Northern Bank';
const RED = '#8c1d2f';
const LEFT = 45;
const RIGHT = 550;
const DETAILS = 98;
const PAID_OUT = 392;
const PAID_IN = 468;
const LEADING = 11;
const ROWS_FIRST = 330;
const ROWS_NEXT = 150;
const BOTTOM = 740;

const shortDay = (day: string) => `${dayParts(day).day} ${englishMonth(day, 3)}`;

const longDay = (day: string) =>
	`${Number(dayParts(day).day)} ${englishMonth(day)} ${dayParts(day).year}`;

const heightOf = (entry: LedgerEntry) => entry.lines.length * LEADING + 3;

/**
 * United Kingdom, current account: Paid out / Paid in / Balance. The date stands on the first row of
 * a day only, the balance on the last row of a day only. Each page begins with the balance brought
 * forward and ends with the balance carried forward. Overdrawn balances carry a D.
 */
export async function ukCurrent(options: LayoutOptions): Promise<GeneratedStatement> {
	const random = new SeededRandom(`ukCurrent ${options.seed}`);
	const startDate = isoDay(
		random.between(2023, 2025),
		random.between(1, 12),
		random.between(2, 27),
	);
	const endDate = addDays(startDate, random.between(28, 31));
	const holder = holderIn('GB', random);
	const account = random.digits(8);
	const sortCode = `${random.digits(2)}-${random.digits(2)}-${random.digits(2)}`;
	const ledger = ledgerForPages(
		random,
		options,
		42,
		{
			activities: unitedKingdomActivities,
			startDate,
			endDate,
			startBalance: BigInt(random.between(20_000, 480_000)),
			lowest: -75_000n,
			large: BigInt(random.between(1_500_000, 42_000_000)),
			emptying: ['TFR  SAVINGS 40113927', 'CLEAR TO NIL'],
		},
		{ heightOf, first: BOTTOM - ROWS_FIRST - 36, next: BOTTOM - ROWS_NEXT - 36 },
	);
	const paidIn = sum(ledger.entries.map((entry) => (entry.amount > 0n ? entry.amount : 0n)));
	const paidOut = sum(ledger.entries.map((entry) => (entry.amount < 0n ? entry.amount : 0n)));
	const sheet = new Sheet({ size: 'A4', title: 'Statement', author: BANK });
	const small = { size: 8.5 };
	const right = { size: 8.5, align: 'right' } as const;
	const bold = { size: 8.5, font: 'Helvetica-Bold' };

	sheet.fill(0, 0, sheet.width, 10, RED);
	sheet.doc.polygon([LEFT, 62], [LEFT + 14, 30], [LEFT + 28, 62]).fill(RED);
	sheet.text('Wharfedale', LEFT + 38, 30, { font: 'Helvetica-Bold', size: 17, color: RED });
	sheet.text('& Northern Bank', LEFT + 38, 48, { size: 12, color: RED });
	sheet.text('Your Current Account statement', RIGHT, 34, { size: 14, align: 'right' });
	sheet.text(`${longDay(startDate)} to ${longDay(endDate)}`, RIGHT, 53, right);
	sheet.lines([holder.name, ...holder.address], LEFT, 108, 13, { size: 10 });
	sheet.frame(352, 92, RIGHT - 352, 118, RED);
	const facts: [string, string][] = [
		['Account name', holder.name],
		['Sort code', sortCode],
		['Account number', account],
		[
			'IBAN',
			`GB${random.digits(2)} WHNB ${sortCode.replaceAll('-', '').slice(0, 4)} ${sortCode.slice(-2)}${account.slice(0, 2)} ${account.slice(2, 6)} ${account.slice(6)}`,
		],
		['BIC', 'WHNBGB2L'],
		['Sheet number', String(random.between(11, 240))],
	];
	for (const [index, [label, value]] of facts.entries()) {
		sheet.text(label, 360, 100 + index * 18, { ...small, color: '#555555' });
		sheet.text(value, RIGHT - 8, 100 + index * 18, { ...right, size: 8 });
	}
	const boxes: [string, string][] = [
		[`Balance on ${longDay(startDate)}`, pounds(ledger.startBalance)],
		['Total paid in', pounds(paidIn)],
		['Total paid out', pounds(-paidOut)],
		[`Balance on ${longDay(endDate)}`, pounds(ledger.endBalance)],
	];
	sheet.fill(LEFT, 228, RIGHT - LEFT, 42, '#f6e9eb');
	for (const [index, [label, value]] of boxes.entries()) {
		sheet.text(label, LEFT + 10 + index * 127, 236, { size: 7.5, color: '#555555' });
		sheet.text(value, LEFT + 10 + index * 127, 249, { font: 'Helvetica-Bold', size: 10.5 });
	}
	sheet.text('Arranged overdraft limit £750.00', LEFT, 278, { size: 7.5 });

	const transactions: TruthTransaction[] = [];
	let carried = ledger.startBalance;
	for (const [index, entries] of ledger.pages.entries()) {
		if (index > 0) {
			sheet.addPage();
			sheet.fill(0, 0, sheet.width, 10, RED);
			sheet.text(BANK, LEFT, 40, { font: 'Helvetica-Bold', size: 12, color: RED });
			sheet.text(`${holder.name}   ${sortCode}   ${account}`, LEFT, 62, small);
			sheet.text('Your Current Account statement (continued)', RIGHT, 42, right);
		}
		let y = (index === 0 ? ROWS_FIRST : ROWS_NEXT) - 22;
		sheet.fill(LEFT, y - 5, RIGHT - LEFT, 18, RED);
		const heading = { ...bold, color: '#ffffff' };
		sheet.text('Date', LEFT + 4, y, heading);
		sheet.text('Payment type and details', DETAILS, y, heading);
		sheet.text('Paid out', PAID_OUT, y, { ...heading, align: 'right' });
		sheet.text('Paid in', PAID_IN, y, { ...heading, align: 'right' });
		sheet.text('Balance', RIGHT - 4, y, { ...heading, align: 'right' });
		y += 22;
		sheet.text(shortDay(entries[0]?.date ?? startDate), LEFT + 4, y, small);
		sheet.text('BALANCE BROUGHT FORWARD', DETAILS, y, bold);
		sheet.text(held(carried), RIGHT - 4, y, { ...bold, align: 'right' });
		y += 16;
		for (const [row, entry] of entries.entries()) {
			const firstOfDay = entries[row - 1]?.date !== entry.date;
			const lastOfDay = entries[row + 1]?.date !== entry.date;
			const lines = entry.lines.map((line) => sheet.clip(line, 232, small));
			if (firstOfDay) sheet.text(shortDay(entry.date), LEFT + 4, y, small);
			sheet.lines(lines, DETAILS, y, LEADING, small);
			// Amounts stand beside the last line of the description, as many British banks print them.
			const at = y + (lines.length - 1) * LEADING;
			const column = entry.amount < 0n ? PAID_OUT : PAID_IN;
			sheet.text(printUnsigned(entry.amount, pointStyle), column, at, right);
			if (lastOfDay) sheet.text(held(entry.balance), RIGHT - 4, at, right);
			y += heightOf(entry);
			carried = entry.balance;
			transactions.push({
				period: '0',
				date: entry.date,
				postingDate: null,
				amount: decimalText(entry.amount),
				descriptionLines: lines.map((line) => line.replaceAll(/ +/g, ' ')),
				reference: '',
				balance: lastOfDay ? decimalText(entry.balance) : null,
				checkNumber: '',
				pageNumber: sheet.pageNumber,
			});
		}
		sheet.rule(LEFT, RIGHT, y + 1, 0.5, RED);
		sheet.text('BALANCE CARRIED FORWARD', DETAILS, y + 5, bold);
		sheet.text(held(carried), RIGHT - 4, y + 5, { ...bold, align: 'right' });
	}
	sheet.onEveryPage((page, pages) => {
		sheet.text(
			`${BANK} plc. Registered in England and Wales No. 0417732. Registered office: 3 Canal Wharf, Leeds LS1 4BR. Authorised by the Prudential Regulation Authority and regulated by the Financial Conduct Authority. Eligible deposits are protected up to a total of £85,000 by the Financial Services Compensation Scheme.`,
			LEFT,
			772,
			{ size: 6.3, width: 430, color: '#666666' },
		);
		sheet.text(`Page ${page} of ${pages}`, RIGHT, 774, { size: 8, align: 'right' });
		sheet.text('D = overdrawn', RIGHT, 788, { size: 6.5, align: 'right', color: '#666666' });
	});
	return await finishStatement(sheet, 'ukCurrent', options, BANK, [
		accountTruth({
			account,
			currency: 'GBP',
			balanceMeans: 'held',
			startDate,
			endDate,
			startBalance: ledger.startBalance,
			endBalance: ledger.endBalance,
			transactions,
		}),
	]);
}

const pounds = (minor: bigint) => printSigned(minor, { ...pointStyle }).replace(/^(-?)/, '$1£');

/** Overdrawn balances have no minus but a D behind them. */
const held = (minor: bigint) => `${printUnsigned(minor, pointStyle)}${minor < 0n ? ' D' : ''}`;
