import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayNumber, isPossibleDay, isoDate } from '../../src/extraction/dates/calendarDate.ts';
import { dayAndMonth, decideDateOrder } from '../../src/extraction/dates/dateOrder.ts';
import { parseDateAt } from '../../src/extraction/dates/printedDate.ts';
import { withYear } from '../../src/extraction/dates/yearOfDate.ts';

/** Year (or null), month and day, with the day first where both orders are possible. */
function read(text: string): [number | null, number, number] | null {
	const words = text.split(' ');
	const date = parseDateAt(words, 0);
	const parts = date && dayAndMonth(date, 'day-first');
	return date && parts && date.wordCount === words.length
		? [date.year, parts.month, parts.day]
		: null;
}

const cases: [string, [number | null, number, number]][] = [
	['01/06/2025', [2025, 6, 1]],
	['1.6.25', [2025, 6, 1]],
	['01-06-2025', [2025, 6, 1]],
	['02.10.', [null, 10, 2]],
	['02.10', [null, 10, 2]],
	['02/10', [null, 10, 2]],
	['2025-06-01', [2025, 6, 1]],
	['2025/06/01', [2025, 6, 1]],
	['2 okt', [null, 10, 2]],
	['2. Januar 2024', [2024, 1, 2]],
	['31 März 2024', [2024, 3, 31]],
	['Jan 2, 2024', [2024, 1, 2]],
	['January 2', [null, 1, 2]],
	['1er janvier 2024', [2024, 1, 1]],
	['15 août', [null, 8, 15]],
	['2 de enero de 2024', [2024, 1, 2]],
	['01JUN2025', [2025, 6, 1]],
	['01-Jun-25', [2025, 6, 1]],
	['5 gen 2024', [2024, 1, 5]],
	['3 mrt', [null, 3, 3]],
	['Mon 02 Jan 2024', [2024, 1, 2]],
	['Jan02', [null, 1, 2]],
	['01/20/24*', [2024, 1, 20]],
	['29/02/2024', [2024, 2, 29]],
];

for (const [text, expected] of cases) {
	test(`"${text}" is ${expected.join('-')}`, () => assert.deepEqual(read(text), expected));
}

for (const text of [
	'31/02/2025',
	'29.02.2023',
	'00/01/2025',
	'32 Jan',
	'13/13/2025',
	'Marathon 5',
	'1/2/3/4',
	'12:30',
]) {
	test(`"${text}" is no date`, () => assert.equal(read(text), null));
}

test('a time after the date is part of it', () => {
	assert.equal(parseDateAt(['02/01/2025', '14:33'], 0)?.time, '143300');
	assert.equal(parseDateAt(['02/01/2025', '9:05:07'], 0)?.time, '090507');
});

test('days written in many ways are read back', () => {
	const days = fc
		.record({
			year: fc.integer({ min: 1990, max: 2089 }),
			month: fc.integer({ min: 1, max: 12 }),
			day: fc.integer({ min: 1, max: 31 }),
		})
		.filter(({ year, month, day }) => isPossibleDay(month, day, year));
	const two = (value: number) => String(value).padStart(2, '0');
	const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
	fc.assert(
		fc.property(days, fc.nat(5), ({ year, month, day }, style) => {
			const text = [
				`${two(day)}/${two(month)}/${year}`,
				`${day}.${month}.${year}`,
				isoDate({ year, month, day }),
				`${day} ${months[month - 1]} ${year}`,
				`${months[month - 1]} ${day}, ${year}`,
				`${two(day)}${months[month - 1]?.toUpperCase()}${year}`,
			][style];
			assert.deepEqual(read(text ?? ''), [year, month, day]);
		}),
	);
});

const printed = (text: string) => {
	const date = parseDateAt(text.split(' '), 0);
	assert.ok(date);
	return date;
};

test('day or month first is decided by all dates together', () => {
	const usual = 'month-first' as const;
	const dates = ['01/02/2025', '05/02/2025', '13/02/2025'].map(printed);
	assert.equal(decideDateOrder({ dates, period: null, usual }), 'day-first');
	const american = ['01/02/2025', '01/13/2025'].map(printed);
	assert.equal(
		decideDateOrder({ dates: american, period: null, usual: 'day-first' }),
		'month-first',
	);
});

test('the period decides where no number is above 12', () => {
	const dates = ['03/01', '03/05', '03/11'].map(printed);
	const march = { start: { year: 2025, month: 3, day: 1 }, end: { year: 2025, month: 3, day: 31 } };
	assert.equal(decideDateOrder({ dates, period: march, usual: 'day-first' }), 'month-first');
});

test('the order that runs evenly is taken where there is no period', () => {
	const dates = ['01/05', '02/05', '05/05', '09/05', '11/05'].map(printed);
	assert.equal(decideDateOrder({ dates, period: null, usual: 'month-first' }), 'day-first');
});

test('a year that is not printed comes from the period, across the end of a year', () => {
	const clues = {
		start: { year: 2023, month: 12, day: 15 },
		end: { year: 2024, month: 1, day: 14 },
		anyYear: null,
	};
	assert.equal(withYear(12, 29, clues)?.year, 2023);
	assert.equal(withYear(1, 5, clues)?.year, 2024);
	// Booked a little before the period begins.
	assert.equal(withYear(12, 10, clues)?.year, 2023);
});

test('with the date of the statement alone, rows lie before it', () => {
	const clues = { start: null, end: { year: 2025, month: 1, day: 15 }, anyYear: null };
	assert.equal(withYear(12, 20, clues)?.year, 2024);
	assert.equal(withYear(1, 10, clues)?.year, 2025);
	assert.equal(withYear(2, 29, { start: null, end: null, anyYear: 2025 }), null);
});

test('day numbers count days', () => {
	assert.equal(
		dayNumber({ year: 2024, month: 3, day: 1 }) - dayNumber({ year: 2024, month: 2, day: 28 }),
		2,
	);
	fc.assert(
		fc.property(
			fc.date({ min: new Date('1970-01-02'), max: new Date('2099-12-30'), noInvalidDate: true }),
			(date) => {
				const parts = {
					year: date.getUTCFullYear(),
					month: date.getUTCMonth() + 1,
					day: date.getUTCDate(),
				};
				const epoch = dayNumber({ year: 1970, month: 1, day: 1 });
				assert.equal(dayNumber(parts) - epoch, Math.floor(date.getTime() / 86_400_000));
			},
		),
	);
});
