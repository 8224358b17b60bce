import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractStatement } from '../../src/extraction/statements/extractStatement.ts';
import { textPages } from './textPage.ts';

/** What has to come out: one line for each account, period and row. */
function summary(text: string): string[] {
	return extractStatement(textPages(text)).accounts.flatMap(
		({ account, periods, transactions }) => [
			account,
			...periods.map(
				({ startDate, endDate, startBalance, endBalance, isReconciled }) =>
					`${startDate} ${startBalance} to ${endDate} ${endBalance} ${isReconciled}`,
			),
			...transactions.map(({ date, amount, balance, descriptionLines, checkNumber }) =>
				`${date.slice(0, 8)} ${amount} (${balance}) ${[...(checkNumber ? [`#${checkNumber}`] : []), ...descriptionLines].join(' / ')}`.trimEnd(),
			),
		],
	);
}

/** Layouts as banks of several countries print them, drawn as text. */
const layouts: [string, string, string[]][] = [
	[
		'UK: dates once a day, the amount on the last line of a row',
		`
Bank A                                          Your Statement
Account Name  Mr J Smith     Sortcode 40-12-34   Account Number 12345678
1 January 2024 to 31 January 2024
Opening Balance     1,000.00
Payments In           500.00
Payments Out          334.56
Closing Balance     1,165.44

Date       Payment type and details              Paid out     Paid in      Balance
01 Jan 24  BALANCE BROUGHT FORWARD                                        1,000.00
02 Jan 24  VIS  TOWNS STORES 1234
                LONDON                              12.34
           DD   BRITISH GAS
                REF 12345                          100.00                   887.66
05 Jan 24  CR   ACME LTD SALARY                                 500.00    1,387.66
09 Jan 24  VIS  AMAZON.CO.UK                        22.22
           ATM  CASH JAN09                         200.00                 1,165.44
31 Jan 24  BALANCE CARRIED FORWARD                                        1,165.44
`,
		[
			'12345678',
			'2024-01-01 1000.00 to 2024-01-31 1165.44 true',
			'20240102 -12.34 (null) VIS TOWNS STORES 1234 / LONDON',
			'20240102 -100.00 (887.66) DD BRITISH GAS / REF 12345',
			'20240105 500.00 (1387.66) CR ACME LTD SALARY',
			'20240109 -22.22 (null) VIS AMAZON.CO.UK',
			'20240109 -200.00 (1165.44) ATM CASH JAN09',
		],
	],
	[
		'US: sections, checks, and a table of daily balances that holds no rows',
		`
Bank Brook                                    December 15, 2023 through January 12, 2024
                                              Account Number: 000000123456789
CHECKING SUMMARY
                                 AMOUNT
Beginning Balance             $2,500.00
Deposits and Additions         1,200.00
Checks Paid                     -300.00
ATM & Debit Card Withdrawals    -150.25
Ending Balance                $3,249.75

DEPOSITS AND ADDITIONS
DATE      DESCRIPTION                                         AMOUNT
12/29     Payroll ACME Corp PPD ID: 123                    $1,000.00
01/05     Zelle Payment From Bob                              200.00
Total Deposits and Additions                               $1,200.00

CHECKS PAID
CHECK NO.     DESCRIPTION           DATE PAID                 AMOUNT
1001  ^                             12/20                    $100.00
1002  ^                             01/03                     200.00
Total Checks Paid                                            $300.00

ATM & DEBIT CARD WITHDRAWALS
DATE      DESCRIPTION                                         AMOUNT
12/18     Card Purchase 12/17 Starbucks Seattle WA Card 1234  $50.25
01/10     ATM Withdrawal 01/10 Main St                        100.00
Total ATM & Debit Card Withdrawals                           $150.25

DAILY ENDING BALANCE
DATE          AMOUNT          DATE          AMOUNT
12/18       2,449.75          01/03       3,149.75
12/20       2,349.75          01/05       3,349.75
12/29       3,349.75          01/10       3,249.75
`,
		[
			'000000123456789',
			'2023-12-15 2500.00 to 2024-01-12 3249.75 true',
			'20231229 1000.00 (null) Payroll ACME Corp PPD ID: 123',
			'20240105 200.00 (null) Zelle Payment From Bob',
			'20231220 -100.00 (null) #1001',
			'20240103 -200.00 (null) #1002',
			'20231218 -50.25 (null) Card Purchase 12/17 Starbucks Seattle WA Card 1234',
			'20240110 -100.00 (null) ATM Withdrawal 01/10 Main St',
		],
	],
	[
		'Dutch: one unsigned column and a column Af / Bij',
		`
Bank Oost
Afschrift Betaalrekening   NL20BKOO0001234567
Periode 01-03-2024 t/m 31-03-2024
Beginsaldo € 500,00                Eindsaldo € 1.289,50

Datum        Omschrijving                         Soort            Af / Bij    Bedrag (EUR)
01-03-2024   Albert Heijn 1521                    Betaalautomaat   Af                 10,50
             Pasvolgnr: 001
05-03-2024   Belastingdienst                      Incasso          Af                200,00
25-03-2024   Werkgever BV                         Overschrijving   Bij             1.000,00
`,
		[
			'NL20BKOO0001234567',
			'2024-03-01 500.00 to 2024-03-31 1289.50 true',
			'20240301 -10.50 (null) Albert Heijn 1521 / Pasvolgnr: 001',
			'20240305 -200.00 (null) Belastingdienst',
			'20240325 1000.00 (null) Werkgever BV',
		],
	],
	[
		'card: payments negative, purchases without sign',
		`
Card Company                         Statement of Account
Card Number XXXX-XXXXXX-12345        Closing Date 02/15/24
Payment Due Date 03/12/24   Minimum Payment Due $40.00   Credit Limit $10,000
Previous Balance      $500.00
Payments/Credits     -$500.00
New Charges          +$123.45
New Balance           $123.45

Payments and Credits
Date        Description                                  Amount
01/20/24*   ONLINE PAYMENT - THANK YOU                 -$500.00
New Charges
Date        Description                                  Amount
01/22/24    UBER TRIP                                    $23.45
12/31/23    WHOLE FOODS MARKET                          $100.00
Total New Charges                                       $123.45
`,
		[
			'XXXX-XXXXXX-12345',
			'null -500.00 to 2024-02-15 -123.45 true',
			'20240120 500.00 (null) ONLINE PAYMENT - THANK YOU',
			'20240122 -23.45 (null) UBER TRIP',
			'20231231 -100.00 (null) WHOLE FOODS MARKET',
		],
	],
	[
		'German card: purchases with a trailing minus',
		`
Kreditkartenabrechnung
Kartennummer 4111 XXXX XXXX 1234   Abrechnungsdatum 31.01.2024    Kreditlimit 2.000,00
Alter Saldo                                      150,00-
Beleg-datum  Buchungs-datum   Verwendungszweck                   Betrag in EUR
02.01.24     03.01.24         AMAZON EU                            25,00-
05.01.24     06.01.24         Lastschrift                         150,00+
10.01.24     11.01.24         HOTEL PARIS  USD 55,00 Kurs 1,10     50,00-
Neuer Saldo                                       75,00-
`,
		[
			'4111XXXXXXXX1234',
			'null -150.00 to null -75.00 true',
			'20240102 -25.00 (null) AMAZON EU',
			'20240105 150.00 (null) Lastschrift',
			'20240110 -50.00 (null) HOTEL PARIS USD 55,00 Kurs 1,10',
		],
	],
	[
		'French: spaces between thousands, balances in the credit column',
		`
BANQUE DU N
RELEVE DE COMPTE CHEQUES                du 31 décembre 2023 au 31 janvier 2024
RIB : 30004 00123 00001234567 89    IBAN : FR76 3000 4001 2300 0012 3456 789
Date    Nature des opérations                              Valeur     Débit       Crédit
        SOLDE CREDITEUR AU 31.12.2023                                           2 000,00
02.01   VIREMENT SEPA EMIS /MOTIF LOYER                    02.01     750,00
05.01   FACTURE CARTE DU 030124 CARREFOUR                  05.01      56,78
        CARTE 4974XXXXXXXX1234
28.01   VIR SEPA RECU /DE ACME SALAIRE                     28.01                1 900,00
        TOTAL DES OPERATIONS                                         806,78     1 900,00
        SOLDE CREDITEUR AU 31.01.2024                                           3 093,22
`,
		[
			'FR7630004001230000123456789',
			'2023-12-31 2000.00 to 2024-01-31 3093.22 true',
			'20240102 -750.00 (null) VIREMENT SEPA EMIS /MOTIF LOYER',
			'20240105 -56.78 (null) FACTURE CARTE DU 030124 CARREFOUR / CARTE 4974XXXXXXXX1234',
			'20240128 1900.00 (null) VIR SEPA RECU /DE ACME SALAIRE',
		],
	],
	[
		'Spanish: one signed column and a running balance',
		`
Banco Ejemplo      EXTRACTO DE CUENTA      IBAN ES91 2100 0418 4502 0005 1332
Periodo: 01/02/2024 - 29/02/2024
FECHA        FECHA VALOR   CONCEPTO                                 IMPORTE        SALDO
             SALDO ANTERIOR                                                      1.500,00
02/02/2024   02/02/2024    RECIBO ENDESA ENERGIA                    -80,20       1.419,80
15/02/2024   15/02/2024    NOMINA EMPRESA SA                      1.700,00       3.119,80
28/02/2024   28/02/2024    COMISION MANTENIMIENTO                   -10,00       3.109,80
                           SALDO FINAL                                           3.109,80
`,
		[
			'ES9121000418450200051332',
			'2024-02-01 1500.00 to 2024-02-29 3109.80 true',
			'20240202 -80.20 (1419.80) RECIBO ENDESA ENERGIA',
			'20240215 1700.00 (3119.80) NOMINA EMPRESA SA',
			'20240228 -10.00 (3109.80) COMISION MANTENIMIENTO',
		],
	],
	[
		'Italian: Addebiti and Accrediti',
		`
Estratto conto al 31.03.2024        Conto corrente n. 1000/00012345
Data        Valuta      Descrizione                         Addebiti    Accrediti
            Saldo iniziale al 31.12.2023                               1.000,00
02.01.2024  02.01.2024  Pagamento POS ALIMENTAR MILANO         45,10
27.01.2024  27.01.2024  Bonifico a Vostro favore STIPENDIO              1.800,00
28.02.2024  28.02.2024  Imposta di bollo                        8,55
            Saldo finale al 31.03.2024                                 2.746,35
`,
		[
			'1000/00012345',
			'2023-12-31 1000.00 to 2024-03-31 2746.35 true',
			'20240102 -45.10 (null) Pagamento POS ALIMENTAR MILANO',
			'20240127 1800.00 (null) Bonifico a Vostro favore STIPENDIO',
			'20240228 -8.55 (null) Imposta di bollo',
		],
	],
	[
		'Swiss: apostrophes between thousands',
		`
Bank am See AG             Kontoauszug 01.01.2024 - 31.01.2024
IBAN CH93 0076 2011 6238 5295 7
Datum       Text                                  Belastungen   Gutschriften     Valuta        Saldo CHF
01.01.2024  Saldovortrag                                                                      10'000.00
05.01.2024  Zahlung Swisscom                            89.90                  05.01.2024      9'910.10
25.01.2024  Salär Muster AG                                      6'500.00      25.01.2024     16'410.10
31.01.2024  Schlusssaldo                                                                      16'410.10
`,
		[
			'CH9300762011623852957',
			'2024-01-01 10000.00 to 2024-01-31 16410.10 true',
			'20240105 -89.90 (9910.10) Zahlung Swisscom',
			'20240125 6500.00 (16410.10) Salär Muster AG',
		],
	],
	[
		'newest first with a running balance',
		`
Newer Bank     Personal Account statement
01/03/2024 - 31/03/2024      Account number: 12345678   Sort code: 04-00-04
Date         Description                         (GBP) Amount      (GBP) Balance
30/03/2024   TfL Travel Charge                          -2.80            97.20
30/03/2024   Pret A Manger                              -5.00           100.00
01/03/2024   Top up                                    105.00           105.00
Opening balance £0.00   Closing balance £97.20
`,
		[
			'12345678',
			'2024-03-01 0.00 to 2024-03-31 97.20 true',
			'20240330 -2.80 (97.20) TfL Travel Charge',
			'20240330 -5.00 (100.00) Pret A Manger',
			'20240301 105.00 (105.00) Top up',
		],
	],
	[
		'the running balance decides the signs of one unsigned column',
		`
Community Credit Union          Statement Period 06/01/2024 - 06/30/2024
Account Number 55512
Date     Transaction                        Amount       Balance
06/01    Previous Balance                               1,000.00
06/03    Grocery Store                       50.00        950.00
06/10    Direct Deposit Employer            700.00      1,650.00
06/15    Electric Company                   120.33      1,529.67
06/30    New Balance                                    1,529.67
`,
		[
			'55512',
			'2024-06-01 1000.00 to 2024-06-30 1529.67 true',
			'20240603 -50.00 (950.00) Grocery Store',
			'20240610 700.00 (1650.00) Direct Deposit Employer',
			'20240615 -120.33 (1529.67) Electric Company',
		],
	],
	[
		'checks in two columns side by side',
		`
First Bank          Statement Period: 03/01/2024 - 03/31/2024     Account No. 9988776655
Beginning Balance 03/01/2024      $5,000.00
Ending Balance 03/31/2024         $4,050.00

Checks
Check #     Date      Amount        Check #     Date      Amount
1001        03/02     100.00        1003        03/10     300.00
1002        03/05     200.00        1004*       03/12     400.00

Other Credits
Date        Description                          Amount
03/15       Deposit                               50.00
`,
		[
			'9988776655',
			'2024-03-01 5000.00 to 2024-03-31 4050.00 true',
			'20240302 -100.00 (null) #1001 / 1001',
			'20240310 -300.00 (null) #1003 / 1003',
			'20240305 -200.00 (null) #1002 / 1002',
			'20240312 -400.00 (null) #1004 / 1004*',
			'20240315 50.00 (null) Deposit',
		],
	],
	[
		'a table without headings',
		`
ACME BANK   Account Number 77665544
Opening balance 100.00
01/02/2024  Coffee shop                 -5.00      95.00
02/02/2024  Salary                     200.00     295.00
13/02/2024  Rent                      -150.00     145.00
Closing balance 145.00
`,
		[
			'77665544',
			'null 100.00 to null 145.00 true',
			'20240201 -5.00 (95.00) Coffee shop',
			'20240202 200.00 (295.00) Salary',
			'20240213 -150.00 (145.00) Rent',
		],
	],
	[
		'descriptions around the line of the amount',
		`
Bank Z    Account number 111222333    Statement period 1 May 2024 - 31 May 2024
Date         Details                      Debit     Credit     Balance
01 May 2024  Opening balance                                    100.00

             CARD PAYMENT
02 May 2024  SHOP ONE                     10.00                  90.00
             REF 111

             TRANSFER FROM
05 May 2024  JOHN DOE                                20.00      110.00
             REF 222

31 May 2024  Closing balance                                    110.00
`,
		[
			'111222333',
			'2024-05-01 100.00 to 2024-05-31 110.00 true',
			'20240502 -10.00 (90.00) CARD PAYMENT / SHOP ONE / REF 111',
			'20240505 20.00 (110.00) TRANSFER FROM / JOHN DOE / REF 222',
		],
	],
	[
		'UK: period of days within one month',
		`
Your Bank of Towns Account statement     Sort Code 20-00-00   Account No 12345678
02 - 31 May 2024
Start balance                       £500.00
Money in                            £100.00
Money out                            £50.00
End balance                         £550.00

Date     Description                          Money out £   Money in £   Balance £
2 May    Start balance                                                    500.00
3 May    Card Payment to Shop1                      20.00                 480.00
         On 02 May
5 May    Received From J Smith                               100.00
         Ref: gift
         Direct Debit to Council                    30.00                 550.00
31 May   Balance carried forward                                          550.00
`,
		[
			'12345678',
			'2024-05-02 500.00 to 2024-05-31 550.00 true',
			'20240503 -20.00 (480.00) Card Payment to Shop1 / On 02 May',
			'20240505 100.00 (null) Received From J Smith / Ref: gift',
			'20240505 -30.00 (550.00) Direct Debit to Council',
		],
	],
	[
		'card with sections, an own column for sums, and yearly totals under the table',
		`
Bank of Brooks     Credit Card Statement   Account# 4400 1234 5678 9012
December 20, 2023 - January 19, 2024
Previous Balance               $1,000.00
Payments and Other Credits     -$1,000.00
Purchases and Adjustments         $210.50
Fees Charged                        $0.00
Interest Charged                    $5.25
New Balance Total                 $215.75
Minimum Payment Due                $25.00    Payment Due Date  02/16/2024   Total Credit Line $9,000

Transactions
Transaction  Posting                                   Reference  Account
Date         Date     Description                      Number     Number      Amount     Total
Payments and Other Credits
01/05        01/05    PAYMENT - THANK YOU              1234       9012     -1,000.00
TOTAL PAYMENTS AND OTHER CREDITS FOR THIS PERIOD                                     -$1,000.00
Purchases and Adjustments
12/28        12/29    AMAZON MKTPL SEATTLE WA          2345       9012        200.50
01/02        01/03    STARBUCKS STORE 123              3456       9012         10.00
TOTAL PURCHASES AND ADJUSTMENTS FOR THIS PERIOD                                          $210.50
Interest Charged
01/19        01/19    INTEREST CHARGED ON PURCHASES                             5.25
TOTAL INTEREST CHARGED FOR THIS PERIOD                                                     $5.25
2024 Totals Year-to-Date
Total fees charged in 2024   $0.00
Total interest charged in 2024   $5.25
`,
		[
			'4400123456789012',
			'2023-12-20 -1000.00 to 2024-01-19 -215.75 true',
			'20240105 1000.00 (null) PAYMENT - THANK YOU 1234 9012',
			'20231228 -200.50 (null) AMAZON MKTPL SEATTLE WA 2345 9012',
			'20240102 -10.00 (null) STARBUCKS STORE 123 3456 9012',
			'20240119 -5.25 (null) INTEREST CHARGED ON PURCHASES',
		],
	],
	[
		'Australian: balances with CR, year on the balance rows only',
		`
Bank AU         Statement 12  (Page 1 of 2)    Account Number 06 2000 12345678
Statement Period  1 Jul 2024 - 30 Sep 2024
Closing Balance   $1,250.00 CR

Date    Transaction                              Debit      Credit         Balance
01 Jul  2024 OPENING BALANCE                                            $1,000.00 CR
05 Jul  Direct Credit 123456 ACME PTY                       500.00      $1,500.00 CR
09 Jul  Transfer to xx1234 Bank app             250.00                  $1,250.00 CR
30 Sep  2024 CLOSING BALANCE                                            $1,250.00 CR
Opening balance   -  Total debits  +  Total credits   =  Closing balance
$1,000.00 CR         $250.00          $500.00            $1,250.00 CR
`,
		[
			'06200012345678',
			'2024-07-01 1000.00 to 2024-09-30 1250.00 true',
			'20240705 500.00 (1500.00) Direct Credit 123456 ACME PTY',
			'20240709 -250.00 (1250.00) Transfer to xx1234 Bank app',
		],
	],
	[
		'brought and carried forward, and a row of totals',
		`
Bank SGX    Statement of Account     as at 31 Mar 2024
Account No. 123-4-567890
DATE    DESCRIPTION                               WITHDRAWAL     DEPOSIT     BALANCE
        Balance Brought Forward                                             1,000.00
04 Mar  Advice FAST Payment                           200.00                  800.00
        TO JOHN
05 Mar  Interest Earned                                             0.50      800.50
        Total                                         200.00        0.50
        Balance Carried Forward                                               800.50
`,
		[
			'123-4-567890',
			'null 1000.00 to null 800.50 true',
			'20240304 -200.00 (800.00) Advice FAST Payment / TO JOHN',
			'20240305 0.50 (800.50) Interest Earned',
		],
	],
	[
		'Indian: digit groups and a summary under the table',
		`
BANK OF I     Account No : 50100012345678     Statement From : 01/04/2024 To : 30/04/2024
Date      Narration                     Chq./Ref.No.       Value Dt  Withdrawal Amt.   Deposit Amt.   Closing Balance
01/04/24  UPI-ZOMATO-zomato@bank        0000412345678901   01/04/24         350.00                       1,49,650.00
02/04/24  NEFT CR-ACME-SALARY           N123456789         02/04/24                     1,00,000.00      2,49,650.00
STATEMENT SUMMARY :-
Opening Balance    Dr Count   Cr Count     Debits       Credits       Closing Bal
1,50,000.00        1          1            350.00       1,00,000.00   2,49,650.00
`,
		[
			'50100012345678',
			'2024-04-01 150000.00 to 2024-04-30 249650.00 true',
			'20240401 -350.00 (149650.00) UPI-ZOMATO-zomato@bank',
			'20240402 100000.00 (249650.00) NEFT CR-ACME-SALARY',
		],
	],
	[
		'Dutch: Bedrag af and Bedrag bij',
		`
Bank West          Rekeningafschrift             IBAN NL11 BKWE 0123 4567 89
Beginsaldo 01-01-2024          1.000,00 CR
Eindsaldo 31-01-2024             949,50 CR
Datum   Type   Naam / omschrijving                          Bedrag af (debet)    Bedrag bij (credit)
02-01   bc     Jumbo Supermarkt                                         25,50
               Betaalautomaat 12:33 pasnr. 012
15-01   ei     Vattenfall                                               75,00
20-01   cb     J. Jansen                                                                     50,00
`,
		[
			'NL11BKWE0123456789',
			'2024-01-01 1000.00 to 2024-01-31 949.50 true',
			'20240102 -25.50 (null) Jumbo Supermarkt / Betaalautomaat 12:33 pasnr. 012',
			'20240115 -75.00 (null) Vattenfall',
			'20240120 50.00 (null) J. Jansen',
		],
	],
	[
		'German: words of headings inside a sentence',
		`
Bank ohne Filialen AG    Kontoauszug Nummer 001 / 2024 vom 04.12.2023 bis 03.01.2024
Kontonummer 1234567890 / IBAN DE12 1203 0000 1234 5678 90
Bu.Tag  Wert    Wir haben für Sie gebucht              Belastung in EUR   Gutschrift in EUR
                ALTER KONTOSTAND                                                  500,00 H
04.12.  04.12.  Überweisung                                      100,00
                Max Mustermann
27.12.  27.12.  Lohn, Gehalt, Rente                                             1.500,00
                Firma AG
02.01.  02.01.  Lastschrift                                       45,99
                Strom
                NEUER KONTOSTAND                                                1.854,01 H
`,
		[
			'1234567890',
			'2023-12-04 500.00 to 2024-01-03 1854.01 true',
			'20231204 -100.00 (null) Überweisung / Max Mustermann',
			'20231227 1500.00 (null) Lohn, Gehalt, Rente / Firma AG',
			'20240102 -45.99 (null) Lastschrift / Strom',
		],
	],
	[
		'the date in the middle, under a heading of its own',
		`
Neue Bank       Kontoauszug  01.03.2024 bis 31.03.2024     IBAN: DE89370400440532013000
Beschreibung                                   Verbuchungsdatum        Betrag
REWE                                           01.03.2024             -23,45€
Mastercard • Lebensmittel
Gehalt ACME                                    28.03.2024          +2.000,00€
Gutschriften

Zusammenfassung
Dein alter Kontostand                 +100,00€
Ausgehende Transaktionen               -23,45€
Eingehende Transaktionen            +2.000,00€
Dein neuer Kontostand               +2.076,55€
`,
		[
			'DE89370400440532013000',
			'2024-03-01 100.00 to 2024-03-31 2076.55 true',
			'20240301 -23.45 (null) REWE / Mastercard • Lebensmittel',
			'20240328 2000.00 (null) Gehalt ACME',
		],
	],
	[
		'summary in columns, currency signs in front',
		`
App Bank  GBP Statement        Generated on the 5 Apr 2024
Balance summary
Product                Opening balance   Money out   Money in   Closing balance
Account (Current)      £100.00           £25.50      £50.00     £124.50

Account transactions from 1 March 2024 to 31 March 2024
Date           Description                 Money out    Money in    Balance
2 Mar 2024     Uber                          £25.50                  £74.50
               To: Uber
10 Mar 2024    Payment from Jane                          £50.00    £124.50
               Reference: dinner
`,
		[
			'unknown',
			'2024-03-01 100.00 to 2024-03-31 124.50 true',
			'20240302 -25.50 (74.50) Uber / To: Uber',
			'20240310 50.00 (124.50) Payment from Jane / Reference: dinner',
		],
	],
	[
		'US: headings over three lines, sums under the table',
		`
Coach Bank Everyday  Checking       March 31, 2024       Page 1 of 4
Statement period activity summary                  Account number: 1234567890
Beginning balance on 3/1                 $1,000.00
Deposits/Additions                          500.00
Withdrawals/Subtractions                  - 120.00
Ending balance on 3/31                   $1,380.00

Transaction history
           Check                                       Deposits/     Withdrawals/   Ending daily
Date       Number   Description                        Additions     Subtractions   balance
3/4                 Purchase authorized on 03/02 Shell                      20.00        980.00
                    S301 Card 1234
3/15                Acme Payroll 240315                  500.00
3/15       101      Check                                                  100.00      1,380.00
Ending balance on 3/31                                                               1,380.00
Totals                                                  $500.00           $120.00
`,
		[
			'1234567890',
			'2024-03-01 1000.00 to 2024-03-31 1380.00 true',
			'20240304 -20.00 (980.00) Purchase authorized on 03/02 Shell / S301 Card 1234',
			'20240315 500.00 (null) Acme Payroll 240315',
			'20240315 -100.00 (1380.00) #101 / Check',
		],
	],
	[
		'credit before debit, balance once a day',
		`
Bank Gelb     Kontoauszug 01.02.2024 - 29.02.2024    Kontonummer 80-123-4
Datum     Text                                         Gutschrift     Lastschrift     Valuta      Saldo
01.02.24  Kontostand                                                                              1 000.00
05.02.24  GIRO POST COOP                                                   50.00   05.02.24
05.02.24  LOHN                                           3 200.00                  05.02.24      4 150.00
29.02.24  Kontostand                                                                              4 150.00
`,
		[
			'80-123-4',
			'2024-02-01 1000.00 to 2024-02-29 4150.00 true',
			'20240205 -50.00 (null) GIRO POST COOP',
			'20240205 3200.00 (4150.00) LOHN',
		],
	],
	[
		'Spanish: short forms in headings',
		`
Banco Uno   Extracto   Cuenta: 2100 1234 56 0200012345    Del 01/01/2024 al 31/01/2024
F. Oper.  F. Valor  Concepto                         Cargo        Abono        Saldo
                    SALDO ANTERIOR                                            500,00 
03/01     03/01     COMPRA TARJ. MERCADO 1           45,30                    454,70
10/01     10/01     TRANSFERENCIA A SU FAVOR                     1.000,00   1.454,70
                    SALDO A SU FAVOR                                        1.454,70
`,
		[
			'21001234560200012345',
			'2024-01-01 500.00 to 2024-01-31 1454.70 true',
			'20240103 -45.30 (454.70) COMPRA TARJ. MERCADO 1',
			'20240110 1000.00 (1454.70) TRANSFERENCIA A SU FAVOR',
		],
	],
	[
		'newest first, debits in brackets',
		`
X Bank  Statement Period: January 1, 2024 - January 31, 2024   Account Number: 99887766
Beginning Balance $100.00  Ending Balance $150.00
Date   Description          Amount
Jan 31 Refund               $10.00
Jan 15 Coffee              ($5.00)
Jan 2  Deposit              $45.00
`,
		[
			'99887766',
			'2024-01-01 100.00 to 2024-01-31 150.00 true',
			'20240131 10.00 (null) Refund',
			'20240115 -5.00 (null) Coffee',
			'20240102 45.00 (null) Deposit',
		],
	],
	[
		'Danish: opening row only, nothing to check against',
		`
Bank N   Kontoudtog  01.01.2024 - 31.01.2024   Kontonr. 2191 1234567890
Dato        Tekst                   Rentedato     Beløb         Saldo
01.01.2024  Primo saldo                                      1.000,00
03.01.2024  Netto Aarhus            03.01.2024   -100,00       900,00
31.01.2024  Løn                     31.01.2024  5.000,00     5.900,00
`,
		[
			'21911234567890',
			'2024-01-01 1000.00 to 2024-01-31 null false',
			'20240103 -100.00 (900.00) Netto Aarhus',
			'20240131 5000.00 (5900.00) Løn',
		],
	],
	[
		'German: signs set apart from the amounts, years under the dates',
		`
Bank D    Kontoauszug vom 01.03.2024 bis 31.03.2024
Konto: 123/4567890 00 EUR     IBAN: DE11 1007 0024 0123 4567 00
Auszug  Seite  von      Alter Saldo per 29.02.2024
3       1      1        EUR + 1.000,00
Buchung  Valuta  Vorgang                                          Soll          Haben
01.03.   01.03.  SEPA Dauerauftrag an                           - 500,00
2024     2024    Vermieter GmbH
28.03.   28.03.  SEPA Gehalt von                                             + 2.000,00
2024     2024    Arbeitgeber AG
                                    Neuer Saldo per 31.03.2024   EUR          + 2.500,00
`,
		[
			'123/456789000',
			'2024-03-01 1000.00 to 2024-03-31 2500.00 true',
			'20240301 -500.00 (null) SEPA Dauerauftrag an / 2024 2024 Vermieter GmbH',
			'20240328 2000.00 (null) SEPA Gehalt von / 2024 2024 Arbeitgeber AG',
		],
	],
	[
		'German: the day on a line of its own',
		`
Commerz     Kontoauszug vom 29.02.2024     Kontonummer 1234567
Angaben zu den Umsätzen                      Valuta     zu Ihren Lasten   zu Ihren Gunsten
Alter Kontostand vom 31.01.2024                                                  1.000,00
Buchungsdatum: 05.02.2024
Miete Februar                                05.02            700,00-
Vermieter
Buchungsdatum: 28.02.2024
Lohn                                         28.02                               2.100,00
Neuer Kontostand vom 29.02.2024                                                  2.400,00
`,
		[
			'1234567',
			'2024-01-31 1000.00 to 2024-02-29 2400.00 true',
			'20240205 -700.00 (null) Miete Februar / Vermieter',
			'20240228 2100.00 (null) Lohn',
		],
	],
	[
		'UK: the year on a line of its own',
		`
Nation Building Society    FlexAccount    Account no 12345678
Statement date: 31 January 2024
Date     Description                              £Out       £In     £Balance
2023
22 Dec   Balance from statement 11                                     200.00
28 Dec   Direct debit ENERGY                     50.00                 150.00
2024
05 Jan   Bank credit EMPLOYER                              900.00    1,050.00
`,
		[
			'12345678',
			'2023-12-22 200.00 to 2024-01-31 null false',
			'20231228 -50.00 (150.00) Direct debit ENERGY',
			'20240105 900.00 (1050.00) Bank credit EMPLOYER',
		],
	],
	[
		'UK: balances with Cr and Dr',
		`
Bank H   Account Number 12345678    Period 1 March 2024 to 31 March 2024
Date        Details                        Debit      Credit      Balance
01 Mar      Brought forward                                       50.00 Cr
03 Mar      Rent                          100.00                  50.00 Dr
20 Mar      Wages                                     300.00     250.00 Cr
31 Mar      Carried forward                                      250.00 Cr
`,
		[
			'12345678',
			'2024-03-01 50.00 to 2024-03-31 250.00 true',
			'20240303 -100.00 (-50.00) Rent',
			'20240320 300.00 (250.00) Wages',
		],
	],
	[
		'UK: overdrawn balances with OD',
		`
Bank I   Account Number 12345678    Period 1 March 2024 to 31 March 2024
Date        Details                        Payments    Receipts      Balance
01 Mar      Opening balance                                           50.00
03 Mar      Rent                             100.00                   50.00 OD
20 Mar      Wages                                        300.00      250.00
            Closing balance                                          250.00
`,
		[
			'12345678',
			'2024-03-01 50.00 to 2024-03-31 250.00 true',
			'20240303 -100.00 (-50.00) Rent',
			'20240320 300.00 (250.00) Wages',
		],
	],
	[
		'card: payments with CR, two dates without year side by side',
		`
Bank J Credit Card Statement     Card Number 5555 XXXX XXXX 1234   Credit Limit 5,000.00
Statement Date 25 Mar 2024   Payment Due Date 15 Apr 2024  Minimum Payment 50.00
Trans Date   Posting Date   Transaction Details                      Amount (SGD)
                            PREVIOUS BALANCE                              300.00
01 MAR       02 MAR         PAYMENT - THANK YOU                           300.00 CR
05 MAR       06 MAR         GRAB RIDES                                     20.00
                            FOREIGN CURRENCY USD 15.00
10 MAR       11 MAR         AMAZON US                                     100.00
                            TOTAL BALANCE                                 120.00
`,
		[
			'5555XXXXXXXX1234',
			'null -300.00 to 2024-03-25 -120.00 true',
			'20240301 300.00 (null) PAYMENT - THANK YOU',
			'20240305 -20.00 (null) GRAB RIDES / FOREIGN CURRENCY USD 15.00',
			'20240310 -100.00 (null) AMAZON US',
		],
	],
	[
		'Portuguese',
		`
Banco P   Extrato de Conta   Conta n.º 12345678901   Período: 01-02-2024 a 29-02-2024
Data Mov.   Data Valor   Descrição                        Débito     Crédito      Saldo
                         SALDO INICIAL                                          1.000,00
02-02-2024  02-02-2024   COMPRA CONTINENTE                 45,50                  954,50
28-02-2024  28-02-2024   VENCIMENTO                                 1.200,00    2.154,50
                         SALDO FINAL                                            2.154,50
`,
		[
			'12345678901',
			'2024-02-01 1000.00 to 2024-02-29 2154.50 true',
			'20240202 -45.50 (954.50) COMPRA CONTINENTE',
			'20240228 1200.00 (2154.50) VENCIMENTO',
		],
	],
	[
		'Polish',
		`
Bank PL   Wyciąg za okres 01.01.2024 - 31.01.2024   Nr rachunku 12 3456 7890 1234 5678 9012 3456
Data operacji   Opis operacji                  Kwota         Saldo
Saldo początkowe                                          1 000,00
2024-01-05      Zakupy BIEDRONKA              -50,25        949,75
2024-01-31      Wynagrodzenie               3 000,00      3 949,75
Saldo końcowe                                             3 949,75
`,
		[
			'12345678901234567890123456',
			'2024-01-01 1000.00 to 2024-01-31 3949.75 true',
			'20240105 -50.25 (949.75) Zakupy BIEDRONKA',
			'20240131 3000.00 (3949.75) Wynagrodzenie',
		],
	],
	[
		'Swedish',
		`
Bank SE   Kontoutdrag 2024-01-01 - 2024-01-31    Kontonummer 1234-5678901
Bokföringsdag   Beskrivning         Belopp      Saldo
Ingående saldo                               1 000,00
2024-01-05      ICA MAXI            -200,00    800,00
2024-01-25      Lön               25 000,00 25 800,00
Utgående saldo                              25 800,00
`,
		[
			'1234-5678901',
			'2024-01-01 1000.00 to 2024-01-31 25800.00 true',
			'20240105 -200.00 (800.00) ICA MAXI',
			'20240125 25000.00 (25800.00) Lön',
		],
	],
	[
		'French: headings over two lines',
		`
Banque F    Relevé de compte n° 3   du 01/01/2024 au 31/01/2024   Compte n° 00012345678
Date       Date de                                      Débit       Crédit
opération  valeur     Libellé                           en euros    en euros
                      Ancien solde au 31/12/2023                    1 500,00
03/01      03/01      PRLV EDF                            120,40
15/01      15/01      VIR RECU CLIENT                                 300,00
                      Nouveau solde au 31/01/2024                   1 679,60
`,
		[
			'00012345678',
			'2024-01-01 1500.00 to 2024-01-31 1679.60 true',
			'20240103 -120.40 (null) PRLV EDF',
			'20240115 300.00 (null) VIR RECU CLIENT',
		],
	],
	[
		'no transactions in the period',
		`
Bank Q   Savings Account   Account Number 11112222   Statement period 1 Jan 2024 to 31 Jan 2024
Date     Description        Withdrawals    Deposits    Balance
01 Jan   Opening balance                              500.00
31 Jan   Closing balance                              500.00
`,
		['11112222', '2024-01-01 500.00 to 2024-01-31 500.00 false'],
	],
	[
		'Indonesian: amounts without decimals',
		`
Bank T   Rekening Koran   Account No. 1234567890    Period 01/01/2024 - 31/01/2024   Currency IDR
Date        Description              Debit           Credit          Balance
01/01/2024  Opening Balance                                        1.500.000
05/01/2024  Transfer                 250.000                       1.250.000
06/01/2024  Biaya                        500                       1.249.500
25/01/2024  Gaji                                   5.000.000       6.249.500
31/01/2024  Closing Balance                                        6.249.500
`,
		[
			'1234567890',
			'2024-01-01 1500000 to 2024-01-31 6249500 true',
			'20240105 -250000 (1250000) Transfer',
			'20240106 -500 (1249500) Biaya',
			'20240125 5000000 (6249500) Gaji',
		],
	],
	[
		'three decimals',
		`
Bank U   Account Statement   Account No. 0123456789   From 01/01/2024 To 31/01/2024   KWD
Date        Description              Debit        Credit      Balance
            Opening Balance                                   100.250
02/01/2024  KNET POS                 10.125                    90.125
15/01/2024  SALARY                              1,250.000   1,340.125
            Closing Balance                                 1,340.125
`,
		[
			'0123456789',
			'2024-01-01 100.250 to 2024-01-31 1340.125 true',
			'20240102 -10.125 (90.125) KNET POS',
			'20240115 1250.000 (1340.125) SALARY',
		],
	],
	[
		'card: sections, no heading over the date',
		`
Bank V Visa Signature   Card Number ending in 4321   Credit Limit $5,000   Minimum Payment Due $35.00
Opening/Closing Date 12/05/23 - 01/04/24   Payment Due Date 02/01/24
Previous Balance $200.00
New Balance $95.25
ACCOUNT ACTIVITY
Date of
Transaction      Merchant Name or Transaction Description              $ Amount
PAYMENTS AND OTHER CREDITS
12/20            Payment Thank You - Web                                -200.00
PURCHASE
12/10            AMAZON.COM*1A2B3 AMZN.COM/BILL WA                        45.25
01/02            SQ *COFFEE                                               50.00
2024 Totals Year-to-Date
`,
		[
			'4321',
			'2023-12-05 -200.00 to 2024-01-04 -95.25 true',
			'20231220 200.00 (null) Payment Thank You - Web',
			'20231210 -45.25 (null) AMAZON.COM*1A2B3 AMZN.COM/BILL WA',
			'20240102 -50.00 (null) SQ *COFFEE',
		],
	],
	[
		'two accounts, each with its own table',
		`
Credit Union W     Statement 01/01/2024 - 01/31/2024    Member 5566
Savings Account  0001-S1
Date    Description           Withdrawals   Deposits   Balance
01/01   Beginning Balance                               100.00
01/31   Dividend                                0.10    100.10
01/31   Ending Balance                                  100.10
Checking Account  0001-C7
Date    Description           Withdrawals   Deposits   Balance
01/01   Beginning Balance                               500.00
01/05   Grocery                     40.00               460.00
01/31   Ending Balance                                  460.00
`,
		[
			'0001-S1',
			'2024-01-01 100.00 to 2024-01-31 100.10 true',
			'20240131 0.10 (100.10) Dividend',
			'0001-C7',
			'2024-01-01 500.00 to 2024-01-31 460.00 true',
			'20240105 -40.00 (460.00) Grocery',
		],
	],
	[
		'words of totals and balances inside descriptions',
		`
Bank Y  Account Number: 1122334455   Statement Period 03/01/2024 to 03/31/2024
Beginning Balance $1,000.00      Ending Balance $1,395.00
Date        Description                                                    Amount
03/02/2024  Check 1055 paid in branch 12 for invoice 2024 total 400.00     -5.00
03/15/2024  Total Wine purchase                                          -100.00
03/20/2024  Balance transfer from old account 99                          500.00
`,
		[
			'1122334455',
			'2024-03-01 1000.00 to 2024-03-31 1395.00 true',
			'20240302 -5.00 (null) #1055 / Check 1055 paid in branch 12 for invoice 2024 total 400.00',
			'20240315 -100.00 (null) Total Wine purchase',
			'20240320 500.00 (null) Balance transfer from old account 99',
		],
	],
	[
		'two equal payments on one day, across the end of a year',
		`
Bank Z  Account Number: 1122334455   Statement Period Dec 20, 2023 to Jan 19, 2024
Date      Transaction                Debits       Credits       Balance
Dec 20    BALANCE FORWARD                                      1,000.00
Dec 28    PAYROLL                                  500.00      1,500.00
Jan 02    RENT                       700.00                      800.00
Jan 02    RENT                       700.00                      100.00
Jan 19    ENDING BALANCE                                         100.00
`,
		[
			'1122334455',
			'2023-12-20 1000.00 to 2024-01-19 100.00 true',
			'20231228 500.00 (1500.00) PAYROLL',
			'20240102 -700.00 (800.00) RENT',
			'20240102 -700.00 (100.00) RENT',
		],
	],
];

for (const [name, text, expected] of layouts) {
	test(name, () => assert.deepEqual(summary(text), expected));
}
