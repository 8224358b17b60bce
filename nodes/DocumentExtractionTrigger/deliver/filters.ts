import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { documentIdsOf, kindsOf } from './contents';
import type { Delivery } from './delivery';

/** What the node lets through. An empty list lets everything through. */
export interface Filters {
	events: string[];
	documentKinds: string[];
	documentIds: string[];
}

function texts(value: unknown): string[] {
	const list: unknown[] = Array.isArray(value) ? value : [value];
	return list
		.flatMap((one) =>
			typeof one === 'string' || typeof one === 'number' ? String(one).split(',') : [],
		)
		.map((text) => text.trim())
		.filter((text) => text !== '');
}

export function filtersOf(this: IWebhookFunctions | IExecuteFunctions): Filters {
	const parameter = (name: string): unknown =>
		'getInputData' in this ? this.getNodeParameter(name, 0, '') : this.getNodeParameter(name, '');
	return {
		events: texts(parameter('events')),
		documentKinds: texts(parameter('filters.documentKinds')),
		documentIds: texts(parameter('filters.documentIds')),
	};
}

function meets(wanted: readonly string[], found: readonly string[]): boolean {
	return wanted.length === 0 || found.length === 0 || found.some((one) => wanted.includes(one));
}

/**
 * Whether a delivery starts a run. One that does not say its event, kind or document is let
 * through: nothing is dropped on a guess. A sample may be of any event.
 */
export function isWanted(delivery: Delivery, filters: Filters): boolean {
	const { eventName, isTest } = delivery;
	if (!isTest && eventName !== null && !meets(filters.events, [eventName])) return false;
	const { documentKinds, documentIds } = filters;
	if (documentKinds.length > 0 && !meets(documentKinds, kindsOf(delivery))) return false;
	return documentIds.length === 0 || meets(documentIds, documentIdsOf(delivery));
}
