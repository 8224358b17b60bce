/**
 * Spreads rows over pages, top to bottom. `first` and `next` are the heights in points that rows may
 * take on the first and on later pages. Gives at least one page; a page may be empty.
 */
export function paginate<Row>(
	rows: readonly Row[],
	heightOf: (row: Row) => number,
	first: number,
	next: number,
): Row[][] {
	const pages: Row[][] = [[]];
	let room = first;
	for (const row of rows) {
		const height = heightOf(row);
		if (height > room) {
			pages.push([]);
			room = next;
		}
		if (height > room) throw new Error('A row is higher than a page.');
		room -= height;
		pages.at(-1)?.push(row);
	}
	return pages;
}

/** How many of the rows fill exactly `pages` pages; throws when there are too few rows for that. */
export function countForPages<Row>(
	rows: readonly Row[],
	heightOf: (row: Row) => number,
	first: number,
	next: number,
	pages: number,
): number {
	const spread = paginate(rows, heightOf, first, next);
	if (spread.length < pages) {
		throw new Error(`${rows.length} rows fill ${spread.length} pages, not ${pages}.`);
	}
	return spread.slice(0, pages).reduce((total, page) => total + page.length, 0);
}
