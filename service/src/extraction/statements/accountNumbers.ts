import { isCurrencyMark } from '../money/currency.ts';
import type { Word } from '../page.ts';
import type { ReadLine } from './readLine.ts';
import {
	isCardLabel,
	isIbanLabel,
	longestAccountLabel,
	mayNameAccount,
} from './vocabulary/accounts.ts';
import { plainText } from './vocabulary/plainText.ts';

export interface AccountMarker {
	kind: 'number' | 'iban';
	/** As printed, without white space. */
	account: string;
	/** True where the label says that it is the number of a card. */
	ofCard: boolean;
}

const PIECE = /^[A-Z0-9xX*•●·.#/\u2013-]+$/;

/** True for a line that begins with the label of an account number. */
export function beginsWithAccountLabel(plain: string): boolean {
	const words = plain.split(' ');
	const label = longestAccountLabel(words, 0);
	return (
		(label !== null && label.strong && /\d{3}/.test(plain)) ||
		(isIbanLabel(words[0] ?? '') && /\d{4}/.test(plain))
	);
}

/** The account numbers that `lines[at]` names, or whose label it holds with the number on the line below. */
export function accountMarkers(lines: readonly ReadLine[], at: number): AccountMarker[] {
	const read = lines[at];
	if (!read || read.line.words.length > 40) return [];
	const { words } = read.line;
	const share = shareOf(read);
	if (share) return [{ kind: 'number', account: share, ofCard: false }];
	if (!mayNameAccount(read.plain)) return [];
	const plain = words.map((word) => plainText(word.text));
	const markers: AccountMarker[] = [];
	let index = 0;
	while (index < words.length) {
		const iban = isIbanLabel(plain[index] ?? '');
		const label = iban ? { length: 1, strong: true } : longestAccountLabel(plain, index);
		if (!label) {
			index++;
			continue;
		}
		const end = index + label.length;
		const account =
			numberAfter(read, plain, end) ??
			(label.strong ? numberBelow(lines, at, words[index] as Word, words[end - 1] as Word) : null);
		const kind = account && isIban(account) ? 'iban' : 'number';
		if (
			account &&
			(label.strong ||
				digitsOf(account) >= (words.length <= 6 ? 5 : 6) ||
				/^\W{2,}\d{3,}$/.test(account))
		)
			markers.push({ kind, account, ofCard: isCardLabel(plain.slice(index, end).join(' ')) });
		index = end;
	}
	return markers;
}

/** Credit unions title each account of a member with a short number: "ID 0050 FREE CHECKING". */
function shareOf({ plain, amounts, dates, line }: ReadLine): string | null {
	if (line.words.length > 8 || dates.length > 0) return null;
	if (amounts.some(({ shape }) => shape !== 'plain')) return null;
	return /^(?:id|share|suffix|share id) (\d{4}) \p{L}{3}/u.exec(plain)?.[1] ?? null;
}

function numberAfter(read: ReadLine, plain: readonly string[], from: number): string | null {
	const { words } = read.line;
	let start = from;
	while (start < words.length && start < from + 3 && isLinkWord(plain[start] ?? '')) start++;
	const next = numberAt(read, start);
	if (next) return next;
	// A name may stand between: "Account: Everyday Checking ****5921".
	for (let index = start; index < Math.min(words.length, start + 6); index++) {
		const text = words[index]?.text ?? '';
		if (/^[(]?(?:[xX*•●·.-]{2,}\d{3,6}|\d{6,}|\d{2,}(?:-\d+)+)[)]?$/.test(text))
			return numberAt(read, index);
		if (isIbanLabel(plain[index] ?? '')) return null;
	}
	return null;
}

function isLinkWord(plain: string): boolean {
	return (
		/^(?:|-|no|nr|number|num|n|numero|ending|in|iban|:|is|ends|with|eur|kontonummer|nummer)$/.test(
			plain,
		) || isCurrencyMark(plain.toUpperCase())
	);
}

/** Joins the pieces of a number that starts here: `NL91 ABNA 0417 1643 00`, `1234-5678`, `**** 1234`. */
function numberAt({ line: { words }, dates }: ReadLine, start: number): string | null {
	let text = '';
	for (let index = start; index < words.length; index++) {
		const word = words[index] as Word;
		const piece = word.text.replace(/^[(:]+/, '').replace(/[),;:]+$/, '');
		const previous = words[index - 1];
		if (index > start && previous && word.x0 - previous.x1 > 1.3 * word.fontSize) break;
		// A date or the next label after the number is no part of it.
		if (index > start && dates.some(({ from, weak }) => from === index && !weak)) break;
		if (index > start && word.text.endsWith(':') && /\p{L}/u.test(word.text)) break;
		const dash = /^[-\u2013]$/.test(piece) && /\d$/.test(text);
		if (dash && /^\d{3}/.test(words[index + 1]?.text ?? '') && !begins(dates, index + 1)) {
			text += '-';
			continue;
		}
		if (!PIECE.test(piece) || !/[\dA-Z]|[xX*•●·.]{2}/.test(piece)) break;
		// Words in capitals are no part of a number, except inside an IBAN.
		if (/^[A-Z]{2,}$/.test(piece) && !/^[X]+$/.test(piece)) {
			if (
				text === ''
					? !(piece.length === 2 && /^\d/.test(words[index + 1]?.text ?? ''))
					: !/^[A-Z]{2}\d{2}/.test(text)
			)
				break;
		}
		text += piece;
		if (text.length > 40) return null;
	}
	return isAccountNumber(text) ? text : null;
}

function numberBelow(
	lines: readonly ReadLine[],
	at: number,
	first: Word,
	last: Word,
): string | null {
	const own = lines[at]?.line;
	const next = lines[at + 1];
	const below = next?.line;
	if (!own || !next || !below || below.pageNumber !== own.pageNumber) return null;
	if (below.y - own.y > 4 * own.fontSize) return null;
	const start = below.words.findIndex((word) => word.x1 > first.x0 - 2 && word.x0 < last.x1 + 2);
	const before = below.words[start - 1];
	const word = below.words[start];
	if (!word || (before && word.x0 - before.x1 < 0.5 * word.fontSize)) return null;
	return numberAt(next, start);
}

function begins(dates: ReadLine['dates'], index: number): boolean {
	return dates.some(({ from }) => from === index);
}

function digitsOf(text: string): number {
	return text.replaceAll(/\D/g, '').length;
}

function isAccountNumber(text: string): boolean {
	if (/^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}$/.test(text) || /^\d+[.,]\d{2}$/.test(text)) return false;
	if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
	const digits = digitsOf(text);
	const masked = /[xX*•●·]{2,}/.test(text);
	return digits >= 5 || (masked && digits >= 2) || (digits === 4 && /^\D*\d{4}$/.test(text));
}

function isIban(text: string): boolean {
	return /^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/.test(text);
}

/** True where two printed numbers can be the same account: one may be masked or shortened. */
export function sameAccount(left: string, right: string): boolean {
	const bare = (text: string) =>
		text.replaceAll(/[^A-Za-z0-9*•●·]/g, '').replaceAll(/[*•●·xX]+/g, '*');
	const a = bare(left);
	const b = bare(right);
	if (a === b) return true;
	const tail = (text: string) => text.split('*').at(-1) ?? '';
	const [short, long] = tail(a).length < tail(b).length ? [a, b] : [b, a];
	if (!short.includes('*') && short.length > 6 && !long.includes('*')) return long.endsWith(short);
	return tail(short).length >= 3 && long.endsWith(tail(short));
}
