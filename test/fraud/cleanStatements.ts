import { PDFDocument } from '@cantoo/pdf-lib';
import { addDays } from '../documents/calendar.ts';
import { generateStatement } from '../documents/index.ts';
import { SeededRandom } from '../documents/seededRandom.ts';
import { lastDayOf, writtenByBank } from './caseFile.ts';
import type { CaseFile } from './caseFile.ts';
import { PdfFile, pdfDate } from './pdfFile.ts';
import { everydayBookings, inOrder, plainStatement } from './plainStatement.ts';
import type { Booking } from './plainStatement.ts';

const LAYOUTS = [
	'usChecking',
	'ukCurrent',
	'germanGiro',
	'dutchStatement',
	'severalAccounts',
	'twoStatements',
	'creditCard',
	'indianSavings',
	'canadianBusiness',
	'usSections',
	'frenchReleve',
	'directionColumn',
	'newestFirst',
	'noBalances',
	'noTransactions',
	'missingPage',
	'longLedger',
] as const;

/** A bank's own file of some layout, and what to change it with. */
async function bankFile(seed: number) {
	const layout = LAYOUTS[seed % LAYOUTS.length] ?? 'usChecking';
	const random = new SeededRandom(`clean ${seed}`);
	const { pdf, truth } = await generateStatement(layout, {
		seed,
		...(layout === 'longLedger' && { pages: 2 }),
	});
	const lastDay = lastDayOf(truth);
	return { layout, random, lastDay, file: writtenByBank(pdf, lastDay, random) };
}

type Made = Promise<{ name: string; pdf: Buffer }>;

async function asWritten(seed: number): Made {
	const { layout, file } = await bankFile(seed);
	return { name: layout, pdf: file.write() };
}

async function linearized(seed: number): Made {
	const { layout, file } = await bankFile(seed);
	return { name: layout, pdf: file.writeLinearized() };
}

/** Through a library that packs objects into streams, as mail gateways and archives do. */
async function resavedByLibrary(seed: number): Made {
	const { layout, file } = await bankFile(seed);
	const document = await PDFDocument.load(file.write());
	return { name: layout, pdf: Buffer.from(await document.save({ useObjectStreams: true })) };
}

/** Opened in a viewer and printed into a file. */
async function printedAgain(seed: number): Made {
	const { layout, file, lastDay, random } = await bankFile(seed);
	const day = addDays(lastDay, random.between(8, 200));
	file.describe({
		Producer: random.pick([
			'macOS Version 13.4 \\(Build 22F66\\) Quartz PDFContext',
			'Microsoft: Print To PDF',
			'GPL Ghostscript 10.02.1',
			'Skia/PDF m121',
		]),
		Creator: random.pick(['Preview', 'Chromium', 'PScript5.dll Version 5.2.2']),
		CreationDate: pdfDate(day),
		ModDate: pdfDate(day),
		Author: null,
	});
	file.describeXmp(null);
	return { name: layout, pdf: file.write() };
}

/** A printer driver writes a line of its own into the margin. */
async function stampedByDriver(seed: number): Made {
	const { layout, file, lastDay, random } = await bankFile(seed);
	for (const page of file.pages()) addStamp(file, page, lastDay, random);
	return { name: layout, pdf: file.write() };
}

/** The same, appended to the file as an update. */
async function stampedByUpdate(seed: number): Made {
	const { layout, file, lastDay, random } = await bankFile(seed);
	const [page] = file.pages();
	if (page !== undefined) addStamp(file, page, lastDay, random);
	file.describe({ ModDate: pdfDate(addDays(lastDay, 30)) });
	return { name: layout, pdf: file.writeUpdate() };
}

function addStamp(file: PdfFile, page: number, day: string, random: SeededRandom): void {
	const body = file.text(page);
	const font = file.add(
		'<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>',
	);
	const content = file.contents(page);
	const before = file.add(PdfFile.stream('q\n'));
	const text = `Printed ${addDays(day, 9)} ${random.between(8, 17)}:${random.between(10, 59)} by TELLER ${random.digits(4)} BRANCH ${random.digits(3)}`;
	const after = file.add(
		PdfFile.stream(`Q\nBT /Stamp 6 Tf 1 0 0 1 ${random.between(20, 60)} 8 Tm (${text}) Tj ET\n`),
	);
	const resources = Number(/\/Resources (\d+) 0 R/.exec(body)?.[1]);
	file.set(resources, file.text(resources).replace('/Font <<', `/Font <<\n/Stamp ${font} 0 R`));
	file.set(
		page,
		body.replace(
			`/Contents ${content} 0 R`,
			`/Contents [${before} 0 R ${content} 0 R ${after} 0 R]`,
		),
	);
}

/** The bank's seal: a signature field on the first page, appended as an update. */
async function signedByUpdate(seed: number): Made {
	const { layout, file, lastDay, random } = await bankFile(seed);
	const [page = 0] = file.pages();
	const signature = file.add(
		`<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 1 2 3] /Contents <${'00'.repeat(256)}> /M (${pdfDate(addDays(lastDay, 6))}) >>`,
	);
	const widget = file.add(
		`<< /Type /Annot /Subtype /Widget /FT /Sig /T (Seal ${random.digits(3)}) /V ${signature} 0 R /Rect [0 0 0 0] /F 132 /P ${page} 0 R >>`,
	);
	file.set(page, file.text(page).replace(/>>\s*$/, `/Annots [${widget} 0 R]\n>>`));
	const form = `/AcroForm << /Fields [${widget} 0 R] /SigFlags 3 >>`;
	file.set(file.root, file.text(file.root).replace(/>>\s*$/, `${form}\n>>`));
	return { name: layout, pdf: file.writeUpdate() };
}

/** A title was typed into the properties in a viewer. */
async function propertiesUpdated(seed: number): Made {
	const { layout, file, lastDay, random } = await bankFile(seed);
	file.describe({
		Title: `Statement for my tax adviser ${random.digits(4)}`,
		ModDate: pdfDate(addDays(lastDay, random.between(20, 300))),
	});
	return { name: layout, pdf: file.writeUpdate() };
}

/** An accountant marked a row with a text marker. */
async function highlighted(seed: number): Made {
	const { layout, file, random } = await bankFile(seed);
	const [page = 0] = file.pages();
	const y = random.between(300, 450);
	const rect = `40 ${y} 560 ${y + 12}`;
	const mark = file.add(
		`<< /Type /Annot /Subtype /Highlight /Rect [${rect}] /QuadPoints [40 ${y + 12} 560 ${y + 12} 40 ${y} 560 ${y}] /C [1 1 0] /Contents (check) >>`,
	);
	file.set(page, file.text(page).replace(/>>\s*$/, `/Annots [${mark} 0 R]\n>>`));
	return { name: layout, pdf: seed % 2 === 0 ? file.write() : file.writeUpdate() };
}

/** The holder blackened a number in the head of the page before sending it. */
async function blackened(seed: number): Made {
	const { layout, file } = await bankFile(seed);
	const [page = 0] = file.pages();
	const number = file.contents(page);
	const box = `\nq 0 0 0 rg 330 66 260 9 re f Q\n`;
	file.set(number, PdfFile.stream(file.content(number) + box));
	return { name: layout, pdf: file.write() };
}

/** Salary and rent are round, as they often are; both carry what a bank prints with them. */
async function roundSalaryAndRent(seed: number): Made {
	const random = new SeededRandom(`round ${seed}`);
	const bank = (seed % 3) as 0 | 1 | 2;
	const months = random.between(1, 3);
	const salary = BigInt(random.between(20, 60)) * 10_000n;
	const rent = BigInt(random.between(8, 16)) * 10_000n;
	const employer = random.pick(['MERIDIAN FREIGHT LLC', 'ASHDOWN LOGISTICS LTD', 'VOLLRATH GMBH']);
	const file = random.digits(8);
	const tenant = random.pick(['J PEMBERTON', 'A OKONKWO', 'S WEISS']);
	const lets = random.chance(0.4);
	const periods = Array.from({ length: months }, (_, month) => {
		const start = `2025-0${month + 3}-01`;
		const end = addDays(`2025-0${month + 4}-01`, -1);
		const fixed: Booking[] = [
			{
				day: addDays(start, 24),
				amount: salary,
				text: `SALARY ${employer} ${file} ${random.digits(6)}`,
			},
			{
				day: addDays(start, 1),
				amount: -rent,
				text: 'STANDING ORDER RENT FLAT 4 BRIGHTWELL ESTATES',
			},
			...(lets
				? [
						{
							day: addDays(start, 2),
							amount: rent - 20_000n,
							text: `TRANSFER FROM ${tenant} RENT ROOM`,
						},
					]
				: []),
			...(random.chance(0.5)
				? [
						{
							day: addDays(start, 12),
							amount: BigInt(random.between(1_000, 9_000)),
							text: 'REFUND ONLINE SHOP 44821',
						},
					]
				: []),
		];
		return { start, end, bookings: inOrder([...fixed, ...everydayBookings(random, start, 22)]) };
	});
	const pdf = await plainStatement(seed, bank, BigInt(random.between(50_000, 400_000)), periods);
	const last = periods.at(-1)?.end ?? '2025-03-31';
	return { name: `plain bank ${bank}`, pdf: writtenByBank(pdf, last, random).write() };
}

/** Money goes to the holder's own savings and partly comes back; a friend returns a loan once. */
async function savingsAndLoan(seed: number): Made {
	const random = new SeededRandom(`savings ${seed}`);
	const bank = (seed % 3) as 0 | 1 | 2;
	const start = '2025-05-01';
	const moved = BigInt(random.between(3, 12)) * 10_000n;
	const lent = BigInt(random.between(3, 9)) * 10_000n;
	const bookings = inOrder([
		{ day: addDays(start, 3), amount: -moved, text: 'TRANSFER TO SAVINGS 4471' },
		{ day: addDays(start, 7), amount: moved, text: 'TRANSFER FROM SAVINGS 4471' },
		{ day: addDays(start, 10), amount: -lent, text: 'TRANSFER TO MARTA HOLLIS LOAN' },
		{ day: addDays(start, 15), amount: lent, text: 'TRANSFER FROM MARTA HOLLIS THANK YOU' },
		{
			day: addDays(start, 26),
			amount: BigInt(random.between(180_000, 420_000)),
			text: `SALARY NORTHWIND LTD ${random.digits(7)}`,
		},
		{
			day: addDays(start, 12),
			amount: BigInt(random.between(2_000, 30_000)),
			text: 'RETURN OAK STREET BOOKS',
		},
		...everydayBookings(random, start, 20),
	]);
	const pdf = await plainStatement(seed, bank, 350_000n, [{ start, end: '2025-05-31', bookings }]);
	return { name: `plain bank ${bank}`, pdf: writtenByBank(pdf, '2025-05-31', random).write() };
}

/** Protected by the bank against changes; anybody can open it. */
async function protectedByBank(seed: number): Made {
	const { layout, file } = await bankFile(seed);
	const document = await PDFDocument.load(file.write(), { updateMetadata: false });
	document.encrypt({ ownerPassword: 'only-the-bank', permissions: { modifying: false } });
	return { name: layout, pdf: Buffer.from(await document.save({ useObjectStreams: false })) };
}

/** Statements that nobody tampered with, by what happened to them on their way. */
export const cleanKinds: Record<string, (seed: number) => Made> = {
	asWritten,
	linearized,
	resavedByLibrary,
	printedAgain,
	stampedByDriver,
	stampedByUpdate,
	signedByUpdate,
	propertiesUpdated,
	highlighted,
	blackened,
	protectedByBank,
	roundSalaryAndRent,
	savingsAndLoan,
};

/** `count` clean statements, all kinds in turn. */
export async function* cleanStatements(count: number, from = 1): AsyncGenerator<CaseFile> {
	const kinds = Object.entries(cleanKinds);
	for (let index = 0; index < count; index++) {
		const [kind, make] = kinds[index % kinds.length] as [string, (seed: number) => Made];
		const seed = from + index;
		const { name, pdf } = await make(seed);
		yield { kind, name: `${kind}, ${name}, seed ${seed}`, pdf };
	}
}
