import type { IHookFunctions } from 'n8n-workflow';

import { ownWebhooks, removeWebhooks } from './ownWebhooks';
import { forgetRegistration } from './registration';
import { whereOf } from './wanted';

/**
 * Deletes every webhook that delivers to this node, also where nothing is kept about it. What is
 * gone already is fine. Throws NodeApiError for every other answer, and then keeps what is known,
 * so that n8n can try again.
 */
export async function remove(this: IHookFunctions): Promise<boolean> {
	const where = await whereOf.call(this);
	await removeWebhooks.call(this, where.access, await ownWebhooks.call(this, where));
	forgetRegistration.call(this);
	return true;
}
