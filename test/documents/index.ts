import { canadianBusiness } from './layouts/canadianBusiness.ts';
import { creditCard } from './layouts/creditCard.ts';
import { directionColumn } from './layouts/directionColumn.ts';
import { doesNotAddUp } from './layouts/doesNotAddUp.ts';
import { dutchStatement } from './layouts/dutchStatement.ts';
import { frenchReleve } from './layouts/frenchReleve.ts';
import { germanGiro } from './layouts/germanGiro.ts';
import { indianSavings } from './layouts/indianSavings.ts';
import { longLedger } from './layouts/longLedger.ts';
import { missingPage } from './layouts/missingPage.ts';
import { newestFirst } from './layouts/newestFirst.ts';
import { noBalances } from './layouts/noBalances.ts';
import { noTransactions } from './layouts/noTransactions.ts';
import { severalAccounts } from './layouts/severalAccounts.ts';
import { twoStatements } from './layouts/twoStatements.ts';
import { ukCurrent } from './layouts/ukCurrent.ts';
import { usChecking } from './layouts/usChecking.ts';
import { usSections } from './layouts/usSections.ts';
import type { GeneratedStatement, LayoutOptions } from './statementTruth.ts';

export type {
	GeneratedStatement,
	LayoutOptions,
	StatementTruth,
	TruthAccount,
	TruthPeriod,
	TruthTransaction,
	Verdict,
} from './statementTruth.ts';

/** Every layout by its name. Each gives the same bytes and the same truth for the same options. */
export const layouts = {
	usChecking,
	ukCurrent,
	germanGiro,
	dutchStatement,
	severalAccounts,
	twoStatements,
	creditCard,
	indianSavings,
	longLedger,
	canadianBusiness,
	usSections,
	frenchReleve,
	directionColumn,
	newestFirst,
	noBalances,
	doesNotAddUp,
	missingPage,
	noTransactions,
} satisfies Record<string, (options: LayoutOptions) => Promise<GeneratedStatement>>;

export type LayoutName = keyof typeof layouts;

export const layoutNames = Object.keys(layouts) as LayoutName[];

/** A statement of the named layout. Throws with the list of names when there is no such layout. */
export async function generateStatement(
	name: string,
	options: LayoutOptions,
): Promise<GeneratedStatement> {
	const known = layoutNames.find((layout) => layout === name);
	if (known === undefined) {
		throw new Error(`There is no layout "${name}". Take one of: ${layoutNames.join(', ')}.`);
	}
	return await layouts[known](options);
}
