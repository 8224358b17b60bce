import { dayParts } from '../calendar.ts';
import type { SeededRandom } from '../seededRandom.ts';
import type { Activity } from '../statementTruth.ts';

// Names hold words that also stand in headings and totals, because real ones do.
const shops = [
	'HARBORVIEW MARKET #0412 PORTLAND OR',
	'NEW BALANCE OUTLET 118 SALEM OR',
	'TOTAL WINE & MORE 0733 BEAVERTON OR',
	'CASCADE COFFEE ROASTERS PORTLAND OR',
	'PAGE ONE BOOKS 415-555-0182 CA',
	'EVERGREEN GROCERY 2290 EUGENE OR',
	'QUIKSTOP FUEL 00481726 BEND OR',
	'PAYMENTUS UTILITY FEE 800-555-0147',
	'STATEMENT GOODS CO SAN DIEGO CA',
	'RIVERBEND PHARMACY 91 PORTLAND OR',
	'LUMINA STREAMING 888-555-0120 WA',
	'DEPOSIT BOTTLE DROP CTR GRESHAM OR',
];

const cardTail = (random: SeededRandom) => `CARD ${random.between(1000, 9999)}`;

const monthDay = (day: string) => `${dayParts(day).month}/${dayParts(day).day}`;

/** Bookings of a current account at a bank in the United States. */
export const unitedStatesActivities: readonly Activity[] = [
	{
		direction: 'out',
		weight: 34,
		from: 325,
		to: 24_000,
		lines: (random, day) => [
			`DEBIT CARD PURCHASE ${monthDay(day)} ${random.pick(shops)}`,
			...(random.chance(0.35) ? [`${cardTail(random)} REF ${random.digits(12)}`] : []),
		],
	},
	{
		direction: 'out',
		weight: 8,
		from: 4_500,
		to: 62_000,
		lines: (random) => [
			`${random.pick(['NORTHGRID ELECTRIC', 'CLEARWATER UTIL', 'TELVARA WIRELESS'])} DES:ONLINE PMT`,
			`ID:${random.digits(10)} INDN:JORDAN M ELLERY CO ID:${random.digits(9)} WEB`,
		],
	},
	{
		direction: 'out',
		weight: 5,
		from: 2_000,
		to: 50_000,
		step: 2_000,
		lines: (random, day) => [
			`ATM WITHDRAWAL ${monthDay(day)} #${random.digits(9)} 1200 SW MAIN ST PORTLAND OR`,
		],
	},
	{
		direction: 'out',
		weight: 6,
		from: 15_000,
		to: 240_000,
		check: true,
		lines: (_random, _day, checkNumber) => [`CHECK ${checkNumber}`],
	},
	{
		direction: 'out',
		weight: 2,
		from: 300,
		to: 3_500,
		lines: (random) => [
			random.pick(['MONTHLY SERVICE FEE', 'OVERDRAFT ITEM FEE', 'WIRE TRANSFER FEE']),
		],
	},
	{
		direction: 'in',
		weight: 9,
		from: 90_000,
		to: 420_000,
		lines: (random) => [
			'MERIDIAN FREIGHT LLC DES:PAYROLL',
			`ID:${random.digits(15)} INDN:ELLERY,JORDAN M CO ID:${random.digits(10)} PPD`,
		],
	},
	{
		direction: 'in',
		weight: 5,
		from: 5_000,
		to: 180_000,
		lines: (random) => [
			random.pick(['MOBILE DEPOSIT', 'BRANCH DEPOSIT', 'COUNTER CREDIT']) +
				` REF NUMBER ${random.digits(10)}`,
		],
	},
	{
		direction: 'in',
		weight: 3,
		from: 1_200,
		to: 40_000,
		lines: (random) => [
			`ZENPAY TRANSFER FROM ${random.pick(['CASEY LINDQVIST', "PAT O'HARA", 'R. ABERNATHY-COLE'])}`,
			`CONF# ${random.letters(3).toLowerCase()}${random.digits(6)}`,
		],
	},
	{
		direction: 'in',
		weight: 2,
		from: 350,
		to: 9_000,
		lines: (random, day) => [`PURCHASE RETURN ${monthDay(day)} ${random.pick(shops)}`],
	},
	{ direction: 'in', weight: 1, from: 1, to: 900, lines: () => ['INTEREST PAID'] },
	{
		direction: 'out',
		weight: 4,
		from: 400,
		to: 9_500,
		// Names that begin like a heading or a total, without anything in front of them.
		lines: (random) => [
			random.pick([
				'TOTAL FITNESS CLUB',
				'BALANCE BREWING CO',
				'CLOSING TIME BAR & GRILL',
				'OPENING DAY SPORTS',
				'PAYMENT PLAZA PARKING',
				'DEPOSIT GUARANTY STORAGE',
			]),
		],
	},
];
