import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { recordToItem } from '../../../shared/extraction';
import { deliveryFields, type DeliveryRecord } from '../../../shared/webhooks/deliveryRecords';
import type { WebhookRecord } from '../../../shared/webhooks/records';
import type { WebhookWithSecret } from '../../../shared/webhooks/requests';

/** A webhook as it came, with its id also under the name that the other operations ask for. */
export function webhookItem(webhook: WebhookRecord, itemIndex: number): INodeExecutionData {
	return recordToItem({ ...webhook.record, webhookId: webhook.id }, itemIndex);
}

/** A webhook with the secret that was made for it. Says so where the service gave none. */
export function webhookWithSecretItem(
	this: IExecuteFunctions,
	{ webhook, secret }: WebhookWithSecret,
	itemIndex: number,
): INodeExecutionData {
	if (secret === undefined) {
		this.addExecutionHints?.({
			message: `The service gave no secret for the webhook ${webhook.id}. Use Webhook: Regenerate Secret to get one`,
			location: 'outputPane',
		});
	}
	const fields = { ...webhook.record, webhookId: webhook.id };
	return recordToItem({ ...fields, secret: secret ?? null }, itemIndex);
}

export function deliveryItem(
	delivery: DeliveryRecord,
	itemIndex: number,
	webhookId?: string,
): INodeExecutionData {
	return recordToItem(deliveryFields(delivery, webhookId), itemIndex);
}
