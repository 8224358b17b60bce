import { germanGiro } from './layouts/germanGiro.ts';
import { ukCurrent } from './layouts/ukCurrent.ts';
import { usChecking } from './layouts/usChecking.ts';
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
