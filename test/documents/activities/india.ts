import type { SeededRandom } from '../seededRandom.ts';
import type { Activity } from '../statementTruth.ts';

const handle = (random: SeededRandom) =>
	`${random.pick(['swadkart', 'metrofare', 'kiranaplus', 'r.nair'])}@${random.pick(['okdbn', 'yblx'])}`;

/** Bookings of an Indian savings account. */
export const indianActivities: readonly Activity[] = [
	{
		direction: 'out',
		weight: 30,
		from: 2_000,
		to: 800_000,
		lines: (random) => [
			`UPI-${random.pick(['SWADKART FOODS', 'METRO FARE CARD', 'KIRANA PLUS', 'RAHUL NAIR'])}-`,
			`${handle(random)}-DBNK000${random.digits(4)}-`,
			`${random.digits(12)}-PAYMENT FROM PHONE`,
		],
	},
	{
		direction: 'out',
		weight: 5,
		from: 50_000,
		to: 2_000_000,
		step: 50_000,
		lines: (random) => [`NWD-${random.digits(6)}XXXXXX${random.digits(4)}-S1ANBL08-BENGALURU`],
	},
	{
		direction: 'out',
		weight: 5,
		from: 120_000,
		to: 6_500_000,
		lines: (random) => [
			`ACH D- ${random.pick(['HOMEFIRST LOANS', 'LIFE COVER INDIA'])}-${random.digits(10)}`,
		],
	},
	{
		direction: 'out',
		weight: 4,
		from: 500_000,
		to: 25_000_000,
		check: true,
		lines: (random) => [
			'CHQ PAID-MICR CTS-BG-',
			`${random.pick(['SREE TRADERS', 'M/S BALANCE BUILDERS'])}`,
		],
	},
	{
		direction: 'in',
		weight: 8,
		from: 4_500_000,
		to: 24_000_000,
		lines: (random) => [
			`NEFT CR-CITX000${random.digits(4)}-TECHNOVA PVT LTD-`,
			`SALARY-${random.letters(4)}${random.digits(12)}`,
		],
	},
	{
		direction: 'in',
		weight: 8,
		from: 10_000,
		to: 1_500_000,
		lines: (random) => [`IMPS-${random.digits(12)}-FAMILY-XXXXXX${random.digits(4)}-GIFT`],
	},
	{
		direction: 'in',
		weight: 1,
		from: 5_000,
		to: 120_000,
		lines: () => ['INTEREST PAID TILL 31-DEC'],
	},
	{
		direction: 'out',
		weight: 4,
		from: 400,
		to: 9_500,
		// Names that begin like a heading or a total, without anything in front of them.
		lines: (random) => [
			random.pick(['TOTAL STORES PUNE', 'BALANCE AYURVEDA', 'OPENING OVER SPORTS']),
		],
	},
];
