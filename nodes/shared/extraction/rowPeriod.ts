import type { PeriodFacts } from './accountMetadata';
import { toIsoDate } from './isoDate';
import { idText, isJsonObject } from './model';
import { rowDate } from './rowFields';

/** The sub-period of a row; the dates are ISO or null. */
export interface RowPeriod {
	period: string | null;
	periodStart: string | null;
	periodEnd: string | null;
}

const UNKNOWN: RowPeriod = { period: null, periodStart: null, periodEnd: null };

/**
 * Finds the sub-period of a row of one account: the field `period` of the row where it has one,
 * else the only period, else the one whose first and last day enclose the date of the row (the
 * earlier one, where a day belongs to two). All null where none of these tells.
 */
export function rowPeriodFinder(
	periods: readonly PeriodFacts[],
): (row: unknown, dateIso?: string | null) => RowPeriod {
	const known: RowPeriod[] = periods.map((facts) => ({
		period: facts.period,
		periodStart: toIsoDate(facts.startDate),
		periodEnd: toIsoDate(facts.endDate),
	}));
	const byName = new Map(known.map((one) => [one.period, one]));
	const only = known.length === 1 ? known[0] : undefined;
	return (row, dateIso) => {
		const named = isJsonObject(row) ? idText(row.period) : null;
		if (named !== null) {
			// The only period may have no name of its own; its dates hold for the row all the same.
			const dates = byName.get(named) ?? (only?.period === null ? only : UNKNOWN);
			return { ...dates, period: named };
		}
		if (only !== undefined) return only;
		const date = dateIso === undefined && isJsonObject(row) ? toIsoDate(rowDate(row)) : dateIso;
		if (date === null || date === undefined) return UNKNOWN;
		const enclosing = known.find(
			({ periodStart, periodEnd }) =>
				periodStart !== null && periodEnd !== null && periodStart <= date && date <= periodEnd,
		);
		return enclosing ?? UNKNOWN;
	};
}
