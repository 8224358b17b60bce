import { plainStatement } from './plainStatement.ts';

/** A statement whose descriptions a spreadsheet would run as formulas. */
export async function injectionStatement(): Promise<Buffer> {
	const rows: Array<[string, string, string, string]> = [
		['01/05/2026', '=HYPERLINK("http://evil.example","x")', '-10.00', '990.00'],
		['01/06/2026', '@SUM(A1:A9)', '-20.00', '970.00'],
		['01/07/2026', '+cmd|calc', '30.00', '1,000.00'],
		['01/08/2026', 'COFFEE "quoted", with comma', '-5.50', '994.50'],
	];
	return await plainStatement({
		period: '01/01/2026 - 01/31/2026',
		rows: rows.map(([date, description, amount, balance]) => ({
			date,
			description,
			amount,
			balance,
		})),
		endingBalance: '$994.50',
	});
}
