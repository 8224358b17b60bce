import { DEEPEST_WRAPPING, firstText, listIn } from '../extraction/looseFields';
import { idText, isJsonObject, type JsonObject } from '../extraction/model';

/** A webhook registration (section 2.10 of the interface). Never holds the secret. */
export interface WebhookRecord {
	id: string;
	/** Empty where the answer does not say. */
	url: string;
	events: string[];
	/** Undefined where the answer does not say. */
	enabled?: boolean;
	version?: string;
	/** All fields as they came, without the secret. */
	record: JsonObject;
}

/** Fields in which an answer may wrap one webhook. */
const ONE = ['webhook', 'data', 'result', 'item'];
/** Fields in which an answer may wrap a list. */
const MANY = ['webhooks', 'data', 'items', 'results', 'records', 'result'];
const SECRET = ['secret', 'signingSecret', 'signing_secret', 'webhookSecret'];

function enabledOf(record: JsonObject): boolean | undefined {
	for (const name of ['enabled', 'active', 'isActive', 'isEnabled']) {
		if (typeof record[name] === 'boolean') return record[name];
	}
	if (typeof record.disabled === 'boolean') return !record.disabled;
	if (typeof record.status !== 'string') return undefined;
	if (/^(enabled|active)$/i.test(record.status)) return true;
	return /^(disabled|inactive|paused|suspended)$/i.test(record.status) ? false : undefined;
}

function withoutSecret(record: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(record).filter(([name]) => !SECRET.includes(name)));
}

/** Names in a list of texts or of objects with a name, each once. */
function namesIn(list: readonly unknown[]): string[] {
	const names = list.map((entry) =>
		isJsonObject(entry) ? firstText(entry, ['name', 'event', 'id', 'value']) : entry,
	);
	return [...new Set(names.filter((name) => typeof name === 'string' && name !== ''))] as string[];
}

function readWebhook(record: JsonObject): WebhookRecord | undefined {
	const id = idText(record.id) ?? idText(record.webhookId);
	if (id === null) return undefined;
	const events: unknown = record.events ?? record.eventTypes ?? record.subscribedEvents;
	const version = idText(record.version) ?? undefined;
	const enabled = enabledOf(record);
	return {
		id,
		url: firstText(record, ['url', 'targetUrl', 'callbackUrl', 'endpoint']) ?? '',
		events: Array.isArray(events) ? namesIn(events) : [],
		...(enabled === undefined ? {} : { enabled }),
		...(version === undefined ? {} : { version }),
		record: withoutSecret(record),
	};
}

/** Reads one webhook, bare or wrapped; undefined where the answer holds none. Never throws. */
export function webhookOf(body: unknown, depth = 0): WebhookRecord | undefined {
	if (!isJsonObject(body) || depth > DEEPEST_WRAPPING) return undefined;
	const webhook = readWebhook(body);
	if (webhook !== undefined) return webhook;
	for (const name of ONE) {
		const inner = webhookOf(body[name], depth + 1);
		if (inner !== undefined) return inner;
	}
	return undefined;
}

/** True where an answer holds a list of webhooks, if an empty one. */
export function isWebhookList(body: unknown): boolean {
	return listIn(body, MANY) !== undefined;
}

/**
 * Reads a list of webhooks: a bare list, `{webhooks}`, `{data}`, `{items}`, `{results}` and the
 * like. What is no webhook is left out. Never throws.
 */
export function webhooksOf(body: unknown): WebhookRecord[] {
	return (listIn(body, MANY) ?? [])
		.map((entry) => webhookOf(entry))
		.filter((webhook) => webhook !== undefined);
}

/**
 * The signing secret in the answer to a creation or a regeneration, exactly as it came; undefined
 * where there is none. Never throws.
 */
export function secretOf(body: unknown, depth = 0): string | undefined {
	if (!isJsonObject(body) || depth > DEEPEST_WRAPPING) return undefined;
	const secret = firstText(body, SECRET);
	if (secret !== undefined) return secret;
	for (const name of ONE) {
		const inner = secretOf(body[name], depth + 1);
		if (inner !== undefined) return inner;
	}
	return undefined;
}

/**
 * The names in the answer of `GET /agent/webhooks/events`, each once: `{events: [...]}`, a bare
 * list, texts or objects with a `name`. Never throws.
 */
export function eventNamesOf(body: unknown): string[] {
	return namesIn(listIn(body, ['events', 'names', ...MANY]) ?? []);
}
