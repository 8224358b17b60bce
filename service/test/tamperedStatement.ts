import { Sheet } from '../../test/documents/sheet.ts';

/** Amounts in cents: a month of small purchases, a salary and the rent. */
const AMOUNTS = [-1000, -2050, 50000, -75, -1999, -31000, -420, -888];

/**
 * A statement with eight rows whose balances follow from each other, but for one: the balance of row
 * `changedRow` (from 1) is printed 100.00 too high. Null for none.
 */
export async function tamperedStatement(changedRow: number | null): Promise<Buffer> {
	const sheet = new Sheet({ size: 'LETTER', title: 'Statement', author: 'Bank' });
	sheet.text('First Example Bank', 50, 40, { size: 14 });
	sheet.text('Account Number: 1234567890', 50, 70);
	sheet.text('Statement Period: 12/01/2025 - 12/31/2025', 50, 84);
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
	let balance = 100_000;
	for (const [index, amount] of AMOUNTS.entries()) {
		balance += amount;
		const y = 160 + index * 16;
		sheet.text(`12/${String(index + 5).padStart(2, '0')}/2025`, 50, y);
		sheet.text(`CARD ${index + 1} EXAMPLE STORE`, 120, y);
		sheet.text(dollars(amount), 470, y, { align: 'right' });
		const printed = balance + (index + 1 === changedRow ? 10_000 : 0);
		sheet.text(dollars(printed), 560, y, { align: 'right' });
	}
	sheet.text('Ending Balance', 50, 310);
	sheet.text(`$${dollars(balance)}`, 560, 310, { align: 'right' });
	return await sheet.finish();
}

function dollars(cents: number): string {
	const digits = String(Math.abs(cents)).padStart(3, '0');
	const whole = digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, ',');
	return `${cents < 0 ? '-' : ''}${whole}.${digits.slice(-2)}`;
}
