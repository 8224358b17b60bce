import {
	absoluteDecimal,
	equalDecimals,
	isNegativeDecimal,
	isZeroDecimal,
	negateDecimal,
	subtractDecimals,
	sumDecimals,
} from '../money/decimal.ts';
import { signWord } from '../money/printedAmount.ts';
import type { SignMark } from '../money/printedAmount.ts';
import type { DecimalText } from './statement.ts';
import type { SectionDirection } from './vocabulary/sections.ts';

/** What signs are decided from, for one row. */
export interface SignedRow {
	role: 'debit' | 'credit' | 'amount';
	/** Without sign. */
	value: DecimalText;
	mark: SignMark;
	/** The text of a column such as `Type` or `Dr/Cr`; empty where there is none. */
	type: string;
	section: SectionDirection | null;
	/** The running balance, signed, where it is printed on the row. */
	balance: DecimalText | null;
	/** The row's words in plain form. */
	plain: string;
}

export interface SignContext {
	isCard: boolean;
	/** As printed; positive is a debt on the statement of a card. */
	opening: DecimalText | null;
	closing: DecimalText | null;
	newestFirst: boolean;
}

export interface DecidedSigns {
	amounts: DecimalText[];
	/** True where the printed balances count what is owed, so that they are negative for us. */
	balancesOwed: boolean;
	notes: string[];
}

type Sign = 1 | -1;

const TYPE_IN =
	/\b(?:credit|cr|deposit|interest|dividend|bij|haben|gutschrift|abono|ingreso|accredito|avere|in)\b/;
const TYPE_OUT =
	/\b(?:debit|dr|withdrawal|fee|fees|charge|charges|charged|purchase|af|soll|lastschrift|cargo|adeudo|addebito|dare|out)\b/;
const WORDS_IN =
	/\b(?:deposit|salary|payroll|wages|interest (?:earned|paid|credit)|refund|cashback|received|credit|incoming|dividend|pension|loon|salaris|storting|ontvangen|gehalt|lohn|gutschrift|eingang|salaire|remise|versement|recu|nomina|ingreso|abono|stipendio|accredito|bonifico a vostro favore|thank you|payment received)\b/;

/** Gives each row its sign: negative is outgoing. Nothing but the sign of an amount is ever decided here. */
export function decideSigns(rows: readonly SignedRow[], context: SignContext): DecidedSigns {
	const notes: string[] = [];
	const signs: (Sign | null)[] = rows.map(() => null);
	decideColumns(rows, signs);
	const single = rows.flatMap((row, index) => (row.role === 'amount' ? [index] : []));
	let balancesOwed = false;
	if (context.isCard) {
		balancesOwed = decideCard(rows, single, signs, context);
	} else {
		decideMarks(rows, single, signs, context);
	}
	const undecided = signs.flatMap((sign, index) => (sign === null ? [index] : []));
	if (undecided.length > 0) {
		const guessed = undecided.filter((index) => {
			const plain = rows[index]?.plain ?? '';
			signs[index] = WORDS_IN.test(plain) ? 1 : -1;
			return !isZeroDecimal(rows[index]?.value ?? '0');
		});
		if (guessed.length > 0) {
			notes.push(
				`${guessed.length} amount(s) have no sign, no column and no balance that tells whether money came in or went out; the words of the row decided. Please check their signs.`,
			);
		}
	}
	checkBalances(rows, signs, context, balancesOwed, notes);
	const amounts = rows.map(({ value }, index) =>
		signs[index] === -1 && !isZeroDecimal(value) ? negateDecimal(value) : value,
	);
	return { amounts, balancesOwed, notes };
}

/** Debit and credit columns. A minus in one of them means a reversal, unless all are printed so. */
function decideColumns(rows: readonly SignedRow[], signs: (Sign | null)[]): void {
	for (const [role, usual] of [
		['debit', -1],
		['credit', 1],
	] as const) {
		const indexes = rows.flatMap((row, index) => (row.role === role ? [index] : []));
		const minus = indexes.filter((index) => rows[index]?.mark === 'minus');
		const allMinus = minus.length * 2 > indexes.length;
		for (const index of indexes) {
			const reversed = rows[index]?.mark === 'minus' && !allMinus;
			signs[index] = reversed ? (-usual as Sign) : usual;
		}
	}
}

function directMark(row: SignedRow): Sign | null {
	if (row.mark === 'credit') return 1;
	if (row.mark === 'debit') return -1;
	return null;
}

function typeSign(row: SignedRow): Sign | null {
	const word = signWord(row.type.trim());
	if (word) return word === 'credit' ? 1 : -1;
	const plain = row.type.toLowerCase();
	if (plain === '' || plain.length > 24) return null;
	const incoming = TYPE_IN.test(plain);
	const outgoing = TYPE_OUT.test(plain);
	if (incoming === outgoing) return null;
	return incoming ? 1 : -1;
}

function sectionSign(row: SignedRow): Sign | null {
	if (row.section === null) return null;
	return row.section === 'in' ? 1 : -1;
}

function decideMarks(
	rows: readonly SignedRow[],
	single: readonly number[],
	signs: (Sign | null)[],
	context: SignContext,
): void {
	const at = (index: number) => rows[index] as SignedRow;
	const count = (mark: SignMark) => single.filter((index) => at(index).mark === mark).length;
	const [minus, plus, credit, debit] = [
		count('minus'),
		count('plus'),
		count('credit'),
		count('debit'),
	];
	for (const index of single) {
		const row = at(index);
		if (row.mark === 'minus') signs[index] = -1;
		else if (row.mark === 'plus') signs[index] = 1;
		else signs[index] = directMark(row);
	}
	// In a section for one direction an unsigned amount goes that way, a minus there is usual or a reversal.
	for (const section of ['in', 'out'] as const) {
		const own = single.filter((index) => at(index).section === section);
		const marked = own.filter((index) => at(index).mark === 'minus');
		const reversal = section === 'out' && marked.length > 0 && marked.length * 3 < own.length;
		for (const index of own) {
			if (at(index).mark === 'none') signs[index] = section === 'in' ? 1 : -1;
			else if (reversal && at(index).mark === 'minus') signs[index] = 1;
		}
	}
	const unmarked = single.filter((index) => signs[index] === null);
	if (unmarked.length === 0) return;
	if (minus > 0) setAll(signs, unmarked, 1);
	else if (credit > 0 && debit === 0) setAll(signs, unmarked, -1);
	else if (debit > 0 && credit === 0) setAll(signs, unmarked, 1);
	else if (plus > 0) setAll(signs, unmarked, -1);
	else {
		signsFromBalances(rows, unmarked, signs, context);
		for (const index of unmarked) signs[index] ??= typeSign(at(index));
	}
}

function setAll(signs: (Sign | null)[], indexes: readonly number[], sign: Sign): void {
	for (const index of indexes) signs[index] = sign;
}

/** Calls back with the change of the balance that each row explains alone. */
function eachChange(
	rows: readonly SignedRow[],
	context: SignContext,
	found: (index: number, change: DecimalText) => void,
): void {
	const order = rows.map((_, index) => index);
	if (context.newestFirst) order.reverse();
	let before: DecimalText | null = context.opening;
	for (const index of order) {
		const balance = rows[index]?.balance ?? null;
		if (balance !== null && before !== null) found(index, subtractDecimals(balance, before));
		before = balance;
	}
}

/** The running balance tells the sign of an amount that equals its change. */
function signsFromBalances(
	rows: readonly SignedRow[],
	indexes: readonly number[],
	signs: (Sign | null)[],
	context: SignContext,
): void {
	const open = new Set(indexes);
	eachChange(rows, context, (index, change) => {
		const value = rows[index]?.value;
		if (!open.has(index) || value === undefined) return;
		if (equalDecimals(absoluteDecimal(change), value))
			signs[index] = isNegativeDecimal(change) ? -1 : 1;
	});
	signsFromDayBalances(rows, signs, context);
}

/** Most rows between two printed balances whose signs are tried out. */
const TRIED_ROWS = 8;

/**
 * Where only the last row of a day prints a balance: if exactly one choice of signs for the day's
 * rows explains the change, that is it.
 */
function signsFromDayBalances(
	rows: readonly SignedRow[],
	signs: (Sign | null)[],
	context: SignContext,
): void {
	if (context.newestFirst) return;
	let before = context.opening;
	let group: number[] = [];
	for (const [index, row] of rows.entries()) {
		group.push(index);
		if (row.balance === null) continue;
		const open = group.filter((member) => signs[member] === null);
		if (before !== null && open.length > 0 && open.length <= TRIED_ROWS) {
			const known = group
				.filter((member) => signs[member] !== null)
				.map((member) => signedValue(rows[member] as SignedRow, signs[member] as Sign));
			const change = subtractDecimals(subtractDecimals(row.balance, before), sumDecimals(known));
			const choices: number[] = [];
			for (let choice = 0; choice < 1 << open.length && choices.length < 2; choice++) {
				const sum = sumDecimals(
					open.map((member, bit) =>
						signedValue(rows[member] as SignedRow, choice & (1 << bit) ? 1 : -1),
					),
				);
				if (equalDecimals(sum, change)) choices.push(choice);
			}
			const [only] = choices;
			if (choices.length === 1 && only !== undefined) {
				for (const [bit, member] of open.entries()) signs[member] = only & (1 << bit) ? 1 : -1;
			}
		}
		before = row.balance;
		group = [];
	}
}

function signedValue(row: SignedRow, sign: Sign): DecimalText {
	return sign === 1 ? row.value : negateDecimal(row.value);
}

const PAYMENT =
	/\b(?:payment|thank you|autopay|paiement|prelevement|zahlung|lastschrift|betaling|incasso|pago|pagamento|addebito|credit|refund|gutschrift|reglement)\b/;

/**
 * Card statements print what is owed: purchases without sign or with a plus, payments with a minus
 * or CR; a few do it the other way. The printed balances decide where they can. Returns whether
 * the balances count what is owed.
 */
function decideCard(
	rows: readonly SignedRow[],
	single: readonly number[],
	signs: (Sign | null)[],
	{ opening, closing }: SignContext,
): boolean {
	const at = (index: number) => rows[index] as SignedRow;
	if (single.length === 0) return true;
	const marks = new Set(single.map((index) => at(index).mark));
	const unsigned = marks.size === 1 && marks.has('none');
	if (unsigned) {
		const all = sumDecimals(single.map((index) => at(index).value));
		// Purchases alone lead from one balance to the other: no word of a name makes one a payment.
		if (
			opening !== null &&
			closing !== null &&
			equalDecimals(sumDecimals([opening, all]), closing)
		) {
			setAll(signs, single, -1);
			return true;
		}
		for (const index of single)
			signs[index] =
				typeSign(at(index)) ?? sectionSign(at(index)) ?? (PAYMENT.test(at(index).plain) ? 1 : -1);
		return true;
	}
	// Printed as they stand, CR counting as a minus: the change of a debt if purchases are positive.
	const printed = (index: number): DecimalText => {
		const { value, mark } = at(index);
		return mark === 'minus' || mark === 'credit' ? negateDecimal(value) : value;
	};
	const sum = sumDecimals(single.map(printed));
	let purchasesPositive: boolean | null = null;
	let balancesOwed = true;
	if (opening !== null && closing !== null && !isZeroDecimal(sum)) {
		const nearer = nearerReading(opening, sum, closing);
		if (nearer === 'added') {
			// Debts printed as negative amounts go with negative purchases.
			balancesOwed =
				!(isNegativeDecimal(opening) || isNegativeDecimal(closing)) ||
				majorityPositive(single.map(printed));
			purchasesPositive = balancesOwed;
		} else if (nearer === 'subtracted') {
			purchasesPositive = false;
		}
	}
	if (marks.has('credit') || marks.has('debit')) purchasesPositive = true;
	if (purchasesPositive === null) {
		purchasesPositive = clearMajority(single.map(printed));
	}
	if (purchasesPositive === null) {
		const payments = single.filter((index) => PAYMENT.test(at(index).plain));
		const negative = payments.filter((index) => isNegativeDecimal(printed(index))).length;
		purchasesPositive =
			payments.length > 0 && negative * 2 !== payments.length
				? negative * 2 > payments.length
				: majorityPositive(single.map(printed));
	}
	for (const index of single) {
		const negative = isNegativeDecimal(printed(index));
		const mark = directMark(at(index));
		signs[index] = mark ?? (negative === purchasesPositive ? 1 : -1);
	}
	return balancesOwed;
}

/**
 * Whether the rows, as printed, lead from the opening to the closing balance when they are added or
 * when they are subtracted. One row that is missing or misprinted must not turn all the signs, so
 * the reading that misses by far less counts; null where both miss.
 */
function nearerReading(
	opening: DecimalText,
	sum: DecimalText,
	closing: DecimalText,
): 'added' | 'subtracted' | null {
	const missed = (reached: DecimalText) => absoluteDecimal(subtractDecimals(closing, reached));
	const added = missed(sumDecimals([opening, sum]));
	const subtracted = missed(subtractDecimals(opening, sum));
	const farLess = (one: DecimalText, other: DecimalText) =>
		isNegativeDecimal(subtractDecimals(sumDecimals([one, one]), other));
	if (farLess(added, subtracted)) return 'added';
	return farLess(subtracted, added) ? 'subtracted' : null;
}

/** Most rows of a card are purchases: true where they are positive; null where no side is clear. */
function clearMajority(values: readonly DecimalText[]): boolean | null {
	const negative = values.filter(isNegativeDecimal).length;
	if (values.length < 4) return null;
	if (negative * 4 <= values.length) return true;
	return negative * 4 >= values.length * 3 ? false : null;
}

function majorityPositive(values: readonly DecimalText[]): boolean {
	const negative = values.filter(isNegativeDecimal).length;
	return negative * 2 <= values.length;
}

/** Turns all signs where the running balance says that every one of them is the wrong way round. */
function checkBalances(
	rows: readonly SignedRow[],
	signs: (Sign | null)[],
	context: SignContext,
	balancesOwed: boolean,
	notes: string[],
): void {
	if (context.isCard && balancesOwed) return;
	let right = 0;
	let wrong = 0;
	eachChange(rows, context, (index, change) => {
		const row = rows[index] as SignedRow;
		const value = signs[index] === -1 ? negateDecimal(row.value) : row.value;
		if (isZeroDecimal(value)) return;
		if (equalDecimals(value, change)) right++;
		else if (equalDecimals(negateDecimal(value), change)) wrong++;
	});
	if (wrong >= 3 && right === 0) {
		for (const [index, sign] of signs.entries()) signs[index] = sign === 1 ? -1 : 1;
		notes.push(
			'The running balance shows that the amounts are printed with the opposite sign; it was followed.',
		);
	}
}
