/** Answers of the service in the shape of section 2.8, for the tests of this folder. */
export interface Entry {
	name: string;
	value: unknown;
	period?: unknown;
}

export function entries(facts: Record<string, unknown>, period: unknown = '0'): Entry[] {
	return Object.entries(facts).map(([name, value]) => ({ name, value, period }));
}

/** A transaction with every field of the interface. */
export function row(
	amount: unknown,
	fields: Record<string, unknown> = {},
): Record<string, unknown> {
	return {
		date: '20240115120000',
		amount,
		memo: 'POS 0042 CORNER BAKERY',
		name: 'Corner Bakery',
		payee: 'Corner Bakery',
		checkNumber: '',
		balance: null,
		category: 'Groceries',
		fitId: 'fit-1',
		descriptionLines: ['POS 0042', 'CORNER BAKERY'],
		pageNumber: 1,
		...fields,
	};
}

/** One account: rows that take 100.00 to 200.25, and metadata that says so. */
export function account(
	overrides: {
		rows?: unknown;
		bankMode?: Record<string, unknown>;
		metadata?: unknown;
		extras?: Record<string, unknown>;
	} = {},
): Record<string, unknown> {
	return {
		bankMode: {
			transactions: overrides.rows ?? [row(-12.5), row(112.75, { date: '20240116120000' })],
			...(overrides.bankMode ?? {}),
		},
		metadata:
			overrides.metadata ??
			entries({
				startDate: '2024-01-01',
				endDate: '2024-01-31',
				startBalance: '100.00',
				endBalance: '200.25',
			}),
		...overrides.extras,
	};
}

/** Grouped data of one document. */
export function grouped(
	accounts: Record<string, unknown> = { '4400123': account() },
	documentId = '7',
): Record<string, unknown> {
	return { [documentId]: { ...accounts, metadata: [] } };
}
