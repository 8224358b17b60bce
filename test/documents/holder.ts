import type { SeededRandom } from './seededRandom.ts';

export interface Holder {
	name: string;
	address: string[];
}

/** A made-up account holder with an address of the country. */
export function holderIn(
	country: 'US' | 'GB' | 'DE' | 'NL' | 'FR' | 'IN',
	random: SeededRandom,
): Holder {
	const number = String(random.between(2, 988));
	switch (country) {
		case 'US':
			return {
				name: random.pick(['JORDAN M ELLERY', 'PRIYA N CALLOWAY', 'THEODORE B MARCHETTI']),
				address: [
					`${number} ${random.pick(['ALDER RIDGE RD', 'SE HAWTHORN BLVD', 'OLD MILL LN APT 4C'])}`,
					`${random.pick(['PORTLAND', 'EUGENE', 'BEND'])} OR 97${random.digits(3)}-${random.digits(4)}`,
				],
			};
		case 'GB':
			return {
				name: random.pick(['Mr Adrian Holloway-Pryce', 'Ms Grace Adeyemi', 'Mrs Morag Sinclair']),
				address: [
					`${number} ${random.pick(['Canal Street', 'Chapel Rise', 'Victoria Terrace'])}`,
					'Headingley',
					`LEEDS LS${random.between(1, 29)} ${random.between(1, 9)}${random.letters(2)}`,
				],
			};
		case 'DE':
			return {
				name: random.pick(['Frau Annika Größler', 'Herrn Jürgen Tönnies', 'Frau Dr. Ruth Seßler']),
				address: [`Lindenstraße ${number}`, `34${random.digits(3)} Kassel`],
			};
		case 'NL':
			return {
				name: random.pick(['Mevr. F. de Groot', 'Dhr. J.P. van der Veen', 'Mevr. A. Coëlho']),
				address: [`Singelweg ${number}`, `35${random.digits(2)} ${random.letters(2)} UTRECHT`],
			};
		case 'FR':
			return {
				name: random.pick(['MME CHLOÉ BÉRANGER', 'M LÉON DUFRESNE', 'MLLE INÈS GARNIER']),
				address: [`${number} RUE DES TILLEULS`, `69${random.digits(3)} LYON`],
			};
		case 'IN':
			return {
				name: random.pick(['MR. ARVIND K. RAGHAVAN', 'MS. NEHA DESHPANDE', 'DR. FARAH SIDDIQUI']),
				address: [
					`FLAT ${number}, SHANTI RESIDENCY`,
					'KORAMANGALA 4TH BLOCK',
					`BENGALURU 560${random.digits(3)} KARNATAKA`,
				],
			};
	}
}
