import type { IHookFunctions } from 'n8n-workflow';

import { tokenAccessOf, type Access } from '../../shared/transport/access';
import { operationFailure } from '../../shared/transport/failures';

/** The webhook as this node wants it. */
export interface Wanted {
	access: Access;
	/** The node's own address in n8n. */
	url: string;
	events: string[];
}

/** Which service, and the address under which n8n receives. */
export async function whereOf(this: IHookFunctions): Promise<Pick<Wanted, 'access' | 'url'>> {
	const access = await tokenAccessOf.call(this);
	const url = this.getNodeWebhookUrl('default');
	if (url === undefined || url === '') {
		throw operationFailure(this.getNode(), 'n8n gave the node no address to receive at', {
			description: 'Save the workflow and activate it again',
		});
	}
	return { access, url };
}

/** As `whereOf`, with the events of 'Trigger On'. Throws NodeOperationError where none is chosen. */
export async function wantedOf(this: IHookFunctions): Promise<Wanted> {
	const chosen = this.getNodeParameter('events', []);
	const names = (Array.isArray(chosen) ? (chosen as unknown[]) : [chosen])
		.flatMap((name) => (typeof name === 'string' ? name.split(',') : []))
		.map((name) => name.trim())
		.filter((name) => name !== '');
	if (names.length === 0) {
		throw operationFailure(this.getNode(), 'No event is chosen', {
			description: "Choose at least one event in 'Trigger On Events'",
		});
	}
	return { ...(await whereOf.call(this)), events: [...new Set(names)] };
}
