import Table from 'cli-table3';
import type { ExecutedItem } from '../n8n/execution.ts';

const shownRows = 40;
const narrowest = 12;
const widest = 48;
// Borders, padding, and the columns for date, amount and balance.
const otherColumns = 52;

// A statement is not to be trusted: a control character could rewrite what the terminal shows.
const plain = (value: unknown): string =>
	(value === null || value === undefined ? '' : String(value)).replace(/\p{Cc}+/gu, ' ').trim();

const money = (value: unknown): string => {
	const text = plain(value);
	const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
	if (parts === null) return text;
	const [, sign = '', whole = '', fraction = ''] = parts;
	return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(2, '0')}`;
};

const shorten = (text: string, width: number): string =>
	text.length > width ? `${text.slice(0, width - 1)}…` : text;

/** The transactions as a table, one line each, for a terminal of `columns` characters. */
export const rowsTable = (rows: ExecutedItem[], columns = 100): string => {
	const width = Math.min(widest, Math.max(narrowest, columns - otherColumns));
	const table = new Table({
		head: ['Date', 'Description', 'Amount', 'Balance'],
		colAligns: ['left', 'left', 'right', 'right'],
		style: { head: [], border: [], compact: true },
	});
	for (const { json } of rows.slice(0, shownRows)) {
		table.push([
			plain(json.dateIso ?? json.date),
			shorten(plain(json.name) || plain(json.memo), width),
			money(json.amount),
			money(json.balance),
		]);
	}
	const hidden = rows.length - shownRows;
	return hidden > 0 ? `${table.toString()}\n… and ${hidden} more` : table.toString();
};

/** One line for each account: what the printed balances and the rows say together. */
export const verdictLines = (accounts: ExecutedItem[]): string =>
	accounts
		.map(({ json }) => {
			const account = plain(json.account);
			const balances =
				json.startBalance === null || json.endBalance === null
					? ''
					: `: ${money(json.startBalance)} at the start, ${money(json.totalCredits)} in, ${money(json.totalDebits)} out, ${money(json.endBalance)} at the end`;
			const difference =
				json.verdict === 'not reconciled' ? ` (difference ${money(json.difference)})` : '';
			return `Account ${account}: ${plain(json.verdict)}${difference}${balances}`;
		})
		.join('\n');
