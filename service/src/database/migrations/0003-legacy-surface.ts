import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What an upload of the legacy surface may say of its document (section 4.1). */
export const legacySurface: Migration = {
	async up(db: Kysely<unknown>): Promise<void> {
		await db.schema
			.alterTable('documents')
			.addColumn('customer_id', 'text')
			.addColumn('expected_md5', 'text')
			.execute();
		// A table of its own, so that forgetting a password leaves no trace of it in the document.
		await db.schema
			.createTable('document_passwords')
			.addColumn('document_id', 'integer', (c) =>
				c.primaryKey().references('documents.id').onDelete('cascade'),
			)
			.addColumn('sealed', 'text', (c) => c.notNull())
			.addColumn('created_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
			.execute();
	},
};
