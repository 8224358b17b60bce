import { beginsWithPhrase, containsPhrase, phrases } from './plainText.ts';

const TOTAL_BEGINNINGS = phrases(
	`total, totals, subtotal, sub total, sub-total, grand total, totaal, totalen, subtotaal, summe, gesamt, gesamtsumme, zwischensumme, gesamtbetrag, gesamtumsatz, gesamtumsatze, summe der, umsatzsumme, sous-total, sous total, total des, totaux, total general, totale, totali, subtotale, total de, suma, sumas, totais, somma, sum, suma total, page total, monthly total, turnover, statement totals, total for, closing totals, transaction totals, transaction total, razem, suma operacji, totaal af, totaal bij, totaal bijgeschreven, totaal afgeschreven, total debits, total credits, net change, net movement, total movements, total du mois, total des mouvements, totaux des mouvements, total operations, total des operations`,
);

const SUMMARY_WORDS = phrases(
	`year-to-date, year to date, this period, number of, annual percentage, minimum payment, amount due, payment due, credit limit, available credit, closing date, average daily, days in billing, late payment warning, continued on, continued, page total, interest rate, total fees charged in, total interest charged in`,
);

/** A line of sums under a table, told by its text in plain form. */
export function isTotalsText(plain: string): boolean {
	return beginsWithPhrase(plain, TOTAL_BEGINNINGS);
}

/** A line of a summary (limits, due dates, yearly sums) that is no transaction. */
export function isSummaryText(plain: string): boolean {
	return containsPhrase(plain, SUMMARY_WORDS);
}
