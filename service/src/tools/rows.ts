import { Type } from '@fastify/type-provider-typebox';
import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import { csvRows } from '../documents/csvView.ts';
import { firstRows, flatRows } from '../documents/rowView.ts';
import type { RowSource } from '../documents/rowView.ts';
import { RowSchema } from '../http/schemas.ts';
import type { Format } from './parameters.ts';

/** Section 8. */
export const MOST_ROWS = 10_000;

/** What the result of a tool says of rows, and the rows. */
export const RowsResult = {
	format: Type.Enum(['json', 'csv']),
	count: Type.Integer({ description: 'Rows in this result' }),
	transactions: Type.Optional(Type.Array(RowSchema)),
	csv: Type.Optional(Type.String({ description: 'UTF-8, CRLF, with a header line' })),
};

/** The same for rows of which there may be more. */
export const LimitedRowsResult = {
	...RowsResult,
	total: Type.Integer({ description: 'Rows that there are' }),
	truncated: Type.Boolean({ description: `True where there are more than ${MOST_ROWS}` }),
};

/** Rows as JSON text, in pieces: `{ …head, format, count, transactions or csv }`. */
export async function* rowsText(
	db: Kysely<Database>,
	head: Record<string, unknown>,
	sources: readonly RowSource[],
	format: Format,
): AsyncGenerator<string> {
	if (format === 'json') {
		yield* flatRows(db, { ...head, format }, sources, false);
		return;
	}
	const count = countOf(sources);
	yield `${JSON.stringify({ ...head, format, count }).slice(0, -1)},"csv":"`;
	// Each piece is escaped by itself; they are whole lines.
	for await (const piece of csvRows(db, sources)) yield JSON.stringify(piece).slice(1, -1);
	yield '"}';
}

/** The same with at most 10 000 rows, and with `total` and `truncated`. */
export function limitedRowsText(
	db: Kysely<Database>,
	head: Record<string, unknown>,
	sources: readonly RowSource[],
	format: Format,
): AsyncGenerator<string> {
	const total = countOf(sources);
	const limits = { total, truncated: total > MOST_ROWS };
	return rowsText(db, { ...head, ...limits }, firstRows(sources, MOST_ROWS), format);
}

function countOf(sources: readonly RowSource[]): number {
	return sources.reduce((sum, { transactionCount, shown = transactionCount }) => sum + shown, 0);
}
