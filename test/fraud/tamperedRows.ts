import { absolute, minorUnits } from '../documents/money.ts';
import { SeededRandom } from '../documents/seededRandom.ts';
import { figureIn, placedTransactions, styleOf, withFigure } from './printedFigures.ts';
import type { PlacedTransaction } from './printedFigures.ts';
import { drawRecorded } from './recordedSheet.ts';
import type { RecordedStatement, Retouching, TextCall } from './recordedSheet.ts';

/** A statement that was set anew with something else in its rows. */
export interface Retouched {
	layout: string;
	/** As the bank set it. */
	before: RecordedStatement;
	/** As it was set anew. */
	after: RecordedStatement;
	/** The text that stands in place of which; null where rows were moved. */
	changed: { call: TextCall; text: string } | null;
}

/** Layouts whose figures can be followed on the page. */
const WITH_FIGURES = [
	'usChecking',
	'ukCurrent',
	'germanGiro',
	'dutchStatement',
	'twoStatements',
	'creditCard',
	'indianSavings',
	'canadianBusiness',
	'usSections',
	'frenchReleve',
	'directionColumn',
	'newestFirst',
];
/** Of these, the ones that print a balance on their rows and totals beside. */
const WITH_TOTALS = ['usChecking', 'ukCurrent', 'canadianBusiness'];

interface Drawn {
	layout: string;
	random: SeededRandom;
	before: RecordedStatement;
	rows: PlacedTransaction[];
	again: (retouching: Retouching) => Promise<RecordedStatement>;
}

async function drawn(
	kind: string,
	seed: number,
	layouts: readonly string[],
	transactions?: number,
): Promise<Drawn> {
	const layout = layouts[seed % layouts.length] as string;
	// Some seeds have no row that fits; the next one is taken.
	for (let attempt = 0; attempt < 8; attempt++) {
		const options = { seed: seed + attempt * 1_000, ...(transactions && { transactions }) };
		const before = await drawRecorded(layout, options);
		const rows = placedTransactions(before);
		if (rows.length < 5) continue;
		return {
			layout,
			random: new SeededRandom(`${kind} ${seed}`),
			before,
			rows,
			again: async (retouching) => await drawRecorded(layout, options, retouching),
		};
	}
	throw new Error(`The rows of ${layout} cannot be found for seed ${seed}.`);
}

function retyped(texts: ReadonlyMap<number, string>): Retouching {
	return {
		retype: (call) => [{ ...call, text: texts.get(call.index) ?? call.text }],
	};
}

/** Another first digit: the figure stays as long as it was. */
export function otherDigit(text: string, random: SeededRandom): string {
	return text.replace(/\d/, (digit) =>
		String(((Number(digit) - 1 + random.between(1, 8)) % 9) + 1),
	);
}

function middleRow(rows: readonly PlacedTransaction[], random: SeededRandom): PlacedTransaction {
	const fit = rows.slice(1, -1).filter(({ transaction }) => Number(transaction.amount) !== 0);
	return random.pick(fit);
}

/** One amount is another; everything else stays. */
export async function amountChanged(seed: number): Promise<Retouched> {
	const { layout, random, before, rows, again } = await drawn('amount', seed, WITH_FIGURES);
	const { amount } = middleRow(rows, random);
	const text = otherDigit(amount.text, random);
	const after = await again(retyped(new Map([[amount.index, text]])));
	return { layout, before, after, changed: { call: amount, text } };
}

/** One credit is larger, and all balances after it and the balance at the end too; the totals stay. */
export async function balancesRecomputed(seed: number): Promise<Retouched> {
	const { layout, random, before, rows, again } = await drawn('recomputed', seed, WITH_TOTALS);
	const style = styleOf(before.calls, layout);
	const balanceOf = ({ transaction }: PlacedTransaction) => transaction.balance;
	const fit = rows.filter(
		({ transaction }, index) =>
			Number(transaction.amount) > 0 &&
			rows.slice(index).every((row) => !balanceOf(row)?.startsWith('-')),
	);
	// Where no credit fits, a debit becomes smaller.
	const chosen =
		fit.length > 0
			? random.pick(fit)
			: (rows.findLast(({ transaction }) => Number(transaction.amount) < -2) as PlacedTransaction);
	const at = rows.indexOf(chosen);
	const was = minorUnits(chosen.transaction.amount);
	const delta = was > 0n ? BigInt(random.between(120, 9_000)) * 100n : absolute(was) / 2n;
	const texts = new Map<number, string>();
	const set = (call: TextCall, minor: bigint) =>
		texts.set(call.index, withFigure(call.text, minor, style));
	set(chosen.amount, absolute(was + delta));
	const later = rows.slice(at);
	for (const { balance, transaction } of later) {
		if (balance && transaction.balance !== null)
			set(balance, absolute(minorUnits(transaction.balance) + delta));
	}
	// Balances that are carried on, and the balance at the end, wherever they are printed.
	const carried = new Set(
		later.flatMap(({ transaction }) =>
			transaction.balance === null ? [] : [absolute(minorUnits(transaction.balance))],
		),
	);
	const ofRows = new Set(
		rows.flatMap(({ amount, balance }) => [amount.index, balance?.index ?? -1]),
	);
	for (const call of before.calls) {
		const value = figureIn(call.text);
		if (value !== null && carried.has(value) && !ofRows.has(call.index)) set(call, value + delta);
	}
	const after = await again(retyped(texts));
	return { layout, before, after, changed: null };
}

/** The row's texts: those from its top to the top of the next row of the page. */
function rowCalls(before: RecordedStatement, rows: readonly PlacedTransaction[], at: number) {
	const row = rows[at] as PlacedTransaction;
	const next = rows[at + 1] as PlacedTransaction;
	const inRow = (call: TextCall) =>
		call.page === row.amount.page && call.y >= row.top - 1 && call.y < next.top - 1;
	return { row, next, height: next.top - row.top, calls: before.calls.filter(inRow) };
}

/** Rows that have another one below them on their page. */
function rowsWithNext(rows: readonly PlacedTransaction[]): number[] {
	return rows.flatMap(({ amount, top, transaction }, index) => {
		const next = rows[index + 1];
		const fits =
			index > 0 &&
			next &&
			next.amount.page === amount.page &&
			next.top > top + 4 &&
			Number(transaction.amount) !== 0;
		return fits ? [index] : [];
	});
}

/** A row is taken away, and those below it move up. */
export async function rowDeleted(seed: number): Promise<Retouched> {
	const layouts = WITH_FIGURES.filter((name) => name !== 'usSections');
	const { layout, random, before, rows, again } = await drawn('deleted', seed, layouts, 16);
	const at = random.pick(rowsWithNext(rows));
	const { row, height, calls } = rowCalls(before, rows, at);
	const gone = new Set(calls.map(({ index }) => index));
	const lowest = Math.max(
		...rows.filter(({ amount }) => amount.page === row.amount.page).map(({ amount }) => amount.y),
	);
	const after = await again({
		retype: (call) => {
			if (gone.has(call.index)) return [];
			const moves = call.page === row.amount.page && call.y > row.top && call.y < lowest + 30;
			return [{ ...call, y: moves ? call.y - height : call.y }];
		},
	});
	return { layout, before, after, changed: null };
}

/** A row is put in that looks like the one above it, and those below it move down. */
export async function rowInserted(seed: number): Promise<Retouched> {
	const layouts = WITH_FIGURES.filter((name) => name !== 'usSections');
	const { layout, random, before, rows, again } = await drawn('inserted', seed, layouts, 12);
	const style = styleOf(before.calls, layout);
	const at = random.pick(rowsWithNext(rows));
	const { row, height, calls } = rowCalls(before, rows, at);
	const copied = new Set(calls.map(({ index }) => index));
	const value = BigInt(random.between(40_000, 900_000));
	const after = await again({
		retype: (call) => {
			const below = call.page === row.amount.page && call.y >= row.top + height - 1 && call.y < 712;
			const moved = { ...call, y: below ? call.y + height : call.y };
			if (!copied.has(call.index)) return [moved];
			const text =
				call.index === row.amount.index ? withFigure(call.text, value, style) : call.text;
			return [call, { ...call, text, y: call.y + height }];
		},
	});
	return { layout, before, after, changed: null };
}

/** The balance at the end is higher than the rows make it. */
export async function endBalanceRaised(seed: number): Promise<Retouched> {
	const { layout, random, before, rows, again } = await drawn('end', seed, WITH_FIGURES);
	const style = styleOf(before.calls, layout);
	const end = before.truth.accounts.at(-1)?.periods.at(-1)?.endBalance ?? '0.00';
	const value = absolute(minorUnits(end));
	const raised = value + BigInt(random.between(500, 90_000)) * 100n;
	const ofRows = new Set(
		rows.flatMap(({ amount, balance }) => [amount.index, balance?.index ?? -1]),
	);
	const texts = new Map<number, string>();
	for (const call of before.calls) {
		if (figureIn(call.text) === value && !ofRows.has(call.index))
			texts.set(call.index, withFigure(call.text, raised, style));
	}
	const after = await again(retyped(texts));
	return { layout, before, after, changed: null };
}

const OTHER_FONTS = ['Times-Roman', 'Courier', 'Times-Bold', 'Courier-Bold'];

/** A figure, or some of its digits, in another font or size; what it says stays, as after a careful recount. */
export async function otherFont(seed: number): Promise<Retouched> {
	const { layout, random, before, rows, again } = await drawn('font', seed, WITH_FIGURES);
	const { amount } = middleRow(rows, random);
	const way = seed % 3;
	const font = random.pick(OTHER_FONTS);
	const after = await again({
		retype: (call) => {
			if (call.index !== amount.index) return [call];
			if (way === 0) return [{ ...call, style: { ...call.style, font } }];
			if (way === 1)
				return [
					{
						...call,
						y: call.y - 0.6,
						style: { ...call.style, size: (call.style.size ?? 9) + 0.8 },
					},
				];
			return splitFigure(call, font);
		},
	});
	return { layout, before, after, changed: null };
}

/** The first digits in another font, the others as they were, one beside the other. */
function splitFigure(call: TextCall, font: string): Omit<TextCall, 'index' | 'page'>[] {
	const { text, style } = call;
	const at = text.search(/[.,]\d{2}/);
	const [one, two] = [text.slice(0, at), text.slice(at)];
	// About half the size of the font is the width of a digit, a quarter that of a point.
	const size = style.size ?? 9;
	const wide = [...two].reduce(
		(sum, letter) => sum + (/\d/.test(letter) ? 0.556 : 0.278) * size,
		0,
	);
	if (style.align === 'right') {
		return [
			{ ...call, text: two },
			{ ...call, text: one, x: call.x - wide, style: { ...style, font } },
		];
	}
	const first = [...one].reduce(
		(sum, letter) => sum + (/\d/.test(letter) ? 0.556 : 0.278) * size,
		0,
	);
	const left = style.align === 'center' ? call.x - (first + wide) / 2 : call.x;
	return [
		{ ...call, text: one, x: left, style: { ...style, font, align: 'left' } },
		{ ...call, text: two, x: left + first, style: { ...style, align: 'left' } },
	];
}

/** A white box over an amount, and another amount written on it, at the end of the page's content. */
export async function whiteBox(seed: number): Promise<Retouched> {
	const { layout, random, before, rows, again } = await drawn('box', seed, WITH_FIGURES);
	const { amount } = middleRow(rows, random);
	const text = otherDigit(amount.text, random);
	const after = await again({
		atEnd: (sheet, write) => {
			const wide = sheet.measure(amount.text, amount.style);
			const { align } = amount.style;
			const left = amount.x - (align === 'right' ? wide : align === 'center' ? wide / 2 : 0);
			const size = amount.style.size ?? 9;
			sheet.doc.switchToPage(amount.page - 1);
			sheet.fill(left - 1, amount.y - 1, wide + 2, size + 1, '#ffffff');
			write(text, amount.x, amount.y, amount.style);
		},
	});
	return { layout, before, after, changed: { call: amount, text } };
}
