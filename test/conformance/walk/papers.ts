import { createCanvas } from '@napi-rs/canvas';
import { Sheet } from '../../documents/sheet.ts';

/** The first bytes of a PDF and nothing else: an upload takes it, an extraction fails. */
export function damagedFile(): Buffer {
	return Buffer.from('%PDF-1.7\nnothing of this can be read\n%%EOF\n');
}

/** An invoice with a seller, a number, a date, lines and a total. */
export async function drawInvoice(): Promise<Buffer> {
	const sheet = new Sheet({ size: 'A4', title: 'Invoice 2025-118', author: 'Alder Joinery' });
	const right = { align: 'right' } as const;
	sheet.text('Alder Joinery Ltd', 50, 50, { font: 'Helvetica-Bold', size: 16 });
	sheet.text('14 Mill Lane, Hebden Bridge HX7 8AD', 50, 72, { size: 9 });
	sheet.text('INVOICE', 545, 50, { font: 'Helvetica-Bold', size: 18, ...right });
	const facts = [
		['Invoice number', '2025-118'],
		['Invoice date', '2025-03-14'],
		['Due date', '2025-04-13'],
		['Bill to', 'Northwind Traders, 2 Quay Street, Whitby'],
	];
	for (const [index, [label = '', value = '']] of facts.entries()) {
		sheet.text(`${label}:`, 50, 120 + index * 16, { font: 'Helvetica-Bold', size: 10 });
		sheet.text(value, 150, 120 + index * 16, { size: 10 });
	}
	const columns = [50, 330, 430, 545];
	const lines = [
		['Description', 'Quantity', 'Unit price', 'Amount'],
		['Oak shelf, 120 cm', '4', '85.00', '340.00'],
		['Fitting, hours', '6', '42.50', '255.00'],
	];
	for (const [index, cells] of lines.entries()) {
		for (const [place, cell] of cells.entries()) {
			const style = { size: 10, ...(place > 0 && right) };
			sheet.text(cell, columns[place] ?? 50, 220 + index * 18, style);
		}
	}
	const totals = [
		['Subtotal', '595.00'],
		['VAT 20%', '119.00'],
		['Total', 'GBP 714.00'],
	];
	for (const [index, [label = '', value = '']] of totals.entries()) {
		sheet.text(label, 430, 300 + index * 16, { size: 10, ...right });
		sheet.text(value, 545, 300 + index * 16, { size: 10, ...right });
	}
	return await sheet.finish();
}

/** A wage form: boxes with a label and what is written in them. */
export async function drawTaxForm(): Promise<Buffer> {
	const sheet = new Sheet({ size: 'LETTER', title: 'W-2 2024', author: 'Payroll' });
	sheet.text('Form W-2 Wage and Tax Statement 2024', 50, 50, {
		font: 'Helvetica-Bold',
		size: 13,
	});
	const boxes = [
		['a Employee social security number', '123-45-6789'],
		['b Employer identification number (EIN)', '12-3456789'],
		['c Employer name, address, and ZIP code', 'Meridian Freight LLC, Portland OR 97204'],
		['e Employee name', 'Jordan A Fields'],
		['1 Wages, tips, other compensation', '54210.75'],
		['2 Federal income tax withheld', '6120.40'],
		['3 Social security wages', '54210.75'],
		['4 Social security tax withheld', '3361.07'],
	];
	for (const [index, [label = '', value = '']] of boxes.entries()) {
		const x = index % 2 === 0 ? 50 : 310;
		const y = 90 + Math.floor(index / 2) * 46;
		sheet.text(label, x, y, { size: 7 });
		sheet.text(value, x + 6, y + 13, { size: 11, font: 'Courier' });
	}
	return await sheet.finish();
}

/** A picture of a check whose amounts agree and whose routing number is valid. */
export function drawCheck(): Buffer {
	const canvas = createCanvas(1500, 660);
	const context = canvas.getContext('2d');
	context.fillStyle = '#f7f6ef';
	context.fillRect(0, 0, 1500, 660);
	context.fillStyle = '#1c1c1c';
	const write = (text: string, x: number, y: number, size = 30) => {
		context.font = `${size}px sans-serif`;
		context.fillText(text, x, y);
	};
	write('MERIDIAN FREIGHT LLC', 60, 80, 34);
	write('1042', 1380, 80, 34);
	write('Date  03/14/2025', 1050, 160);
	write('Pay to the order of  Northwind Traders', 60, 250);
	write('$ 125.50', 1280, 250, 36);
	write('One hundred twenty-five and 50/100 dollars', 60, 340);
	write('Cascadia Harbor Bank', 60, 430);
	write('Memo  invoice 118', 60, 510);
	write('J Fields', 1100, 510);
	// The digits of the routing number times 3, 7, 1 in turn add up to a multiple of ten.
	write('|:021000021|: 000123456789|| 1042', 60, 620, 34);
	return canvas.toBuffer('image/png');
}
