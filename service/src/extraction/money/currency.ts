/** Symbols and abbreviations printed beside amounts, with the currency where they name one. */
const SYMBOLS: Record<string, string | null> = {
	$: null,
	US$: 'USD',
	C$: 'CAD',
	CA$: 'CAD',
	A$: 'AUD',
	AU$: 'AUD',
	NZ$: 'NZD',
	S$: 'SGD',
	HK$: 'HKD',
	NT$: 'TWD',
	R$: 'BRL',
	MX$: 'MXN',
	'€': 'EUR',
	'£': 'GBP',
	'¥': null,
	'￥': null,
	'₹': 'INR',
	'₩': 'KRW',
	'₺': 'TRY',
	'₽': 'RUB',
	'₴': 'UAH',
	'₦': 'NGN',
	'₱': 'PHP',
	'฿': 'THB',
	'₫': 'VND',
	'₪': 'ILS',
	zł: 'PLN',
	zl: 'PLN',
	Kč: 'CZK',
	Ft: 'HUF',
	kr: null,
	'kr.': null,
	'Rs.': null,
	Rs: null,
	'Rs.:': null,
	RM: 'MYR',
	Rp: 'IDR',
	'Fr.': 'CHF',
	SFr: 'CHF',
	'SFr.': 'CHF',
	lei: 'RON',
	TL: 'TRY',
};

const CODES = new Set(
	(
		'AED ARS AUD BDT BGN BHD BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP GHS HKD HRK HUF IDR ILS ' +
		'INR ISK JOD JPY KES KRW KWD LKR MAD MXN MYR NGN NOK NZD OMR PEN PHP PKR PLN QAR RON RSD RUB ' +
		'SAR SEK SGD THB TND TRY TWD TZS UAH UGX USD UYU VND XAF XOF ZAR ZMW'
	).split(' '),
);

const NAMES: [RegExp, string][] = [
	[/\bsingapore dollars?\b/, 'SGD'],
	[/\bus dollars?\b|\bu\.s\. dollars?\b/, 'USD'],
	[/\baustralian dollars?\b/, 'AUD'],
	[/\bcanadian dollars?\b/, 'CAD'],
	[/\bhong kong dollars?\b/, 'HKD'],
	[/\bnew zealand dollars?\b/, 'NZD'],
	[/\bpounds? sterling\b/, 'GBP'],
	[/\bunited states dollars?\b/, 'USD'],
	[/\beuros?\b/, 'EUR'],
	[/\bindian rupees?\b/, 'INR'],
	[/\bswiss francs?\b|\bschweizer franken\b/, 'CHF'],
];

/** True for a symbol, an abbreviation or an ISO code that stands beside amounts. */
export function isCurrencyMark(text: string): boolean {
	return Object.hasOwn(SYMBOLS, text) || CODES.has(text);
}

/** The ISO 4217 code that a mark names, or null for marks that several currencies share. */
export function currencyOfMark(text: string): string | null {
	if (CODES.has(text)) return text;
	return Object.hasOwn(SYMBOLS, text) ? (SYMBOLS[text] ?? null) : null;
}

/** The ISO 4217 code of a currency that is written out in the text, if any. */
export function currencyOfName(text: string): string | null {
	const lower = text.toLowerCase();
	return NAMES.find(([pattern]) => pattern.test(lower))?.[1] ?? null;
}

/** Marks that may be glued to a number, longest first, as a pattern source. */
export const CURRENCY_PATTERN = [...Object.keys(SYMBOLS), ...CODES]
	.sort((left, right) => right.length - left.length)
	.map((mark) => mark.replaceAll(/[.$]/g, '\\$&'))
	.join('|');
