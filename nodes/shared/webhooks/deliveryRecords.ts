import { DEEPEST_WRAPPING, firstOf, millisecondsOf } from '../extraction/looseFields';
import { idText, isJsonObject, type JsonObject } from '../extraction/model';

/** What became of a delivery, in the words of section 3 of the interface. */
export type DeliveryState =
	'pending' | 'inProgress' | 'retrying' | 'delivered' | 'deadLetter' | 'unknown';

/** An entry of the delivery log (section 4.4, GET /agent/webhooks/{id}/deliveries). */
export interface DeliveryRecord {
	id: string;
	/** Undefined where the answer does not say. */
	eventId?: string;
	/** As the service wrote it; empty where it wrote none. */
	status: string;
	state: DeliveryState;
	/** Milliseconds since 1970; undefined where the answer does not say. */
	createdAt?: number;
	/** All fields as they came. */
	record: JsonObject;
}

/** Fields in which an answer may wrap the log, or one delivery. */
const LISTS = ['deliveries', 'data', 'items', 'results', 'records', 'result', 'logs', 'entries'];
const WRAPPERS = ['delivery', 'data', 'result', 'item'];

/** The interface does not show the names of the states. The likelier ones come first. */
const NAMES: Record<Exclude<DeliveryState, 'unknown'>, readonly [string, ...string[]]> = {
	pending: ['pending', 'queued', 'scheduled', 'created'],
	inProgress: ['in-progress', 'in_progress', 'inProgress', 'processing', 'sending'],
	retrying: ['retrying', 'retried', 'retry'],
	delivered: ['delivered', 'success', 'succeeded', 'ok'],
	deadLetter: [
		'dead-letter',
		'dead_letter',
		'deadLetter',
		'failed',
		'dead-lettered',
		'failure',
		'dead',
		'exhausted',
		'undeliverable',
	],
};

function plain(name: string): string {
	return name.toLowerCase().replace(/[^a-z]/g, '');
}

const STATES = new Map<string, DeliveryState>(
	Object.entries(NAMES).flatMap(([state, names]) =>
		names.map((name) => [plain(name), state as DeliveryState]),
	),
);

/** `dead-letter`, `dead_letter`, `deadLetter` and `failed` are one state, and so on. */
export function deliveryState(status: unknown): DeliveryState {
	return typeof status === 'string' ? (STATES.get(plain(status)) ?? 'unknown') : 'unknown';
}

/** Under which names a service may know the state; none for an unknown one. */
export function namesOfState(state: DeliveryState): readonly string[] {
	return state === 'unknown' ? [] : NAMES[state];
}

/** True while attempts go on without anybody's doing. */
export function isUnderWay({ state }: DeliveryRecord): boolean {
	return state === 'pending' || state === 'inProgress' || state === 'retrying';
}

const CREATED = ['createdAt', 'created_at', 'created', 'timestamp', 'time', 'date', 'sentAt'];

function readDelivery(record: JsonObject): DeliveryRecord | undefined {
	const id = idText(record.id) ?? idText(record.deliveryId) ?? idText(record.delivery_id);
	if (id === null) return undefined;
	const { event } = record;
	const eventId =
		idText(record.eventId) ??
		idText(record.event_id) ??
		(isJsonObject(event) ? idText(event.id) : null);
	const status = firstOf(record, ['status', 'state', 'deliveryStatus']);
	const createdAt = millisecondsOf(firstOf(record, CREATED));
	return {
		id,
		...(eventId === null ? {} : { eventId }),
		status: typeof status === 'string' ? status : '',
		state: deliveryState(status),
		...(createdAt === undefined ? {} : { createdAt }),
		record,
	};
}

/** Reads one delivery, bare or wrapped; undefined where the answer holds none. Never throws. */
export function deliveryOf(body: unknown, depth = 0): DeliveryRecord | undefined {
	if (!isJsonObject(body) || depth > DEEPEST_WRAPPING) return undefined;
	for (const name of WRAPPERS) {
		const inner = deliveryOf(body[name], depth + 1);
		if (inner !== undefined) return inner;
	}
	return readDelivery(body);
}

/** Reads a page of the log; undefined where the answer holds no list. Never throws. */
export function deliveriesOf(body: unknown, depth = 0): DeliveryRecord[] | undefined {
	if (Array.isArray(body)) {
		return (body as unknown[])
			.map((entry) => (isJsonObject(entry) ? readDelivery(entry) : undefined))
			.filter((entry) => entry !== undefined);
	}
	if (!isJsonObject(body) || depth > DEEPEST_WRAPPING) return undefined;
	for (const name of LISTS) {
		const inner = deliveriesOf(body[name], depth + 1);
		if (inner !== undefined) return inner;
	}
	return undefined;
}

/**
 * The dead letters that are worth a replay, oldest first, so that a receiver gets its events in
 * their order. Where the log has one entry for each attempt, an event is replayed once, and not at
 * all if another attempt was delivered or is under way.
 */
export function deadLetters(log: readonly DeliveryRecord[]): DeliveryRecord[] {
	const byEvent = new Map<string, DeliveryRecord[]>();
	for (const delivery of log) {
		const key = delivery.eventId === undefined ? `id ${delivery.id}` : `event ${delivery.eventId}`;
		byEvent.set(key, [...(byEvent.get(key) ?? []), delivery]);
	}
	const dead = [...byEvent.values()].flatMap((entries) => {
		if (entries.some((entry) => entry.state === 'delivered' || isUnderWay(entry))) return [];
		const last = entries.find(({ state }) => state === 'deadLetter');
		return last === undefined ? [] : [last];
	});
	return dead.reverse();
}

/**
 * The fields of an item: the record, its id as `deliveryId`, and what the last attempt ended with,
 * from the log of attempts where there is one.
 */
export function deliveryFields(delivery: DeliveryRecord, webhookId?: string): JsonObject {
	const { record, id } = delivery;
	const log: unknown = firstOf(record, ['attemptLog', 'attempt_log', 'attemptsLog']);
	const attempts: unknown = Array.isArray(log) ? log : record.attempts;
	const last: unknown = Array.isArray(attempts) ? (attempts as unknown[]).at(-1) : undefined;
	const from = isJsonObject(last) ? last : record;
	return {
		...record,
		deliveryId: id,
		webhookId: idText(record.webhookId) ?? webhookId ?? null,
		lastStatusCode:
			firstOf(from, ['statusCode', 'status_code', 'responseStatus', 'httpStatus']) ?? null,
		lastError: firstOf(from, ['error', 'errorMessage', 'reason']) ?? null,
		lastAttemptAt: firstOf(from, ['startedAt', 'attemptedAt', 'lastAttemptAt', 'time']) ?? null,
	};
}
