import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import { isJsonObject, type JsonObject } from '../../shared/extraction/model';
import type { Delivery } from '../deliver/delivery';

/** What the request hands to the execution, as the only input item of the node. */
export interface Handover {
	delivery: Delivery;
	headers?: JsonObject;
}

/** Not of use in a workflow, or a credential. */
const LEFT_OUT = /^(authorization|proxy-authorization|cookie|x-service-signature|.*token.*)$/i;

/** The headers of the request, without signature and credentials. */
export function headersOf(this: IWebhookFunctions): JsonObject {
	const headers = Object.entries(this.getHeaderData());
	return Object.fromEntries(headers.filter(([name]) => !LEFT_OUT.test(name)));
}

export function handoverItem(handover: Handover): INodeExecutionData {
	// Everything in it was parsed from JSON or is a header.
	return { json: { documentExtractionDelivery: handover as unknown as IDataObject } };
}

/** Undefined where the item is none that `handoverItem` made. */
export function handoverOf(item: INodeExecutionData | undefined): Handover | undefined {
	const handover: unknown = item?.json.documentExtractionDelivery;
	if (!isJsonObject(handover) || !isJsonObject(handover.delivery)) return undefined;
	return handover as unknown as Handover;
}
