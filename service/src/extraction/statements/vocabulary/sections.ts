import { phrases } from './plainText.ts';

/** Which way money moves in a section of a statement, told by its heading. */
export type SectionDirection = 'in' | 'out';

const IN =
	phrases(`deposits and additions, deposits, deposits and other credits, deposits and credits, deposits & credits, deposits & other credits, other deposits, electronic deposits, additions, credits, other credits, deposits and other additions, payments and other credits,
	payments and credits, payments & credits, payments received, money in, paid in, receipts, incoming, interest paid, interest earned, interest credited, deposits/credits, deposits/other credits, credits to your account, electronic credits, deposits and interest, direct deposits, atm deposits, atm & debit card deposits, mobile deposits, refunds, transfers in, payments credits and adjustments, payments, payment,
	bijschrijvingen, ontvangsten, bijgeschreven, inkomsten, gutschriften, eingange, zahlungseingange, einzahlungen, credits recus, operations au credit, versements, virements recus, encaissements, remises de cheques, abonos, ingresos, depositos, accrediti, entrate, versamenti, bonifici ricevuti, wplywy, recettes`);

const OUT =
	phrases(`withdrawals, electronic withdrawals, atm & debit card withdrawals, atm and debit card withdrawals, atm & debit card purchases, atm and debit card subtractions, other withdrawals, withdrawals and debits, withdrawals & debits, withdrawals and other debits, withdrawals and other subtractions, other subtractions, subtractions, checks, checks paid, checks paid section, cheques, cheques paid, checks cleared, checks and substitute checks,
	debits, other debits, electronic debits, electronic payments, online and electronic banking deductions, deductions, banking/debit card withdrawals and purchases, banking/check card withdrawals and purchases, debit card purchases, card purchases, check card purchases, fees, fee, fees charged, service fees, service charges, fees and service charges, account fees, other fees, interest charged, interest charges, finance charges, purchases, purchase, purchases and adjustments, purchases and other charges, transactions, new charges, charges, cash advances, balance transfers, new transactions, standard purchases, purchases and debits, payments made, money out, paid out, outgoing, bill payments, online payments, transfers out, debits from your account, atm withdrawals, atm withdrawals and debits, atm & debit card transactions, standing orders, direct debits, card payments, other charges, fees and charges, purchases returns and other debits, visa debit purchases, deposited items returned, daily card purchases,
	afschrijvingen, afgeschreven, uitgaven, betalingen, incasso's, opnames, belastungen, lastschriften, zahlungsausgange, ausgange, auszahlungen, gebuhren, entgelte, uberweisungen, prelevements, paiements par carte, paiements cb, retraits, retraits dab, virements emis, cheques emis, operations au debit, frais, frais bancaires, achats, depenses, cargos, retiros, gastos, compras, comisiones, addebiti, uscite, prelievi, pagamenti, bonifici disposti, commissioni, spese, acquisti, wydatki`);

/** In card statements these rows stand under a heading of their own, but move either way. */
const EITHER = new Set(['transactions', 'new transactions', 'payments', 'payment']);

const DIRECTIONS = new Map<string, SectionDirection>();
for (const phrase of IN) DIRECTIONS.set(phrase, 'in');
for (const phrase of OUT) if (!DIRECTIONS.has(phrase)) DIRECTIONS.set(phrase, 'out');

/**
 * The direction that a section heading names, its text in plain form; null for other lines.
 * "Payments" is money in on a card statement and money out elsewhere.
 */
export function sectionDirection(plain: string, isCard: boolean): SectionDirection | null {
	const bare = plain
		.replace(/\b(?:continued|cont'd|cont|fortsetzung|vervolg|suite|continua|continuacion)\b/g, ' ')
		.replace(/^(?:your|total|daily|account|new|detail of|details of|list of|all)\s+/, '')
		.replaceAll(/[-–—]/g, ' ')
		.replaceAll(/\s+/g, ' ')
		.replace(/ and /g, ' and ')
		.trim();
	for (const text of [plain, bare]) {
		const direction = DIRECTIONS.get(text);
		if (!direction) continue;
		if (EITHER.has(text) && !isCard) return text.startsWith('payment') ? 'out' : null;
		if (text.endsWith('transactions') && isCard) return null;
		return direction;
	}
	return null;
}

const DAILY_BALANCES = phrases(
	`daily ending balance, daily ending balances, daily balance, daily balances, daily balance summary, daily ledger balances, daily ledger balance, ending daily balances, daily account balance, daily balance detail, balance summary by date, daily balance information`,
);

/** The title of a table of balances day by day, which holds no transactions. */
export function isDailyBalances(plain: string): boolean {
	return DAILY_BALANCES.includes(plain.replace(/\s*-?\s*continued$/, '').replace(/^your /, ''));
}

const UNBOOKED =
	/^(?:pending|reverted|upcoming|scheduled|declined)(?: (?:transactions?|payments?|items|operations))?(?: (?:from|between|as of|since) .*)?$|^(?:lancamentos futuros|operations? a venir|vorgemerkte umsatze|movimientos pendientes|operazioni non contabilizzate)$/;

/** The title (in plain form) of a list of transactions that are not booked, or no longer. */
export function isUnbooked(plain: string): boolean {
	return UNBOOKED.test(plain);
}
