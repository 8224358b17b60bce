import { beginsWithPhrase, containsPhrase, phrases } from './plainText.ts';

/**
 * What a printed balance is: `opening` and `closing` name a period's balances without doubt;
 * `brought` and `carried` may also stand at the break of each page; `dated` says the balance of a
 * day; `ignored` is a balance that is neither (average, available, minimum).
 */
export type BalanceKind = 'opening' | 'closing' | 'brought' | 'carried' | 'dated' | 'ignored';

const OPENING =
	phrases(`opening balance, beginning balance, starting balance, start balance, previous balance, previous statement balance, initial balance,
	balance at start, balance at beginning, balance last statement, last statement balance, balance from last statement, your opening balance, old balance, previous closing balance, open balance,
	balance on last statement, balance at the start, balance previous statement, start of period balance, prior balance, balance at period start, balance at start of period, op balance, opening bal, balance from previous statement, balance of last statement,
	beginsaldo, openingssaldo, vorig saldo, oud saldo, startsaldo, saldo begin, saldo vorig afschrift, saldo vorige afschrift, beginstand, vorig openstaand saldo, saldo aanvang, saldo bij aanvang,
	anfangssaldo, anfangsbestand, alter saldo, alter kontostand, saldo alt, startguthaben, eroffnungssaldo, saldo vorauszug, letzter kontoauszug, alter stand, letzter auszug, kontostand zu beginn, kontostand bei beginn, anfangsstand, anfangskontostand, saldo letzter auszug, letzter kontostand,
	ancien solde, solde initial, solde precedent, solde anterieur, solde de depart, solde d'ouverture, solde debut de periode, solde en debut de periode, solde au debut, solde debut, ancien solde crediteur, ancien solde debiteur, solde precedent au, solde crediteur precedent, solde debiteur precedent,
	saldo inicial, saldo anterior, saldo de apertura, saldo previo, saldo al inicio, saldo apertura, saldo inicial del periodo,
	saldo iniziale, saldo precedente, saldo di apertura, saldo inizio periodo, saldo a inizio periodo, saldo iniziale al, saldo contabile iniziale,
	pociatocny zostatok, pocatecni zustatek, pocatecni stav, devreden bakiye, opening ledger balance, available beginning,
	inngaende saldo, ingaende saldo, ingaende balans, startsaldo, primo saldo, forrige saldo, saldo poczatkowe, saldo otwarcia`);

const CLOSING =
	phrases(`closing balance, ending balance, end balance, final balance, new balance, new statement balance, statement balance, balance at end, balance at the end, your closing balance, closing bal, balance this statement,
	balance on this statement, end of period balance, balance at period end, balance at end of period, new balance total, total balance due, cl balance, statement closing balance, new account balance, your new balance, balance at close, total new balance, closing balance total, total balance, outstanding balance, total outstanding balance,
	eindsaldo, nieuw saldo, slotsaldo, saldo einde, eindstand, saldo nieuw, huidig saldo, nieuw openstaand saldo, saldo dit afschrift, saldo per einde,
	endsaldo, neuer saldo, neuer kontostand, saldo neu, endbestand, schlusssaldo, abschlusssaldo, neuer stand, kontostand am ende, kontostand zum ende, endstand, endkontostand, endguthaben, neuer kontosaldo, kontostand neu, schlussbestand,
	nouveau solde, solde final, solde de cloture, solde nouveau, solde fin de periode, solde en fin de periode, solde de fin, solde fin, nouveau solde crediteur, nouveau solde debiteur, solde a la fin,
	saldo final, saldo actual, nuevo saldo, saldo de cierre, saldo al cierre, saldo cierre, saldo al final, saldo final del periodo,
	saldo finale, nuovo saldo, saldo di chiusura, saldo fine periodo, saldo a fine periodo, saldo attuale, saldo contabile finale, saldo finale al,
	konecny zostatok, konecny zustatek, konecny stav, closing ledger balance, available ending,
	utgaende saldo, utgaende balans, slutsaldo, ultimo saldo, ny saldo, sluttsaldo, saldo koncowe, saldo zamkniecia`);

const BROUGHT =
	phrases(`balance brought forward, brought forward, balance b/f, b/f, balance b/fwd, balance b/d, b/d, balance bf, bal b/f, bal b/fwd, balance from previous page, brought fwd, balance forward, bal fwd, b/fwd, bal b/d, bal brought forward, balance forward from last statement, forward balance, previous page balance,
	transport van vorige pagina, overgebracht, saldo vorige pagina, transport, vortrag, saldovortrag, ubertrag von, ubertrag vorseite, uebertrag, ubertrag, kontostand ubertrag, vortrag saldo, saldoubertrag,
	report, report a nouveau, report solde, report precedent, solde reporte, report page precedente, report du solde, suma anterior, saldo suma anterior, arrastre, saldo arrastre, viene de, riporto, saldo riportato, a riportare da, transporte, transporte anterior, saldo transportado, riporto saldo, riporto da`);

const CARRIED =
	phrases(`balance carried forward, carried forward, balance c/f, c/f, balance c/fwd, balance c/d, c/d, balance cf, bal c/f, bal c/fwd, carried fwd, balance to next page, c/fwd, bal c/d, bal carried forward, balance carried down, balance carried fwd,
	transport naar volgende pagina, over te brengen, te transporteren, ubertrag auf, ubertrag nachste seite, zwischensaldo, zwischensumme, a reporter, solde a reporter, total a reporter, suma y sigue, saldo suma y sigue, a riportare, saldo da riportare, a transportar, da riportare`);

const DATED =
	phrases(`balance as of, balance as at, balance on, balance at, balance per, balance, saldo per, saldo op, saldo am, saldo vom, saldo zum, saldo al, saldo a, saldo del, saldo em, saldo den, saldo, kontostand am, kontostand vom, kontostand zum, kontostand per, kontostand,
	solde au, solde du, solde crediteur au, solde debiteur au, solde crediteur, solde debiteur, solde, guthaben am, stand per, stand am, account balance, account balance on, your balance on, your balance at close of business, your balance at, your balance, saldo contabile al, saldo disponible a, current balance, guthaben per, guthaben zum, saldo kontowe, contosaldo per, rekeningsaldo, saldo contable al, your account balance, ledger balance, saldo contable, saldo contabile`);

const IGNORED = phrases(
	`average, available, minimum, lowest, highest, average daily balance, gemiddeld, durchschnitt, durchschnittlich, verfugbar, verfugbarer, moyen, medio, disponible, disponibile, beschikbaar, overdraft, dispositionskredit, credit limit, balance subject to, apr, transferred balance, balance transfer, balance transfers, promotional, balances, cash advance balance, points balance, reward, rewards, points, minimum balance, maintained, uncollected, float, hold, holds, collected balance, pending, disponivel, balance equivalent, amount of new balance, if you make, years`,
);

export interface BalancePhrase {
	kind: BalanceKind;
	/** The words that say it, in plain form. */
	phrase: string;
}

function longest(plain: string, list: readonly string[]): string | null {
	let best: string | null = null;
	for (const phrase of list) {
		if (phrase.length > (best?.length ?? 0) && containsPhrase(plain, [phrase])) best = phrase;
	}
	return best;
}

const QUICK =
	/bal|available|zustatek|zostatok|stav|bakiye|sald|sold|stand|forward|fwd|[bc]\/[fd]|ubertrag|vortrag|uebertrag|transport|report|riport|guthaben|bestand|auszug|viene|suma|arrastre|sumasigue|brengen|zwischensumme|dragen/;

/**
 * What balance a line prints, told by its text (in plain form, amounts and dates left out).
 * `dated` needs the phrase at the beginning. Null where the line prints none.
 */
export function matchBalance(plain: string): BalancePhrase | null {
	if (plain.length > 110 || !QUICK.test(plain)) return null;
	const opening = longest(plain, OPENING);
	const closing = longest(plain, CLOSING);
	// "carried forward" before "brought": some lines say both ("carried forward from …").
	const carried = longest(plain, CARRIED);
	const brought = longest(plain, BROUGHT);
	const dated = beginsWithPhrase(plain, DATED) ? longest(plain, DATED) : null;
	const phrase = opening ?? closing ?? carried ?? brought ?? dated;
	if (phrase === null) return null;
	if (containsPhrase(plain, IGNORED) && !phrase.startsWith('available '))
		return { kind: 'ignored', phrase };
	if (opening && closing) {
		// The longer phrase holds the shorter one: "previous closing balance".
		if (opening.includes(closing)) return { kind: 'opening', phrase: opening };
		if (closing.includes(opening)) return { kind: 'closing', phrase: closing };
		return { kind: 'ignored', phrase };
	}
	if (opening) return { kind: 'opening', phrase };
	if (closing) return { kind: 'closing', phrase };
	if (carried && brought)
		return carried.length > brought.length
			? { kind: 'carried', phrase: carried }
			: { kind: 'brought', phrase: brought };
	if (carried) return { kind: 'carried', phrase };
	if (brought) return { kind: 'brought', phrase };
	return { kind: 'dated', phrase };
}
