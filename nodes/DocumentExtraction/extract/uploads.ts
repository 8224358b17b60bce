import type { IExecuteFunctions } from 'n8n-workflow';

import { uploadFile, type UploadedDocument } from '../../shared/transport/upload';
import { asFailure, isCancelled, type Outcome } from '../actions/outcome';
import type { PreparedItem } from './files';

/** An item whose files have all arrived at the service. */
export interface UploadedItem extends PreparedItem {
	documents: UploadedDocument[];
}

export type FailedItem = Extract<Outcome, { failure: unknown }>;

/**
 * Uploads the files of all items, one after the other. An item with a file that does not arrive is
 * a failure as a whole. Stops there, unless the node goes on after errors.
 */
export async function uploadItems(
	this: IExecuteFunctions,
	prepared: readonly PreparedItem[],
): Promise<{ items: UploadedItem[]; failures: FailedItem[] }> {
	const items: UploadedItem[] = [];
	const failures: FailedItem[] = [];
	for (const item of prepared) {
		const documents: UploadedDocument[] = [];
		try {
			for (const file of item.files) {
				documents.push(await uploadFile.call(this, item.access, file));
			}
			items.push({ ...item, documents });
		} catch (error) {
			const { itemIndex } = item;
			failures.push({ itemIndex, failure: asFailure.call(this, error, itemIndex) });
		}
		if (failures.length > 0 && (!this.continueOnFail() || isCancelled.call(this))) break;
	}
	return { items, failures };
}
