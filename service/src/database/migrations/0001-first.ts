import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Contracts, users, tokens, documents, jobs and the rows of bank statements. */
export const first: Migration = {
	async up(db: Kysely<unknown>): Promise<void> {
		await db.schema
			.createTable('contracts')
			.addColumn('id', 'integer', (c) => c.primaryKey().generatedAlwaysAsIdentity())
			.addColumn('name', 'text', (c) => c.notNull())
			.addColumn('created_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
			.execute();

		await db.schema
			.createTable('users')
			.addColumn('id', 'integer', (c) => c.primaryKey().generatedAlwaysAsIdentity())
			.addColumn('contract_id', 'integer', (c) => c.notNull().references('contracts.id'))
			.addColumn('name', 'text', (c) => c.notNull())
			.addColumn('created_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
			.execute();

		await db.schema
			.createTable('access_tokens')
			.addColumn('id', 'integer', (c) => c.primaryKey().generatedAlwaysAsIdentity())
			.addColumn('contract_id', 'integer', (c) => c.notNull().references('contracts.id'))
			.addColumn('user_id', 'integer', (c) => c.notNull().references('users.id'))
			.addColumn('name', 'text', (c) => c.notNull())
			.addColumn('token_hash', 'text', (c) => c.notNull().unique())
			.addColumn('created_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
			.addColumn('revoked_at', 'timestamptz')
			.execute();

		await db.schema
			.createTable('documents')
			.addColumn('id', 'integer', (c) => c.primaryKey().generatedAlwaysAsIdentity())
			.addColumn('contract_id', 'integer', (c) => c.notNull().references('contracts.id'))
			.addColumn('user_id', 'integer', (c) => c.notNull().references('users.id'))
			.addColumn('originalname', 'text', (c) => c.notNull())
			.addColumn('mimetype', 'text', (c) => c.notNull())
			.addColumn('s3_key', 'text', (c) => c.notNull().unique())
			.addColumn('stored_file', 'text')
			.addColumn('size', 'bigint')
			.addColumn('status', 'text', (c) =>
				c
					.notNull()
					.check(sql`status in ('waiting', 'uploaded', 'processing', 'extracted', 'failed')`),
			)
			.addColumn('source', 'text', (c) => c.notNull())
			.addColumn('document_type', 'text')
			.addColumn('page_count', 'integer')
			.addColumn('transaction_count', 'integer')
			.addColumn('is_reconciled', 'boolean')
			.addColumn('failure_code', 'text')
			.addColumn('failure_message', 'text')
			.addColumn('created_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
			.addColumn('uploaded_at', 'timestamptz')
			.addColumn('extracted_at', 'timestamptz')
			.execute();

		await db.schema
			.createTable('jobs')
			.addColumn('id', 'integer', (c) => c.primaryKey().generatedAlwaysAsIdentity())
			.addColumn('contract_id', 'integer', (c) => c.notNull().references('contracts.id'))
			.addColumn('user_id', 'integer', (c) => c.notNull().references('users.id'))
			.addColumn('name', 'text')
			.addColumn('job_type', 'text', (c) => c.notNull())
			.addColumn('sub_type', 'text')
			.addColumn('status', 'text', (c) =>
				c
					.notNull()
					.check(
						sql`status in ('Created', 'Queued', 'InProgress', 'Succeeded', 'Failed', 'OutOfCredits')`,
					),
			)
			.addColumn('failure_code', 'text')
			.addColumn('failure_message', 'text')
			.addColumn('created_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
			.addColumn('started_at', 'timestamptz')
			.addColumn('finished_at', 'timestamptz')
			.execute();

		await db.schema
			.createTable('job_documents')
			.addColumn('job_id', 'integer', (c) => c.notNull().references('jobs.id'))
			.addColumn('document_id', 'integer', (c) => c.notNull().references('documents.id'))
			.addColumn('position', 'integer', (c) => c.notNull())
			.addColumn('status', 'text', (c) =>
				c.notNull().check(sql`status in ('queued', 'processing', 'extracted', 'failed')`),
			)
			.addColumn('failure_code', 'text')
			.addColumn('failure_message', 'text')
			.addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
			.addColumn('queue_message_id', 'uuid', (c) => c.notNull())
			.addColumn('started_at', 'timestamptz')
			.addColumn('finished_at', 'timestamptz')
			.addPrimaryKeyConstraint('job_documents_pkey', ['job_id', 'document_id'])
			.execute();
		await db.schema
			.createIndex('job_documents_by_document')
			.on('job_documents')
			.column('document_id')
			.execute();
		// What still has to be read is looked for at every start, in a table that only grows.
		await sql`create index job_documents_unfinished on job_documents (job_id)
			where status in ('queued', 'processing')`.execute(db);

		await db.schema
			.createTable('document_accounts')
			.addColumn('document_id', 'integer', (c) => c.notNull().references('documents.id'))
			.addColumn('position', 'integer', (c) => c.notNull())
			.addColumn('account', 'text', (c) => c.notNull())
			.addColumn('currency', 'text')
			.addColumn('periods', 'jsonb', (c) => c.notNull())
			.addPrimaryKeyConstraint('document_accounts_pkey', ['document_id', 'position'])
			.execute();

		await db.schema
			.createTable('transactions')
			.addColumn('document_id', 'integer', (c) => c.notNull().references('documents.id'))
			.addColumn('row_number', 'integer', (c) => c.notNull())
			.addColumn('account_position', 'integer', (c) => c.notNull())
			.addColumn('period', 'text', (c) => c.notNull())
			.addColumn('date', 'text', (c) => c.notNull())
			// numeric without a scale keeps the digits of the page: 12.50 stays 12.50.
			.addColumn('amount', 'numeric', (c) => c.notNull())
			.addColumn('balance', 'numeric')
			.addColumn('memo', 'text', (c) => c.notNull())
			.addColumn('name', 'text', (c) => c.notNull())
			.addColumn('payee', 'text', (c) => c.notNull())
			.addColumn('check_number', 'text', (c) => c.notNull())
			.addColumn('category', 'text', (c) => c.notNull())
			.addColumn('fit_id', 'text', (c) => c.notNull())
			.addColumn('description_lines', 'jsonb', (c) => c.notNull())
			.addColumn('page_number', 'integer', (c) => c.notNull())
			.addPrimaryKeyConstraint('transactions_pkey', ['document_id', 'row_number'])
			.execute();

		await db.schema
			.createTable('printed_pages')
			.addColumn('document_id', 'integer', (c) => c.notNull().references('documents.id'))
			.addColumn('page_number', 'integer', (c) => c.notNull())
			.addColumn('line_count', 'integer', (c) => c.notNull())
			.addColumn('lines', 'jsonb', (c) => c.notNull())
			.addPrimaryKeyConstraint('printed_pages_pkey', ['document_id', 'page_number'])
			.execute();

		await db.schema
			.createTable('idempotency_keys')
			.addColumn('contract_id', 'integer', (c) => c.notNull().references('contracts.id'))
			.addColumn('operation', 'text', (c) => c.notNull())
			.addColumn('key', 'text', (c) => c.notNull())
			.addColumn('body_hash', 'text', (c) => c.notNull())
			.addColumn('resource_id', 'integer', (c) => c.notNull())
			.addColumn('created_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
			.addPrimaryKeyConstraint('idempotency_keys_pkey', ['contract_id', 'operation', 'key'])
			.execute();
	},
};
