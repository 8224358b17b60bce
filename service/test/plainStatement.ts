import { Sheet } from '../../test/documents/sheet.ts';

export interface PlainRow {
	date: string;
	description: string;
	amount: string;
	balance: string;
}

/** A statement that begins with $1,000.00, with its rows as they are given: right or not. */
export async function plainStatement(statement: {
	period: string;
	rows: PlainRow[];
	endingBalance: string;
}): Promise<Buffer> {
	const sheet = new Sheet({ size: 'LETTER', title: 'Statement', author: 'Bank' });
	sheet.text('First Example Bank', 50, 40, { size: 14 });
	sheet.text('Account Number: 1234567890', 50, 70);
	sheet.text(`Statement Period: ${statement.period}`, 50, 84);
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
	for (const [index, { date, description, amount, balance }] of statement.rows.entries()) {
		const y = 160 + index * 16;
		sheet.text(date, 50, y);
		sheet.text(description, 120, y);
		sheet.text(amount, 470, y, { align: 'right' });
		sheet.text(balance, 560, y, { align: 'right' });
	}
	const end = 176 + statement.rows.length * 16;
	sheet.text('Ending Balance', 50, end);
	sheet.text(statement.endingBalance, 560, end, { align: 'right' });
	return await sheet.finish();
}
