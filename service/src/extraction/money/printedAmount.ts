import type { DecimalText } from '../statements/statement.ts';
import { CURRENCY_PATTERN, currencyOfMark } from './currency.ts';

/** Which of the two marks a document puts before the decimals. */
export type DecimalMark = '.' | ',';

/**
 * What is printed beside the digits. `credit` and `debit` are words or letters (CR, DR, S, H);
 * what they mean for the sign depends on the kind of statement.
 */
export type SignMark = 'none' | 'minus' | 'plus' | 'credit' | 'debit';

export interface PrintedAmount {
	/** Without sign; digits after the point as printed. */
	value: DecimalText;
	mark: SignMark;
	/** ISO 4217 code where a mark beside the digits names one. */
	currency: string | null;
	/**
	 * How sure it is that this is money: `decimal` has two or more decimals, `grouped` has thousands
	 * marks, `plain` might as well be any number.
	 */
	shape: 'decimal' | 'grouped' | 'plain';
}

const MINUS = '-−–—‐‑';
const CREDIT_MARKS = /^(?:cr|c|cr\.|h|haben|credit|crédit|ha|hab\.|bij|kredit|av)$/i;
const DEBIT_MARKS = /^(?:dr|d|dr\.|db|s|soll|debit|débit|od|o\/d|af|debet|sol|deb)$/i;

const PARTS = new RegExp(
	`^(?<open>\\()?(?<lead>[${MINUS}+])?(?<before>${CURRENCY_PATTERN})?(?<lead2>[${MINUS}+])?` +
		`(?<core>[\\d.,'’\\s]*\\d[\\d.,'’\\s]*?)(?<trail>[${MINUS}+])?(?<after>${CURRENCY_PATTERN})?` +
		`(?<trail2>[${MINUS}+])?(?<word>[A-Za-zé/]{1,6}\\.?)?(?<close>\\))?\\*?$`,
	'u',
);

/** The meaning of a word such as `CR`, `Dr.`, `S` or `Haben` after an amount, or null. */
export function signWord(text: string): 'credit' | 'debit' | null {
	const bare = text.replace(/^\((.*)\)$/, '$1').replace(/^[-+]\//, '');
	if (CREDIT_MARKS.test(bare)) return 'credit';
	if (DEBIT_MARKS.test(bare)) return 'debit';
	return null;
}

export function isMinus(text: string): boolean {
	return text.length === 1 && MINUS.includes(text);
}

/**
 * Reads one printed amount: `1,234.56`, `1.234,56 €`, `1 234,56-`, `(12.00)`, `1'234.56`,
 * `1,24,350.00`, `12.00 CR`. Null where the text is none under this decimal mark.
 */
export function parseAmount(text: string, decimal: DecimalMark): PrintedAmount | null {
	if (text.length > 48) return null;
	const match = PARTS.exec(text.trim().replaceAll(/[\u00a0\u202f\u2009\s]+/gu, ' '));
	const groups = match?.groups;
	if (!groups) return null;
	if (Boolean(groups.open) !== Boolean(groups.close)) {
		if (!(groups.open === undefined && groups.close && groups.word)) return null;
	}
	const core = parseDigits((groups.core ?? '').trim(), decimal);
	if (!core) return null;
	const signs = [groups.lead, groups.lead2, groups.trail, groups.trail2].filter(Boolean);
	if (signs.length > 1) return null;
	let mark: SignMark = 'none';
	if (groups.open) mark = 'minus';
	const sign = signs[0];
	if (sign) mark = sign === '+' ? 'plus' : 'minus';
	if (groups.word) {
		const meaning = signWord(groups.word);
		if (!meaning) return null;
		if (mark === 'none' || groups.open) mark = meaning;
	}
	const currency = groups.before ?? groups.after;
	return { ...core, mark, currency: currency ? currencyOfMark(currency) : null };
}

function parseDigits(
	core: string,
	decimal: DecimalMark,
): Pick<PrintedAmount, 'value' | 'shape'> | null {
	const last = core.lastIndexOf(decimal);
	const whole = last < 0 ? core : core.slice(0, last);
	const fraction = last < 0 ? '' : core.slice(last + 1);
	if (last >= 0 && !/^\d{1,4}$/.test(fraction)) return null;
	if (whole === '') return fraction ? { value: `0.${fraction}`, shape: 'decimal' } : null;
	const digits = ungrouped(whole, decimal);
	if (digits === null || digits.length > 18) return null;
	const value = digits.replace(/^0+(?=\d)/, '') + (fraction ? `.${fraction}` : '');
	if (fraction.length >= 2) return { value, shape: 'decimal' };
	return { value, shape: digits.length < whole.length ? 'grouped' : 'plain' };
}

/** The digits of the whole part without thousands marks, or null where the groups are wrong. */
function ungrouped(whole: string, decimal: DecimalMark): string | null {
	if (/^\d+$/.test(whole)) return whole;
	const marks = new Set(whole.replaceAll(/\d/g, ''));
	if (marks.size !== 1) return null;
	const [mark = ''] = marks;
	if (mark === decimal) return null;
	const groups = whole.split(mark);
	const first = groups[0] ?? '';
	const last = groups.at(-1) ?? '';
	if (!/^\d{1,3}$/.test(first) || !/^\d{3}$/.test(last)) return null;
	const middle = groups.slice(1, -1);
	// Groups of three, or of two as in India: 1,24,350.
	const western = middle.every((group) => group.length === 3);
	const indian = first.length <= 2 && middle.every((group) => group.length === 2);
	return western || (indian && mark === ',') ? groups.join('') : null;
}
