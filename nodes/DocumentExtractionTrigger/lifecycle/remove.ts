import type { IHookFunctions } from 'n8n-workflow';

import { asFailure } from './asFailure';
import { ownWebhooks, removeWebhooks } from './ownWebhooks';
import { forgetRegistration, keptRegistration } from './registration';
import { whereOf } from './wanted';

/**
 * Deletes every webhook that delivers to this node, also where nothing is kept about it. What is
 * gone already is fine. Throws NodeApiError for every other answer, and then keeps what is known,
 * so that n8n can try again.
 *
 * n8n also calls this after a registration that failed. Throwing then makes n8n take the node for
 * registered, so that publishing again would do nothing: where nothing is kept, an error is logged
 * only. A webhook that is left is found by its address at the next activation.
 */
export async function remove(this: IHookFunctions): Promise<boolean> {
	try {
		const where = await whereOf.call(this);
		await removeWebhooks.call(this, where.access, await ownWebhooks.call(this, where));
	} catch (error) {
		if (keptRegistration.call(this) !== undefined) throw asFailure.call(this, error);
		const { message } = asFailure.call(this, error);
		this.logger.warn(
			`${this.getNode().name}: the service could not be asked for webhooks to remove: ${message}`,
			{ workflowId: this.getWorkflow().id },
		);
	}
	forgetRegistration.call(this);
	return true;
}
