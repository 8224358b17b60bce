import { containsPhrase, phrases } from './plainText.ts';

const CARD_SIGNS = phrases(
	`credit card, creditcard, card statement, minimum payment, minimum payment due, minimum amount due, total amount due, payment due date, credit limit, available credit, cash advance, cash advances, purchases and adjustments, mastercard, american express, visa platinum, visa signature, kreditkarte, kreditkartenabrechnung, kreditkartenkonto, kartenabrechnung, kreditlimit, mindestzahlung, verfugungsrahmen, creditcardoverzicht, kredietlimiet, bestedingslimiet, bestedingsruimte, minimaal te betalen, carte de credit, releve de carte, paiement minimum, limite de credit, tarjeta de credito, pago minimo, limite de credito, carta di credito, estratto conto carta, pagamento minimo, new charges, finance charge, late payment warning, statement of card account, card member, cardmember, total payment due, previous statement balance`,
);

const BANK_SIGNS = phrases(
	`checking account, savings account, current account, deposits and additions, deposits and other additions, checks paid, overdraft limit, girokonto, betaalrekening, spaarrekening, compte courant, compte cheques, cuenta corriente, conto corrente, sort code, opening balance, available balance, withdrawals, deposits`,
);

/** Weighs the words of a whole document: is it the statement of a credit card? */
export function looksLikeCardStatement(plainLines: Iterable<string>): boolean {
	const card = new Set<string>();
	const bank = new Set<string>();
	for (const line of plainLines) {
		if (line.length > 160) continue;
		for (const phrase of CARD_SIGNS) if (containsPhrase(line, [phrase])) card.add(phrase);
		for (const phrase of BANK_SIGNS) if (containsPhrase(line, [phrase])) bank.add(phrase);
	}
	return card.size >= 2 && card.size > bank.size;
}
