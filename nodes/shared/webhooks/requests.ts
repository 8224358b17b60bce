import type { IDataObject } from 'n8n-workflow';

import type { Access } from '../transport/access';
import { bodyOf, type Answer } from '../transport/answer';
import type { RequestContext } from '../transport/context';
import { strangeAnswerFailure, type Task } from '../transport/failures';
import { ask, askForJson, segment, type ServiceRequest } from '../transport/request';
import { nextPage } from './pages';
import {
	eventNamesOf,
	isWebhookList,
	secretOf,
	webhookOf,
	webhooksOf,
	type WebhookRecord,
} from './records';

/**
 * The requests of section 4.4 of the interface. Every function throws NodeApiError where the
 * service refuses, cannot be reached, or answers with something else than a webhook.
 */
export interface RequestOptions {
	/** The item to name in an error; undefined where there are no items. */
	itemIndex?: number;
	/** Statuses that are answered with undefined instead of an error, such as 404 for what is gone. */
	accepts?: readonly number[];
	/** How often it is tried at most. */
	attempts?: number;
	timeoutMs?: number;
}

/** A webhook whose secret has just been made. It is told once, and nobody else keeps it. */
export interface WebhookWithSecret {
	webhook: WebhookRecord;
	/** Undefined where the answer has none, which the interface does not allow. */
	secret: string | undefined;
}

const PATH = '/agent/webhooks';
/** A list that is longer goes in circles. */
const MOST_PAGES = 100;

function pathOf(id: string): string {
	return `${PATH}/${segment(id)}`;
}

function taskOf(options: RequestOptions, doing: string, id?: string): Task {
	const { itemIndex } = options;
	return {
		...(itemIndex === undefined ? {} : { itemIndex }),
		doing,
		...(id === undefined
			? {}
			: { subject: `The webhook ${id}`, field: 'Webhook', details: { webhookId: id } }),
	};
}

function requestOf(
	request: Pick<ServiceRequest, 'method' | 'path' | 'query' | 'body' | 'harmless'>,
	{ accepts, attempts, timeoutMs }: RequestOptions,
): ServiceRequest {
	return {
		...request,
		...(accepts === undefined ? {} : { accepts }),
		...(attempts === undefined ? {} : { attempts }),
		...(timeoutMs === undefined ? {} : { timeoutMs }),
	};
}

/** GET /agent/webhooks: all webhooks of the contract, page after page where the answer has pages. */
export async function listWebhooks(
	this: RequestContext,
	access: Access,
	options: RequestOptions = {},
): Promise<WebhookRecord[]> {
	const task = taskOf(options, 'list the webhooks');
	const found = new Map<string, WebhookRecord>();
	let query: IDataObject | undefined;
	for (let page = 0; page < MOST_PAGES; page++) {
		const request: ServiceRequest = { method: 'GET', path: PATH };
		if (query !== undefined) request.query = query;
		const { answer, body } = await askForJson.call(this, access, requestOf(request, options), task);
		if (!isWebhookList(body)) throw strangeAnswerFailure(this.getNode(), answer, task);
		const before = found.size;
		for (const webhook of webhooksOf(body)) found.set(webhook.id, webhook);
		query = nextPage(body, found.size);
		if (query === undefined || found.size === before) break;
	}
	return [...found.values()];
}

/**
 * POST /agent/webhooks. Sent once: a second try could make a second webhook. Where no answer came,
 * look for the address with `listWebhooks` before another try.
 */
export async function createWebhook(
	this: RequestContext,
	access: Access,
	fields: { url: string; events: readonly string[] },
	options: RequestOptions = {},
): Promise<WebhookWithSecret> {
	const task = taskOf(options, 'create the webhook');
	const { url, events } = fields;
	const request = { method: 'POST' as const, path: PATH, body: { url, events: [...events] } };
	const { answer, body } = await askForJson.call(this, access, requestOf(request, options), task);
	const webhook = webhookOf(body);
	if (webhook === undefined) throw strangeAnswerFailure(this.getNode(), answer, task);
	return { webhook, secret: secretOf(body) };
}

/** One request about one webhook; undefined for the statuses in `accepts`. */
async function askAbout(
	this: RequestContext,
	access: Access,
	request: Pick<ServiceRequest, 'method' | 'path' | 'body' | 'harmless'>,
	task: Task,
	options: RequestOptions,
): Promise<{ answer: Answer; body: unknown; webhook: WebhookRecord | undefined } | undefined> {
	const answer = await ask.call(this, access, requestOf(request, options), task);
	if (options.accepts?.includes(answer.status)) return undefined;
	const body = bodyOf(answer);
	if (body === undefined && answer.text.trim() !== '') {
		throw strangeAnswerFailure(this.getNode(), answer, task);
	}
	return { answer, body, webhook: webhookOf(body) };
}

/** GET /agent/webhooks/{id}; undefined for the statuses in `accepts`. */
export async function getWebhook(
	this: RequestContext,
	access: Access,
	id: string,
	options: RequestOptions = {},
): Promise<WebhookRecord | undefined> {
	const task = taskOf(options, `tell about the webhook ${id}`, id);
	const request = { method: 'GET' as const, path: pathOf(id) };
	const found = await askAbout.call(this, access, request, task, options);
	if (found === undefined) return undefined;
	if (found.webhook === undefined) throw strangeAnswerFailure(this.getNode(), found.answer, task);
	return found.webhook;
}

/**
 * PUT /agent/webhooks/{id}: the webhook as it is afterwards. Read again where the answer does not
 * show it. Undefined for the statuses in `accepts`.
 */
export async function updateWebhook(
	this: RequestContext,
	access: Access,
	id: string,
	changes: { url?: string; events?: readonly string[]; enabled?: boolean },
	options: RequestOptions = {},
): Promise<WebhookRecord | undefined> {
	const task = taskOf(options, `change the webhook ${id}`, id);
	const { url, events, enabled } = changes;
	const body: IDataObject = {
		...(url === undefined ? {} : { url }),
		...(events === undefined ? {} : { events: [...events] }),
		...(enabled === undefined ? {} : { enabled }),
	};
	const request = { method: 'PUT' as const, path: pathOf(id), body };
	const changed = await askAbout.call(this, access, request, task, options);
	if (changed === undefined) return undefined;
	return changed.webhook ?? (await getWebhook.call(this, access, id, options));
}

/** DELETE /agent/webhooks/{id}. False for the statuses in `accepts`, such as 404. */
export async function deleteWebhook(
	this: RequestContext,
	access: Access,
	id: string,
	options: RequestOptions = {},
): Promise<boolean> {
	const task = taskOf(options, `delete the webhook ${id}`, id);
	const request: ServiceRequest = { method: 'DELETE', path: pathOf(id) };
	const answer = await ask.call(this, access, requestOf(request, options), task);
	return !options.accepts?.includes(answer.status);
}

/**
 * POST /agent/webhooks/{id}/regenerate-secret. May be repeated: only the newest secret counts, and
 * the one of an answer that was lost is known to nobody. Undefined for the statuses in `accepts`.
 */
export async function regenerateSecret(
	this: RequestContext,
	access: Access,
	id: string,
	options: RequestOptions = {},
): Promise<WebhookWithSecret | undefined> {
	const task = taskOf(options, `make a new secret for the webhook ${id}`, id);
	const path = `${pathOf(id)}/regenerate-secret`;
	const request = { method: 'POST' as const, path, harmless: true };
	const made = await askAbout.call(this, access, request, task, options);
	if (made === undefined) return undefined;
	const webhook = made.webhook ?? { id, url: '', events: [], record: {} };
	return { webhook, secret: secretOf(made.body) };
}

/** POST /agent/webhooks/{id}/test: a sample delivery. Gives the answer, a delivery record as a rule. */
export async function sendTestDelivery(
	this: RequestContext,
	access: Access,
	id: string,
	fields: { event?: string } = {},
	options: RequestOptions = {},
): Promise<unknown> {
	const task = taskOf(options, `send a test delivery to the webhook ${id}`, id);
	const path = `${pathOf(id)}/test`;
	const request: ServiceRequest = { method: 'POST', path };
	if (fields.event !== undefined) request.body = { event: fields.event };
	const sent = await askAbout.call(this, access, request, task, options);
	return sent?.body;
}

/** GET /agent/webhooks/events: the names of all events that the service knows. */
export async function eventNames(
	this: RequestContext,
	access: Access,
	options: RequestOptions = {},
): Promise<string[]> {
	const task = taskOf(options, 'list its events');
	const request = requestOf({ method: 'GET', path: `${PATH}/events` }, options);
	const { answer, body } = await askForJson.call(this, access, request, task);
	const names = eventNamesOf(body);
	if (names.length === 0) throw strangeAnswerFailure(this.getNode(), answer, task);
	return names;
}
