import type { ColumnRole } from './vocabulary/headings.ts';
import { plainText } from './vocabulary/plainText.ts';

/** Text of a row's cells, by column. */
export interface RowText {
	lines: string[];
	byRole: ReadonlyMap<ColumnRole, string>;
}

const LEADING =
	/^(?:(?:pos|card|debit card|visa debit|visa|check ?card|contactless|recurring|online|mobile|internet|electronic|direct|atm|sepa|ach|eft|faster|bill|bank|wire|zelle|venmo|paynow|fast|giro|ideal|upi|neft|imps|rtgs|preauthori[sz]ed|standing) )*(?:purchase|payment|paymnt|pymt|debit|credit|withdrawal|deposit|transfer|trf|tfr|order|received|incasso|betaling|overboeking|lastschrift|uberweisung|prelevement|virement|paiement|recibo|transferencia|bonifico|pagamento|addebito)\b(?: (?:from|to|at|of|by|aan|van|an|von|de|a|da|per)\b)?[ :\-*]*/i;
const NOISE = [
	/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g,
	/\b(?:\d{4}[ -]?)?[xX*•]{2,}[ -]?[xX*•\d -]*\d{2,4}\b/g,
	/\b\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?\b/g,
	/\b\d{4}-\d{2}-\d{2}\b/g,
	/\b(?:ref(?:erence)?|kenmerk|trace|auth|conf(?:irmation)?|id|nr|no|trn|txn|mandate|mandat|iban|bic|card|karte)\b[.:# ]*[A-Z0-9-]*\d[A-Z0-9-]*/gi,
	/\b(?=[A-Z0-9]*\d)[A-Z0-9]{8,}\b/g,
	/(?:^|\s)#?\d{4,}(?=\s|$)/g,
];

/** Counterparty without references, dates and card numbers. */
export function payeeOf({ lines, byRole }: RowText): string {
	const named = cleaned(byRole.get('counterparty') ?? '');
	if (named) return named;
	for (const line of lines) {
		const match =
			/^(?:to|from|at|naam|name|van|aan|an|von|empfanger|beneficiaire|de|chez)\s*:\s*(.+)$/i.exec(
				line,
			);
		const found = match ? cleaned(match[1] ?? '') : '';
		if (found) return found;
	}
	for (const line of lines) {
		const whole = cleaned(line);
		const rest = whole.replace(LEADING, '').replace(/^[-:*\s]+/, '');
		if (/\p{L}{2}/u.test(rest)) return rest;
	}
	return cleaned(lines[0] ?? '') || (lines[0] ?? '');
}

function cleaned(text: string): string {
	let rest = text;
	for (const pattern of NOISE) rest = rest.replaceAll(pattern, ' ');
	rest = rest.replaceAll(/\s+/g, ' ').replace(/^[\s\-–:*/,.]+|[\s\-–:*/,#]+$/g, '');
	return /\p{L}/u.test(rest) ? rest : '';
}

const NAME_LENGTH = 32;

/** Short label: the first words of the description. */
export function nameOf({ lines, byRole }: RowText, payee: string): string {
	const source = cleaned(lines[0] ?? '') || payee || (byRole.get('type') ?? '') || (lines[0] ?? '');
	if (source.length <= NAME_LENGTH) return source;
	const cut = source.slice(0, NAME_LENGTH + 1);
	const space = cut.lastIndexOf(' ');
	return (space > 12 ? cut.slice(0, space) : source.slice(0, NAME_LENGTH)).trim();
}

const CATEGORIES: [string, RegExp][] = [
	[
		'Fees',
		/\b(?:fee|fees|charge|charges|commission|frais|gebuhr|gebuhren|entgelt|servicekosten|kosten|comision|comisiones|commissione|commissioni|spese|maintenance)\b/,
	],
	['Interest', /\b(?:interest|rente|creditrente|zinsen|zins|interets|intereses|interessi)\b/],
	[
		'Salary',
		/\b(?:salary|payroll|wages|salaris|salarisbetaling|loon|gehalt|lohn|salaire|nomina|stipendio)\b/,
	],
	[
		'Taxes',
		/\b(?:tax|taxes|irs|hmrc|belastingdienst|belasting|finanzamt|steuer|impots|dgfip|hacienda|agenzia entrate|f24)\b/,
	],
	[
		'Cash',
		/\b(?:atm|cash|geldautomaat|geldautomat|bargeld|retrait|dab|cajero|reintegro|prelievo|bancomat|cash withdrawal|geldopname)\b/,
	],
	['Checks', /\b(?:check|cheque|chq|scheck|assegno)\b/],
	['Rent', /\b(?:rent|miete|huur|loyer|alquiler|affitto|mortgage|hypotheek|hypothek)\b/],
	[
		'Utilities',
		/\b(?:electricity|electric|power|energy|water|gas|utility|utilities|telecom|broadband|internet|mobile|phone|strom|stadtwerke|edf|engie|vattenfall|eneco|endesa|iberdrola|enel)\b/,
	],
	[
		'Insurance',
		/\b(?:insurance|verzekering|versicherung|assurance|seguro|seguros|assicurazione|lic premium)\b/,
	],
	[
		'Groceries',
		/\b(?:grocery|groceries|supermarket|albert heijn|jumbo|lidl|aldi|rewe|edeka|carrefour|mercadona|tesco|sainsbury'?s|walmart|kroger|whole foods|fairprice|esselunga|coop|bigbasket)\b/,
	],
	[
		'Eating out',
		/\b(?:restaurant|cafe|coffee|starbucks|mcdonald'?s|uber eats|thuisbezorgd|grabfood|deliveroo|swiggy|zomato|pizza|bakery|lieferando)\b/,
	],
	[
		'Transport',
		/\b(?:fuel|petrol|gas station|shell|esso|uber|grab|taxi|parking|parkeergarage|train|railway|ov-chipkaart|bahn|sncf|renfe|trenitalia|metro|irctc|airlines?)\b/,
	],
	[
		'Health',
		/\b(?:pharmacy|apotheek|apotheke|pharmacie|farmacia|hospital|clinic|doctor|dental|medical)\b/,
	],
	[
		'Subscriptions',
		/\b(?:netflix|spotify|subscription|abonnement|disney|youtube|apple com|adobe|icloud)\b/,
	],
	[
		'Shopping',
		/\b(?:amazon|shop|store|zalando|bol com|ebay|ikea|hema|action|kruidvat|flipkart|target|clothing)\b/,
	],
	[
		'Transfer',
		/\b(?:transfer|overboeking|overschrijving|uberweisung|virement|transferencia|bonifico|zelle|paynow|tikkie|standing order|dauerauftrag|vir)\b/,
	],
	['Card payment', /\b(?:payment thank you|card payment|credit card bill|creditcard)\b/],
];

/** A coarse category told by well-known words; empty where none fits. */
export function categoryOf({ lines, byRole }: RowText): string {
	const plain = plainText(`${[...byRole.values()].join(' ')} ${lines.join(' ')}`);
	return CATEGORIES.find(([, pattern]) => pattern.test(plain))?.[0] ?? '';
}

/** The number of a check from its own column, or after the word for it in the description. */
export function checkNumberOf({ lines, byRole }: RowText): string {
	const own = /^#?(\d{1,8})[\s*^#]*$/.exec((byRole.get('checkNumber') ?? '').trim())?.[1];
	if (own) return own;
	for (const line of lines) {
		const match =
			/\b(?:check|cheque|chq|ck|chk|scheck|assegno|chèque)(?:\s*(?:paid|nr|no|number|num|n°|n))?[\s.:#]*(\d{2,8})\b/i.exec(
				line,
			);
		if (match?.[1]) return match[1];
	}
	return '';
}
