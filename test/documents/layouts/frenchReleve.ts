import { frenchActivities } from '../activities/france.ts';
import { dayParts, isoDay, lastDayOfMonth } from '../calendar.ts';
import { finishStatement } from '../finishStatement.ts';
import { holderIn } from '../holder.ts';
import { ledgerForPages } from '../ledgerForPages.ts';
import { decimalText, printUnsigned, spaceStyle, sum } from '../money.ts';
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

const BANK = 'Banque des Deux Rives';
const AZURE = '#1a4e8a';
const LEFT = 42;
const RIGHT = 553;
const LEADING = 10;
const ROWS_FIRST = 330;
const ROWS_NEXT = 116;
const BOTTOM = 724;

const columns: readonly Column[] = [
	{ heading: 'Date', x: LEFT + 4, align: 'left' },
	{ heading: 'Date valeur', x: 94, align: 'left' },
	{ heading: 'Nature des opérations', x: 150, align: 'left' },
	{ heading: 'Débit', x: 460, align: 'right' },
	{ heading: 'Crédit', x: RIGHT - 4, align: 'right' },
];

const short = (day: string) =>
	`${dayParts(day).day}/${dayParts(day).month}/${dayParts(day).year.slice(2)}`;

const full = (day: string) => `${dayParts(day).day}/${dayParts(day).month}/${dayParts(day).year}`;

const heightOf = (entry: LedgerEntry) => entry.lines.length * LEADING + 4;

/**
 * France, current account: Débit and Crédit columns, dates dd/mm/yy, comma decimals with a space as
 * thousands mark (an ordinary one for even seeds, a no-break space for odd ones), no running balance.
 * The opening and closing balances are rows whose value stands in the debit or credit column.
 */
export async function frenchReleve(options: LayoutOptions): Promise<GeneratedStatement> {
	const random = new SeededRandom(`frenchReleve ${options.seed}`);
	const style = { ...spaceStyle, thousands: options.seed % 2 === 0 ? ' ' : '\u00a0' };
	const euros = (minor: bigint) => printUnsigned(minor, style);
	const year = random.between(2023, 2025);
	const month = random.between(1, 12);
	const startDate = isoDay(year, month, 1);
	const endDate = lastDayOfMonth(year, month);
	const holder = holderIn('FR', random);
	const number = random.digits(11);
	const iban = `FR76 3${random.digits(3)} ${random.digits(4)} ${random.digits(2)}${number.slice(0, 2)} ${number.slice(2, 6)} ${number.slice(6, 10)} ${number.slice(10)}${random.digits(2)}`;
	const ledger = ledgerForPages(
		random,
		options,
		32,
		{
			activities: frenchActivities,
			startDate,
			endDate,
			startBalance: BigInt(random.between(-30_000, 650_000)),
			lowest: -120_000n,
			large: BigInt(random.between(1_000_000, 130_000_000)),
			emptying: ['VIR PERMANENT VERS LIVRET A', 'SOLDE A ZERO'],
			firstCheckNumber: random.between(1_000_000, 8_000_000),
		},
		{ heightOf, first: BOTTOM - ROWS_FIRST, next: BOTTOM - ROWS_NEXT },
	);
	const sheet = new Sheet({ size: 'A4', title: 'Relevé de compte', author: BANK });
	const body = { size: 8 };
	const bold = { size: 8.2, font: 'Helvetica-Bold' };
	sheet.doc
		.moveTo(LEFT, 60)
		.bezierCurveTo(LEFT + 14, 30, LEFT + 18, 74, LEFT + 34, 38)
		.lineWidth(5)
		.strokeColor(AZURE)
		.stroke();
	sheet.text('Banque des Deux Rives', LEFT + 46, 38, {
		font: 'Helvetica-Bold',
		size: 16,
		color: AZURE,
	});
	sheet.text("Agence LYON PRESQU'ÎLE · 12 quai Saint-Antoine 69002 Lyon", LEFT + 46, 58, {
		size: 7,
	});
	sheet.text('RELEVÉ DE COMPTE', RIGHT, 40, { ...bold, size: 13, align: 'right' });
	sheet.text(`du ${full(startDate)} au ${full(endDate)}`, RIGHT, 58, { ...body, align: 'right' });
	sheet.lines([holder.name, ...holder.address], 330, 118, 13, { size: 10 });
	const facts: [string, string][] = [
		['Votre conseiller', '04 00 00 00 12'],
		['Compte de dépôt n°', number],
		['IBAN', iban],
		['BIC', 'BDRVFRPP'],
		['Monnaie du compte', 'EUR'],
	];
	for (const [index, [label, value]] of facts.entries()) {
		sheet.text(label, LEFT, 178 + index * 13, { ...body, color: '#555555' });
		sheet.text(value, 136, 178 + index * 13, body);
	}

	const transactions: TruthTransaction[] = [];
	const inColumn = (minor: bigint) => (minor < 0n ? [euros(minor), ''] : ['', euros(minor)]);
	const side = (minor: bigint) => (minor < 0n ? 'DEBITEUR' : 'CREDITEUR');
	let y = 0;
	for (const [index, entries] of ledger.pages.entries()) {
		if (index > 0) {
			sheet.addPage();
			sheet.text('Banque des Deux Rives', LEFT, 42, { ...bold, color: AZURE });
			sheet.text(`Compte n° ${number} · ${holder.name}`, RIGHT, 42, { ...body, align: 'right' });
		}
		const top = (index === 0 ? ROWS_FIRST : ROWS_NEXT) - 46;
		sheet.fill(LEFT, top, RIGHT - LEFT, 17, AZURE);
		drawHeadings(sheet, columns, top + 5, { ...bold, color: '#ffffff' });
		y = top + 24;
		if (index === 0) {
			const label = `SOLDE ${side(ledger.startBalance)} AU ${full(startDate)}`;
			const cells = ['', '', label, ...inColumn(ledger.startBalance)];
			drawCells(sheet, columns, cells, y, LEADING, bold);
		}
		y += 22;
		for (const entry of entries) {
			const lines = entry.lines.map((line) => sheet.clip(line, 240, body));
			drawCells(
				sheet,
				columns,
				[short(entry.date), short(entry.date), lines, ...inColumn(entry.amount)],
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
				reference: '',
				balance: null,
				checkNumber: entry.checkNumber,
				pageNumber: sheet.pageNumber,
			});
		}
	}
	const debits = ledger.entries.map((entry) => entry.amount).filter((amount) => amount < 0n);
	const credits = ledger.entries.map((entry) => entry.amount).filter((amount) => amount > 0n);
	sheet.rule(LEFT, RIGHT, y, 0.6, AZURE);
	const totals = ['', '', 'TOTAUX DES MOUVEMENTS', euros(sum(debits)), euros(sum(credits))];
	drawCells(sheet, columns, totals, y + 5, LEADING, bold);
	const closing = `SOLDE ${side(ledger.endBalance)} AU ${full(endDate)}`;
	drawCells(
		sheet,
		columns,
		['', '', closing, ...inColumn(ledger.endBalance)],
		y + 19,
		LEADING,
		bold,
	);
	sheet.onEveryPage((page, pages) => {
		sheet.text(
			'Les opérations figurant sur ce relevé sont réputées approuvées à défaut de réclamation dans un délai de deux mois. Découvert autorisé : 1 200,00 EUR, taux annuel effectif global 14,20 %. Banque des Deux Rives, société anonyme au capital de 41 250 000 EUR, RCS Lyon 000 000 000.',
			LEFT,
			780,
			{ size: 6.2, width: 430, color: '#555555' },
		);
		sheet.text(`Page ${page}/${pages}`, RIGHT, 784, { size: 7.5, align: 'right' });
	});
	return await finishStatement(sheet, 'frenchReleve', options, BANK, [
		accountTruth({
			account: number,
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
