import type { Sheet } from './sheet.ts';
import type { GeneratedStatement, LayoutOptions, TruthAccount } from './statementTruth.ts';

/** Ends the PDF and puts its truth beside it. */
export async function finishStatement(
	sheet: Sheet,
	layout: string,
	options: LayoutOptions,
	bank: string,
	accounts: TruthAccount[],
): Promise<GeneratedStatement> {
	const pageCount = sheet.pageCount;
	const pdf = await sheet.finish();
	return { pdf, truth: { layout, seed: options.seed, bank, pageCount, accounts } };
}

/**
 * For layouts whose pages cannot be planned ahead: the statement with the fewest rows that fills
 * `options.pages` pages. Throws when no number of rows gives exactly that many.
 */
export async function fillPages(
	options: LayoutOptions,
	draw: (options: LayoutOptions) => Promise<GeneratedStatement>,
): Promise<GeneratedStatement> {
	const { pages, ...others } = options;
	if (pages === undefined) return await draw(others);
	let low = 1;
	let high = pages * 80;
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		const tried = await draw({ ...others, transactions: middle });
		if (tried.truth.pageCount < pages) low = middle + 1;
		else high = middle;
	}
	const found = await draw({ ...others, transactions: low });
	if (found.truth.pageCount !== pages) {
		throw new Error(`This layout has no version with exactly ${pages} pages.`);
	}
	return found;
}
