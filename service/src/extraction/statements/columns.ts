import type { AmountToken } from '../money/amountTokens.ts';
import type { DateToken } from '../dates/dateTokens.ts';
import { isDateRole, isMoneyRole } from './headings.ts';
import type { HeadingColumn } from './headings.ts';
import type { ColumnRole } from './vocabulary/headings.ts';

export type MoneyRole = 'debit' | 'credit' | 'amount' | 'balance' | 'foreignAmount' | 'aside';

type Edge = 'right' | 'left' | 'centre';

/** Amounts whose edges differ by less (in points) stand in one column. */
const SAME_EDGE = 2.6;

interface Cluster {
	/** Mean place of the edge. */
	at: number;
	count: number;
	x0: number;
	x1: number;
}

/**
 * The columns of one table: what its headings say, and where the amounts under them really stand.
 * Headings are often centred or pushed left over numbers that end at the right, so the numbers'
 * own alignment decides, in the order of the headings.
 */
export class TableColumns {
	columns: readonly HeadingColumn[];
	private readonly money: { role: MoneyRole; x0: number; x1: number }[];
	private edge: Edge = 'right';
	private places: { at: number; role: MoneyRole }[] = [];

	/** True where every row prints its own date, so that a line without one is no row. */
	datesEveryRow = false;

	/** True where the date of a row stands on the line below its amounts. */
	datesBelow = false;

	constructor(columns: readonly HeadingColumn[]) {
		this.columns = columns;
		this.money = columns.filter(
			({ role }) => isMoneyRole(role) || role === 'foreignAmount' || role === 'aside',
		) as {
			role: MoneyRole;
			x0: number;
			x1: number;
		}[];
	}

	has(role: ColumnRole): boolean {
		return this.columns.some((column) => column.role === role);
	}

	get hasDates(): boolean {
		return this.columns.some(({ role }) => isDateRole(role));
	}

	/** Where no heading names the dates: the place where most rows with an amount print one. */
	learnDates(rows: readonly { dates: readonly DateToken[] }[]): void {
		const places = new Map<number, { x0: number; x1: number; count: number }>();
		for (const { dates } of rows) {
			for (const { x0, x1, weak } of dates) {
				if (weak) continue;
				const key = Math.round(x0 / 4);
				const place = places.get(key) ?? { x0, x1, count: 0 };
				place.x1 = Math.max(place.x1, x1);
				place.count++;
				places.set(key, place);
			}
		}
		const best = [...places.values()].sort(
			(left, right) => right.count - left.count || left.x0 - right.x0,
		)[0];
		if (!best || best.count * 2 < rows.length) return;
		const column: HeadingColumn = { role: 'date', x0: best.x0, x1: best.x1 };
		this.columns = [...this.columns, column].sort((left, right) => left.x0 - right.x0);
	}

	/** A table of balances day by day holds no transactions. */
	get holdsMovements(): boolean {
		return this.has('debit') || this.has('credit') || this.has('amount');
	}

	/** A list of checks: numbers, dates and amounts, but no text. */
	get isCheckList(): boolean {
		return this.has('checkNumber') && !this.has('description') && !this.has('counterparty');
	}

	/** True where both tables have the same columns at the same places. */
	sameAs(other: TableColumns): boolean {
		return (
			this.columns.length === other.columns.length &&
			this.columns.every((column, index) => {
				const match = other.columns[index] as HeadingColumn;
				return (
					column.role === match.role &&
					Math.abs(column.x0 - match.x0) < 3 &&
					Math.abs(column.x1 - match.x1) < 3
				);
			})
		);
	}

	/** True where a number without decimals or thousands marks stands where money is expected. */
	private expects(token: AmountToken): boolean {
		if (token.shape !== 'plain') return true;
		if (!token.isolated) return false;
		return this.money.some(({ x0, x1 }) => token.x1 > x0 - 12 && token.x0 < x1 + 12);
	}

	/** Learns where the columns stand from the amounts of the table's rows. */
	learn(tokens: readonly AmountToken[]): void {
		const usable = tokens.filter((token) => this.expects(token));
		const byEdge = (['right', 'left', 'centre'] as const).map((edge) => ({
			edge,
			clusters: clustersOf(usable, edge),
		}));
		const small = Math.max(1, usable.length * 0.03);
		let best = byEdge[0];
		let bestCount = Infinity;
		for (const candidate of byEdge) {
			const count = candidate.clusters.filter((cluster) => cluster.count > small).length;
			const covered = candidate.clusters
				.filter((cluster) => cluster.count > small)
				.reduce((sum, cluster) => sum + cluster.count, 0);
			if (count === 0 || covered < usable.length * 0.6) continue;
			if (count < bestCount) [best, bestCount] = [candidate, count];
		}
		if (!best) return;
		this.edge = best.edge;
		this.places = this.placed(best.clusters);
	}

	/** Gives clusters to headings, from left to right, at the least cost; stray clusters get none. */
	private placed(clusters: readonly Cluster[]): { at: number; role: MoneyRole }[] {
		const relevant = [...clusters]
			.sort((left, right) => right.count - left.count)
			.slice(0, 24)
			.sort((left, right) => left.at - right.at);
		const heads = this.money;
		const rows = relevant.length;
		const width = heads.length + 1;
		const costs: number[] = new Array<number>((rows + 1) * width).fill(0);
		const take: boolean[] = new Array<boolean>((rows + 1) * width).fill(false);
		for (let row = 1; row <= rows; row++) {
			const cluster = relevant[row - 1] as Cluster;
			const skip = 15 + 6 * Math.min(cluster.count, 10);
			for (let head = 0; head < width; head++) {
				let cost = (costs[(row - 1) * width + head] as number) + skip;
				let taken = false;
				if (head > 0) {
					const left = costs[row * width + head - 1] as number;
					if (left <= cost) {
						cost = left;
					}
					const matched =
						(costs[(row - 1) * width + head - 1] as number) +
						distance(cluster, heads[head - 1] as HeadingColumn);
					if (matched < cost || (matched === cost && left !== cost)) {
						cost = matched;
						taken = true;
					}
				}
				costs[row * width + head] = cost;
				take[row * width + head] = taken;
			}
		}
		const places: { at: number; role: MoneyRole }[] = [];
		let row = rows;
		let head = heads.length;
		while (row > 0 && head >= 0) {
			const cost = costs[row * width + head] as number;
			if (take[row * width + head]) {
				places.push({
					at: (relevant[row - 1] as Cluster).at,
					role: (heads[head - 1] as { role: MoneyRole }).role,
				});
				row--;
				head--;
			} else if (head > 0 && costs[row * width + head - 1] === cost) {
				head--;
			} else {
				row--;
			}
		}
		return places;
	}

	/** The column that an amount stands in; null where it is part of the text. */
	roleOf(token: AmountToken): MoneyRole | null {
		if (!this.expects(token)) return null;
		const at = edgeOf(token, this.edge);
		let best: MoneyRole | null = null;
		let bestDistance = SAME_EDGE * 1.2;
		for (const place of this.places) {
			const gap = Math.abs(place.at - at);
			if (gap < bestDistance) [best, bestDistance] = [place.role, gap];
		}
		if (best) return best;
		for (const column of this.money) {
			const overlap = Math.min(column.x1, token.x1) - Math.max(column.x0, token.x0);
			if (overlap > 0.3 * Math.min(token.x1 - token.x0, column.x1 - column.x0)) return column.role;
		}
		return null;
	}

	/** The column of dates that a date stands in; null where it is part of the text. */
	dateRoleOf(token: DateToken): ColumnRole | null {
		const first = this.columns[0];
		let best: ColumnRole | null = null;
		let bestDistance = 9;
		for (const column of this.columns) {
			if (!isDateRole(column.role)) continue;
			const overlap = Math.min(column.x1, token.x1) - Math.max(column.x0, token.x0);
			const apart = Math.min(
				Math.abs(column.x0 - token.x0),
				Math.abs(column.x1 - token.x1),
				Math.abs(column.x0 + column.x1 - token.x0 - token.x1) / 2,
			);
			const gap = overlap > 0 ? Math.min(apart, 5) : apart;
			if (gap < bestDistance) [best, bestDistance] = [column.role, gap];
		}
		if (best) return best;
		// Dates that stand left of every heading but the first, under a heading that is set apart.
		const second = this.columns[1];
		if (first && second && isDateRole(first.role) && token.from === 0 && token.x1 < second.x0) {
			return first.role;
		}
		return null;
	}

	/** The column that a piece of text stands in. */
	textRoleOf(x0: number, x1: number): ColumnRole | null {
		let best: HeadingColumn | null = null;
		let bestOverlap = 0;
		for (const column of this.columns) {
			if (isMoneyRole(column.role)) continue;
			if (Math.abs(column.x0 - x0) < 2) return column.role;
			const overlap = Math.min(column.x1, x1) - Math.max(column.x0, x0);
			if (overlap > bestOverlap) [best, bestOverlap] = [column, overlap];
		}
		if (best) return best.role;
		let left: HeadingColumn | null = null;
		for (const column of this.columns) {
			if (!isMoneyRole(column.role) && column.x0 <= x0 + 2) left = column;
		}
		return left?.role ?? null;
	}

	/** True where a text column begins exactly here, so that a narrow gap still divides two cells. */
	beginsAt(x0: number, previousEnd: number): boolean {
		return this.columns.some(
			(column) =>
				!isMoneyRole(column.role) &&
				Math.abs(column.x0 - x0) < 0.8 &&
				previousEnd < column.x0 - 2.5,
		);
	}

	/** Left edge of the column of dates where it is the first; text that begins there is no continuation. */
	get leadingDateColumn(): HeadingColumn | null {
		const first = this.columns[0];
		return first && isDateRole(first.role) ? first : null;
	}

	get left(): number {
		return Math.min(...this.columns.map(({ x0 }) => x0));
	}

	get right(): number {
		return Math.max(...this.columns.map(({ x1 }) => x1), ...this.places.map(({ at }) => at));
	}
}

function edgeOf(token: { x0: number; x1: number }, edge: Edge): number {
	if (edge === 'right') return token.x1;
	return edge === 'left' ? token.x0 : (token.x0 + token.x1) / 2;
}

function clustersOf(tokens: readonly AmountToken[], edge: Edge): Cluster[] {
	const sorted = [...tokens].sort((left, right) => edgeOf(left, edge) - edgeOf(right, edge));
	const clusters: Cluster[] = [];
	let sum = 0;
	let last = -Infinity;
	for (const token of sorted) {
		const at = edgeOf(token, edge);
		const open = clusters.at(-1);
		if (open && at - last < SAME_EDGE && at - open.at < 2 * SAME_EDGE) {
			sum += at;
			open.count++;
			open.at = sum / open.count;
			open.x0 = Math.min(open.x0, token.x0);
			open.x1 = Math.max(open.x1, token.x1);
		} else {
			sum = at;
			clusters.push({ at, count: 1, x0: token.x0, x1: token.x1 });
		}
		last = at;
	}
	return clusters;
}

function distance(cluster: Cluster, heading: { x0: number; x1: number }): number {
	const gap = Math.max(0, heading.x0 - cluster.x1, cluster.x0 - heading.x1);
	const edges = Math.min(
		Math.abs(heading.x1 - cluster.x1),
		Math.abs(heading.x0 - cluster.x0),
		Math.abs(heading.x0 + heading.x1 - cluster.x0 - cluster.x1) / 2,
	);
	return gap + 0.15 * edges;
}
