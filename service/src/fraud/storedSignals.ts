import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Database, FraudSignalsTable } from '../database/schema.ts';
import { storable } from '../documents/extractedDocument.ts';
import type { FoundSignal } from './foundSignal.ts';

/** What the interface shows of a signal (section 2.9). */
export interface SignalRecord {
	id: number;
	documentId: number;
	period: string | null;
	type: string;
	confidence: number;
	details: string | null;
	pageNumber: number | null;
	bbox: unknown;
	text: string | null;
	createdAt: string;
	updatedAt: string;
	reasonCode: string;
	metadata: unknown;
}

/** Puts a document's signals in the place of those of an earlier extraction. */
export async function replaceSignals(
	trx: Transaction<Database>,
	documentId: number,
	signals: readonly FoundSignal[],
): Promise<void> {
	await trx.deleteFrom('fraud_signals').where('document_id', '=', documentId).execute();
	if (signals.length === 0) return;
	await trx
		.insertInto('fraud_signals')
		.values(
			signals.map((signal) => ({
				document_id: documentId,
				period: signal.period,
				type: signal.type,
				reason_code: signal.reasonCode,
				confidence: signal.confidence,
				details: storable(signal.details),
				page_number: signal.pageNumber,
				bbox: signal.bbox === null ? null : JSON.stringify(signal.bbox),
				text: signal.text === null ? null : storable(signal.text),
				metadata: JSON.stringify(signal.metadata, (_name, value: unknown) =>
					typeof value === 'string' ? storable(value) : value,
				),
			})),
		)
		.execute();
}

/** The signals of documents, in the order of the documents' ids and of their finding. */
export async function signalsOf(
	db: Kysely<Database>,
	documentIds: readonly number[],
): Promise<SignalRecord[]> {
	if (documentIds.length === 0) return [];
	const rows = await db
		.selectFrom('fraud_signals')
		.selectAll()
		.where('document_id', 'in', documentIds)
		.orderBy('document_id')
		.orderBy('id')
		.execute();
	return rows.map(signalRecord);
}

function signalRecord(row: Selectable<FraudSignalsTable>): SignalRecord {
	return {
		id: row.id,
		documentId: row.document_id,
		period: row.period,
		type: row.type,
		confidence: row.confidence,
		details: row.details,
		pageNumber: row.page_number,
		bbox: row.bbox,
		text: row.text,
		createdAt: row.created_at.toISOString(),
		updatedAt: row.updated_at.toISOString(),
		reasonCode: row.reason_code,
		metadata: row.metadata,
	};
}
