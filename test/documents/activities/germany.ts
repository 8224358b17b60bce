import { dayParts } from '../calendar.ts';
import type { SeededRandom } from '../seededRandom.ts';
import type { Activity } from '../statementTruth.ts';

const germanDay = (day: string) =>
	`${dayParts(day).day}.${dayParts(day).month}.${dayParts(day).year}`;

const mandate = (random: SeededRandom) => `MREF+${random.letters(2)}${random.digits(9)}`;

const creditor = (random: SeededRandom) => `CRED+DE${random.digits(2)}ZZZ0000${random.digits(7)}`;

/** Bookings of a German current account; two to four lines each. */
export const germanActivities: readonly Activity[] = [
	{
		direction: 'out',
		weight: 26,
		from: 260,
		to: 19_500,
		lines: (random, day) => [
			'Kartenzahlung girocard',
			`${random.pick(['KAUFHALLE OSTTOR', 'BÄCKEREI HÖFER GMBH', 'DROGERIE LINDENPLATZ', 'TANKHOF A7 SÜD'])}//KASSEL/DE`,
			`${germanDay(day)} ${random.between(8, 21)}:${random.between(10, 59)} Uhr Folgenr. 00${random.digits(1)}`,
		],
	},
	{
		direction: 'out',
		weight: 12,
		from: 1_199,
		to: 48_000,
		lines: (random) => [
			'SEPA-Basislastschrift',
			random.pick([
				'Stadtwerke Fuldatal AÖR',
				'Versicherungsverein Werra a.G.',
				'Nordfunk Mobil SE',
			]),
			`EREF+${random.digits(12)} ${mandate(random)}`,
			creditor(random),
		],
	},
	{
		direction: 'out',
		weight: 6,
		from: 38_000,
		to: 145_000,
		lines: (random) => [
			'Dauerauftrag',
			`Hausverwaltung Brömmel SVWZ+Miete Whg. ${random.between(1, 24)} Saldo offen 0,00`,
		],
	},
	{
		direction: 'out',
		weight: 5,
		from: 2_000,
		to: 60_000,
		step: 1_000,
		lines: (random) => [
			'Bargeldauszahlung',
			`GA NR${random.digits(8)} BLZ520${random.digits(5)} 0`,
		],
	},
	{
		direction: 'in',
		weight: 9,
		from: 150_000,
		to: 460_000,
		lines: (random) => [
			'Lohn/Gehalt',
			'MASCHINENBAU VOLLRATH GMBH & CO. KG',
			`SVWZ+LOHN / GEHALT 12/24 PERS.-NR. ${random.digits(6)}`,
		],
	},
	{
		direction: 'in',
		weight: 6,
		from: 1_000,
		to: 90_000,
		lines: (random) => [
			'SEPA-Überweisungsgutschrift',
			random.pick(['Familie Weißhaupt', 'Ökokiste Reinhardswald eG', 'Finanzamt Kassel']),
			`SVWZ+Rechnung ${random.digits(5)} vom 03.11., danke`,
		],
	},
	{
		direction: 'out',
		weight: 4,
		from: 400,
		to: 9_500,
		// Names that begin like a heading or a total, without anything in front of them.
		lines: (random) => [
			'Lastschrift',
			random.pick(['Saldo Sonnenstudio', 'Summe Sportverein e.V.', 'Kontostand Verlag']),
		],
	},
];
