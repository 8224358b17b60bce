import type { IDataObject } from 'n8n-workflow';

import type { Access } from '../transport/access';
import { bodyOf } from '../transport/answer';
import type { RequestContext } from '../transport/context';
import { strangeAnswerFailure, type Task } from '../transport/failures';
import { ask, segment } from '../transport/request';
import {
	deliveriesOf,
	deliveryOf,
	namesOfState,
	type DeliveryRecord,
	type DeliveryState,
} from './deliveryRecords';
import { nextPage } from './pages';

/** Which entries of a delivery log are wanted. */
export interface DeliveryFilter {
	state?: DeliveryState;
	/** Milliseconds since 1970, compared with the creation of the delivery. */
	since?: number;
}

/** The most that the service gives at once. */
const PAGE = 200;
/** 200 000 deliveries. A log that is longer goes in circles. */
const MOST_PAGES = 1_000;
const NAMES_TRIED = 4;
const REFUSED_QUERY = [400, 422];

function isWanted(delivery: DeliveryRecord, { state, since }: DeliveryFilter): boolean {
	// A delivery without a time is kept: one too many is better than one that is missing.
	if (since !== undefined && (delivery.createdAt ?? since) < since) return false;
	return state === undefined || delivery.state === state;
}

/** The queries to try, one after the other, until one finds something; the last has no filter. */
function queriesOf({ state, since }: DeliveryFilter): IDataObject[] {
	const from = since === undefined ? {} : { since: new Date(since).toISOString() };
	if (state === undefined) return since === undefined ? [{}] : [from, {}];
	return [
		...namesOfState(state)
			.slice(0, NAMES_TRIED)
			.map((status) => ({ ...from, status })),
		{},
	];
}

/** Reads pages until there are `limit` entries that are wanted. */
async function readLog(
	this: RequestContext,
	access: Access,
	webhookId: string,
	options: {
		filter: DeliveryFilter;
		query: IDataObject;
		limit: number;
		itemIndex: number | undefined;
	},
): Promise<{ found: DeliveryRecord[]; isEmpty: boolean } | 'refused'> {
	const { filter, limit, itemIndex } = options;
	const task: Task = {
		...(itemIndex === undefined ? {} : { itemIndex }),
		doing: `give the deliveries of the webhook ${webhookId}`,
		subject: `The webhook ${webhookId}`,
		field: 'Webhook',
		details: { webhookId },
	};
	const path = `/agent/webhooks/${segment(webhookId)}/deliveries`;
	const pageSize = Math.min(PAGE, Math.max(1, limit));
	const hasFilter = Object.keys(options.query).length > 0;
	let query: IDataObject = { limit: pageSize, offset: 0, ...options.query };
	const seen = new Set<string>();
	const found: DeliveryRecord[] = [];
	for (let page = 0; page < MOST_PAGES && found.length < limit; page++) {
		const request = { method: 'GET' as const, path, query };
		const accepts = page === 0 && hasFilter ? { accepts: REFUSED_QUERY } : {};
		const answer = await ask.call(this, access, { ...request, ...accepts }, task);
		if (REFUSED_QUERY.includes(answer.status)) return 'refused';
		const body = bodyOf(answer);
		const entries = deliveriesOf(body);
		if (entries === undefined) throw strangeAnswerFailure(this.getNode(), answer, task);
		const fresh = entries.filter(({ id }) => !seen.has(id));
		for (const { id } of fresh) seen.add(id);
		found.push(...fresh.filter((delivery) => isWanted(delivery, filter)));
		const { since = 0 } = filter;
		// Newest first: what follows a page of older entries is older still.
		const isOver = fresh.every(({ createdAt = since }) => createdAt < since);
		const full = entries.length >= pageSize;
		const next = nextPage(body, seen.size) ?? (full ? { offset: seen.size } : undefined);
		if (isOver || next === undefined) break;
		query = { limit: pageSize, ...options.query, ...next };
	}
	return { found: found.slice(0, limit), isEmpty: seen.size === 0 };
}

/**
 * GET /agent/webhooks/{id}/deliveries: the log, newest first, page after page until `limit` entries
 * are found or it ends. The filter goes to the service and is applied here as well, because another
 * service may not know it or call the states differently; only where it finds nothing, or refuses
 * the filter, other names are tried, and then none. An entry that moves to the next page, because
 * another one was written meanwhile, comes once.
 */
export async function listDeliveries(
	this: RequestContext,
	access: Access,
	webhookId: string,
	options: { filter?: DeliveryFilter; limit?: number; itemIndex?: number } = {},
): Promise<DeliveryRecord[]> {
	const { filter = {}, limit = Number.POSITIVE_INFINITY, itemIndex } = options;
	let known = false;
	for (const query of queriesOf(filter)) {
		const hasFilter = Object.keys(query).length > 0;
		if (!hasFilter && known) break;
		const reading = { filter, query, limit, itemIndex };
		const read = await readLog.call(this, access, webhookId, reading);
		if (read === 'refused') {
			// Names are checked there, and one of them was right: there is nothing of this state.
			if (known) break;
			continue;
		}
		// Entries of other kinds show that the filter is not heeded: other names would not be either.
		if (read.found.length > 0 || !read.isEmpty) return read.found;
		known = true;
	}
	return [];
}

/** What became of the wish to replay a delivery. */
export type Replay =
	| { kind: 'replayed'; delivery: DeliveryRecord | undefined; body: unknown }
	/** It is already on its way, by an earlier replay or another attempt. */
	| { kind: 'underWay' };

function replayTask(deliveryId: string, itemIndex: number | undefined): Task {
	return {
		...(itemIndex === undefined ? {} : { itemIndex }),
		doing: `replay the delivery ${deliveryId}`,
		subject: `The delivery ${deliveryId}`,
		field: 'Delivery ID',
		details: { deliveryId },
	};
}

/**
 * POST /agent/webhooks/deliveries/{id}/retry: the same event with the same bytes once more. Asked
 * again after a failure that passes, since a second replay finds the first one under way and a
 * receiver tells repeats by their event id. 409 means that it is under way.
 */
export async function replayDelivery(
	this: RequestContext,
	access: Access,
	deliveryId: string,
	itemIndex?: number,
): Promise<Replay> {
	const path = `/agent/webhooks/deliveries/${segment(deliveryId)}/retry`;
	const answer = await ask.call(
		this,
		access,
		{ method: 'POST', path, harmless: true, accepts: [409] },
		replayTask(deliveryId, itemIndex),
	);
	if (answer.status === 409) return { kind: 'underWay' };
	const body = bodyOf(answer);
	return { kind: 'replayed', delivery: deliveryOf(body), body };
}
