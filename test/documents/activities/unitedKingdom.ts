import type { SeededRandom } from '../seededRandom.ts';
import type { Activity } from '../statementTruth.ts';

const shops = [
	'THORNBURY STORES 3241 LEEDS',
	'BALANCE YOGA STUDIO YORK',
	'HOLLOWAY & SONS BUTCHERS',
	'PAID IN FULL CAFE LONDON SE1',
	'KINGSMEAD SERVICES M62',
	'QUILL AND INK 0113 496 0182',
	'TRANSPENNINE RAIL TICKETS',
];

const people = ['MRS A PEMBERTON', 'D OKONKWO', 'THE ALLOTMENT SOC', 'S J WHITTAKER'];

const reference = (random: SeededRandom) => `${random.letters(2)}${random.digits(8)}`;

/** Bookings of a current account at a bank in the United Kingdom. */
export const unitedKingdomActivities: readonly Activity[] = [
	{
		direction: 'out',
		weight: 30,
		from: 180,
		to: 14_000,
		lines: (random) => [`VIS  ${random.pick(shops)}`],
	},
	{
		direction: 'out',
		weight: 9,
		from: 900,
		to: 28_000,
		lines: (random) => [
			`DD  ${random.pick(['YORKSHIRE METROPOLITAN WATER', 'CALDER ENERGY LTD', 'COUNCIL TAX LEEDS'])}`,
			`REF ${reference(random)}`,
		],
	},
	{
		direction: 'out',
		weight: 7,
		from: 1_000,
		to: 95_000,
		lines: (random) => [
			`FPO  ${random.pick(people)}`,
			`${random.pick(['rent march', 'Invoice 00417', 'thanks for lunch 12 May', 'deposit'])}`,
		],
	},
	{
		direction: 'out',
		weight: 4,
		from: 1_000,
		to: 30_000,
		step: 1_000,
		lines: (random) => [
			`ATM  CASH NOTEMACHINE LS${random.between(1, 29)} @${random.between(10, 23)}:${random.between(10, 59)}`,
		],
	},
	{
		direction: 'out',
		weight: 3,
		from: 800,
		to: 9_000,
		lines: (random) => [
			`VIS  INT'L ${random.digits(10)} CAFE DU PORT NICE`,
			`EUR ${random.between(9, 79)},${random.digits(2)} @ 1.${random.digits(4)}`,
			'NON-STERLING TRANSACTION FEE INCLUDED',
		],
	},
	{
		direction: 'in',
		weight: 7,
		from: 110_000,
		to: 380_000,
		lines: (random) => ['CR  ASHDOWN LOGISTICS LTD', `SALARY ${random.digits(6)}`],
	},
	{
		direction: 'in',
		weight: 6,
		from: 500,
		to: 60_000,
		lines: (random) => [`FPI  ${random.pick(people)}`, `RFB ${reference(random)}`],
	},
	{ direction: 'in', weight: 1, from: 2, to: 1_500, lines: () => ['CR  GROSS INTEREST'] },
	{
		direction: 'out',
		weight: 4,
		from: 400,
		to: 9_500,
		// Names that begin like a heading or a total, without anything in front of them.
		lines: (random) => [
			random.pick([
				'TOTAL TOOLS LEEDS',
				'BALANCE PHYSIO',
				'OPENING TIMES PUB CO',
				'STATEMENT HAIR',
				'PAID PARKING WAKEFIELD',
			]),
		],
	},
];
