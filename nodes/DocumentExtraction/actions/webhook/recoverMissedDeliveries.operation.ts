import { updateDisplayOptions, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

import type { Access } from '../../../shared/transport/access';
import { accessOf } from '../../../shared/transport/access';
import type { Failure } from '../../../shared/transport/failures';
import { deadLetters } from '../../../shared/webhooks/deliveryRecords';
import { listDeliveries, replayDelivery } from '../../../shared/webhooks/deliveryRequests';
import { idOf, webhookIdField } from '../fields';
import { asFailure, isCancelled, type Outcome } from '../outcome';
import { timeOf } from '../time';
import { replayItem } from './replays';

const properties: INodeProperties[] = [
	webhookIdField,
	{
		displayName: 'Since',
		name: 'since',
		type: 'dateTime',
		default: '',
		description:
			'Only what was missed from this time on. Leave it empty for everything that the service still has, 30 days as a rule.',
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['webhook'], operation: ['recoverMissedDeliveries'] } },
	properties,
);

/** A refusal that is about one delivery; everything else will be the same with the next one. */
function isAboutOneDelivery(failure: Failure): boolean {
	const status = Number((failure.context.details as { httpStatus?: unknown })?.httpStatus);
	return [400, 404, 410, 422].includes(status);
}

/** Replays the dead letters of one webhook. `done` holds what earlier items have replayed. */
async function recover(
	this: IExecuteFunctions,
	access: Access,
	itemIndex: number,
	done: Set<string>,
): Promise<Outcome[]> {
	const webhookId = idOf.call(this, 'webhookId', itemIndex);
	const since = timeOf.call(this, this.getNodeParameter('since', itemIndex, ''), {
		field: 'Since',
		itemIndex,
	});
	// The whole log first: replays change it, and the pages with it. Without the name of the state,
	// which is another one at another service.
	const log = await listDeliveries.call(this, access, webhookId, {
		filter: since === undefined ? {} : { since },
		itemIndex,
	});
	const outcomes: Outcome[] = [];
	for (const before of deadLetters(log)) {
		const { id: deliveryId } = before;
		const key = `${access.baseUrl} ${deliveryId}`;
		if (done.has(key)) continue;
		done.add(key);
		try {
			const replay = await replayDelivery.call(this, access, deliveryId, itemIndex);
			const options = { deliveryId, itemIndex, webhookId, before };
			outcomes.push({ itemIndex, items: [replayItem(replay, options)] });
		} catch (error) {
			const failure = asFailure.call(this, error, itemIndex);
			outcomes.push({ itemIndex, failure });
			if (isCancelled.call(this) || !isAboutOneDelivery(failure)) break;
		}
	}
	return outcomes;
}

/**
 * Replays every dead letter of a webhook since a time, each once, oldest first. One item for each.
 * A delivery that is under way already is no failure. One that cannot be replayed does not stop the
 * others; a service that does not answer does. Running it again then takes up the rest, since what
 * was replayed is no dead letter any more.
 */
export async function execute(this: IExecuteFunctions, itemIndexes: number[]): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	const done = new Set<string>();
	for (const itemIndex of itemIndexes) {
		try {
			const access = await accessOf.call(this, itemIndex);
			outcomes.push(...(await recover.call(this, access, itemIndex, done)));
		} catch (error) {
			outcomes.push({ itemIndex, failure: asFailure.call(this, error, itemIndex) });
		}
		const failed = outcomes.some((outcome) => 'failure' in outcome);
		if (failed && (!this.continueOnFail() || isCancelled.call(this))) break;
	}
	return outcomes;
}
