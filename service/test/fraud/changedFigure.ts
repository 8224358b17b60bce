import { extractStatement } from '../../src/extraction/statements/extractStatement.ts';
import type { Statement, StatementTransaction } from '../../src/extraction/statements/statement.ts';
import type { Page } from '../../src/extraction/page.ts';

export interface ChangedStatement {
	statement: Statement;
	/** The row whose figure was changed, as it was before. */
	row: StatementTransaction;
	account: string;
}

/**
 * Changes one digit of the balance or the amount that a row prints, in the words of the page, and
 * extracts again, as if somebody had edited the PDF. Null where the figure cannot be told from others
 * on its page, so that it is not known which row would be changed.
 */
export function withChangedFigure(
	pages: readonly Page[],
	original: Statement,
	account: string,
	index: number,
	figure: 'balance' | 'amount',
): ChangedStatement | null {
	const row = original.accounts.find((one) => one.account === account)?.transactions[index];
	const value = row?.[figure] ?? null;
	if (row === undefined || value === null) return null;
	const page = pages.find(({ number }) => number === row.pageNumber);
	const wanted = digitsOf(value);
	const words = page?.words.filter(({ text }) => digitsOf(text) === wanted) ?? [];
	const [word] = words;
	if (page === undefined || word === undefined || words.length !== 1) return null;
	// The second digit of those before the decimals, or the only one: never a leading zero.
	const digits = [...word.text.matchAll(/\d/g)].map((match) => match.index);
	const place = digits.length > 3 ? digits[1] : digits[0];
	if (place === undefined || digits.length < 3) return null;
	const digit = Number(word.text[place]);
	const other = digit >= 5 ? digit - 3 : digit + 4;
	const text = word.text.slice(0, place) + String(other) + word.text.slice(place + 1);
	const changed = {
		...page,
		words: page.words.map((one) => (one === word ? { ...one, text } : one)),
	};
	return {
		statement: extractStatement(pages.map((one) => (one === page ? changed : one))),
		row,
		account,
	};
}

function digitsOf(text: string): string {
	return text.replaceAll(/\D/g, '').replace(/^0+/, '');
}
