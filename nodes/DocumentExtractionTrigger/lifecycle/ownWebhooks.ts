import type { IHookFunctions } from 'n8n-workflow';

import type { Access } from '../../shared/transport/access';
import { deleteWebhook, listWebhooks, type RequestOptions } from '../../shared/webhooks/requests';
import type { WebhookRecord } from '../../shared/webhooks/records';
import { keptRegistration } from './registration';

/** n8n tries a life cycle again by itself, so one request is not repeated for long. */
export const LIFE_CYCLE: RequestOptions = { attempts: 2, timeoutMs: 30_000 };

/** Statuses of a webhook that is not there any more. */
const GONE = [404, 410];

function sameAddress(left: string, right: string): boolean {
	if (left === right) return true;
	if (!URL.canParse(left) || !URL.canParse(right)) return false;
	return new URL(left).href === new URL(right).href;
}

/**
 * The webhooks of the service that deliver to this node: those with its own address, and the kept
 * one where the list says no address. No other webhook is ever touched.
 */
export async function ownWebhooks(
	this: IHookFunctions,
	{ access, url }: { access: Access; url: string },
): Promise<WebhookRecord[]> {
	const kept = keptRegistration.call(this);
	const webhooks = await listWebhooks.call(this, access, LIFE_CYCLE);
	return webhooks.filter((webhook) =>
		webhook.url === ''
			? webhook.id === kept?.webhookId && kept.url === url
			: sameAddress(webhook.url, url),
	);
}

/** Deletes the webhooks; one that is gone already is fine. Throws NodeApiError for the rest. */
export async function removeWebhooks(
	this: IHookFunctions,
	access: Access,
	webhooks: readonly WebhookRecord[],
): Promise<void> {
	for (const { id } of webhooks) {
		await deleteWebhook.call(this, access, id, { ...LIFE_CYCLE, accepts: GONE });
	}
}
