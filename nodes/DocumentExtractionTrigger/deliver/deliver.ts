import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { handoverOf } from '../receive/handover';
import { filtersOf } from './filters';
import { deliveryItems, type DeliveryOutput } from './items';
import { hasRunBefore } from './runOnce';

function hint(this: IExecuteFunctions, message: string): void {
	this.addExecutionHints?.({ message, location: 'outputPane' });
}

/**
 * The part of the trigger that runs in the execution: makes the items of a delivery, and none where
 * another execution has had the event. Items that are no delivery are passed on.
 */
export async function deliver(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const input = this.getInputData();
	const handover = handoverOf(input[0]);
	if (handover === undefined) return [input];
	const { delivery, headers } = handover;
	const items = deliveryItems(delivery, {
		output: this.getNodeParameter('output', 0, 'delivery') as DeliveryOutput,
		documentIds: filtersOf.call(this).documentIds,
		...(headers === undefined ? {} : { headers }),
	});
	const runsRepeated = this.getNodeParameter('additionalOptions.runRepeated', 0, false) === true;
	// Only what comes from outside: a test may be repeated, and so may an execution that failed.
	if (
		this.getMode() === 'webhook' &&
		!runsRepeated &&
		(await hasRunBefore.call(this, delivery.key))
	) {
		hint.call(
			this,
			`The event ${delivery.key} has run this workflow before, so this delivery is not run again`,
		);
		return [[]];
	}
	if (items.length === 0) {
		hint.call(
			this,
			"The delivery holds no rows. Set 'Output' to 'Delivery' to see what was delivered",
		);
	}
	return [items];
}
