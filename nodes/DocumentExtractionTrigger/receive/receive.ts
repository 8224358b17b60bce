import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isDigest, isSignedBy } from '../../shared/signature';
import { readDelivery } from '../deliver/delivery';
import { filtersOf, isWanted } from '../deliver/filters';
import { keptRegistration } from '../lifecycle/registration';
import { handoverItem, headersOf, type Handover } from './handover';
import { rawBodyOf } from './rawBody';
import { SeenEvents, type Settle } from './seenEvents';

const SIGNATURE_HEADER = 'x-service-signature';
const RECEIVED: IWebhookResponseData = { webhookResponse: { received: true } };

/** Of all trigger nodes in this process. */
const seen = new SeenEvents();

/** Answers itself: throwing would be a 500 and start a failed execution. */
function refuse(this: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	this.getResponseObject().status(status).json({ received: false, message });
	return { noWebhookResponse: true };
}

function warn(this: IWebhookFunctions, message: string): void {
	this.logger.warn(`${this.getNode().name}: ${message}`, { workflowId: this.getWorkflow().id });
}

/** n8n answers 2xx once it has stored the execution; with anything else it did not take the event. */
function settleWithAnswer(this: IWebhookFunctions, settle: Settle): void {
	const response = this.getResponseObject();
	if (response.closed) {
		// The sender has gone away: neither event will come, and repeats must not wait for them.
		settle(false);
		return;
	}
	response.once('finish', () => settle(response.statusCode < 300));
	response.once('close', () => settle(response.statusCode < 300 && response.headersSent));
}

/**
 * A delivery (section 6): verified over the raw bytes before anything in them is read, then handed
 * to an execution, and answered at once. A delivery that is not signed right starts nothing (401).
 * One that is filtered out, or whose event n8n has taken already, starts nothing either (200).
 */
export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const secret = keptRegistration.call(this)?.secret;
	if (secret === undefined) {
		warn.call(
			this,
			'a delivery was refused, because n8n holds no signing secret for it. Deactivate (unpublish) the workflow and activate it again',
		);
		return refuse.call(this, 401, 'No signing secret is known here for this webhook');
	}
	const signature = this.getHeaderData()[SIGNATURE_HEADER];
	if (!isDigest(signature)) return refuse.call(this, 401, 'The signature is missing or malformed');
	const raw = await rawBodyOf.call(this);
	if ('status' in raw) {
		if (raw.status === 400) return refuse.call(this, 400, 'The body could not be read');
		warn.call(
			this,
			'a delivery was refused, because it is larger than n8n accepts. Raise N8N_PAYLOAD_SIZE_MAX, then replay it with Webhook: Retry Delivery',
		);
		return refuse.call(this, 413, 'The delivery is larger than N8N_PAYLOAD_SIZE_MAX of this n8n');
	}
	if (!isSignedBy(raw.body, secret, signature)) {
		warn.call(
			this,
			'a delivery was refused, because its signature is not right. If the secret was regenerated elsewhere, deactivate (unpublish) the workflow and activate it again',
		);
		return refuse.call(this, 401, 'The signature is not right');
	}

	const delivery = readDelivery(raw.body);
	if (!isWanted(delivery, filtersOf.call(this))) return RECEIVED;
	if (
		this.getMode() !== 'manual' &&
		this.getNodeParameter('additionalOptions.runRepeated', false) !== true
	) {
		const key = [this.getWorkflow().id, this.getNode().id, delivery.key].join(' ');
		const settle = await seen.claim(key);
		if (settle === undefined) return RECEIVED;
		settleWithAnswer.call(this, settle);
	}
	const handover: Handover = { delivery };
	if (this.getNodeParameter('additionalOptions.includeHeaders', false) === true) {
		handover.headers = headersOf.call(this);
	}
	return { ...RECEIVED, workflowData: [[handoverItem(handover)]] };
}
