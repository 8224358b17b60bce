import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** One score for each analysed document (section 2.9). */
export const fraudScores: Migration = {
	async up(db: Kysely<unknown>): Promise<void> {
		await db.schema
			.createTable('fraud_scores')
			.addColumn('id', 'integer', (c) => c.primaryKey().generatedAlwaysAsIdentity())
			.addColumn('document_id', 'integer', (c) => c.notNull().unique().references('documents.id'))
			.addColumn('score', 'integer', (c) => c.notNull())
			.addColumn('authenticity_score', 'integer', (c) => c.notNull())
			.addColumn('risk_level', 'text', (c) => c.notNull())
			.addColumn('comment', 'text', (c) => c.notNull())
			.addColumn('created_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
			.execute();
	},
};
