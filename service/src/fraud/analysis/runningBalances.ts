import {
	absoluteDecimal,
	canonicalDecimal,
	equalDecimals,
	isZeroDecimal,
	negateDecimal,
	subtractDecimals,
	sumDecimals,
} from '../../extraction/money/decimal.ts';
import type { StatementTransaction } from '../../extraction/statements/statement.ts';
import type { FraudSignal } from './fraudSignal.ts';
import type { PeriodRows, StatementView } from './statementView.ts';
import { rowInWords } from './wording.ts';

/** From one printed balance to the next one. */
interface Link {
	/** The row that prints the balance before; null for the balance at the start. */
	from: StatementTransaction | null;
	/** The rows that are summed, the last of which prints the balance after. */
	rows: StatementTransaction[];
	before: string;
	printed: string;
	expected: string;
	/** Printed minus expected; zero where it holds. */
	difference: string;
}

/** Fewer links say too little about the order in which the statement adds up. */
const FEWEST_LINKS = 3;

/** How the running balances of a period hold; other detectors ask for it. */
export interface RunningBalances {
	links: number;
	broken: number;
	/** The last printed balance of a row. */
	last: string | null;
	signals: FraudSignal[];
}

/**
 * Follows the running balance from row to row and names the rows that break it. Where most of it does
 * not hold, the order of the rows is unusual and nobody is accused; where the page prints an amount
 * that explains a break, the extraction has missed a row, and the signal stays a remark.
 */
export function runningBalances(view: StatementView, part: PeriodRows): RunningBalances {
	const links = linksOf(part);
	const broken = links.filter(({ difference }) => !isZeroDecimal(difference));
	const last = part.rows.findLast(({ balance }) => balance !== null)?.balance ?? null;
	const result: RunningBalances = {
		links: links.length,
		broken: broken.length,
		last,
		signals: [],
	};
	const usual = Math.max(2, Math.floor(links.length * 0.2));
	if (links.length < FEWEST_LINKS || broken.length > usual) return result;
	for (let index = 0; index < links.length; index++) {
		const link = links[index] as Link;
		if (isZeroDecimal(link.difference)) continue;
		const next = links[index + 1];
		// Off at one row and back at the next: that row's balance is the one that was changed.
		const back = next && equalDecimals(next.difference, negateDecimal(link.difference));
		if (back) index++;
		result.signals.push(signalOf(view, part, link, back === true, links.length, broken.length));
	}
	return result;
}

function linksOf(part: PeriodRows): Link[] {
	const links: Link[] = [];
	let before = part.period.startBalance;
	let from: StatementTransaction | null = null;
	let rows: StatementTransaction[] = [];
	for (const row of part.rows) {
		rows.push(row);
		if (row.balance === null) continue;
		if (before !== null) {
			const expected = sumDecimals([before, ...rows.map(({ amount }) => amount)]);
			links.push({
				from,
				rows,
				before,
				printed: row.balance,
				expected,
				difference: subtractDecimals(row.balance, expected),
			});
		}
		before = row.balance;
		from = row;
		rows = [];
	}
	return links;
}

function signalOf(
	view: StatementView,
	part: PeriodRows,
	link: Link,
	balanceAlone: boolean,
	links: number,
	broken: number,
): FraudSignal {
	const row = link.rows.at(-1) as StatementTransaction;
	const between = link.rows.length > 1 ? ` and the ${link.rows.length} rows up to it` : '';
	const facts =
		`${capital(rowInWords(row))} prints the balance ${link.printed}. ` +
		`The balance before it is ${link.before}; with its amount${between} it should be ${link.expected} ` +
		`(difference ${link.difference}). ${links - broken} of ${links} balances of the statement hold.`;
	const metadata = {
		account: part.account.account,
		printedBalance: link.printed,
		expectedBalance: link.expected,
		difference: link.difference,
		linksChecked: links,
		linksBroken: broken,
	};
	const remark = explanation(view, link);
	if (remark !== null) {
		return view.rowSignal(row, {
			type: 'balance_tampering',
			reasonCode: remark.code,
			confidence: remark.confidence,
			details: `${facts} ${remark.words}`,
			metadata,
		});
	}
	if (balanceAlone) {
		return view.rowSignal(row, {
			type: 'balance_tampering',
			reasonCode: 'row_balance_changed',
			confidence: links >= 5 ? 0.9 : 0.75,
			details: `${facts} The next row follows from ${link.expected}, so the printed balance of this row is the wrong one.`,
			metadata,
		});
	}
	const few = broken <= 2 ? 0.92 : 0.75;
	return view.rowSignal(row, {
		type: 'balance_tampering',
		reasonCode: 'running_balance_broken',
		confidence: links >= 6 ? few : Math.min(few, 0.7),
		details: `${facts} An amount was changed here, or a row was added or taken away.`,
		metadata,
	});
}

/** What else than tampering explains a break; null where nothing does. */
function explanation(
	view: StatementView,
	link: Link,
): { code: string; confidence: number; words: string } | null {
	const row = link.rows.at(-1) as StatementTransaction;
	const unread = [...link.rows, ...(link.from ? [link.from] : [])].find(
		(moved) => !view.isReadExactly(moved),
	);
	if (unread) {
		return {
			code: 'row_not_clear',
			confidence: 0.15,
			words: `The figures of ${rowInWords(unread)} do not stand in its line just as they were read.`,
		};
	}
	const { from: previous } = link;
	const twice = previous?.memo === row.memo && previous.balance === row.balance;
	if (twice && (view.lineOf(row) === null || view.lineOf(previous) === null)) {
		return {
			code: 'row_read_twice',
			confidence: 0.1,
			words: 'The row before it is the same and has no line of its own, so it was read twice.',
		};
	}
	const missing = canonicalDecimal(absoluteDecimal(link.difference));
	const between = linesBetween(view, link);
	const passed = between.find(
		(line) => view.unreadLines.includes(line) || view.valuesIn(line).includes(missing),
	);
	if (passed) {
		return {
			code: 'row_not_read',
			confidence: 0.1,
			words: `The line "${passed.text.slice(0, 80)}" stands between the rows and was probably not read as one.`,
		};
	}
	for (const moved of link.rows) {
		const line = view.lineOf(moved);
		const doubled = sumDecimals([moved.amount, moved.amount]);
		if (equalDecimals(absoluteDecimal(link.difference), absoluteDecimal(doubled))) {
			return {
				code: 'sign_not_clear',
				confidence: 0.15,
				words:
					'With the opposite sign the balance would hold, so the sign was probably read wrongly.',
			};
		}
		const needed = canonicalDecimal(absoluteDecimal(sumDecimals([moved.amount, link.difference])));
		const others = line ? view.valuesIn(line) : [];
		const balance =
			moved.balance === null ? null : canonicalDecimal(absoluteDecimal(moved.balance));
		if (needed !== '0' && needed !== balance && others.includes(needed)) {
			return {
				code: 'amount_not_clear',
				confidence: 0.15,
				words: `The row prints ${needed} too, with which the balance would hold.`,
			};
		}
	}
	if (link.from === null) {
		const start = canonicalDecimal(
			absoluteDecimal(subtractDecimals(link.printed, sumDecimals(link.rows.map((r) => r.amount)))),
		);
		const printed = view.figures.some(({ amount }) => canonicalDecimal(amount.value) === start);
		return printed
			? {
					code: 'start_not_clear',
					confidence: 0.1,
					words: `The balance from which the rows follow, ${start}, is printed too.`,
				}
			: null;
	}
	const from = view.lineOf(link.from);
	if (from && from.pageNumber !== row.pageNumber) {
		// What stands between two pages may have been on a third one.
		const gap = row.pageNumber - from.pageNumber > 1 || view.missingPages;
		if (gap) {
			return {
				code: 'page_missing',
				confidence: 0.2,
				words:
					'A page is missing between the two rows, by the numbers that are printed on the pages.',
			};
		}
	}
	return null;
}

/** Lines that belong to no row, from the balance before to the balance after. */
function linesBetween(view: StatementView, link: Link) {
	const row = link.rows.at(-1) as StatementTransaction;
	const one = link.from && view.lineOf(link.from);
	const other = view.lineOf(row);
	if (!other) return [];
	const place = (line: { pageNumber: number; lineNumber: number }) =>
		line.pageNumber * 10_000 + line.lineNumber;
	const ends = [one ? place(one) : other.pageNumber * 10_000, place(other)];
	const [low, high] = [Math.min(...ends) - 3, Math.max(...ends) + 3];
	return view.otherLines.filter((line) => place(line) > low && place(line) < high);
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
