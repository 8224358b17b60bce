import { phrases } from './plainText.ts';

/** Labels after which surely an account number is printed. */
const STRONG =
	phrases(`account number, account no, account num, account nr, account #, acct number, acct no, acct, a/c no, a/c number, a/c, primary account number, account ending in, account ending, card ending in, card number, card no, card account number, credit card number, credit card no, account id,
	rekeningnummer, rekeningnr, rekening nr, kaartnummer, creditcardnummer, kontonummer, konto-nr, kontonr, konto nr, konto-nummer, kartennummer, karten-nr, kartennr, kreditkartennummer,
	numero de compte, n de compte, no de compte, n compte, compte n, compte numero, compte no, compte courant n, compte cheque n, compte cheques n, compte de depot n, numero de carte, carte n, carte numero, compte bancaire n,
	numero de cuenta, n de cuenta, num de cuenta, no de cuenta, n cuenta, cuenta numero, cuenta n, ccc, cuenta clabe, clabe, numero de tarjeta, tarjeta numero, n de tarjeta,
	conto corrente n, numero conto, n conto, conto n, conto numero, numero di conto, numero carta, n carta, c/c n, c/c,
	numero da conta, n da conta, conta n, conta corrente n, nr rachunku, cislo uctu, hesap no, hesap numarasi, numer rachunku, numer konta, kontonr, reg/konto, account no/currency, account number/name`);

/** Words that often stand before an account number, and as often before something else. */
const WEAK = phrases(
	`account, rekening, konto, compte, compte courant, compte cheques, cuenta, cuenta corriente, conto, conto corrente, conta, conta corrente, girokonto, checking account, savings account, current account, betaalrekening, spaarrekening, rachunek`,
);

const LABELS = new Map<string, boolean>();
for (const label of WEAK) LABELS.set(label, false);
for (const label of STRONG) LABELS.set(label, true);

const FIRST_WORDS = new Set([...LABELS.keys()].map((label) => label.split(' ')[0] ?? ''));

/** The number of a card is that of an account only where no account is named. */
export function isCardLabel(label: string): boolean {
	return /card|kaart|karte|carte|tarjeta|carta|tarjeta/.test(label);
}

/** A quick look: does the line (in plain form) hold a word that a label begins with? */
export function mayNameAccount(plain: string): boolean {
	return plain.split(' ').some((word) => FIRST_WORDS.has(word) || isIbanLabel(word));
}

/** The longest label that begins at `words[at]` (words in plain form), in words. */
export function longestAccountLabel(
	words: readonly string[],
	at: number,
): { length: number; strong: boolean } | null {
	let found: { length: number; strong: boolean } | null = null;
	let text = '';
	for (let length = 1; length <= 4 && at + length <= words.length; length++) {
		text = `${text} ${words[at + length - 1] ?? ''}`.trim();
		const strong = LABELS.get(text);
		if (strong !== undefined) found = { length, strong };
	}
	return found;
}

export function isIbanLabel(word: string): boolean {
	return word === 'iban' || word === 'iban-nr' || word === 'iban-nummer';
}
