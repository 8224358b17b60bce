import type { Activity } from '../statementTruth.ts';

/** Bookings of a Kenyan account; the direction stands in a column of its own. */
export const kenyanActivities: readonly Activity[] = [
	{
		direction: 'out',
		weight: 28,
		from: 5_000,
		to: 2_400_000,
		lines: (random) => [
			`MOBI PAYBILL ${random.digits(6)} ${random.pick(['UMEME POWER', 'CREDIT SACCO', 'DUKA LA KWETU'])}`,
		],
	},
	{
		direction: 'out',
		weight: 8,
		from: 50_000,
		to: 9_000_000,
		lines: (random) => [
			`RTGS OUT ${random.pick(['BALANCE FREIGHT LTD', 'KILIMO SEEDS', 'TOTAL MARKETING CR NOTE'])}`,
			`REF ${random.letters(2)}${random.digits(8)}`,
		],
	},
	{
		direction: 'out',
		weight: 5,
		from: 3_300,
		to: 25_000,
		lines: () => ['EXCISE DUTY'],
	},
	{
		direction: 'in',
		weight: 14,
		from: 100_000,
		to: 30_000_000,
		lines: (random) => [
			`PESALINK FROM ${random.pick(['DR A MWANGI', 'OTIENO TRADERS', 'N WANJIRU'])}`,
		],
	},
	{
		direction: 'in',
		weight: 4,
		from: 40_000,
		to: 2_000_000,
		lines: (random) => [`CASH DEPOSIT DEBIT SLIP ${random.digits(5)}`, 'WESTLANDS BRANCH'],
	},
];
