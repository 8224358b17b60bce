import { toIsoDate } from './isoDate';
import { idText, isJsonObject, type JsonObject } from './model';

/** What the metadata entries of one sub-period say (section 2.8), as the service wrote it. */
export interface PeriodFacts {
	/** The sub-period index as text; null for entries without one. */
	period: string | null;
	startBalance?: unknown;
	endBalance?: unknown;
	startDate?: unknown;
	endDate?: unknown;
	isReconciled?: unknown;
	/** Entries with other names, for example `currency`. */
	extras: JsonObject;
	/** Known names that came twice with different values. The first one is kept. */
	contradictions: string[];
}

export interface AccountFacts {
	/** In the order of time; never empty. */
	periods: PeriodFacts[];
	/** Facts of the account as a whole: entries without a period beside entries with one. */
	whole: PeriodFacts | null;
	/** What is in no period: entries of another form, and second values of a name. */
	unread: unknown[];
}

const KNOWN = ['startBalance', 'endBalance', 'startDate', 'endDate', 'isReconciled'] as const;
type KnownName = (typeof KNOWN)[number];

function isKnown(name: string): name is KnownName {
	return (KNOWN as readonly string[]).includes(name);
}

function isBlank(value: unknown): boolean {
	return value === null || value === undefined || value === '';
}

function differs(left: unknown, right: unknown): boolean {
	return left !== right && (idText(left) === null || idText(left) !== idText(right));
}

/** Notes the fact. False where the period has another value under this name already. */
function record(facts: PeriodFacts, name: string, value: unknown): boolean {
	if (isKnown(name)) {
		if (isBlank(value)) return true;
		if (facts[name] === undefined) facts[name] = value;
		else if (differs(facts[name], value)) facts.contradictions.push(name);
		return !facts.contradictions.includes(name);
	}
	if (Object.hasOwn(facts.extras, name)) return !differs(facts.extras[name], value);
	// Not an assignment: the name comes from outside and may be __proto__.
	Object.defineProperty(facts.extras, name, {
		value,
		enumerable: true,
		configurable: true,
		writable: true,
	});
	return true;
}

/**
 * By first day where every period has one, else by index; mixing the two would give no order.
 * Periods that neither tells apart stay in the order given.
 */
function inOrderOfTime(periods: readonly PeriodFacts[]): PeriodFacts[] {
	const dated = periods.map((facts) => ({ facts, start: toIsoDate(facts.startDate) }));
	const byDate = dated.every(({ start }) => start !== null);
	const byIndex = periods.every(({ period }) => Number.isFinite(Number(period)));
	return dated
		.sort((left, right) => {
			if (byDate && left.start !== right.start) {
				return (left.start ?? '') < (right.start ?? '') ? -1 : 1;
			}
			return byIndex ? Number(left.facts.period) - Number(right.facts.period) : 0;
		})
		.map(({ facts }) => facts);
}

/**
 * Sorts `[documentId][account].metadata` into sub-periods. Takes the array of
 * `{ name, value, period }` of section 2.8; also an object of names and values, and array entries
 * that carry the names themselves (`{ period, startBalance, … }`).
 */
export function readAccountMetadata(metadata: unknown): AccountFacts {
	const byPeriod = new Map<string | null, PeriodFacts>();
	const unread: unknown[] = [];
	const factsOf = (period: unknown): PeriodFacts => {
		const key = idText(period);
		const known = byPeriod.get(key);
		if (known !== undefined) return known;
		const created: PeriodFacts = { period: key, extras: {}, contradictions: [] };
		byPeriod.set(key, created);
		return created;
	};
	const entries = Array.isArray(metadata) ? (metadata as unknown[]) : [metadata];
	for (const entry of entries) {
		if (!isJsonObject(entry)) {
			if (!isBlank(entry)) unread.push(entry);
			continue;
		}
		const name = idText(entry.name);
		if (name !== null && Object.hasOwn(entry, 'value')) {
			if (!record(factsOf(entry.period), name, entry.value)) unread.push(entry);
			continue;
		}
		const facts = factsOf(entry.period);
		for (const [field, value] of Object.entries(entry)) {
			if (field !== 'period' && !record(facts, field, value)) unread.push({ [field]: value });
		}
	}
	const whole = byPeriod.get(null) ?? null;
	if (whole !== null && byPeriod.size === 1) return { periods: [whole], whole: null, unread };
	byPeriod.delete(null);
	const periods = inOrderOfTime([...byPeriod.values()]);
	if (periods.length === 0) periods.push({ period: null, extras: {}, contradictions: [] });
	return { periods, whole, unread };
}
