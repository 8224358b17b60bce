import fc from 'fast-check';
import { toIsoDate } from '../../../nodes/shared/extraction/isoDate';

const days = fc
	.date({
		min: new Date('1000-01-01T00:00:00Z'),
		max: new Date('9999-12-31T23:59:59Z'),
		noInvalidDate: true,
	})
	.map((date) => date.toISOString());

describe('toIsoDate', () => {
	it.each([
		['20240115120000', '2024-01-15'],
		['20240115', '2024-01-15'],
		[20240115120000, '2024-01-15'],
		['20240229000000', '2024-02-29'],
		['20000229', '2000-02-29'],
		['20240115120000.000[-5:EST]', '2024-01-15'],
		['2024-01-15', '2024-01-15'],
		['2024-01-15T23:30:00Z', '2024-01-15'],
		['2024-01-15T23:30:00.123+02:00', '2024-01-15'],
		['2024-01-15 08:00', '2024-01-15'],
		[' 2024-01-15 ', '2024-01-15'],
	])('reads %p as %s', (value, expected) => {
		expect(toIsoDate(value)).toBe(expected);
	});

	it.each([
		['a day that does not exist', '20230229000000'],
		['a day that does not exist', '19000229'],
		['a day that does not exist', '2024-04-31'],
		['month 0', '20240015'],
		['month 13', '2024-13-01'],
		['day 0', '20240100'],
		['an hour that does not exist', '20240115240000'],
		['a minute that does not exist', '20240115126000'],
		['only zeros', '00000000000000'],
		['13 digits', '2024011512000'],
		['a date with two readings', '01/02/2024'],
		['a short year', '24-01-15'],
		['text after the date', '2024-01-15 or so'],
		['nothing', ''],
		['another type', null],
		['another type', undefined],
		['another type', { date: '2024-01-15' }],
		['another type', ['20240115']],
		['a number of seconds', 1705312800],
	])('gives null for %s: %p', (_reason, value) => {
		expect(toIsoDate(value)).toBeNull();
	});

	it('reads every day in every form alike', () => {
		fc.assert(
			fc.property(days, (iso) => {
				const day = iso.slice(0, 10);
				const digits = iso.slice(0, 19).replace(/\D/g, '');
				expect(toIsoDate(digits)).toBe(day);
				expect(toIsoDate(digits.slice(0, 8))).toBe(day);
				expect(toIsoDate(iso)).toBe(day);
			}),
		);
	});

	it('gives a day of the calendar or null for any eight digits', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^[12]\d{3}[01]\d[0-3]\d$/), (digits) => {
				const text = digits.replace(/(....)(..)(..)/, '$1-$2-$3');
				const date = new Date(`${text}T00:00:00Z`);
				const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
				expect(toIsoDate(digits)).toBe(exists ? text : null);
			}),
			{ numRuns: 1000 },
		);
	});
});
