import type { IExecuteFunctions } from 'n8n-workflow';

import { Batches } from './batches';

/** n8n remembers this many events of a node, in its database. */
const REMEMBERED = 2_000;

/** n8n reads and writes its record in two steps: in one process they take turns. */
const batches = new Batches();

/**
 * Whether an execution has had this event, also one before n8n was restarted; records it besides.
 * Where n8n cannot say, the event counts as new: running twice is better than not at all.
 */
export async function hasRunBefore(this: IExecuteFunctions, key: string): Promise<boolean> {
	const place = `${this.getWorkflow().id} ${this.getNode().id}`;
	try {
		const isNew = await batches.isNew(place, key, async (keys) => {
			const found = await this.helpers.checkProcessedAndRecord(keys, 'node', {
				mode: 'entries',
				maxEntries: REMEMBERED,
			});
			return new Set(found.new.map(String));
		});
		return !isNew;
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		this.logger.warn(`Repeated deliveries cannot be told apart: ${reason}`);
		return false;
	}
}
