import { addDays } from '../documents/calendar.ts';
import { absolute, printUnsigned, sum } from '../documents/money.ts';
import { commaStyle, pointStyle } from '../documents/money.ts';
import { SeededRandom } from '../documents/seededRandom.ts';
import { Sheet } from '../documents/sheet.ts';

/** One booking of a plain statement; the amount in minor units, negative for money out. */
export interface Booking {
	day: string;
	amount: bigint;
	text: string;
}

export interface PlainPeriod {
	start: string;
	end: string;
	bookings: Booking[];
}

/** How three made-up banks set a statement. */
const BANKS = [
	{
		name: 'Tidewater Community Bank',
		number: 'Account number',
		period: (start: string, end: string) => `Statement period ${us(start)} to ${us(end)}`,
		day: us,
		headings: ['Date', 'Description', 'Amount', 'Balance'],
		opening: 'Opening balance',
		closing: 'Closing balance',
		into: 'Total deposits',
		out: 'Total withdrawals',
		style: pointStyle,
		size: 8.5,
		font: 'Helvetica',
	},
	{
		name: 'Glenmore & Firth Bank',
		number: 'Account number',
		period: (start: string, end: string) => `Statement period ${uk(start)} to ${uk(end)}`,
		day: uk,
		headings: ['Date', 'Details', 'Amount', 'Balance'],
		opening: 'Opening balance',
		closing: 'Closing balance',
		into: 'Total paid in',
		out: 'Total paid out',
		style: pointStyle,
		size: 8,
		font: 'Times-Roman',
	},
	{
		name: 'Talbrück Bank AG',
		number: 'Kontonummer',
		period: (start: string, end: string) => `Zeitraum ${de(start)} bis ${de(end)}`,
		day: de,
		headings: ['Datum', 'Verwendungszweck', 'Betrag', 'Saldo'],
		opening: 'Anfangssaldo',
		closing: 'Endsaldo',
		into: 'Summe Gutschriften',
		out: 'Summe Lastschriften',
		style: commaStyle,
		size: 8.2,
		font: 'Helvetica',
	},
] as const;

function us(day: string): string {
	return `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;
}

function uk(day: string): string {
	return `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(0, 4)}`;
}

function de(day: string): string {
	return `${day.slice(8)}.${day.slice(5, 7)}.${day.slice(0, 4)}`;
}

/** A statement whose bookings are given; everything on it adds up. The same seed gives the same bytes. */
export async function plainStatement(
	seed: number,
	bank: 0 | 1 | 2,
	startBalance: bigint,
	periods: readonly PlainPeriod[],
): Promise<Buffer> {
	const random = new SeededRandom(`plain ${bank} ${seed}`);
	const look = BANKS[bank];
	const sheet = new Sheet({ size: 'A4', title: 'Account statement', author: look.name });
	const body = { size: look.size, font: look.font };
	const bold = {
		size: look.size,
		font: `${look.font === 'Times-Roman' ? 'Times' : look.font}-Bold`,
	};
	const account = random.digits(10);
	const print = (minor: bigint) => `${minor < 0n ? '-' : ''}${printUnsigned(minor, look.style)}`;
	let balance = startBalance;
	for (const [index, { start, end, bookings }] of periods.entries()) {
		if (index > 0) sheet.addPage();
		const amounts = bookings.map(({ amount }) => amount);
		sheet.text(look.name, 50, 40, { ...bold, size: 15 });
		sheet.text(`${look.number}: ${account}`, 50, 70, body);
		sheet.text(look.period(start, end), 50, 84, body);
		const facts: [string, bigint][] = [
			[look.opening, balance],
			[look.into, sum(amounts.filter((amount) => amount > 0n))],
			[look.out, absolute(sum(amounts.filter((amount) => amount < 0n)))],
			[look.closing, balance + sum(amounts)],
		];
		for (const [row, [label, value]] of facts.entries()) {
			sheet.text(label, 50, 112 + row * 14, body);
			sheet.text(print(value), 300, 112 + row * 14, { ...bold, align: 'right' });
		}
		let y = 190;
		const headings = () => {
			sheet.text(look.headings[0], 50, y, bold);
			sheet.text(look.headings[1], 120, y, bold);
			sheet.text(look.headings[2], 460, y, { ...bold, align: 'right' });
			sheet.text(look.headings[3], 545, y, { ...bold, align: 'right' });
			sheet.rule(50, 545, y + 12);
			y += 18;
		};
		headings();
		for (const booking of bookings) {
			if (y > 770) {
				sheet.addPage();
				sheet.text(`${look.name}   ${look.number}: ${account}`, 50, 40, body);
				y = 70;
				headings();
			}
			balance += booking.amount;
			sheet.text(look.day(booking.day), 50, y, body);
			sheet.text(booking.text, 120, y, body);
			sheet.text(print(booking.amount), 460, y, { ...body, align: 'right' });
			sheet.text(print(balance), 545, y, { ...body, align: 'right' });
			y += 13;
		}
	}
	sheet.onEveryPage((page, pages) =>
		sheet.text(`Page ${page} of ${pages}`, 545, 810, { size: 7, align: 'right' }),
	);
	return await sheet.finish();
}

const SHOPS = [
	'HARBOR GROCERS',
	'LINDEN PHARMACY',
	'METRO FUEL',
	'CAFE ARNO',
	'OAK STREET BOOKS',
	'NORTH POWER LTD',
];

/** Purchases as everybody makes them. */
export function everydayBookings(random: SeededRandom, start: string, count: number): Booking[] {
	return Array.from({ length: count }, () => ({
		day: addDays(start, random.between(0, 27)),
		amount: -BigInt(random.between(350, 14_000)),
		text: `CARD PURCHASE ${random.pick(SHOPS)} ${random.digits(4)}`,
	}));
}

export function inOrder(bookings: readonly Booking[]): Booking[] {
	return [...bookings].sort((left, right) => left.day.localeCompare(right.day));
}
