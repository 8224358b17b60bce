import { germanActivities } from '../activities/germany.ts';
import { dayParts, isoDay } from '../calendar.ts';
import { finishStatement } from '../finishStatement.ts';
import { holderIn } from '../holder.ts';
import { ledgerForPages } from '../ledgerForPages.ts';
import { commaStyle, decimalText, printUnsigned } from '../money.ts';
import { SeededRandom } from '../seededRandom.ts';
import { Sheet } from '../sheet.ts';
import { accountTruth } from '../statementTruth.ts';
import type {
	GeneratedStatement,
	LayoutOptions,
	LedgerEntry,
	TruthTransaction,
} from '../statementTruth.ts';

const BANK = 'Habichtswald Sparbank eG';
const GREEN = '#1d5c3f';
const LEFT = 62;
const RIGHT = 545;
const VALUE = 104;
const TEXT = 150;
const LEADING = 10.2;
const ROWS_FIRST = 318;
const ROWS_NEXT = 122;
const BOTTOM = 734;

const fullDay = (day: string) =>
	`${dayParts(day).day}.${dayParts(day).month}.${dayParts(day).year}`;

const shortDay = (day: string) => `${dayParts(day).day}.${dayParts(day).month}.`;

const heightOf = (entry: LedgerEntry) => entry.lines.length * LEADING + 5;

/**
 * Germany, current account: comma decimals, `dd.mm.` dates without a year across the end of a year,
 * booking and value date, two to four lines of text, S (Soll, out) or H (Haben, in) behind each
 * amount and balance, no running balance, old and new balance as rows.
 */
export async function germanGiro(options: LayoutOptions): Promise<GeneratedStatement> {
	const random = new SeededRandom(`germanGiro ${options.seed}`);
	const year = random.between(2022, 2024);
	const startDate = isoDay(year, 12, random.between(3, 14));
	const endDate = isoDay(year + 1, 1, random.between(9, 30));
	const holder = holderIn('DE', random);
	const iban = `DE${random.digits(2)} 5209 ${random.digits(4)} ${random.digits(4)} ${random.digits(4)} ${random.digits(2)}`;
	const ledger = ledgerForPages(
		random,
		options,
		30,
		{
			activities: germanActivities,
			startDate,
			endDate,
			startBalance: BigInt(random.between(-40_000, 350_000)),
			lowest: -200_000n,
			large: BigInt(random.between(1_200_000, 25_000_000)),
			emptying: ['Umbuchung', 'Eigenes Tagesgeldkonto', 'SVWZ+Konto auf null stellen'],
		},
		{ heightOf, first: BOTTOM - ROWS_FIRST - 20, next: BOTTOM - ROWS_NEXT - 20 },
	);
	const sheet = new Sheet({ size: 'A4', title: 'Kontoauszug', author: BANK });
	const small = { size: 8.3 };
	const right = { size: 8.3, align: 'right' } as const;
	const bold = { size: 8.6, font: 'Helvetica-Bold' };
	const number = `${random.between(1, 14)}/${year + 1}`;

	sheet.doc.circle(LEFT + 16, 50, 16).fill(GREEN);
	sheet.text('H', LEFT + 16, 42, {
		font: 'Helvetica-Bold',
		size: 17,
		color: '#ffffff',
		align: 'center',
	});
	sheet.text('Habichtswald Sparbank', LEFT + 42, 38, {
		font: 'Helvetica-Bold',
		size: 16,
		color: GREEN,
	});
	sheet.text('eingetragene Genossenschaft · Wilhelmsplatz 4 · 34117 Kassel', LEFT + 42, 57, {
		size: 7,
	});
	sheet.text('Habichtswald Sparbank eG · Postfach 10 12 40 · 34012 Kassel', LEFT, 112, { size: 6 });
	sheet.lines([holder.name, ...holder.address], LEFT, 126, 13, { size: 10 });
	const details: [string, string][] = [
		['Kontoauszug Nr.', number],
		['Erstellt am', fullDay(endDate)],
		['IBAN', iban],
		['BIC', 'GENOHAB1KS1'],
		['Kontoart', 'Girokonto, EUR-Konto'],
		['Dispositionskredit', '2.000,00 EUR'],
	];
	for (const [index, [label, value]] of details.entries()) {
		sheet.text(label, 350, 112 + index * 13, { ...small, color: '#555555' });
		sheet.text(value, RIGHT, 112 + index * 13, right);
	}
	sheet.text('Kontoauszug', LEFT, 226, { font: 'Helvetica-Bold', size: 14 });
	sheet.text(`Zeitraum vom ${fullDay(startDate)} bis ${fullDay(endDate)}`, LEFT, 246, { size: 9 });

	const transactions: TruthTransaction[] = [];
	let y = 0;
	for (const [index, entries] of ledger.pages.entries()) {
		if (index > 0) {
			sheet.addPage();
			sheet.text('Habichtswald Sparbank eG', LEFT, 44, { ...bold, color: GREEN });
			sheet.text(`Kontoauszug Nr. ${number}   IBAN ${iban}`, LEFT, 60, small);
		}
		const top = (index === 0 ? ROWS_FIRST : ROWS_NEXT) - 46;
		sheet.rule(LEFT, RIGHT, top, 0.8, GREEN);
		sheet.text('Buchung', LEFT, top + 5, bold);
		sheet.text('Wert', VALUE, top + 5, bold);
		sheet.text('Verwendungszweck / Erläuterung', TEXT, top + 5, bold);
		sheet.text('Betrag EUR', RIGHT, top + 5, { ...bold, align: 'right' });
		sheet.rule(LEFT, RIGHT, top + 18, 0.8, GREEN);
		y = top + 26;
		if (index === 0) {
			sheet.text(`Alter Kontostand vom ${fullDay(startDate)}`, TEXT, y, bold);
			sheet.text(sollHaben(ledger.startBalance), RIGHT, y, { ...bold, align: 'right' });
		}
		y += 20;
		for (const entry of entries) {
			const lines = entry.lines.map((line) => sheet.clip(line, 300, small));
			sheet.text(shortDay(entry.date), LEFT, y, small);
			sheet.text(shortDay(entry.date), VALUE, y, small);
			sheet.lines(lines, TEXT, y, LEADING, small);
			sheet.text(sollHaben(entry.amount), RIGHT, y, right);
			y += heightOf(entry);
			transactions.push({
				period: '0',
				date: entry.date,
				postingDate: entry.date,
				amount: decimalText(entry.amount),
				descriptionLines: lines,
				reference: '',
				balance: null,
				checkNumber: '',
				pageNumber: sheet.pageNumber,
			});
		}
	}
	sheet.rule(TEXT, RIGHT, y, 0.6, GREEN);
	sheet.text(`Neuer Kontostand vom ${fullDay(endDate)}`, TEXT, y + 5, bold);
	sheet.text(sollHaben(ledger.endBalance), RIGHT, y + 5, { ...bold, align: 'right' });
	sheet.onEveryPage((page, pages) => {
		sheet.rule(LEFT, RIGHT, 770, 0.4, '#999999');
		sheet.text(
			'Bitte prüfen Sie die Buchungen und Salden. Einwendungen wegen Unrichtigkeit oder Unvollständigkeit des Rechnungsabschlusses sind innerhalb von sechs Wochen nach Zugang zu erheben. Guthaben sind als Einlagen nach Maßgabe des Einlagensicherungsgesetzes entschädigungsfähig. Genossenschaftsregister Amtsgericht Kassel GnR 118 · USt-IdNr. DE000000000',
			LEFT,
			775,
			{ size: 6.2, width: 400, color: '#555555' },
		);
		sheet.text(`Seite ${page} von ${pages}`, RIGHT, 776, { size: 7.5, align: 'right' });
	});
	return await finishStatement(sheet, 'germanGiro', options, BANK, [
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

const sollHaben = (minor: bigint) =>
	`${printUnsigned(minor, commaStyle)} ${minor < 0n ? 'S' : 'H'}`;
