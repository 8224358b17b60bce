import { Container } from '@n8n/di';
import { parse } from 'csv-parse/sync';
import { BinaryDataService } from 'n8n-core';
import type { GeneratedStatement } from '../../documents';
import { assertSameRows, expectedRows, rowsFrom } from '../../n8n/expectedRows';
import type { Item } from './entry';

/** Every row of the statement is an item, in its order, with what is printed. */
export function checkRows(results: Item[], statement: GeneratedStatement): void {
	assertSameRows(rowsFrom(results), expectedRows(statement));
}

export async function bytesOf(item: Item | undefined, field: string): Promise<Buffer> {
	return await Container.get(BinaryDataService).getAsBuffer(item!.binary![field]!);
}

/** The one item has a CSV file with every row of the statement. */
export async function checkCsv(
	results: Item[],
	field: string,
	statement: GeneratedStatement,
): Promise<void> {
	expect(results).toHaveLength(1);
	const bytes = await bytesOf(results[0], field);
	const rows = parse(bytes, { columns: true, bom: true }) as Array<Record<string, string>>;
	expect(rows.map(({ account, date, amount }) => [account, date, Number(amount)])).toEqual(
		expectedRows(statement).map((row) => [row.account, row.dateIso, Number(row.amount)]),
	);
}
