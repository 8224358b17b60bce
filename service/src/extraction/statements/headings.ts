import type { Word } from '../page.ts';
import { isCurrencyMark } from '../money/currency.ts';
import type { ReadLine } from './readLine.ts';
import { isDailyBalances, sectionDirection } from './vocabulary/sections.ts';
import { countHeadingWords, LONGEST_HEADING, roleOfHeading } from './vocabulary/headings.ts';
import type { ColumnRole } from './vocabulary/headings.ts';
import { plainText } from './vocabulary/plainText.ts';

export interface HeadingColumn {
	role: ColumnRole;
	x0: number;
	x1: number;
}

export interface Heading {
	/** How many lines it takes. */
	height: number;
	columns: HeadingColumn[];
}

const MONEY: ReadonlySet<ColumnRole> = new Set([
	'debit',
	'credit',
	'amount',
	'balance',
	'availableBalance',
]);
const DATES: ReadonlySet<ColumnRole> = new Set(['date', 'postingDate', 'valueDate']);

export function isMoneyRole(role: ColumnRole): boolean {
	return MONEY.has(role);
}

export function isDateRole(role: ColumnRole): boolean {
	return DATES.has(role);
}

interface Piece {
	text: string;
	x0: number;
	x1: number;
	fontSize: number;
}

/** Units, signs and fillers beside the name of a column. */
function isFiller(text: string): boolean {
	const plain = plainText(text);
	return (
		plain === '' ||
		/^[-+−/|&]+$/.test(plain) ||
		isCurrencyMark(text.replaceAll(/[()[\]]/g, '')) ||
		/^(?:in|rs|eur|euro|euros|inr|usd|gbp|chf|€|£|\$|₹)$/.test(plain)
	);
}

/**
 * Looks for the headings of a table at `lines[at]`: on one line, or on up to three lines that stand
 * close together. Null where the line is none.
 */
export function headingAt(lines: readonly ReadLine[], at: number): Heading | null {
	const first = lines[at];
	if (!first || !mayBeHeading(first) || !speaksOfColumns(first)) return null;
	let best: Heading | null = null;
	let bestScore = 0;
	const block: ReadLine[] = [];
	for (let height = 1; height <= 3; height++) {
		const next = lines[at + height - 1];
		const above = block.at(-1);
		if (!next || !mayBeHeading(next)) break;
		if (above) {
			if (next.line.pageNumber !== above.line.pageNumber) break;
			const sizes = [next.line.fontSize, above.line.fontSize];
			if (next.line.y - above.line.y > 2 * Math.min(...sizes)) break;
			if (Math.max(...sizes) > 1.25 * Math.min(...sizes)) break;
		}
		block.push(next);
		const heading = height === 1 ? fromLine(next) : fromBlock(block);
		if (!heading || !isTableHeading(heading.columns)) continue;
		const score = scoreOf(heading);
		if (score > bestScore) {
			bestScore = score;
			best = { height, columns: withRolesSettled(heading.columns) };
		}
	}
	// A title above the headings is no part of them.
	for (const below of block.slice(1)) {
		const alone = fromLine(below);
		if (alone && isTableHeading(alone.columns) && scoreOf(alone) >= bestScore) return null;
	}
	return best;
}

/**
 * What some headings mean depends on the others. Beside columns for money in and out, interest is
 * money in; elsewhere it is part of an amount. Beside a balance, the available one is a note.
 */
function withRolesSettled(columns: readonly HeadingColumn[]): HeadingColumn[] {
	const roles = new Set(columns.map(({ role }) => role));
	const interest = roles.has('debit') && roles.has('credit') ? 'credit' : 'aside';
	const available = roles.has('balance') ? 'aside' : 'balance';
	// After money in and money out an "Amount" at the right edge is what is there then.
	const total =
		roles.has('debit') && roles.has('credit') && !roles.has('balance') && !roles.has('date')
			? columns.findLastIndex(({ role }) => isMoneyRole(role))
			: -1;
	return columns.map((column, index) => {
		if (column.role === 'amount' && index === total && total >= 2)
			return { ...column, role: 'balance' };
		if (column.role === 'interest') return { ...column, role: interest };
		return column.role === 'availableBalance' ? { ...column, role: available } : column;
	});
}

/** The title of a section stands above the headings; its words are those of columns. */
function isTitle({ plain, line }: ReadLine): boolean {
	const apart = line.words.some(
		(word, index) => index > 0 && word.x0 - (line.words[index - 1]?.x1 ?? 0) > word.fontSize,
	);
	return !apart && (sectionDirection(plain, false) !== null || isDailyBalances(plain));
}

function mayBeHeading(read: ReadLine): boolean {
	const { line, amounts, dates } = read;
	if (line.words.length > 30) return false;
	if (amounts.some(({ shape }) => shape !== 'plain')) return false;
	return dates.length === 0 && !isTitle(read);
}

/** Most lines hold hardly any word of a heading and need no closer look. */
function speaksOfColumns({ plain }: ReadLine): boolean {
	const words = plain.split(' ');
	return countHeadingWords(words) * 3 >= words.length;
}

interface Candidate {
	columns: HeadingColumn[];
	/** Part of the words that belong to a known heading. */
	known: number;
}

function scoreOf({ columns, known }: Candidate): number {
	const roles = new Set(columns.filter(({ role }) => role !== 'other').map(({ role }) => role));
	// One caption over both columns ("Amount" over "Debit" and "Credit") is no column of its own.
	const caption = roles.has('amount') && (roles.has('debit') || roles.has('credit'));
	return roles.size + (known >= 0.99 ? 0.4 : 0) - (caption ? 1.5 : 0);
}

function isTableHeading(columns: HeadingColumn[]): boolean {
	const roles = new Set(columns.map(({ role }) => role));
	const money = [...roles].some(isMoneyRole);
	const date = [...roles].some(isDateRole);
	const moves = roles.has('debit') || roles.has('credit') || roles.has('amount');
	const text = roles.has('description') || roles.has('counterparty') || roles.has('checkNumber');
	// Balances alone, with a date: day by day. Without a date: a summary.
	if (!money || !(date || (text && moves))) return false;
	// Prose has no gaps between its words.
	return columns.some(
		(column, index) => index > 0 && column.x0 - (columns[index - 1]?.x1 ?? 0) > 9,
	);
}

function fromLine({ line }: ReadLine): Candidate | null {
	return matched(line.words.flatMap(piecesOfWord));
}

/** Two headings may touch: `EURGutschrift` ends one and begins the next. */
function piecesOfWord(word: Word): Piece[] {
	const [, unit = '', name = ''] = /^([A-Z]{3})(\p{Lu}\p{Ll}{3,})$/u.exec(word.text) ?? [];
	if (!isCurrencyMark(unit)) return [word];
	const { x0, x1, fontSize } = word;
	const at = x0 + ((x1 - x0) * unit.length) / word.text.length;
	return [
		{ text: unit, x0, x1: at, fontSize },
		{ text: name, x0: at, x1, fontSize },
	];
}

/** A known heading, or a word that belongs to none, in the order of the line. */
interface Part {
	role: ColumnRole | null;
	plain: string;
	x0: number;
	x1: number;
	wordCount: number;
}

/** Matches the longest known headings from left to right. */
function matched(pieces: readonly Piece[]): Candidate | null {
	const parts: Part[] = [];
	let index = 0;
	while (index < pieces.length) {
		const piece = pieces[index] as Piece;
		const previous = parts.at(-1);
		const close = previous !== undefined && piece.x0 - previous.x1 < 0.75 * piece.fontSize;
		// The unit of the heading before it: "Betrag in EUR".
		if (previous && close && isFiller(piece.text)) {
			previous.x1 = piece.x1;
			index++;
			continue;
		}
		const found = longestHeading(pieces, index);
		if (found) {
			parts.push(found);
			index += found.wordCount;
			continue;
		}
		if (!isFiller(piece.text)) {
			const { x0, x1, text } = piece;
			parts.push({ role: null, plain: plainText(text), x0, x1, wordCount: 1 });
		}
		index++;
	}
	// "haben" inside a sentence is no heading.
	const columns = parts.filter((part, at) => part.role !== null && !isStray(parts, at));
	const known = columns.reduce((count, { wordCount }) => count + wordCount, 0);
	const counted = parts.reduce((count, { wordCount }) => count + wordCount, 0);
	if (columns.length < 2 || known / counted < 0.55) return null;
	return {
		columns: columns.map(({ role, x0, x1 }) => ({ role: role as ColumnRole, x0, x1 })),
		known: known / counted,
	};
}

function longestHeading(pieces: readonly Piece[], at: number): Part | null {
	const first = pieces[at] as Piece;
	let found: Part | null = null;
	let text = '';
	for (let length = 1; length <= LONGEST_HEADING && at + length <= pieces.length; length++) {
		const last = pieces[at + length - 1] as Piece;
		const before = pieces[at + length - 2];
		if (length > 1 && before && last.x0 - before.x1 > 0.75 * last.fontSize) break;
		text = `${text} ${last.text}`;
		const plain = plainText(text);
		const role = roleOfHeading(plain);
		if (role) found = { role, plain, x0: first.x0, x1: last.x1, wordCount: length };
	}
	return found;
}

/** A short everyday word that touches words which are no headings. */
function isStray(parts: readonly Part[], at: number): boolean {
	const part = parts[at] as Part;
	if (part.wordCount > 1 || part.plain.length > 5) return false;
	const touches = (other: Part | undefined) =>
		other !== undefined &&
		other.role === null &&
		Math.max(part.x0, other.x0) - Math.min(part.x1, other.x1) < 6;
	return touches(parts[at - 1]) || touches(parts[at + 1]);
}

/** Joins what stands above each other in several lines, then names each column. */
function fromBlock(block: readonly ReadLine[]): Candidate | null {
	const cells: { texts: string[]; x0: number; x1: number }[] = [];
	for (const { line } of block) {
		for (const piece of segments(line.words)) {
			const over = cells.filter((cell) => {
				const overlap = Math.min(cell.x1, piece.x1) - Math.max(cell.x0, piece.x0);
				return overlap > 0.3 * Math.min(cell.x1 - cell.x0, piece.x1 - piece.x0);
			});
			// A caption over several columns says nothing about each of them.
			if (over.length > 1) return null;
			const cell = over[0];
			if (cell) {
				cell.texts.push(piece.text);
				cell.x0 = Math.min(cell.x0, piece.x0);
				cell.x1 = Math.max(cell.x1, piece.x1);
			} else {
				cells.push({ texts: [piece.text], x0: piece.x0, x1: piece.x1 });
			}
		}
	}
	cells.sort((left, right) => left.x0 - right.x0);
	const columns: HeadingColumn[] = [];
	let known = 0;
	for (const { texts, x0, x1 } of cells) {
		const role = roleOfCell(texts.join(' '));
		if (role) known++;
		columns.push({ role: role ?? 'other', x0, x1 });
	}
	if (known < 2 || known / cells.length < 0.6) return null;
	return { columns, known: known / cells.length };
}

function segments(words: readonly Word[]): Piece[] {
	const pieces: Piece[] = [];
	for (const word of words) {
		const last = pieces.at(-1);
		if (last && word.x0 - last.x1 <= 0.75 * word.fontSize) {
			last.text += ` ${word.text}`;
			last.x1 = word.x1;
		} else {
			pieces.push({ text: word.text, x0: word.x0, x1: word.x1, fontSize: word.fontSize });
		}
	}
	return pieces;
}

function roleOfCell(text: string): ColumnRole | null {
	const words = text.split(' ').filter((word) => !isFiller(word));
	for (let length = Math.min(words.length, LONGEST_HEADING); length >= 1; length--) {
		for (let from = 0; from + length <= words.length; from++) {
			const role = roleOfHeading(plainText(words.slice(from, from + length).join(' ')));
			if (role) return role;
		}
	}
	return null;
}
