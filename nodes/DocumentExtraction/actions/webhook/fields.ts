import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { operationFailure } from '../../../shared/transport/failures';

/** Fields that several operations of the resource share. */

export const urlField: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://example.com/webhook',
	description:
		'The address to which the service sends the events. Usually it has to begin with https://.',
};

export const eventsField: INodeProperties = {
	displayName: 'Event Names or IDs',
	name: 'events',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getEvents' },
	default: [],
	required: true,
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
};

export const secretNotice: INodeProperties = {
	displayName:
		"The output has the signing secret in the field 'secret'. The service shows it only this once: store it right away, for example in a password manager. Whoever has it can make deliveries that look real.",
	name: 'secretNotice',
	type: 'notice',
	default: '',
};

export const deliveryIdField: INodeProperties = {
	displayName: 'Delivery ID',
	name: 'deliveryId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 42',
	description: "The delivery, as named in the output of 'Get Deliveries'",
};

/** The address to register. Throws NodeOperationError where it cannot be one. */
export function urlOf(this: IExecuteFunctions, value: unknown, itemIndex: number): string {
	const url = typeof value === 'string' ? value.trim() : '';
	if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url;
	throw operationFailure(
		this.getNode(),
		url === '' ? "No address is given in 'URL'" : "The value in 'URL' is not a valid address",
		{
			itemIndex,
			description: "Enter the whole address in 'URL', for example https://example.com/webhook",
		},
	);
}

/** Names from a list, or from text with commas; each once. Throws where there is none. */
export function eventsOf(this: IExecuteFunctions, value: unknown, itemIndex: number): string[] {
	const parts: unknown[] = Array.isArray(value) ? value : [value];
	const names = parts.flatMap((part) => (typeof part === 'string' ? part.split(',') : []));
	const events = [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '');
	if (events.length > 0) return events;
	throw operationFailure(this.getNode(), "No event is chosen in 'Event Names or IDs'", {
		itemIndex,
		description:
			"Choose at least one event in 'Event Names or IDs', for example document.extraction.failed",
	});
}
