import {
	absoluteDecimal,
	canonicalDecimal,
	equalDecimals,
	isNegativeDecimal,
	isZeroDecimal,
	subtractDecimals,
	sumDecimals,
} from '../../extraction/money/decimal.ts';
import { isTotalsText } from '../../extraction/statements/vocabulary/totals.ts';
import { plainText } from '../../extraction/statements/vocabulary/plainText.ts';
import type { PrintedRow } from '../../extraction/statements/statement.ts';
import type { FraudSignal } from './fraudSignal.ts';
import { kindOf } from './balanceLabels.ts';
import { doubts, sumsOf } from './periodBalances.ts';
import type { PrintedFigure, StatementView } from './statementView.ts';

type Direction = 'in' | 'out';

/** Words of a total of money that came in, or went out, over the whole period. */
const TOTAL_IN =
	/\b(?:deposits?|credits?|paid in|money in|payments in|additions|incoming|bijgeschreven|bij|gutschriften|haben|eingange|einnahmen|crediteurs?|abonos|entrate|accrediti|receipts)\b/;
const TOTAL_OUT =
	/\b(?:withdrawals?|debits?|paid out|money out|payments out|subtractions|outgoing|checks?|cheques?|fees?|charges?|purchases?|cash advances?|interest|afgeschreven|af|lastschriften|soll|ausgange|ausgaben|belastungen|debiteurs?|cargos|uscite|addebiti)\b/;
const PAYMENTS_OF_CARD = /\b(?:payments?)\b/;
const NO_TOTAL =
	/\b(?:limit|line|available|average|minimum|due|apr|rate|year|ytd|last|previous statement|per day|overdraft|tax|number|earned|balance|pending)\b/;

interface Claim {
	direction: Direction;
	value: string;
	figure: PrintedFigure;
}

/**
 * Printed totals and counts against the rows. Nobody is accused for a total alone, since its words may
 * mean something else: the total of the other direction has to agree with the rows exactly, so that
 * it is known what is meant.
 *
 * @param off differences of running balances that were found
 * @param accused whether a row was found at which the running balance breaks without another reason
 */
export function printedTotals(
	view: StatementView,
	off: ReadonlySet<string>,
	accused: boolean,
): FraudSignal[] {
	const [part] = view.periods.filter(({ rows }) => rows.length > 0);
	const signals = pageTotals(view);
	if (!part || view.periods.filter(({ rows }) => rows.length > 0).length !== 1) return signals;
	const sums = sumsOf(part.rows.map(({ amount }) => amount));
	const claims = summaryClaims(view, view.input.statement.accounts.length === 1);
	const found: Record<Direction, Claim[]> = {
		in: claims.filter(({ direction }) => direction === 'in'),
		out: claims.filter(({ direction }) => direction === 'out'),
	};
	const said = {
		in: sumDecimals(found.in.map(({ value }) => value)),
		out: sumDecimals(found.out.map(({ value }) => value)),
	};
	const agrees = (direction: Direction) =>
		found[direction].length > 0 && equalDecimals(said[direction], sums[direction]);
	for (const [direction, other] of [
		['in', 'out'],
		['out', 'in'],
	] as const) {
		const [claim] = found[direction].toSorted((a, b) => Number(b.value) - Number(a.value));
		if (!claim || agrees(direction)) continue;
		const difference = subtractDecimals(sums[direction], said[direction]);
		const explained = off.has(difference) || off.has(absoluteDecimal(difference));
		const { startBalance, endBalance } = part.period;
		// What is printed at both ends and between them contradicts itself, whatever the rows say.
		const moved =
			startBalance !== null && endBalance !== null && found.in.length > 0 && found.out.length > 0
				? subtractDecimals(endBalance, startBalance)
				: null;
		const ends = moved !== null && equalDecimals(moved, subtractDecimals(said.in, said.out));
		// What the rows do not hold may not have been read; then the total is right and nobody lied.
		const sure = part.period.isReconciled || accused;
		const doubt = sure ? null : doubts(view, part, difference);
		const certain = agrees(other) ? (sure ? 0.85 : 0.65) : explained || ends ? 0.3 : 0.2;
		const confidence =
			view.missingPages || view.input.statement.notes.length > 0 || doubt !== null ? 0.15 : certain;
		signals.push({
			type: 'balance_tampering',
			reasonCode: 'total_differs_from_rows',
			confidence,
			details:
				`The statement says that ${said[direction]} ${direction === 'in' ? 'came in' : 'went out'} ` +
				`("${claim.figure.label.slice(0, 60)}"), but its rows make ${sums[direction]} (difference ${difference}).` +
				(agrees(other)
					? ` The total of what ${other === 'in' ? 'came in' : 'went out'}, ${said[other]}, agrees with the rows.`
					: ''),
			...placeOf(view, claim.figure.line),
			period: part.period.period,
			metadata: {
				account: part.account.account,
				direction,
				printedTotal: said[direction],
				sumOfRows: sums[direction],
				difference,
			},
		});
	}
	signals.push(...printedCounts(view, part, part.period.isReconciled || accused));
	return signals;
}

function placeOf(view: StatementView, line: PrintedRow) {
	return { pageNumber: line.pageNumber, bbox: view.boxOf(line), text: line.text };
}

function summaryClaims(view: StatementView, single: boolean): Claim[] {
	if (!single) return [];
	const claims: Claim[] = [];
	const isCard = view.input.statement.accounts.some(({ periods }) =>
		periods.some(
			({ startBalance, endBalance }) =>
				(startBalance !== null && isNegativeDecimal(startBalance)) ||
				(endBalance !== null && isNegativeDecimal(endBalance)),
		),
	);
	const first = view.figures[0]?.line.pageNumber ?? 1;
	for (const figure of view.figures) {
		if (figure.line.pageNumber > first || figure.amount.shape !== 'decimal') continue;
		const plain = plainText(figure.label);
		if (plain === '' || plain.length > 60 || NO_TOTAL.test(plain)) continue;
		if (kindOf(figure.label) !== null) continue;
		const into = TOTAL_IN.test(plain) || (isCard && PAYMENTS_OF_CARD.test(plain));
		const out = TOTAL_OUT.test(plain) && !/\bcredits?\b/.test(plain);
		if (into === out) continue;
		const direction = into ? 'in' : 'out';
		// The same total may be printed twice: in a summary and above its section.
		const twice = claims.some(
			(claim) => claim.direction === direction && equalDecimals(claim.value, figure.amount.value),
		);
		if (!twice || isZeroDecimal(figure.amount.value))
			claims.push({ direction, value: figure.amount.value, figure });
	}
	return claims;
}

const COUNTS: [Direction, RegExp][] = [
	[
		'in',
		/(?:#|\bno\.?|\bnumber|\bcount) of (?:deposits|credits|deposits\/credits|paid in|additions)\D{0,16}?(\d{1,5})\b(?![.,]\d)/i,
	],
	[
		'out',
		/(?:#|\bno\.?|\bnumber|\bcount) of (?:withdrawals|debits|withdrawals\/debits|paid out|subtractions)\D{0,16}?(\d{1,5})\b(?![.,]\d)/i,
	],
];

function printedCounts(
	view: StatementView,
	part: { rows: readonly { amount: string }[]; period: { period: string } },
	sure: boolean,
): FraudSignal[] {
	const counted = {
		in: part.rows.filter(({ amount }) => !isNegativeDecimal(amount) && !isZeroDecimal(amount))
			.length,
		out: part.rows.filter(({ amount }) => isNegativeDecimal(amount)).length,
	};
	const said = new Map<Direction, { count: number; line: PrintedRow }>();
	for (const line of view.otherLines) {
		for (const [direction, pattern] of COUNTS) {
			const match = pattern.exec(line.text);
			if (match && !said.has(direction)) said.set(direction, { count: Number(match[1]), line });
		}
	}
	return [...said].flatMap(([direction, { count, line }]): FraudSignal[] => {
		if (count === counted[direction]) return [];
		const other = direction === 'in' ? 'out' : 'in';
		const agrees = said.get(other)?.count === counted[other];
		return [
			{
				type: 'balance_tampering',
				reasonCode: 'count_differs_from_rows',
				confidence: view.missingPages || !sure ? 0.15 : agrees ? 0.75 : 0.3,
				details:
					`The statement counts ${count} rows with money ${direction === 'in' ? 'in' : 'out'}, ` +
					`but prints ${counted[direction]}.`,
				...placeOf(view, line),
				period: part.period.period,
				metadata: { direction, printedCount: count, rows: counted[direction] },
			},
		];
	});
}

/** Totals at the foot of a page that prints one for each direction. */
function pageTotals(view: StatementView): FraudSignal[] {
	const signals: FraudSignal[] = [];
	for (const line of view.otherLines) {
		const plain = plainText(line.text.replaceAll(/[\d.,]+/g, ' '));
		if (!/\bpage\b|\bseite\b|\bpagina\b/.test(plain) || !isTotalsText(plain)) continue;
		const values = view.valuesIn(line);
		const [one, two] = values;
		if (values.length !== 2 || one === undefined || two === undefined) continue;
		const rows = view.input.statement.accounts
			.flatMap(({ transactions }) => transactions)
			.filter(({ pageNumber }) => pageNumber === line.pageNumber);
		const sums = sumsOf(rows.map(({ amount }) => amount));
		const pairs = [
			[one, sums.out, two, sums.in],
			[two, sums.out, one, sums.in],
		] as const;
		if (pairs.some(([a, b, c, d]) => equalDecimals(a, b) && equalDecimals(c, d))) continue;
		const half = pairs.find(([a, b, c, d]) => equalDecimals(a, b) || equalDecimals(c, d));
		if (!half) continue;
		const [printed, made] = equalDecimals(half[0], half[1])
			? [half[2], half[3]]
			: [half[0], half[1]];
		const missing = canonicalDecimal(absoluteDecimal(subtractDecimals(printed, made)));
		const unread =
			rows.some((row) => !view.isReadExactly(row)) ||
			view.otherAmountExplains(rows, missing) ||
			view.unreadLines.some(({ pageNumber }) => pageNumber === line.pageNumber);
		signals.push({
			type: 'balance_tampering',
			reasonCode: 'page_total_differs_from_rows',
			confidence: unread ? 0.15 : 0.85,
			details:
				`The foot of page ${line.pageNumber} prints a total of ${printed}, but the rows of that page ` +
				`make ${made}. The other total of the page agrees with its rows.`,
			...placeOf(view, line),
			period: rows[0]?.period ?? null,
			metadata: { printedTotal: printed, sumOfRows: made },
		});
	}
	return signals;
}
