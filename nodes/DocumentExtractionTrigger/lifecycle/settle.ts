import type { IHookFunctions } from 'n8n-workflow';

import { regenerateSecret, updateWebhook } from '../../shared/webhooks/requests';
import type { WebhookRecord } from '../../shared/webhooks/records';
import { LIFE_CYCLE, removeWebhooks } from './ownWebhooks';
import { forgetRegistration, keepRegistration, keptRegistration } from './registration';
import type { Wanted } from './wanted';

/** Answers of a service that does not let this webhook be changed: then it is made anew. */
const REFUSED = [400, 404, 405, 409, 410, 415, 422, 501];
const CHANGES = { ...LIFE_CYCLE, accepts: REFUSED };

function sameEvents(told: readonly string[], wanted: readonly string[]): boolean {
	return told.length === wanted.length && wanted.every((name) => told.includes(name));
}

/** What is not told is taken to be right after a change, and to be changed before one. */
function isRight(webhook: WebhookRecord, { events }: Wanted, afterChange: boolean): boolean {
	if (webhook.enabled === false) return false;
	return webhook.events.length === 0 ? afterChange : sameEvents(webhook.events, events);
}

/** Changes events and switches the webhook on where that is needed. False where it cannot be done. */
async function bringUpToDate(
	this: IHookFunctions,
	wanted: Wanted,
	webhook: WebhookRecord,
): Promise<boolean> {
	if (isRight(webhook, wanted, false)) return true;
	const { access, url, events } = wanted;
	const changes = { url, events, ...(webhook.enabled === false ? { enabled: true } : {}) };
	const changed = await updateWebhook.call(this, access, webhook.id, changes, CHANGES);
	return changed !== undefined && isRight(changed, wanted, true);
}

/** Gives the webhook a new secret and keeps it. False where the service does not do that. */
async function adopt(
	this: IHookFunctions,
	{ access, url }: Wanted,
	{ id }: WebhookRecord,
): Promise<boolean> {
	const made = await regenerateSecret.call(this, access, id, CHANGES);
	if (made?.secret === undefined) return false;
	keepRegistration.call(this, { webhookId: id, secret: made.secret, url });
	return true;
}

/**
 * Makes one webhook of those that deliver to this node: the one whose secret is kept, else one that
 * is adopted by making it a new secret. The others are deleted, and the one that stays gets the
 * wanted events. False where none is left; then nothing is kept either and one has to be created.
 */
export async function settle(
	this: IHookFunctions,
	wanted: Wanted,
	own: readonly WebhookRecord[],
): Promise<boolean> {
	const kept = keptRegistration.call(this);
	const known = kept?.url === wanted.url ? own.find(({ id }) => id === kept.webhookId) : undefined;
	const chosen = known ?? own.find((webhook) => isRight(webhook, wanted, false)) ?? own[0];
	const others = own.filter((webhook) => webhook !== chosen);
	await removeWebhooks.call(this, wanted.access, others);
	if (chosen !== undefined) {
		const hasSecret = known !== undefined || (await adopt.call(this, wanted, chosen));
		if (hasSecret && (await bringUpToDate.call(this, wanted, chosen))) return true;
		await removeWebhooks.call(this, wanted.access, [chosen]);
	}
	forgetRegistration.call(this);
	return false;
}
