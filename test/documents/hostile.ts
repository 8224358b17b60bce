import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createDeflate, deflateSync } from 'node:zlib';
import { createCanvas } from '@napi-rs/canvas';
import { SeededRandom } from './seededRandom.ts';
import { Sheet } from './sheet.ts';
import { usChecking } from './layouts/usChecking.ts';

/** A file that is not a readable statement. */
export interface HostileFile {
	/** File name as a person would see it. */
	name: string;
	/** What the uploader says it is, true or not. */
	mimetype: string;
	bytes: Buffer;
}

const PDF = 'application/pdf';

/** The user password of `encryptedPdf`. */
export const hostilePassword = 'open-sesame-42';

export function emptyFile(): HostileFile {
	return { name: 'empty.pdf', mimetype: PDF, bytes: Buffer.alloc(0) };
}

/** A real statement whose second half is missing: the table of contents of the file is gone. */
export async function truncatedPdf(): Promise<HostileFile> {
	const { pdf } = await usChecking({ seed: 11 });
	return {
		name: 'truncated.pdf',
		mimetype: PDF,
		bytes: pdf.subarray(0, Math.floor(pdf.length / 2)),
	};
}

/** Only the first bytes of a PDF. */
export function headerOnlyPdf(): HostileFile {
	return { name: 'header-only.pdf', mimetype: PDF, bytes: Buffer.from('%PDF-1.4\n') };
}

export function plainTextNamedPdf(): HostileFile {
	const text = 'Date        Description        Amount\n01/02/2025  COFFEE             -3.50\n';
	return { name: 'export.pdf', mimetype: PDF, bytes: Buffer.from(text.repeat(20)) };
}

export function pngNamedPdf(): HostileFile {
	return { name: 'scan.pdf', mimetype: PDF, bytes: scannedPage() };
}

/** Bytes without any structure behind a PDF header. */
export function noiseNamedPdf(): HostileFile {
	const random = new SeededRandom('noise');
	const noise = Buffer.from(Array.from({ length: 20_000 }, () => random.between(0, 255)));
	return {
		name: 'noise.pdf',
		mimetype: PDF,
		bytes: Buffer.concat([Buffer.from('%PDF-1.7\n'), noise]),
	};
}

/** A statement-like page that needs `hostilePassword` to open. */
export async function encryptedPdf(): Promise<HostileFile> {
	const sheet = new Sheet({
		size: 'LETTER',
		title: 'Statement',
		author: 'Cascadia Harbor Bank',
		security: { userPassword: hostilePassword, ownerPassword: 'not-the-same' },
	});
	sheet.text('Beginning balance 100.00', 72, 72);
	sheet.text('01/05/2025 DEPOSIT 25.00 125.00', 72, 90);
	sheet.text('Ending balance 125.00', 72, 108);
	return { name: 'encrypted.pdf', mimetype: PDF, bytes: await sheet.finish() };
}

/** Valid, with this many pages and nothing on them. */
export async function blankPages(pages: number): Promise<HostileFile> {
	const sheet = new Sheet({ size: 'A4', title: 'Blank', author: 'Nobody' });
	for (let page = 1; page < pages; page++) sheet.addPage();
	return { name: `blank-${pages}.pdf`, mimetype: PDF, bytes: await sheet.finish() };
}

/** A picture of a statement and no text layer, as a scanner makes it. */
export async function scanOnlyPdf(): Promise<HostileFile> {
	const sheet = new Sheet({ size: 'LETTER', title: 'Scan', author: 'Scanner' });
	sheet.doc.image(scannedPage(), 0, 0, { width: sheet.width });
	return { name: 'scan-only.pdf', mimetype: PDF, bytes: await sheet.finish() };
}

/** A valid letter from a bank with dates and amounts in its sentences, but no statement. */
export async function letterPdf(): Promise<HostileFile> {
	const sheet = new Sheet({ size: 'A4', title: 'Letter', author: 'Wharfedale & Northern Bank' });
	const paragraphs = [
		'14 March 2025',
		'Dear Ms Adeyemi,',
		'Thank you for your letter of 3 March 2025. We have looked into the matter of the standing order of £450.00 that you asked us to cancel on 27 February 2025.',
		'As a gesture of goodwill we will pay £25.00 into your account within five working days. Your balance is not otherwise affected, and you do not need to do anything.',
		'If you are not satisfied with this answer you have six months to refer the complaint to the ombudsman. We enclose a leaflet that explains how.',
		'Yours sincerely,',
		'T. Braithwaite, Customer Relations',
	];
	let y = 140;
	sheet.text('Wharfedale & Northern Bank', 60, 60, { font: 'Helvetica-Bold', size: 15 });
	for (const paragraph of paragraphs) {
		sheet.text(paragraph, 60, y, { size: 11, width: 470, lineGap: 3 });
		y = sheet.doc.y + 14;
	}
	return { name: 'letter.pdf', mimetype: PDF, bytes: await sheet.finish() };
}

/**
 * A small file that says it has `pages` pages and holds one: every entry of its page list is the same
 * object.
 */
export function hugePageCountPdf(pages = 1_000_000): HostileFile {
	const fanOut = 100;
	const objects = ['<< /Type /Catalog /Pages 2 0 R >>'];
	// Each level refers a hundred times to the next one, so a few lines make a million pages.
	const levels = Math.max(1, Math.ceil(Math.log(pages) / Math.log(fanOut)));
	for (let level = 0; level < levels; level++) {
		const child = level + 3;
		const kids = new Array(fanOut).fill(`${child} 0 R`).join(' ');
		const count = fanOut ** (levels - level);
		const parent = level === 0 ? '' : `/Parent ${level + 1} 0 R `;
		objects.push(`<< /Type /Pages ${parent}/Kids [${kids}] /Count ${count} >>`);
	}
	objects.push(
		`<< /Type /Page /Parent ${levels + 1} 0 R /MediaBox [0 0 612 792] /Resources << >> >>`,
	);
	return { name: 'million-pages.pdf', mimetype: PDF, bytes: writePdf(objects) };
}

/** The page tree refers to itself. */
export function circularPageTreePdf(): HostileFile {
	return {
		name: 'circular.pdf',
		mimetype: PDF,
		bytes: writePdf([
			'<< /Type /Catalog /Pages 2 0 R >>',
			'<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 4 /Parent 3 0 R >>',
			'<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 4 /Parent 2 0 R >>',
		]),
	};
}

/** A page that draws itself through a form that draws itself. */
export function selfDrawingFormPdf(): HostileFile {
	const content = 'q /F Do Q';
	return {
		name: 'self-drawing.pdf',
		mimetype: PDF,
		bytes: writePdf([
			'<< /Type /Catalog /Pages 2 0 R >>',
			'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
			'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>',
			`<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
			`<< /Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /F 5 0 R >> >> /Length ${content.length} >>\nstream\n${content}\nendstream`,
		]),
	};
}

/** A page whose content takes a few kilobytes in the file and unpacks to `megabytes`. */
export async function deflateBombPdf(megabytes = 300): Promise<HostileFile> {
	const block = Buffer.alloc(1024 * 1024, '0 0 m 1 1 l S \n');
	const deflate = createDeflate({ level: 9 });
	// Block by block, so that the whole never stands in memory here; packed twice, so that it is small.
	const once = await buffer(Readable.from(repeated(block, megabytes)).pipe(deflate));
	const packed = deflateSync(once, { level: 9 });
	const head = `<< /Length ${packed.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n`;
	return {
		name: 'deflate-bomb.pdf',
		mimetype: PDF,
		bytes: writePdf([
			'<< /Type /Catalog /Pages 2 0 R >>',
			'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
			'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << >> >>',
			Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream')]),
		]),
	};
}

function* repeated(block: Buffer, times: number): Generator<Buffer> {
	for (let time = 0; time < times; time++) yield block;
}

/** A page whose text layer is this many words, far more than a page of a statement holds. */
export function manyWordsPdf(words = 400_000): HostileFile {
	const line = Array.from({ length: 100 }, (_, index) => `(${index}.00) Tj 6 0 Td`).join('\n');
	const content = deflateSync(
		Buffer.from(
			`BT /F 4 Tf 10 780 Td\n${`${line}\n-600 -0.19 Td\n`.repeat(Math.ceil(words / 100))}ET`,
		),
	);
	const head = `<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n`;
	return {
		name: 'many-words.pdf',
		mimetype: PDF,
		bytes: writePdf([
			'<< /Type /Catalog /Pages 2 0 R >>',
			'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
			'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
			Buffer.concat([Buffer.from(head), content, Buffer.from('\nendstream')]),
			'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
		]),
	};
}

/** All of the above by name, at sizes that a test can afford. */
export const hostileFiles: Record<string, () => HostileFile | Promise<HostileFile>> = {
	emptyFile,
	headerOnlyPdf,
	truncatedPdf,
	plainTextNamedPdf,
	pngNamedPdf,
	noiseNamedPdf,
	encryptedPdf,
	blankPages: () => blankPages(3),
	scanOnlyPdf,
	letterPdf,
	hugePageCountPdf: () => hugePageCountPdf(),
	circularPageTreePdf,
	selfDrawingFormPdf,
	deflateBombPdf: () => deflateBombPdf(),
	manyWordsPdf: () => manyWordsPdf(),
};

/** Object n of the list becomes object n + 1 of the file; the first has to be the catalog. */
function writePdf(objects: readonly (string | Buffer)[]): Buffer {
	const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
	const offsets: number[] = [];
	let length = parts[0]?.length ?? 0;
	const add = (part: Buffer) => {
		parts.push(part);
		length += part.length;
	};
	for (const [index, object] of objects.entries()) {
		offsets.push(length);
		add(Buffer.from(`${index + 1} 0 obj\n`));
		add(Buffer.from(object));
		add(Buffer.from('\nendobj\n'));
	}
	const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
	const size = objects.length + 1;
	const start = length;
	add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}`));
	add(Buffer.from(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`));
	return Buffer.concat(parts);
}

/** A picture of a page; its letters are bars, so no font of the machine takes part. */
function scannedPage(): Buffer {
	const canvas = createCanvas(850, 1100);
	const context = canvas.getContext('2d');
	const random = new SeededRandom('scan');
	context.fillStyle = '#f4f2ee';
	context.fillRect(0, 0, 850, 1100);
	context.fillStyle = '#2c2c2c';
	for (let y = 90; y < 1000; y += 26) {
		let x = 70;
		while (x < 560) {
			const width = random.between(14, 90);
			context.fillRect(x, y, width, 11);
			x += width + 9;
		}
		const amount = random.between(30, 70);
		context.fillRect(780 - amount, y, amount, 11);
	}
	return canvas.toBuffer('image/png');
}
