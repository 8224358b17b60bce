import { unitedStatesActivities } from '../activities/unitedStates.ts';
import { dayParts, englishMonth, isoDay, lastDayOfMonth } from '../calendar.ts';
import { fillPages, finishStatement } from '../finishStatement.ts';
import { holderIn } from '../holder.ts';
import { decimalText, pointStyle, printSigned } from '../money.ts';
import { SeededRandom } from '../seededRandom.ts';
import { Sheet } from '../sheet.ts';
import { accountTruth, buildLedger } from '../statementTruth.ts';
import type {
	Activity,
	GeneratedStatement,
	LayoutOptions,
	TruthAccount,
	TruthTransaction,
} from '../statementTruth.ts';
import { drawCells, drawHeadings } from '../table.ts';
import type { Column } from '../table.ts';

const BANK = 'Juniper Valley Credit Union';
const TEAL = '#0d6471';
const LEFT = 50;
const RIGHT = 562;
const LEADING = 10;
const BOTTOM = 706;

const columns: readonly Column[] = [
	{ heading: 'Date', x: LEFT, align: 'left' },
	{ heading: 'Transaction Description', x: 104, align: 'left' },
	{ heading: 'Amount', x: 470, align: 'right' },
	{ heading: 'Balance', x: RIGHT, align: 'right' },
];

const savingsActivities: readonly Activity[] = [
	{
		direction: 'out',
		weight: 3,
		from: 5_000,
		to: 60_000,
		lines: (random) => [`Withdrawal Transfer To Share ${random.digits(4)}`],
	},
	{
		direction: 'in',
		weight: 5,
		from: 2_500,
		to: 120_000,
		lines: (random) => ['Deposit Home Banking Transfer', `From Share ${random.digits(4)}`],
	},
	{
		direction: 'in',
		weight: 1,
		from: 3,
		to: 800,
		lines: () => ['Deposit Dividend 0.150%', 'Annual Percentage Yield Earned 0.15%'],
	},
];

const monthDay = (day: string) => `${englishMonth(day, 3)} ${dayParts(day).day}`;

const slashed = (day: string) =>
	`${dayParts(day).month}/${dayParts(day).day}/${dayParts(day).year}`;

/**
 * A credit union's statement with three accounts, each with its own number, table, beginning and
 * ending balance rows. Tables follow each other on a page; a table that goes on has new headings.
 */
export async function severalAccounts(options: LayoutOptions): Promise<GeneratedStatement> {
	return await fillPages(options, draw);
}

async function draw(options: LayoutOptions): Promise<GeneratedStatement> {
	const random = new SeededRandom(`severalAccounts ${options.seed}`);
	const year = random.between(2023, 2025);
	const month = random.between(1, 12);
	const startDate = isoDay(year, month, 1);
	const endDate = lastDayOfMonth(year, month);
	const holder = holderIn('US', random);
	const member = random.digits(7);
	const rows = options.transactions ?? 26;
	const kinds = [
		{
			name: 'Regular Share Savings',
			account: `${member}-0001`,
			count: Math.ceil(rows / 4),
			activities: savingsActivities,
			lowest: 0n,
		},
		{
			name: 'Free Checking',
			account: `${member}-0070`,
			count: rows,
			activities: unitedStatesActivities,
			lowest: -50_000n,
		},
		{
			name: 'Money Market Plus',
			account: `${member}-0090`,
			count: 1,
			activities: savingsActivities,
			lowest: 0n,
		},
	];
	const accounts = kinds.map((kind) => ({
		...kind,
		ledger: buildLedger(random, {
			activities: kind.activities,
			startDate,
			endDate,
			startBalance: BigInt(random.between(30_000, 700_000)),
			count: kind.count,
			lowest: kind.lowest,
			large: BigInt(random.between(900_000, 4_000_000)),
			emptying: ['Withdrawal Home Banking Transfer', 'To Share 0090'],
		}),
		transactions: new Array<TruthTransaction>(),
	}));

	const sheet = new Sheet({ size: 'LETTER', title: 'Member statement', author: BANK });
	const body = { size: 8.5 };
	const bold = { size: 8.5, font: 'Helvetica-Bold' };
	sheet.doc.circle(LEFT + 12, 52, 12).fill(TEAL);
	sheet.doc
		.circle(LEFT + 22, 52, 12)
		.fillOpacity(0.6)
		.fill('#7ab8a2')
		.fillOpacity(1);
	sheet.text(BANK, LEFT + 44, 42, { font: 'Times-BoldItalic', size: 18, color: TEAL });
	sheet.text('2200 Orchard Way, Eugene, OR 97401   |   541.555.0160', LEFT + 44, 63, { size: 7.5 });
	sheet.text('STATEMENT OF ACCOUNTS', RIGHT, 44, { ...bold, align: 'right', size: 11 });
	sheet.text(`Member number: ${member}`, RIGHT, 60, { ...body, align: 'right' });
	sheet.text(`Statement period: ${slashed(startDate)} - ${slashed(endDate)}`, RIGHT, 72, {
		...body,
		align: 'right',
	});
	sheet.lines([holder.name, ...holder.address], LEFT + 10, 118, 12, { font: 'Courier', size: 9.5 });
	sheet.text('SUMMARY OF YOUR ACCOUNTS', LEFT, 186, { ...bold, color: TEAL, size: 10 });
	const summaryColumns: readonly Column[] = [
		{ heading: 'Account', x: LEFT, align: 'left' },
		{ heading: 'Type', x: 150, align: 'left' },
		{ heading: 'Beginning balance', x: 440, align: 'right' },
		{ heading: 'Ending balance', x: RIGHT, align: 'right' },
	];
	drawHeadings(sheet, summaryColumns, 204, bold);
	sheet.rule(LEFT, RIGHT, 215, 0.6, TEAL);
	for (const [index, account] of accounts.entries()) {
		drawCells(
			sheet,
			summaryColumns,
			[
				account.account,
				account.name,
				printSigned(account.ledger.startBalance, pointStyle),
				printSigned(account.ledger.endBalance, pointStyle),
			],
			220 + index * 13,
			LEADING,
			body,
		);
	}
	let y = 280;
	const nextPage = (continued: string) => {
		sheet.addPage();
		sheet.text(BANK, LEFT, 40, { font: 'Times-BoldItalic', size: 12, color: TEAL });
		sheet.text(`Member number: ${member}`, RIGHT, 42, { ...body, align: 'right' });
		y = 70;
		if (continued !== '') {
			sheet.text(`${continued} (continued)`, LEFT, y, { ...bold, color: TEAL });
			y += 16;
			tableHeadings();
		}
	};
	const tableHeadings = () => {
		drawHeadings(sheet, columns, y, bold);
		sheet.rule(LEFT, RIGHT, y + 11, 0.6, TEAL);
		y += 16;
	};
	for (const account of accounts) {
		if (y + 110 > BOTTOM) nextPage('');
		const title = `${account.name} - Account ${account.account}`;
		sheet.fill(LEFT, y, RIGHT - LEFT, 17, '#e3f0f1');
		sheet.text(title, LEFT + 5, y + 4, { ...bold, color: TEAL, size: 9.5 });
		y += 24;
		tableHeadings();
		const balanceRow = (day: string, label: string, balance: bigint) => {
			const cells = [monthDay(day), label, '', printSigned(balance, pointStyle)];
			drawCells(sheet, columns, cells, y, LEADING, bold);
			y += 14;
		};
		balanceRow(startDate, 'Beginning Balance', account.ledger.startBalance);
		for (const entry of account.ledger.entries) {
			const lines = entry.lines.map((line) => sheet.clip(line, 300, body));
			const height = lines.length * LEADING + 3;
			if (y + height > BOTTOM) nextPage(title);
			drawCells(
				sheet,
				columns,
				[
					monthDay(entry.date),
					lines,
					printSigned(entry.amount, pointStyle),
					printSigned(entry.balance, pointStyle),
				],
				y,
				LEADING,
				body,
			);
			y += height;
			account.transactions.push({
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
		if (y + 14 > BOTTOM) nextPage(title);
		balanceRow(endDate, 'Ending Balance', account.ledger.endBalance);
		y += 16;
	}
	sheet.onEveryPage((page, pages) => {
		sheet.rule(LEFT, RIGHT, 722, 0.4, TEAL);
		sheet.text(
			'In case of errors or questions about your electronic transfers, telephone us or write to us at the address above as soon as you can. Your savings are federally insured to at least $250,000 and backed by the full faith and credit of the United States Government. NCUA.',
			LEFT,
			727,
			{ size: 6.5, width: 430 },
		);
		sheet.text(`Page ${page} of ${pages}`, RIGHT, 730, { size: 8, align: 'right' });
	});
	const truth: TruthAccount[] = accounts.map((account) =>
		accountTruth({
			account: account.account,
			currency: 'USD',
			balanceMeans: 'held',
			startDate,
			endDate,
			startBalance: account.ledger.startBalance,
			endBalance: account.ledger.endBalance,
			transactions: account.transactions,
		}),
	);
	return await finishStatement(sheet, 'severalAccounts', options, BANK, truth);
}
