import type { IHookFunctions } from 'n8n-workflow';

import { asFailure } from './asFailure';
import { ownWebhooks } from './ownWebhooks';
import { keptRegistration } from './registration';
import { settle } from './settle';
import { wantedOf } from './wanted';

/** n8n has started, or has taken over from another one: nothing about the node has changed. */
const STARTING = ['init', 'leadershipChange'];

/**
 * Whether the service has exactly one webhook for this node, switched on, with the chosen events
 * and a secret that is known here. Mends what can be mended. Throws where the service does not
 * answer or refuses: then nobody knows, and n8n tries again or shows the error.
 *
 * When n8n starts, a service that does not answer or refuses is no error: what is kept was right when
 * n8n was stopped, both may be starting at the same time, and deliveries arrive all the same.
 */
export async function checkExists(this: IHookFunctions): Promise<boolean> {
	const wanted = await wantedOf.call(this);
	try {
		return await settle.call(this, wanted, await ownWebhooks.call(this, wanted));
	} catch (error) {
		const isKept = keptRegistration.call(this)?.url === wanted.url;
		if (!isKept || !STARTING.includes(this.getActivationMode())) throw asFailure.call(this, error);
		const { message } = asFailure.call(this, error);
		this.logger.warn(
			`${this.getNode().name}: the webhook could not be checked, and is taken to be as it was: ${message}`,
			{ workflowId: this.getWorkflow().id },
		);
		return true;
	}
}
