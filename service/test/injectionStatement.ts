import { Sheet } from '../../test/documents/sheet.ts';

/** A statement whose descriptions a spreadsheet would run as formulas. */
export async function injectionStatement(): Promise<Buffer> {
	const sheet = new Sheet({ size: 'LETTER', title: 'Statement', author: 'Bank' });
	sheet.text('First Example Bank', 50, 40, { size: 14 });
	sheet.text('Account Number: 1234567890', 50, 70);
	sheet.text('Statement Period: 01/01/2026 - 01/31/2026', 50, 84);
	sheet.text('Beginning Balance', 50, 110);
	sheet.text('$1,000.00', 560, 110, { align: 'right' });
	const columns = [
		['Date', 50, 'left'],
		['Description', 120, 'left'],
		['Amount', 470, 'right'],
		['Balance', 560, 'right'],
	] as const;
	for (const [heading, x, align] of columns) {
		sheet.text(heading, x, 140, { align, font: 'Helvetica-Bold' });
	}
	const rows: Array<[string, string, string, string]> = [
		['01/05/2026', '=HYPERLINK("http://evil.example","x")', '-10.00', '990.00'],
		['01/06/2026', '@SUM(A1:A9)', '-20.00', '970.00'],
		['01/07/2026', '+cmd|calc', '30.00', '1,000.00'],
		['01/08/2026', 'COFFEE "quoted", with comma', '-5.50', '994.50'],
	];
	for (const [index, [date, text, amount, balance]] of rows.entries()) {
		const y = 160 + index * 16;
		sheet.text(date, 50, y);
		sheet.text(text, 120, y);
		sheet.text(amount, 470, y, { align: 'right' });
		sheet.text(balance, 560, y, { align: 'right' });
	}
	sheet.text('Ending Balance', 50, 240);
	sheet.text('$994.50', 560, 240, { align: 'right' });
	return await sheet.finish();
}
