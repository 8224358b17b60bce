import type { Activity } from '../statementTruth.ts';

/** Bookings of a company's account, with reference lines. English, any country. */
export const businessActivities: readonly Activity[] = [
	{
		direction: 'out',
		weight: 22,
		from: 4_000,
		to: 1_900_000,
		lines: (random) => [
			`EFT DEBIT ${random.pick(['OSPREY PAPER SUPPLY', 'HALIDE CHEMICALS INC', 'TOTAL LOGISTICS LTD'])}`,
			`INV ${random.digits(6)} / PO ${random.digits(5)}`,
			`REF ${random.letters(2)}${random.digits(10)}`,
		],
	},
	{
		direction: 'out',
		weight: 9,
		from: 1_500,
		to: 90_000,
		lines: (random) => ['CORPORATE CARD SETTLEMENT', `BATCH ${random.digits(4)} 1,204 ITEMS`],
	},
	{
		direction: 'out',
		weight: 4,
		from: 150,
		to: 4_500,
		lines: () => ['ACCOUNT MAINTENANCE FEE'],
	},
	{
		direction: 'out',
		weight: 4,
		from: 250_000,
		to: 4_800_000,
		lines: (random) => [
			'PAYROLL RUN',
			`EMPLOYEES ${random.between(11, 96)} FILE ${random.digits(8)}`,
		],
	},
	{
		direction: 'in',
		weight: 20,
		from: 9_000,
		to: 3_800_000,
		lines: (random) => [
			`WIRE IN ${random.pick(['BALANCE SHEET SOFTWARE', 'KESTREL RETAIL GROUP', 'MIRO & PAGE LLP'])}`,
			`REMITTANCE ${random.digits(9)} DATED ${random.between(10, 28)}/0${random.between(1, 9)}`,
		],
	},
	{
		direction: 'in',
		weight: 8,
		from: 2_500,
		to: 240_000,
		lines: (random) => [`MERCHANT DEPOSIT TERMINAL ${random.digits(6)}`],
	},
	{
		direction: 'out',
		weight: 4,
		from: 400,
		to: 9_500,
		// Names that begin like a heading or a total, without anything in front of them.
		lines: (random) => [
			random.pick([
				'TOTAL OFFICE SUPPLY',
				'BALANCE CONSULTING',
				'CLOSING COSTS TITLE CO',
				'OPENING MOVES LTD',
				'CREDIT BUREAU SEARCH',
				'DEPOSIT BOX RENT',
			]),
		],
	},
];
