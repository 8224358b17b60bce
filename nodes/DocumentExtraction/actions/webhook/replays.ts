import type { INodeExecutionData } from 'n8n-workflow';

import { recordToItem } from '../../../shared/extraction';
import { isJsonObject } from '../../../shared/extraction/model';
import { deliveryFields, type DeliveryRecord } from '../../../shared/webhooks/deliveryRecords';
import type { Replay } from '../../../shared/webhooks/deliveryRequests';

/**
 * The item for a delivery that was to be replayed: its record as the service gives it after the
 * replay, else as the log had it before. `replayed` is false where it was under way already.
 */
export function replayItem(
	replay: Replay,
	options: {
		deliveryId: string;
		itemIndex: number;
		webhookId?: string;
		before?: DeliveryRecord;
	},
): INodeExecutionData {
	const { deliveryId, itemIndex, webhookId, before } = options;
	const empty: DeliveryRecord = { id: deliveryId, status: '', state: 'unknown', record: {} };
	if (replay.kind === 'underWay') {
		const { status: statusBefore, ...fields } = deliveryFields(before ?? empty, webhookId);
		const known = statusBefore === undefined ? {} : { statusBefore };
		return recordToItem({ ...fields, ...known, deliveryId, replayed: false }, itemIndex);
	}
	const { delivery, body } = replay;
	const said = delivery === undefined && isJsonObject(body) ? { answer: body } : {};
	const fields = deliveryFields(delivery ?? before ?? empty, webhookId);
	return recordToItem({ ...fields, ...said, deliveryId, replayed: true }, itemIndex);
}
