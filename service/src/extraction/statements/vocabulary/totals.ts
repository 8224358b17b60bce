import { beginsWithPhrase, containsPhrase, phrases } from './plainText.ts';

const TOTAL_BEGINNINGS = phrases(
	`total, totals, subtotal, sub total, sub-total, grand total, totaal, totalen, subtotaal, summe, gesamt, gesamtsumme, zwischensumme, gesamtbetrag, gesamtumsatz, gesamtumsatze, summe der, umsatzsumme, sous-total, sous total, total des, totaux, total general, totale, totali, subtotale, total de, suma, sumas, totais, somma, sum, suma total, page total, monthly total, turnover, statement totals, total for, closing totals, transaction totals, transaction total, razem, suma operacji, totaal af, totaal bij, totaal bijgeschreven, totaal afgeschreven, total debits, total credits, net change, net movement, total movements, total du mois, total des mouvements, totaux des mouvements, total operations, total des operations`,
);

const SUMMARY_WORDS = phrases(
	`year-to-date, year to date, this period, number of, annual percentage, minimum payment, amount due, payment due, credit limit, available credit, closing date, average daily, days in billing, late payment warning, continued on, continued, page total, interest rate, total fees charged in, total interest charged in`,
);

/** Words that go on after "total"; other words after it are a name ("Total Tools"). */
const TOTAL_WORDS = new Set(
	phrases(`of,for,this,the,and,&,in,to,at,on,from,by,your,all,paid,check,checks,cheque,cheques,deposit,deposits,withdrawal,withdrawals,credit,credits,debit,debits,payment,payments,purchase,purchases,fee,fees,charge,charges,interest,amount,amounts,atm,card,cards,visa,electronic,other,additions,subtractions,transaction,transactions,period,month,year,day,date,page,due,new,balance,account,statement,money,out,outgoing,incoming,received,transfer,transfers,online,banking,service,overdraft,section,items,item,number,charged,adjustments,cash,advances,bill,cycle,carried,forward,brought,returned,bank,gbp,eur,usd,chf,inr,sgd,€,$,£,movements,turnover,standing,orders,direct,
	du,des,de,la,le,les,et,au,aux,mois,mouvements,mouvement,operations,operation,debiteurs,crediteurs,periode,page,releve,
	bij,af,bijgeschreven,afgeschreven,bijschrijvingen,afschrijvingen,uitgaven,inkomsten,van,deze,transacties,bedrag,ontvangen,betaald,saldo,
	soll,haben,lastschriften,gutschriften,umsatze,umsatz,der,die,den,eingange,ausgange,einnahmen,ausgaben,belastungen,im,monat,zeitraum,betrag,auszug,
	movimientos,cargos,abonos,debe,haber,del,los,las,mes,periodo,ingresos,gastos,importe,operaciones,
	addebiti,accrediti,entrate,uscite,dare,avere,movimenti,dei,delle,mese,operazioni,importo,
	debitos,creditos,entradas,saidas`),
);

/** A line of sums under a table, told by its text in plain form. */
export function isTotalsText(plain: string): boolean {
	if (!beginsWithPhrase(plain, TOTAL_BEGINNINGS)) return false;
	const words = plain.split(/[ /]/).filter((word) => /\p{L}{2}/u.test(word));
	const known = words.slice(1).filter((word) => TOTAL_WORDS.has(word)).length;
	return known * 2 >= words.length - 1;
}

/** The sum of a part of a table, where even a date may stand before it. */
export function isSubtotalText(plain: string): boolean {
	return (
		/(?:^| )sub ?-?total$/.test(plain) || (/^sub ?-?total\b/.test(plain) && isTotalsText(plain))
	);
}

/** A line of a summary (limits, due dates, yearly sums) that is no transaction. */
export function isSummaryText(plain: string): boolean {
	return containsPhrase(plain, SUMMARY_WORDS);
}

const CLOSING_TITLES = phrases(
	`statement summary, account summary, transaction summary, summary, important information, important notice, end of statement, end of transactions, end of report, zusammenfassung, samenvatting, resume, resumen, riepilogo, rechnungsabschluss, fees summary, interest summary, overdraft information, year-to-date totals, totals year-to-date, reward summary, rewards summary`,
);

/** The title of what stands under a table: the rows end there. */
export function isClosingTitle(plain: string): boolean {
	const bare = plain
		.replace(/^(?:your|the|\d{4})\s+/, '')
		.replaceAll(/[-=*_~]{2,}|\s-$/g, ' ')
		.trim();
	return CLOSING_TITLES.includes(bare) || /^summary of (?:\p{L}+ ?){1,4}$/u.test(bare);
}
