import type { IHookFunctions } from 'n8n-workflow';

import { ownWebhooks } from './ownWebhooks';
import { settle } from './settle';
import { wantedOf } from './wanted';

/**
 * Whether the service has exactly one webhook for this node, switched on, with the chosen events
 * and a secret that is known here. Mends what can be mended. Throws where the service does not
 * answer or refuses: then nobody knows, and n8n tries again or shows the error.
 */
export async function checkExists(this: IHookFunctions): Promise<boolean> {
	const wanted = await wantedOf.call(this);
	return await settle.call(this, wanted, await ownWebhooks.call(this, wanted));
}
