import PDFDocument from 'pdfkit';

/** How the file is encrypted: RC4 with 128 bits, AES with 128 bits, AES with 256 bits. */
export const ENCRYPTIONS = ['1.4', '1.6', '1.7ext3'] as const;

/** Rows of the statement below. */
export const ENCRYPTED_ROWS = 3;

/** A bank statement that opens with this password only. */
export async function encryptedStatement(
	userPassword: string,
	pdfVersion: (typeof ENCRYPTIONS)[number] = '1.7ext3',
): Promise<Buffer> {
	const doc = new PDFDocument({
		size: 'LETTER',
		margin: 0,
		pdfVersion,
		userPassword,
		ownerPassword: 'the owner has another one',
	});
	const chunks: Buffer[] = [];
	doc.on('data', (chunk: Buffer) => chunks.push(chunk));
	const ended = new Promise<void>((resolve) => doc.on('end', resolve));
	const text = (line: string, x: number, y: number): void => {
		doc.fontSize(9).text(line, x, y, { lineBreak: false });
	};
	text('Account Number: 1234567890', 50, 70);
	text('Statement Period: 01/01/2026 - 01/31/2026', 50, 84);
	text('Beginning Balance', 50, 110);
	text('$1,000.00', 520, 110);
	for (const [heading, x] of [
		['Date', 50],
		['Description', 120],
		['Amount', 430],
		['Balance', 520],
	] as const) {
		text(heading, x, 140);
	}
	const rows = [
		['01/05/2026', 'PARKING GARAGE', '-10.00', '990.00'],
		['01/06/2026', 'BOOK STORE', '-20.00', '970.00'],
		['01/07/2026', 'PAYROLL EXAMPLE INC', '30.00', '1,000.00'],
	] as const;
	for (const [index, [date, name, amount, balance]] of rows.entries()) {
		const y = 160 + index * 16;
		text(date, 50, y);
		text(name, 120, y);
		text(amount, 430, y);
		text(balance, 520, y);
	}
	text('Ending Balance', 50, 240);
	text('$1,000.00', 520, 240);
	doc.end();
	await ended;
	return Buffer.concat(chunks);
}
