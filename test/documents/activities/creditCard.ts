import type { Activity } from '../statementTruth.ts';

const shops = [
	'HARBORVIEW MARKET #0412 PORTLAND OR',
	'BALANCE TRANSFER CAFE SEATTLE WA',
	'NEW BALANCE OUTLET 118 SALEM OR',
	'SKYLARK AIR 0162481937420 800-555-0133 TX',
	'PAYMENT PROCESSING SUPPLY CO DENVER CO',
	'LUMINA STREAMING 888-555-0120 WA',
	'CREDIT UNION CAFETERIA BOISE ID',
	'QUIKSTOP FUEL 00481726 BEND OR',
];

/** Bookings of a credit card; `out` is a purchase, fee or interest, `in` a payment or refund. */
export const creditCardActivities: readonly Activity[] = [
	{
		direction: 'out',
		weight: 40,
		from: 250,
		to: 48_000,
		lines: (random) => [random.pick(shops)],
	},
	{
		direction: 'out',
		weight: 5,
		from: 900,
		to: 30_000,
		lines: (random) => [
			'TRATTORIA LUNGARNO FIRENZE ITA',
			`${random.between(11, 240)}.${random.digits(2)} EUR X 1.0${random.digits(4)} (EXCHG RATE)`,
		],
	},
	{ direction: 'out', weight: 2, from: 500, to: 4_900, lines: () => ['LATE FEE'] },
	{
		direction: 'out',
		weight: 2,
		from: 120,
		to: 8_800,
		lines: () => ['INTEREST CHARGE ON PURCHASES'],
	},
	{
		direction: 'in',
		weight: 4,
		from: 10_000,
		to: 190_000,
		lines: (random) => [`PAYMENT - THANK YOU REF ${random.digits(8)}`],
	},
	{
		direction: 'in',
		weight: 4,
		from: 700,
		to: 22_000,
		lines: (random) => [`RETURN ${random.pick(shops)}`],
	},
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
				'PREVIOUS LIFE VINTAGE',
				'NEW BALANCE SEATTLE WA',
			]),
		],
	},
];
