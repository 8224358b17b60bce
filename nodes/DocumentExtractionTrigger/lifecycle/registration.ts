import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

/** What n8n keeps about the webhook of this node, in the node's static data. */
export interface Registration {
	webhookId: string;
	secret: string;
	/** The address that was registered: a test and a published workflow have different ones. */
	url: string;
}

const FIELDS = ['webhookId', 'secret', 'url'] as const;

/** What is kept; undefined where any part of it is missing. */
export function keptRegistration(
	this: IHookFunctions | IWebhookFunctions,
): Registration | undefined {
	const { webhookId, secret, url } = this.getWorkflowStaticData('node');
	if (typeof webhookId !== 'string' || typeof secret !== 'string' || typeof url !== 'string') {
		return undefined;
	}
	return webhookId === '' || secret === '' ? undefined : { webhookId, secret, url };
}

export function keepRegistration(this: IHookFunctions, registration: Registration): void {
	Object.assign(this.getWorkflowStaticData('node'), registration);
}

export function forgetRegistration(this: IHookFunctions): void {
	const data = this.getWorkflowStaticData('node');
	for (const field of FIELDS) delete data[field];
}
