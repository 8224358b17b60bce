import { dayParts } from '../calendar.ts';
import type { Activity } from '../statementTruth.ts';

const dayMonth = (day: string) => `${dayParts(day).day}${dayParts(day).month}`;

/** Bookings of a French current account. */
export const frenchActivities: readonly Activity[] = [
	{
		direction: 'out',
		weight: 30,
		from: 190,
		to: 26_000,
		lines: (random, day) => [
			`PAIEMENT CB ${dayMonth(day)} ${random.pick(['BOULANGERIE DES ÉCOLES', 'LE SOLDE DE LYON', 'SUPERETTE BELLECOUR', 'STATION A43'])}`,
			...(random.chance(0.5) ? [`CARTE 4974XXXXXXXX${random.digits(4)}`] : []),
		],
	},
	{
		direction: 'out',
		weight: 10,
		from: 1_400,
		to: 41_000,
		lines: (random) => [
			`PRLV SEPA ${random.pick(['ÉNERGIE DU RHÔNE', 'TÉLÉCOM VAUBAN', 'MUTUELLE SÉRÉNITÉ'])}`,
			`ICS FR${random.digits(2)}ZZZ${random.digits(6)} RUM ${random.letters(3)}${random.digits(9)}`,
		],
	},
	{
		direction: 'out',
		weight: 4,
		from: 2_000,
		to: 40_000,
		step: 1_000,
		lines: (random, day) => [
			`RETRAIT DAB ${dayMonth(day)} LYON 0${random.between(1, 9)} ${random.between(8, 22)}H${random.between(10, 59)}`,
		],
	},
	{
		direction: 'out',
		weight: 3,
		from: 3_000,
		to: 120_000,
		check: true,
		lines: (_random, _day, checkNumber) => [`CHÈQUE N° ${checkNumber}`],
	},
	{
		direction: 'in',
		weight: 8,
		from: 140_000,
		to: 520_000,
		lines: (random) => [
			'VIR SEPA RECU ATELIERS DU CONFLUENT SA',
			`SALAIRE REF ${random.digits(10)}`,
		],
	},
	{
		direction: 'in',
		weight: 5,
		from: 1_000,
		to: 70_000,
		lines: (random) => [`REMISE CHEQUES NO ${random.digits(7)}`, 'CREDIT SAUF BONNE FIN'],
	},
	{
		direction: 'out',
		weight: 4,
		from: 400,
		to: 9_500,
		// Names that begin like a heading or a total, without anything in front of them.
		lines: (random) => [
			random.pick([
				'SOLDERIE DU CENTRE',
				'TOTAL STATION A6',
				'ANCIEN SOLDAT BRASSERIE',
				'CREDIT MOBILIER LYON',
			]),
		],
	},
];
