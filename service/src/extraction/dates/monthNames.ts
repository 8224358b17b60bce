/**
 * Month names and their short forms, without accents and full stops, by language. The position in
 * a list is the month.
 */
const LANGUAGES: string[][] = [
	// English
	[
		'january jan',
		'february feb',
		'march mar',
		'april apr',
		'may',
		'june jun',
		'july jul',
		'august aug',
		'september sep sept',
		'october oct',
		'november nov',
		'december dec',
	],
	// Dutch
	[
		'januari jan',
		'februari feb',
		'maart mrt maa',
		'april apr',
		'mei',
		'juni jun',
		'juli jul',
		'augustus aug',
		'september sep',
		'oktober okt',
		'november nov',
		'december dec',
	],
	// German
	[
		'januar janner jan',
		'februar feb',
		'marz maerz mrz mar',
		'april apr',
		'mai',
		'juni jun',
		'juli jul',
		'august aug',
		'september sep sept',
		'oktober okt',
		'november nov',
		'dezember dez',
	],
	// French
	[
		'janvier janv jan',
		'fevrier fevr fev',
		'mars mar',
		'avril avr',
		'mai',
		'juin jun',
		'juillet juil jul',
		'aout aou',
		'septembre sept sep',
		'octobre oct',
		'novembre nov',
		'decembre dec',
	],
	// Spanish
	[
		'enero ene',
		'febrero feb',
		'marzo mar',
		'abril abr',
		'mayo may',
		'junio jun',
		'julio jul',
		'agosto ago',
		'septiembre setiembre sep set sept',
		'octubre oct',
		'noviembre nov',
		'diciembre dic',
	],
	// Italian
	[
		'gennaio gen',
		'febbraio feb',
		'marzo mar',
		'aprile apr',
		'maggio mag',
		'giugno giu',
		'luglio lug',
		'agosto ago',
		'settembre set sett',
		'ottobre ott',
		'novembre nov',
		'dicembre dic',
	],
	// Portuguese
	[
		'janeiro jan',
		'fevereiro fev',
		'marco mar',
		'abril abr',
		'maio mai',
		'junho jun',
		'julho jul',
		'agosto ago',
		'setembro set',
		'outubro out',
		'novembro nov',
		'dezembro dez',
	],
	// Danish, Norwegian, Swedish
	[
		'januar januari jan',
		'februar februari feb',
		'marts mars mar',
		'april apr',
		'maj mai',
		'juni jun',
		'juli jul',
		'august augusti aug',
		'september sep',
		'oktober okt',
		'november nov',
		'december desember des dec',
	],
	// Polish
	[
		'stycznia styczen sty',
		'lutego luty lut',
		'marca marzec mar',
		'kwietnia kwiecien kwi',
		'maja maj',
		'czerwca czerwiec cze',
		'lipca lipiec lip',
		'sierpnia sierpien sie',
		'wrzesnia wrzesien wrz',
		'pazdziernika pazdziernik paz',
		'listopada listopad lis',
		'grudnia grudzien gru',
	],
];

const MONTHS = new Map<string, number>();
for (const months of LANGUAGES) {
	for (const [index, names] of months.entries()) {
		for (const name of names.split(' ')) if (!MONTHS.has(name)) MONTHS.set(name, index + 1);
	}
}

/** The month (1 to 12) that a word names in one of the known languages, or null. */
export function monthOfName(word: string): number | null {
	if (word.length < 3 || word.length > 13) return null;
	const plain = word
		.normalize('NFD')
		.replaceAll(/\p{M}/gu, '')
		.toLowerCase()
		.replace(/[.,]+$/, '');
	return MONTHS.get(plain.replaceAll('ł', 'l')) ?? null;
}
