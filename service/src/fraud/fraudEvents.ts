import type { Transaction } from 'kysely';
import type { Database } from '../database/schema.ts';
import { emitEvent } from '../events/emitEvent.ts';
import type { EndedJob } from '../events/jobEndEvents.ts';
import { ACCUSING_CONFIDENCE } from './analysis/fraudScore.ts';
import { accusingSignalsOf } from './storedAnalysis.ts';

/** The kind of job after which there is a fraud analysis (section 2.9). */
const ANALYSED = 'ExtractData';

/**
 * Writes `fraud.detected` (section 6) for every document of a bank statement job that succeeded and on
 * which the analysis accuses, in the transaction that ends the job. Remarks raise no event.
 */
export async function emitFraudDetected(trx: Transaction<Database>, job: EndedJob): Promise<void> {
	if (job.status !== 'Succeeded' || job.jobType !== ANALYSED) return;
	const documents = await trx
		.selectFrom('job_documents as jd')
		.innerJoin('documents as d', 'd.id', 'jd.document_id')
		.where('jd.job_id', '=', job.id)
		.where((eb) =>
			eb.exists(
				eb
					.selectFrom('fraud_signals as f')
					.select('f.id')
					.whereRef('f.document_id', '=', 'd.id')
					.where('f.confidence', '>=', ACCUSING_CONFIDENCE),
			),
		)
		.orderBy('jd.position')
		.select(['d.id', 'd.originalname'])
		.execute();
	for (const { id, originalname } of documents) {
		await emitEvent(trx, {
			name: 'fraud.detected',
			contractId: job.contractId,
			userId: job.userId,
			job: job.isVisible ? { id: job.id, status: job.status } : null,
			data: async () =>
				JSON.stringify({
					document: { id, originalname },
					signals: await accusingSignalsOf(trx, id),
				}),
		});
	}
}
