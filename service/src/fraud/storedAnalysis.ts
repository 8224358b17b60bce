import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Database, FraudSignalsTable } from '../database/schema.ts';
import { storable } from '../documents/extractedDocument.ts';
import { ACCUSING_CONFIDENCE } from './analysis/fraudScore.ts';
import type { FraudAnalysis, FraudScore } from './analysis/fraudSignal.ts';

/** What the interface shows of a signal (section 2.9). */
export interface SignalRecord {
	id: number;
	documentId: number;
	period: string | null;
	type: string;
	confidence: number;
	details: string | null;
	pageNumber: number | null;
	bbox: object | null;
	text: string | null;
	createdAt: string;
	updatedAt: string;
	reasonCode: string;
	metadata: object;
}

/** What the interface shows of a score (section 2.9). */
export interface ScoreRecord extends FraudScore {
	id: number;
	documentId: number;
	createdAt: string;
}

/** Which signals of a document are asked for (section 4.1). */
export interface SignalQuery {
	type?: string;
	minConfidence?: number;
	maxConfidence?: number;
	limit: number;
	offset: number;
}

/**
 * Puts what the analysis found in the place of what it found in an earlier extraction of the document.
 *
 * @param analysis null: the analysis failed, and nothing is known of this extraction
 */
export async function replaceAnalysis(
	trx: Transaction<Database>,
	documentId: number,
	analysis: FraudAnalysis | null,
): Promise<void> {
	await trx.deleteFrom('fraud_signals').where('document_id', '=', documentId).execute();
	await trx.deleteFrom('fraud_scores').where('document_id', '=', documentId).execute();
	if (analysis === null) return;
	const { signals, score } = analysis;
	await trx
		.insertInto('fraud_scores')
		.values({
			document_id: documentId,
			score: score.score,
			authenticity_score: score.authenticityScore,
			risk_level: score.riskLevel,
			comment: storable(score.comment),
		})
		.execute();
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

/** The signals of a document that accuse, the surest first. */
export async function accusingSignalsOf(
	db: Kysely<Database>,
	documentId: number,
): Promise<SignalRecord[]> {
	const query = { minConfidence: ACCUSING_CONFIDENCE, limit: 100, offset: 0 };
	return (await signalPage(db, documentId, query)).signals;
}

/** A page of a document's signals, the surest first, and how many there are on all pages. */
export async function signalPage(
	db: Kysely<Database>,
	documentId: number,
	{ type, minConfidence, maxConfidence, limit, offset }: SignalQuery,
): Promise<{ total: number; signals: SignalRecord[] }> {
	let wanted = db.selectFrom('fraud_signals').where('document_id', '=', documentId);
	if (type !== undefined) wanted = wanted.where('type', '=', type);
	if (minConfidence !== undefined) wanted = wanted.where('confidence', '>=', minConfidence);
	if (maxConfidence !== undefined) wanted = wanted.where('confidence', '<=', maxConfidence);
	const { total } = await wanted
		.select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('total'))
		.executeTakeFirstOrThrow();
	const rows = await wanted
		.selectAll()
		.orderBy('confidence', 'desc')
		.orderBy('id')
		.limit(limit)
		.offset(offset)
		.execute();
	return { total, signals: rows.map(signalRecord) };
}

/** The score of a document; null where it was not analysed. */
export async function scoreOf(
	db: Kysely<Database>,
	documentId: number,
): Promise<ScoreRecord | null> {
	const row = await db
		.selectFrom('fraud_scores')
		.selectAll()
		.where('document_id', '=', documentId)
		.executeTakeFirst();
	if (row === undefined) return null;
	return {
		id: row.id,
		documentId: row.document_id,
		score: row.score,
		authenticityScore: row.authenticity_score,
		riskLevel: row.risk_level,
		comment: row.comment,
		createdAt: row.created_at.toISOString(),
	};
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
