import { dutchActivities } from '../activities/netherlands.ts';
import { dayParts, isoDay, lastDayOfMonth } from '../calendar.ts';
import { finishStatement } from '../finishStatement.ts';
import { holderIn } from '../holder.ts';
import { ledgerForPages } from '../ledgerForPages.ts';
import { commaStyle, decimalText, printUnsigned, sum } from '../money.ts';
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

const BANK = 'Lage Landen Spaarbank';
const ORANGE = '#c4501b';
const LEFT = 50;
const RIGHT = 545;
const LEADING = 10.4;
const ROWS_FIRST = 312;
const ROWS_NEXT = 112;
const BOTTOM = 744;

const columns: readonly Column[] = [
	{ heading: 'Datum', x: LEFT, align: 'left' },
	{ heading: 'Tegenpartij', x: 100, align: 'left' },
	{ heading: 'Omschrijving', x: 250, align: 'left' },
	{ heading: 'Bedrag', x: 474, align: 'right' },
	{ heading: 'Saldo', x: RIGHT, align: 'right' },
];

const months = ['jan', 'feb', 'mrt', 'apr', 'mei', 'jun', 'jul', 'aug', 'sep', 'okt', 'nov', 'dec'];

/** 3 mrt */
const shortDay = (day: string) =>
	`${Number(dayParts(day).day)} ${months[Number(dayParts(day).month) - 1]}`;

const dashed = (day: string) => `${dayParts(day).day}-${dayParts(day).month}-${dayParts(day).year}`;

const heightOf = (entry: LedgerEntry) => Math.max(1, entry.lines.length - 1) * LEADING + 6;

const trailing = (minor: bigint) => `${printUnsigned(minor, commaStyle)}${minor < 0n ? '-' : ''}`;

/**
 * The Netherlands, current account: comma decimals with a trailing minus, Dutch months without a
 * year, the counterparty in its own column, a running balance; across the end of a year. Each
 * word is a piece of text of its own in the file.
 */
export async function dutchStatement(options: LayoutOptions): Promise<GeneratedStatement> {
	const random = new SeededRandom(`dutchStatement ${options.seed}`);
	const year = random.between(2022, 2024);
	const startDate = isoDay(year, 12, 1);
	const endDate = lastDayOfMonth(year + 1, 2);
	const holder = holderIn('NL', random);
	const iban = `NL${random.digits(2)} LLSB ${random.digits(4)} ${random.digits(4)} ${random.digits(2)}`;
	const ledger = ledgerForPages(
		random,
		options,
		36,
		{
			activities: dutchActivities,
			startDate,
			endDate,
			startBalance: BigInt(random.between(40_000, 1_700_000)),
			lowest: -100_000n,
			large: BigInt(random.between(1_000_000, 40_000_000)),
			emptying: ['EIGEN SPAARREKENING', 'Overboeking naar spaarrekening'],
		},
		{ heightOf, first: BOTTOM - ROWS_FIRST, next: BOTTOM - ROWS_NEXT },
	);
	const sheet = new Sheet({
		size: 'A4',
		title: 'Rekeningafschrift',
		author: BANK,
		pieces: 'words',
	});
	const body = { size: 8 };
	const bold = { size: 8.2, font: 'Helvetica-Bold' };
	sheet.fill(LEFT, 40, 8, 28, ORANGE);
	sheet.fill(LEFT + 11, 50, 8, 18, ORANGE);
	sheet.fill(LEFT + 22, 58, 8, 10, ORANGE);
	sheet.text('Lage Landen Spaarbank', LEFT + 42, 46, {
		font: 'Helvetica-Bold',
		size: 16,
		color: ORANGE,
	});
	sheet.text('Rekeningafschrift', RIGHT, 46, { size: 16, align: 'right' });
	sheet.lines([holder.name, ...holder.address], LEFT, 106, 13, { size: 10 });
	const facts: [string, string][] = [
		['IBAN', iban],
		['BIC', 'LLSBNL2U'],
		['Soort rekening', 'Betaalrekening'],
		['Periode', `${dashed(startDate)} t/m ${dashed(endDate)}`],
		['Afschriftnummer', String(random.between(1, 12))],
	];
	for (const [index, [label, value]] of facts.entries()) {
		sheet.text(label, 340, 106 + index * 14, { ...body, color: '#555555' });
		sheet.text(value, RIGHT, 106 + index * 14, { ...body, align: 'right' });
	}
	const paid = sum(ledger.entries.map((entry) => (entry.amount < 0n ? entry.amount : 0n)));
	const received = sum(ledger.entries.map((entry) => (entry.amount > 0n ? entry.amount : 0n)));
	sheet.fill(LEFT, 198, RIGHT - LEFT, 62, '#fbeee7');
	const summary: [string, string][] = [
		[`Saldo op ${dashed(startDate)}`, `€ ${trailing(ledger.startBalance)}`],
		['Totaal bijgeschreven', `€ ${trailing(received)}`],
		['Totaal afgeschreven', `€ ${trailing(paid)}`],
		[`Saldo op ${dashed(endDate)}`, `€ ${trailing(ledger.endBalance)}`],
	];
	for (const [index, [label, value]] of summary.entries()) {
		sheet.text(label, LEFT + 8, 204 + index * 13.5, index % 3 === 0 ? bold : body);
		sheet.text(value, 300, 204 + index * 13.5, {
			...(index % 3 === 0 ? bold : body),
			align: 'right',
		});
	}
	const transactions: TruthTransaction[] = [];
	for (const [index, entries] of ledger.pages.entries()) {
		if (index > 0) {
			sheet.addPage();
			sheet.text(BANK, LEFT, 42, { ...bold, color: ORANGE });
			sheet.text(`IBAN ${iban}`, RIGHT, 42, { ...body, align: 'right' });
		}
		let y = (index === 0 ? ROWS_FIRST : ROWS_NEXT) - 34;
		drawHeadings(sheet, columns, y, bold);
		sheet.rule(LEFT, RIGHT, y + 12, 1, ORANGE);
		y += 20;
		for (const entry of entries) {
			const [party = '', ...rest] = entry.lines;
			const name = sheet.clip(party, 144, body);
			const lines = rest.map((line) => sheet.clip(line, 160, body));
			drawCells(
				sheet,
				columns,
				[shortDay(entry.date), name, lines, trailing(entry.amount), trailing(entry.balance)],
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
				descriptionLines: [`${name} ${lines[0] ?? ''}`.trim(), ...lines.slice(1)],
				reference: '',
				balance: decimalText(entry.balance),
				checkNumber: '',
				pageNumber: sheet.pageNumber,
			});
		}
	}
	sheet.onEveryPage((page, pages) => {
		sheet.text(
			'Dit product valt onder het depositogarantiestelsel (fictief). Controleer dit afschrift en meld onjuistheden binnen 13 maanden. Lage Landen Spaarbank N.V., Statenlaan 9, Utrecht. KvK 00000000.',
			LEFT,
			784,
			{ size: 6.4, width: 410, color: '#555555' },
		);
		sheet.text(`Pagina ${page} van ${pages}`, RIGHT, 786, { size: 7.5, align: 'right' });
	});
	return await finishStatement(sheet, 'dutchStatement', options, BANK, [
		accountTruth({
			account: iban,
			currency: 'EUR',
			balanceMeans: 'held',
			startDate,
			endDate,
			startBalance: ledger.startBalance,
			endBalance: ledger.endBalance,
			transactions,
		}),
	]);
}
