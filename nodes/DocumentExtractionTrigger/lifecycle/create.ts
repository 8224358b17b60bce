import type { IHookFunctions } from 'n8n-workflow';

import { systemClock } from '../../shared/transport/clock';
import { operationFailure, type Failure } from '../../shared/transport/failures';
import { createWebhook, regenerateSecret } from '../../shared/webhooks/requests';
import { asFailure } from './asFailure';
import { LIFE_CYCLE, ownWebhooks, removeWebhooks } from './ownWebhooks';
import { keepRegistration } from './registration';
import { settle } from './settle';
import { wantedOf, type Wanted } from './wanted';

const TRIES = 3;
const FIRST_PAUSE_MS = 1_000;

type Created = { done: true } | { done: false; failure: Failure; mayPass: boolean };

function detailOf(failure: Failure, name: string): unknown {
	return (failure.context.details as Record<string, unknown> | undefined)?.[name];
}

/** A refusal stays one; no answer, a fault of the service or a strange answer may be another thing. */
function mayPass(failure: Failure): boolean {
	const status = detailOf(failure, 'httpStatus');
	if (typeof status !== 'number') return true;
	return status < 400 || status >= 500 || status === 408 || status === 429;
}

/** The refusals that a person mends in n8n get a text that says where. */
function explained(this: IHookFunctions, failure: Failure, { url }: Wanted): Failure {
	const field = detailOf(failure, 'field');
	const said = detailOf(failure, 'serviceMessage');
	const code = detailOf(failure, 'code');
	const text = typeof said === 'string' ? `: ${said}` : '';
	if (field === 'url' || /receiver|url_/i.test(String(code))) {
		return operationFailure(
			this.getNode(),
			`The service does not deliver to ${new URL(url).origin}${text}`,
			{
				description:
					'This is the address of your n8n, and the service has to reach it. Set WEBHOOK_URL of n8n to an address that starts with https:// and can be reached from the service. Where n8n cannot be reached from outside, use the node Document Extraction Project Trigger',
			},
		);
	}
	if (typeof field === 'string' && field.startsWith('events')) {
		return operationFailure(this.getNode(), `The service does not know one of the events${text}`, {
			description: "Choose events from the list in 'Trigger On Events'",
		});
	}
	return failure;
}

async function createOnce(this: IHookFunctions, wanted: Wanted): Promise<Created> {
	const { access, url } = wanted;
	try {
		const { webhook, secret } = await createWebhook.call(this, access, wanted, LIFE_CYCLE);
		const known =
			secret ?? (await regenerateSecret.call(this, access, webhook.id, LIFE_CYCLE))?.secret;
		if (known !== undefined) {
			keepRegistration.call(this, { webhookId: webhook.id, secret: known, url });
			return { done: true };
		}
		await removeWebhooks.call(this, access, [webhook]);
	} catch (error) {
		const failure = asFailure.call(this, error);
		return {
			done: false,
			failure: explained.call(this, failure, wanted),
			mayPass: mayPass(failure),
		};
	}
	const failure = operationFailure(this.getNode(), 'The service told no secret for the webhook', {
		description:
			'Without it no delivery can be verified, so the webhook was removed again. Tell the operator of the service',
	});
	return { done: false, failure, mayPass: false };
}

/**
 * Creates the webhook and keeps its id and secret. Looks for the own address before every try: a
 * try whose answer was lost may have made one, which is then adopted. Throws unless id and secret
 * are both known; n8n tries again then, or shows the error.
 */
export async function create(this: IHookFunctions): Promise<boolean> {
	const wanted = await wantedOf.call(this);
	let pauseMs = FIRST_PAUSE_MS;
	for (let number = 1; ; number++) {
		const own = await ownWebhooks.call(this, wanted);
		if (own.length > 0 && (await settle.call(this, wanted, own))) return true;
		const created = await createOnce.call(this, wanted);
		if (created.done) return true;
		if (!created.mayPass || number >= TRIES) throw created.failure;
		await systemClock.pause(pauseMs * (1 + systemClock.random() / 4));
		pauseMs *= 2;
	}
}
