import type { StatementTransaction } from '../../extraction/statements/statement.ts';
import { plainText } from '../../extraction/statements/vocabulary/plainText.ts';

/** Words of a row that do not tell one party from another. */
const GENERIC = new Set(
	(
		'transfer transfers payment payments paid from with the and for ref reference account acct bank online ' +
		'mobile internet banking credit debit deposit withdrawal incoming outgoing received sent wire ach sepa ' +
		'instant faster iban bic conf confirmation card purchase check cheque standing order direct via zelle ' +
		'uberweisung gutschrift lastschrift auftrag dauerauftrag svwz eref mref virement recu emis overboeking ' +
		'betreft kenmerk bij naar van aan zenpay fpo fpi tfr trf neft imps upi rtgs eft remittance dated transactie ' +
		'date branch counter value invoice inv money cash savings saving'
	).split(' '),
);

/** The words of a row that may name who it was with. */
export function partyWords(row: StatementTransaction): Set<string> {
	const words = plainText(row.memo)
		.split(/[^a-z]+/)
		.filter((word) => word.length >= 4 && !GENERIC.has(word));
	return new Set(words);
}

/** One text for rows with the same party: its words without numbers. */
export function partyKey(row: StatementTransaction): string {
	return [...partyWords(row)].slice(0, 4).join(' ');
}

/** True where rows name a party, and it is the same: half of the words of the shorter one. */
export function sameParty(one: StatementTransaction, other: StatementTransaction): boolean {
	const [a, b] = [partyWords(one), partyWords(other)];
	const shared = [...a].filter((word) => b.has(word)).length;
	return shared > 0 && shared * 2 >= Math.min(a.size, b.size);
}

export const SALARY =
	/\b(?:salary|salaries|payroll|wage|wages|salaris|loon|gehalt|lohn|lohn\/gehalt|bezuge|salaire|paie|nomina|stipendio|remuneration|pay ?check|income)\b/;

/** Marks that an employer's bank leaves: file and company numbers, schemes, kinds of company. */
const PAYROLL_MARKS =
	/\b(?:des:|co id|indn|ppd|ccd|payroll|dir(?:ect)? ?dep|bacs|bgc|sepa|eref|svwz|pers|mref|neft|ach|fpi|rfb|periode|period|llc|inc|corp|ltd|limited|plc|llp|gmbh|kg|ag|se|sa|sarl|sas|bv|b v|nv|pvt|oy|ab|aps|spa|srl|sl|council|university|ministry|hospital|nhs)\b|des:/;

/** True where a row carries what a payroll run leaves behind: a scheme, a company, or a long number. */
export function hasPayrollMarks(row: StatementTransaction): boolean {
	const text = plainText(row.memo);
	return (
		PAYROLL_MARKS.test(text.replace(/\bpayroll\b/, '')) ||
		/\d{6,}/.test(row.memo) ||
		/\bpayroll\b.*\d{4,}|des:payroll/.test(text)
	);
}

export const REVERSAL =
	/\b(?:refund|return|returned|reversal|reversed|reverse|chargeback|correction|storno|ruckbuchung|rucklastschrift|retour|annulation|devolucion|rejected|bounced|unpaid|cancel|cancelled|cashback|adjustment|terugbetaling|teruggaaf)\b/;

export const OWN_ACCOUNT =
	/\b(?:savings?|sav|tagesgeld|spaarrekening|spar|livret|isa|own account|eigenes|own|umbuchung|between accounts|internal|pot|vault|money market|deposito)\b/;
