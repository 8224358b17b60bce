import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { recordToItem } from '../../../shared/extraction';
import { accessOf } from '../../../shared/transport/access';
import { KNOWN_EVENTS } from '../../../shared/webhooks/events';
import { eventNames } from '../../../shared/webhooks/requests';
import { perItem } from '../outcome';

export const description: INodeProperties[] = [];

/** GET /agent/webhooks/events: one item for each event, described where the node knows it. */
async function getEventNames(
	this: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const names = await eventNames.call(this, access, { itemIndex });
	return names.map((name) => {
		const known = KNOWN_EVENTS.find((event) => event.name === name);
		return recordToItem({ name, description: known?.description ?? null }, itemIndex);
	});
}

export const execute = perItem(getEventNames);
