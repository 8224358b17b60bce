import { addDays, daysBetween } from '../documents/calendar.ts';
import { SeededRandom } from '../documents/seededRandom.ts';
import { firstDayOf, lastDayOf, writtenByBank } from './caseFile.ts';
import type { CaseFile } from './caseFile.ts';
import { PdfFile, pdfDate } from './pdfFile.ts';
import { everydayBookings, inOrder, plainStatement } from './plainStatement.ts';
import type { Booking, PlainPeriod } from './plainStatement.ts';
import {
	amountChanged,
	balancesRecomputed,
	endBalanceRaised,
	otherFont,
	rowDeleted,
	rowInserted,
	whiteBox,
} from './tamperedRows.ts';
import type { Retouched } from './tamperedRows.ts';

type Made = Promise<{ name: string; pdf: Buffer }>;

/** Set anew without a trace in the file: it is dated as the bank would. */
function setAnew(retouch: (seed: number) => Promise<Retouched>) {
	return async (seed: number): Made => {
		const { layout, after } = await retouch(seed);
		const random = new SeededRandom(`dates ${seed}`);
		return { name: layout, pdf: writtenByBank(after.pdf, lastDayOf(after.truth), random).write() };
	};
}

/** The content of a page is replaced by an update that is appended to the bank's file. */
async function contentReplacedByUpdate(seed: number): Made {
	const { layout, before, after, changed } = await amountChanged(seed);
	const random = new SeededRandom(`update ${seed}`);
	const lastDay = lastDayOf(before.truth);
	const file = writtenByBank(before.pdf, lastDay, random);
	const forged = new PdfFile(after.pdf);
	const index = (changed?.call.page ?? 1) - 1;
	const page = file.pages()[index] ?? 0;
	const content = forged.content(forged.contents(forged.pages()[index] ?? 0));
	file.set(file.contents(page), PdfFile.stream(content));
	if (seed % 2 === 0) file.describe({ ModDate: pdfDate(addDays(lastDay, random.between(10, 90))) });
	return { name: layout, pdf: file.writeUpdate() };
}

/** A box and a text are put over an amount by an update; the page's own content stays. */
async function overlaidByUpdate(seed: number): Made {
	const { layout, before, changed } = await amountChanged(layoutIsTurned(seed) ? seed + 1 : seed);
	const random = new SeededRandom(`overlay ${seed}`);
	const lastDay = lastDayOf(before.truth);
	const file = writtenByBank(before.pdf, lastDay, random);
	if (changed === null) throw new Error('No amount was changed.');
	const { call, text } = changed;
	const page = file.pages()[call.page - 1] ?? 0;
	const body = file.text(page);
	const height = Number(/\/MediaBox \[0 0 [\d.]+ ([\d.]+)\]/.exec(body)?.[1] ?? '792');
	const size = call.style.size ?? 9;
	const width = [...call.text].reduce(
		(sum, letter) => sum + (/\d/.test(letter) ? 0.556 : 0.3) * size,
		0,
	);
	const { align } = call.style;
	const left = call.x - (align === 'right' ? width : align === 'center' ? width / 2 : 0);
	const baseline = height - call.y - 0.72 * size;
	const font = file.add(
		'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
	);
	const content = file.contents(page);
	const first = file.add(PdfFile.stream('q\n'));
	const escaped = text.replaceAll(/[()\\]/g, '\\$&');
	const last = file.add(
		PdfFile.stream(
			`Q\nq 1 1 1 rg ${left - 1} ${baseline - 2} ${width + 2} ${size + 2} re f Q\nBT 0 g /Edit ${size} Tf 1 0 0 1 ${left} ${baseline} Tm (${escaped}) Tj ET\n`,
		),
	);
	const resources = Number(/\/Resources (\d+) 0 R/.exec(body)?.[1]);
	file.set(resources, file.text(resources).replace('/Font <<', `/Font <<\n/Edit ${font} 0 R`));
	file.set(
		page,
		body.replace(`/Contents ${content} 0 R`, `/Contents [${first} 0 R ${content} 0 R ${last} 0 R]`),
	);
	return { name: layout, pdf: file.writeUpdate() };
}

/** The landscape layout's pages are turned, so that places on paper are others in the file. */
function layoutIsTurned(seed: number): boolean {
	return seed % 12 === 10;
}

/** The file says that it was made before what it prints had happened. */
async function datedBeforePeriod(seed: number): Made {
	const { layout, before } = await amountChanged(seed);
	const random = new SeededRandom(`early ${seed}`);
	const [first, last] = [firstDayOf(before.truth), lastDayOf(before.truth)];
	const file = writtenByBank(before.pdf, last, random);
	const day = addDays(first, -random.between(1, Math.max(2, daysBetween(first, last))));
	file.describe({ CreationDate: pdfDate(day), ModDate: pdfDate(addDays(last, 20)) });
	if (seed % 2 === 0) file.describeXmp({ 'xmp:CreateDate': `${day}T09:30:00Z` });
	return { name: layout, pdf: file.write() };
}

const EDITORS: [producer: string, creator: string][] = [
	['Sejda 3.2.84 \\(sejda.com\\)', 'Sejda'],
	['iLovePDF', 'Document Services'],
	['PDFescape Online - https://www.pdfescape.com', 'Document Services'],
	['Foxit PDF Editor Printer Version 12.1', 'Foxit PDF Editor'],
	['Wondershare PDFelement 9', 'Document Services'],
	['PDF-XChange Editor 10.1.3.383', 'Document Services'],
	['Adobe Photoshop for Windows', 'Adobe Photoshop CC 2019'],
	['Adobe PDF library 15.00', 'Adobe Illustrator 25.4'],
	['Nitro Pro 13', 'Document Services'],
	['Smallpdf', 'Document Services'],
	['DocHub PDF Editor', 'Document Services'],
	['Microsoft\xae Word 2019', 'Microsoft\xae Word 2019'],
	['Inkscape 1.2 \\(https://inkscape.org\\)', 'Inkscape'],
	['Master PDF Editor 5', 'Document Services'],
];

/** Saved by a program that is made for changing PDFs. */
async function savedByEditor(seed: number): Made {
	const { layout, before } = await amountChanged(seed);
	const random = new SeededRandom(`editor ${seed}`);
	const lastDay = lastDayOf(before.truth);
	const file = writtenByBank(before.pdf, lastDay, random);
	const [producer, creator] = EDITORS[seed % EDITORS.length] as [string, string];
	file.describe({
		Producer: producer,
		Creator: creator,
		ModDate: pdfDate(addDays(lastDay, random.between(7, 120))),
	});
	if (random.chance(0.5)) file.describeXmp(null);
	return { name: `${layout}, ${producer}`, pdf: file.write() };
}

type Bank = 0 | 1 | 2;

async function plain(seed: number, periods: PlainPeriod[], startBalance: bigint): Made {
	const random = new SeededRandom(`written ${seed}`);
	const bank = (seed % 3) as Bank;
	const pdf = await plainStatement(seed, bank, startBalance, periods);
	const last = periods.at(-1)?.end ?? '2025-06-30';
	return { name: `plain bank ${bank}`, pdf: writtenByBank(pdf, last, random).write() };
}

/** A salary that nobody pays: round, always the same, and without what a payroll leaves. */
async function madeUpSalary(seed: number): Made {
	const random = new SeededRandom(`salary ${seed}`);
	const amount = BigInt(random.between(15, 80)) * 10_000n;
	const words = random.pick([
		'SALARY',
		'MONTHLY SALARY',
		'PAYROLL',
		'WAGES JUNE',
		'SALARY PAYMENT',
	]);
	const months = random.between(2, 3);
	const weekly = random.chance(0.4);
	const periods = Array.from({ length: weekly ? 1 : months }, (_, month) => {
		const start = `2025-0${month + 4}-01`;
		const days = weekly ? [4, 11, 18, 25] : [random.between(23, 27)];
		const paid: Booking[] = days.map((day) => ({
			day: addDays(start, day),
			amount: weekly ? (amount / 4n / 5_000n) * 5_000n : amount,
			text: words,
		}));
		return {
			start,
			end: addDays(`2025-0${month + 5}-01`, -1),
			bookings: inOrder([...paid, ...everydayBookings(random, start, 16)]),
		};
	});
	return await plain(seed, periods, BigInt(random.between(100_000, 500_000)));
}

/** The same sums go out and come back, so that the account turns over more. */
async function circularTransfers(seed: number): Made {
	const random = new SeededRandom(`circular ${seed}`);
	const start = '2025-06-01';
	const partner = random.pick(['DELTA TRADING', 'R HARTMANN', 'BLUE HERON CONSULTING', 'K SANTOS']);
	const loops = random.between(2, 4);
	const bookings: Booking[] = [];
	for (let loop = 0; loop < loops; loop++) {
		const amount = BigInt(random.between(600, 9_000)) * 100n + BigInt(random.between(0, 99));
		const day = addDays(start, 2 + loop * 6);
		const back = addDays(day, random.between(1, 4));
		const first = random.chance(0.5) ? 1n : -1n;
		bookings.push(
			{
				day,
				amount: first * amount,
				text: `TRANSFER ${first > 0n ? 'FROM' : 'TO'} ${partner} ${random.digits(5)}`,
			},
			{
				day: back,
				amount: -first * amount,
				text: `TRANSFER ${first > 0n ? 'TO' : 'FROM'} ${partner} ${random.digits(5)}`,
			},
		);
	}
	const period = {
		start,
		end: '2025-06-30',
		bookings: inOrder([...bookings, ...everydayBookings(random, start, 18)]),
	};
	return await plain(seed, [period], 1_200_000n);
}

/** A sum comes in on the last days of a period, makes most of its balance, and leaves with the next one. */
async function balanceLifted(seed: number): Made {
	const random = new SeededRandom(`lifted ${seed}`);
	const amount = BigInt(random.between(4, 30)) * 100_000n;
	const from = random.pick(['M KELLER', 'TRANSFER R ADEYEMI', 'CASH DEPOSIT BRANCH', 'L SANTOS']);
	const periods: PlainPeriod[] = [
		{
			start: '2025-03-01',
			end: '2025-03-31',
			bookings: inOrder([
				...everydayBookings(random, '2025-03-01', 14),
				{ day: `2025-03-${random.between(29, 31)}`, amount, text: `TRANSFER FROM ${from}` },
			]),
		},
		{
			start: '2025-04-01',
			end: '2025-04-30',
			bookings: inOrder([
				{ day: `2025-04-0${random.between(1, 3)}`, amount: -amount, text: `TRANSFER TO ${from}` },
				...everydayBookings(random, '2025-04-03', 14),
			]),
		},
	];
	return await plain(seed, periods, BigInt(random.between(150_000, 260_000)));
}

/** What was done to a statement. */
export const tamperedKinds: Record<string, (seed: number) => Made> = {
	amountChanged: setAnew(amountChanged),
	balancesRecomputed: setAnew(balancesRecomputed),
	rowInserted: setAnew(rowInserted),
	rowDeleted: setAnew(rowDeleted),
	endBalanceRaised: setAnew(endBalanceRaised),
	whiteBox: setAnew(whiteBox),
	contentReplacedByUpdate,
	overlaidByUpdate,
	otherFont: setAnew(otherFont),
	datedBeforePeriod,
	savedByEditor,
	madeUpSalary,
	circularTransfers,
	balanceLifted,
};

/** `count` tampered statements, all kinds in turn. */
export async function* tamperedStatements(count: number, from = 1): AsyncGenerator<CaseFile> {
	const kinds = Object.entries(tamperedKinds);
	for (let index = 0; index < count; index++) {
		const at = index % kinds.length;
		const [kind, make] = kinds[at] as [string, (seed: number) => Made];
		// Each kind meets all layouts in turn, and other statements than the other kinds.
		const seed = from + Math.floor(index / kinds.length) + 100 * at;
		const { name, pdf } = await make(seed);
		yield { kind, name: `${kind}, ${name}, seed ${seed}`, pdf };
	}
}
