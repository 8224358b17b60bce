import { phrases } from './plainText.ts';

/** What a column holds, told by its heading. */
export type ColumnRole =
	| 'date'
	| 'postingDate'
	| 'valueDate'
	| 'description'
	| 'counterparty'
	| 'reference'
	| 'type'
	| 'debit'
	| 'credit'
	| 'amount'
	| 'balance'
	| 'checkNumber'
	| 'foreignAmount'
	| 'interest'
	| 'availableBalance'
	| 'aside'
	| 'other';

const HEADINGS: Record<Exclude<ColumnRole, 'other'> | 'other', string> = {
	date: `date, dates, day, transaction date, trans date, tran date, txn date, trn date, date of transaction,
		entry date, activity date, purchase date, trans, datum, transactiedatum, datum transactie, boekdatum, boeking,
		umsatzdatum, belegdatum, date operation, date de l'operation, date de operation, date d'operation, date oper,
		date op, fecha, fecha operacion, fecha oper, f operacion, f oper, fecha de operacion, fecha de la operacion, data,
		data operazione, data op, data movimento, data do movimento, data mov, dato, transaktionsdatum, data operacji,
		data transakcji, date & time, date/time, date time, date and time, completed date, started date, dag, giorno, jour,
		date of payment, check date, date paid, paid date, date cleared, kaufdatum, transaktionsdag, reskontradag`,
	postingDate: `verbuchungsdatum, verbucht am, posting date, post date, posted date, posted, date posted, post, booking date, book date, booked,
		process date, processed, date processed, process, processing date, buchungstag, buchungsdatum, buchung, bu-tag,
		bu tag, buchungs-tag, date de comptabilisation, date comptable, date compta, date compt, fecha contable, fecha mov,
		fecha de contabilizacion, data contabile, data registrazione, data cont, data reg, data de lancamento, bokforingsdag, bokforingsdatum,
		bogforingsdato, bokfort, data ksiegowania, boekingsdatum, datum boeking, date of posting, cleared date, settlement date`,
	valueDate: `valutadag, value date, val date, value, value dt, interest date, valuta, wert, wertstellung, valutadatum, rentedatum, datum valuta, wertstellungsdatum,
		wertstellungstag, valeur, date valeur, date de valeur, date val, fecha valor, f valor, valor, valuta data,
		data valuta, data val, data valor, data-valor, rentedato, valutadato, rentedag, data waluty, effective date, eff date, effective`,
	description: `wir haben fur sie gebucht, wir haben gebucht, was wir gebucht haben, description, descriptions, details, detail, particulars, narrative, narration, transaction, transactions, transaction description,
		transaction details, transaction detail, transaction particulars, description of transaction, details of transaction, activity, memo, payment details,
		merchant, merchant name, merchant description, explanation, remarks, payment type and details, transaction remarks, item description, entry,
		omschrijving, mededelingen, mededeling, omschrijving transactie, naam / omschrijving, naam/omschrijving, transactie, beschrijving, toelichting, bijzonderheden,
		buchungstext, verwendungszweck, vorgang, beschreibung, umsatz, erlauterung, text, buchungsinformation, buchungsinformationen, buchungsdetails, vorgang/verwendungszweck,
		umsatztext, angaben, buchung/verwendungszweck, buchung / verwendungszweck, informationen, information, vorgang/buchungsinformation, verwendung, kommentar,
		libelle, libelles, nature de l'operation, nature des operations, operation, operations, libelle de l'operation, designation, nature, detail de l'operation, description de l'operation, intitule, detail des operations, communication,
		concepto, descripcion, detalle, movimiento, movimientos, operacion, descripcion de la operacion, concepto / referencia, conceptos, detalle de la operacion,
		descrizione, causale, descrizione operazione, descrizione operazioni, operazione, operazioni, dettaglio, descrizione dell'operazione, causale / descrizione, causale/descrizione,
		descricao, historico, lancamento, descritivo, movimento, descricao do movimento,
		beskrivelse, tekst, forklaring, beskrivning, specifikation, meddelande, opis, opis operacji, opis transakcji, tytul`,
	counterparty: `counterparty, payee, payer, payee/payer, beneficiary, name, counter party, counterparty name, payee name, from/to, sender/receiver, tegenpartij, naam,
		naam tegenpartij, tegenrekening, begunstigde, empfanger, auftraggeber, auftraggeber/empfanger, empfanger/auftraggeber, zahlungspflichtiger, beguenstigter/zahlungspflichtiger, begunstigter/zahlungspflichtiger, auftraggeber/begunstigter, zahlungsempfanger,
		begunstigter, beneficiaire, tiers, contrepartie, beneficiario, ordenante, controparte, beneficiario/ordinante, ordinante, mottaker, mottagare, kontrahent, naam/tegenrekening, paid to`,
	reference: `reference, ref, ref no, reference no, reference number, ref number, ref nr, transaction id, transaction no, txn id, utr, trace, trace no, id, customer reference, bank reference, customer ref, kenmerk,
		referentie, referenz, kundenreferenz, mandatsreferenz, auftragsnummer, beleg, beleg-nr, belegnr, primanota, pn, pnnr, buchungsnummer, piece, n° piece, no piece, numero, referencia, num doc, num operacion, nº doc, n doc, documento, riferimento, rif, cro, docto, referens, referanse, volgnummer, volgnr, nr, no, s no, sl no, sr no, sno, serial no, serial, seq, code, codice, codigo, code operation, tran id, confirmation no`,
	type: `type, transaction type, tran type, txn type, payment type, dr/cr, cr/dr, d/c, c/d, dr cr, debit/credit, credit/debit, af/bij, af bij, af / bij, bij/af, soll/haben, s/h, code mutatie, mutatiesoort, soort, art, umsatzart, buchungsart, sens, tipo, tipo movimiento, tipo operazione, mutatie soort, crdr, dr / cr, cr / dr, indicator`,
	debit: `debit, debits, debited, withdrawal, withdrawals, withdrawl, withdrawn, paid out, money out, out, payments, payment, payments out, charges, debit amount, amount debited, withdrawal amount, withdrawal amt, debit amt, outgoing, outflow, outflows, expense, expenses, spent, subtractions, dr, dr amount, amount dr, withdrawals/debits, withdrawal/debit, debits/withdrawals, debit/withdrawal, withdrawals & other debits, payments/withdrawals, cheques & debits, checks & debits, checks/debits, withdrawals/charges, debits/charges, debits/cheques, purchases, purchases & debits, purchases and debits, purchase amount, withdrawal dr, debit dr, withdrawals dr, amount out, paid-out, checks and withdrawals, checks and other debits, withdrawals and debits,
		af, afschrijving, afschrijvingen, debet, debet bedrag, bedrag af, uit, uitgaven, uitgaand, soll, lastschrift, lastschriften, belastung, belastungen, ausgang, ausgange, ausgaben, auszahlung, auszahlungen, zu ihren lasten, zu lasten, betrag soll, umsatz soll, abgang, abgange, debit eur, debit euro, debits eur, debit en euros, montant debit, depenses, depense, retrait, retraits, sorties, au debit, somme au debit,
		cargo, cargos, debe, adeudo, adeudos, importe debe, retiros, retiro, gastos, salidas, addebiti, addebito, dare, uscite, movimenti dare, importo dare, importi a debito, a debito, uscita, debito, debitos, saidas, saida, ut, ut av konto, ud, utbetaling, uttag, obciazenia, wydatki, haevet`,
	credit: `credit, credits, credited, deposit, deposits, paid in, money in, in, lodgement, lodgements, lodgment, receipts, receipt, deposit amount, deposit amt, credit amount, credit amt, amount credited, incoming, inflow, inflows, income, received, additions, cr, cr amount, amount cr, deposits/credits, deposit/credit, credits/deposits, credit/deposit, deposits & other credits, deposits & credits, deposits and other credits, payments in, deposit cr, credit cr, deposits cr, amount in, paid-in, deposits and credits, deposits/additions, payments & credits, payments and credits, payments/credits, deposits/interest,
		bij, bijschrijving, bijschrijvingen, credit bedrag, bedrag bij, inkomsten, inkomend, ontvangen, haben, gutschrift, gutschriften, eingang, eingange, einnahmen, einzahlung, einzahlungen, zu ihren gunsten, zu gunsten, betrag haben, umsatz haben, zugang, zugange, credit eur, credit euro, credits eur, credit en euros, montant credit, recettes, recette, depot, depots, versements, entrees, au credit, somme au credit,
		abono, abonos, haber, ingreso, ingresos, importe haber, depositos, deposito, entradas, entrada, accrediti, accredito, avere, entrate, movimenti avere, importo avere, importi a credito, a credito, entrata, credito, creditos, inn, in pa konto, ind, innbetaling, insattning, uznania, wplywy, indsat`,
	availableBalance: `available balance`,
	interest: `interest, interest paid, interest earned, rente, zinsen, interets, intereses, interessi`,
	aside: `gross, gross amount, fee, fees, principal, accrued bank charges, accrued charges, accrued fees`,
	amount: `net, amount, amounts, transaction amount, amount eur, amt, total amount, net amount, value amount, bedrag, bedragen, bedrag eur, bedrag euro, bedrag in eur, mutatie, betrag, betrage, umsatz in eur, betrag eur, betrag euro, betrag in eur, betrag in euro, umsatze, montant, montants, montant eur, montant en eur, montant en euros, somme, importe, importes, importe eur, importe en euros, monto, cantidad, importo, importi, importo eur, importo in euro, ammontare, valor eur, montante, valor r$, belopp, belop, belob, kwota, kwota operacji, kwota transakcji, soll/haben betrag, debits/credits, withdrawals/deposits, deposits/withdrawals, sum, transaction value, betrag/eur`,
	balance: `balance, running balance, account balance, daily balance, balance amount, closing balance, ledger balance, ending daily balance, ending balance, daily ledger balance, new balance, book balance, outstanding balance, remaining balance, balance eur, bal, balance forward, saldo, saldo na mutatie, saldo na transactie, saldo na boeking, nieuw saldo, kontostand, saldo eur, neuer saldo, saldo in eur, kontosaldo, solde, soldes, solde eur, solde progressif, nouveau solde, solde en euros, saldo disponible, saldo contable, saldos, saldo despues, saldo progressivo, saldo contabile, saldo apos movimento, saldo contabilistico, saldo po operacji, saldo na konto, saldo po transakcji, bogfort saldo, saldo posterior, saldo final`,
	checkNumber: `check number, check no, check #, check, check num, cheque no, cheque number, cheque, cheque num, chq no, chq number, chq, chq/ref no, chq/ref number, cheque/ref no, cheque/reference no, cheque no /reference no, check no/ref, check/serial, serial #, number, chequenummer, scheck-nr, schecknummer, scheck nr, numero de cheque, n° cheque, num cheque, n cheque, numero assegno, n assegno, instrument no, inst no, instrument, chq no /ref no`,
	foreignAmount: `foreign amount, original amount, foreign currency, foreign currency amount, foreign spend, amount in foreign currency, currency amount, fx amount, originalbetrag, fremdwahrung, fremdwahrungsbetrag, betrag in fremdwahrung, montant en devise, montant devise, devise, devises, importe original, importe divisa, divisa, importo in valuta, importo originario, importo valuta, vreemde valuta, bedrag vreemde valuta, originele bedrag, oorspronkelijk bedrag, local amount, transaction currency amount`,
	other: `account number, currency, wahrung, valuta code, munt, category, categorie, kategorie, branch, branch code, filiaal, location, city, state, status, card, card no, card number, card member, cardholder, account, account no, exchange rate, rate, kurs, wechselkurs, taux, cours, cambio, tasso, koers, exempt, franc, points, reward, rewards, tax, vat, country, land, time, uhrzeit, heure, hora, ora, tijd, init br, br, mcc, debit card, moneda, oficina, sucursal, kartennummer, karte, commission, commissione, kosten`,
};

/** Longest phrase, in words. */
export const LONGEST_HEADING = 6;

const ROLES = new Map<string, ColumnRole>();
for (const [role, list] of Object.entries(HEADINGS) as [ColumnRole, string][]) {
	for (const phrase of phrases(list)) if (!ROLES.has(phrase)) ROLES.set(phrase, role);
}

const WORDS = new Set([...ROLES.keys()].flatMap((phrase) => phrase.split(' ')));

/** How many of the words (in plain form) occur in headings at all. */
export function countHeadingWords(words: readonly string[]): number {
	return words.filter((word) => WORDS.has(word) || WORDS.has(word.replaceAll('-', ''))).length;
}

/** The role that a heading in plain text names, or null. */
export function roleOfHeading(plain: string): ColumnRole | null {
	return (
		ROLES.get(plain) ??
		(plain.includes('-') ? (ROLES.get(plain.replaceAll('-', '')) ?? null) : null)
	);
}
