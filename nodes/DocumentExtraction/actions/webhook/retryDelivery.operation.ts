import {
	updateDisplayOptions,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { accessOf } from '../../../shared/transport/access';
import { operationFailure } from '../../../shared/transport/failures';
import { replayDelivery } from '../../../shared/webhooks/deliveryRequests';
import { perItem } from '../outcome';
import { deliveryIdField } from './fields';
import { replayItem } from './replays';

export const description = updateDisplayOptions(
	{ show: { resource: ['webhook'], operation: ['retryDelivery'] } },
	[deliveryIdField],
);

/** POST /agent/webhooks/deliveries/{id}/retry for one delivery. */
async function retryDelivery(
	this: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const access = await accessOf.call(this, itemIndex);
	const value: unknown = this.getNodeParameter('deliveryId', itemIndex, '');
	const deliveryId =
		typeof value === 'number' || typeof value === 'string' ? `${value}`.trim() : '';
	if (deliveryId === '' || /[\s/?#]/.test(deliveryId)) {
		const missing = deliveryId === '';
		throw operationFailure(
			this.getNode(),
			missing ? "No ID is given in 'Delivery ID'" : "The ID in 'Delivery ID' is not valid",
			{
				itemIndex,
				description:
					"Map it from Webhook: Get Deliveries, for example {{ $json.deliveryId }} in 'Delivery ID'",
			},
		);
	}
	const replay = await replayDelivery.call(this, access, deliveryId, itemIndex);
	return [replayItem(replay, { deliveryId, itemIndex })];
}

export const execute = perItem(retryDelivery);
