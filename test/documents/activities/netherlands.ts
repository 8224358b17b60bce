import type { Activity } from '../statementTruth.ts';

/** Bookings of a Dutch current account. The first line is the counterparty. */
export const dutchActivities: readonly Activity[] = [
	{
		direction: 'out',
		weight: 28,
		from: 120,
		to: 18_000,
		lines: (random) => [
			random.pick([
				'BAKKERIJ DE KORENMOLEN',
				'GROENTEHAL OOST',
				'FIETSENMAKER ZUID',
				'SALDO SUPERMARKT',
			]),
			`Betaalautomaat ${random.between(8, 21)}:${random.between(10, 59)} pas ${random.digits(3)}`,
			`NR:${random.digits(6)} UTRECHT`,
		],
	},
	{
		direction: 'out',
		weight: 10,
		from: 950,
		to: 32_000,
		lines: (random) => [
			random.pick(['WATERBEDRIJF MIDDEN', 'ZORGVERZEKERAAR DE LINDE', 'STROOM & GAS NOORD']),
			'SEPA Incasso algemeen doorlopend',
			`Kenmerk: ${random.digits(12)}`,
		],
	},
	{
		direction: 'in',
		weight: 8,
		from: 160_000,
		to: 480_000,
		lines: (random) => ['DRUKKERIJ VAN LOON B.V.', `Salaris periode ${random.between(1, 12)}`],
	},
	{
		direction: 'in',
		weight: 7,
		from: 400,
		to: 60_000,
		lines: (random) => [
			random.pick(['Hr. S. Bakker', 'Mw. L. Jansen-Öz', 'Belastingdienst']),
			'Overboeking',
			`Betreft: ${random.pick(['etentje 12 okt', 'boodschappen', 'teruggaaf 2024'])}`,
		],
	},
	{
		direction: 'out',
		weight: 4,
		from: 400,
		to: 9_500,
		// Names that begin like a heading or a total, without anything in front of them.
		lines: (random) => [
			random.pick(['TOTAAL TUINCENTRUM', 'SALDO SUPERMARKT', 'EINDSALDO THEATER']),
		],
	},
];
