import type { AmountToken } from '../money/amountTokens.ts';
import type { DateToken } from '../dates/dateTokens.ts';
import { plainWithout } from './readLine.ts';
import type { ReadLine } from './readLine.ts';
import { matchBalance } from './vocabulary/balances.ts';
import type { BalanceKind } from './vocabulary/balances.ts';
import { plainText } from './vocabulary/plainText.ts';

/** A balance as printed, anywhere on a page. */
export interface PrintedBalance {
	kind: Exclude<BalanceKind, 'ignored'>;
	token: AmountToken;
	/** The day it is printed for. */
	date: DateToken | null;
	/** The text says that the balance is a debt (`solde débiteur`, `overdrawn`). */
	owed: boolean;
	inTable: boolean;
}

const OWED = /\b(?:debiteur|overdrawn|deudor|a debito|im soll|passivo)\b/;

export function isOwed(plain: string): boolean {
	return OWED.test(plain);
}

/** Balances that `lines[at]` prints outside of tables: beside their label, or below it. */
export function summaryBalances(lines: readonly ReadLine[], at: number): PrintedBalance[] {
	const read = lines[at];
	if (!read || read.line.words.length > 40) return [];
	return read.amounts.length > 0 ? besideLabels(read) : belowLabels(lines, at);
}

function besideLabels(read: ReadLine): PrintedBalance[] {
	const found: PrintedBalance[] = [];
	let start = 0;
	for (const token of read.amounts) {
		// The day of a date may look like an amount.
		const inDate = read.dates.some(({ from, to }) => from < token.to && token.from < to);
		if (inDate) continue;
		const dates = read.dates.filter(({ from, to }) => from >= start && to <= token.from);
		const label = labelBefore(read, start, token.from, dates);
		const match = matchBalance(label);
		const before = read.line.words[token.from - 1];
		const sure =
			token.shape !== 'plain' || (before !== undefined && match !== null && match.kind !== 'dated');
		// Outside of a table the total balance may be that of several accounts.
		const several = match?.phrase === 'total balance';
		if (match && match.kind !== 'ignored' && sure && !several && !isSentence(label, match.phrase)) {
			found.push({
				kind: match.kind,
				token,
				date: dates[0] ?? null,
				owed: isOwed(label),
				inTable: false,
			});
		}
		// A number inside the label ("statement no. 12") does not end it.
		if (sure) start = token.to;
	}
	return found;
}

/** "The new balance after interest due on … of …" speaks of a balance; it does not print one. */
function isSentence(label: string, phrase: string): boolean {
	const after = label.slice(label.lastIndexOf(phrase) + phrase.length).split(' ');
	return after.filter((word) => /\p{L}{2}/u.test(word)).length > 4;
}

function labelBefore(
	read: ReadLine,
	from: number,
	to: number,
	dates: readonly DateToken[],
): string {
	const outside = [
		{ from: 0, to: from },
		{ from: to, to: read.line.words.length },
	];
	return plainWithout(read, [...dates, ...outside]);
}

function belowLabels(lines: readonly ReadLine[], at: number): PrintedBalance[] {
	const read = lines[at] as ReadLine;
	const segments = labelSegments(read);
	const labels = segments.map((segment) => {
		const match = matchBalance(segment.plain);
		return match && match.kind !== 'ignored' ? { ...segment, kind: match.kind } : null;
	});
	if (labels.every((label) => label === null)) return [];
	for (let next = at + 1; next <= at + 2; next++) {
		const below = lines[next];
		if (!below || below.line.pageNumber !== read.line.pageNumber) return [];
		if (below.line.y - read.line.y > 4.5 * read.line.fontSize) return [];
		const tokens = below.amounts.filter(
			({ from, to }) => !below.dates.some((date) => date.from < to && from < date.to),
		);
		if (tokens.length === 0) continue;
		const found: PrintedBalance[] = [];
		for (const [index, label] of labels.entries()) {
			if (!label) continue;
			const over = tokens.find(({ x0, x1 }) => Math.min(x1, label.x1) > Math.max(x0, label.x0));
			const token = over ?? (tokens.length === segments.length ? tokens[index] : undefined);
			if (token && (token.shape !== 'plain' || label.kind !== 'dated')) {
				found.push({
					kind: label.kind,
					token,
					date: label.date,
					owed: isOwed(label.plain),
					inTable: false,
				});
			}
		}
		return found;
	}
	return [];
}

interface Segment {
	plain: string;
	date: DateToken | null;
	x0: number;
	x1: number;
}

function labelSegments(read: ReadLine): Segment[] {
	const segments: { texts: string[]; date: DateToken | null; x0: number; x1: number }[] = [];
	for (const [index, word] of read.line.words.entries()) {
		const last = segments.at(-1);
		const date = read.dates.find(({ from, to }) => from <= index && index < to) ?? null;
		if (last && word.x0 - last.x1 <= 0.9 * word.fontSize) {
			if (!date) last.texts.push(word.text);
			last.date ??= date;
			last.x1 = word.x1;
		} else {
			segments.push({ texts: date ? [] : [word.text], date, x0: word.x0, x1: word.x1 });
		}
	}
	return segments.map(({ texts, ...rest }) => ({ ...rest, plain: plainText(texts.join(' ')) }));
}
