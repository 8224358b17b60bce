import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Webhooks, events and their deliveries; projects; page allowances; fraud signals. */
export const deliveriesAndProjects: Migration = {
	async up(db: Kysely<unknown>): Promise<void> {
		await db.schema
			.createTable('webhooks')
			.addColumn('id', 'integer', (c) => c.primaryKey().generatedAlwaysAsIdentity())
			.addColumn('contract_id', 'integer', (c) => c.notNull().references('contracts.id'))
			.addColumn('user_id', 'integer', (c) => c.notNull().references('users.id'))
			.addColumn('url', 'text', (c) => c.notNull())
			.addColumn('events', sql`text[]`, (c) => c.notNull())
			.addColumn('enabled', 'boolean', (c) => c.notNull().defaultTo(true))
			.addColumn('version', 'text', (c) => c.notNull())
			.addColumn('secret_nonce', 'text', (c) => c.notNull())
			.addColumn('secret_generation', 'integer', (c) => c.notNull().defaultTo(1))
			.addColumn('secret_hash', 'text', (c) => c.notNull())
			.addColumn('created_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
			.addColumn('updated_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
			.execute();
		await db.schema
			.createIndex('webhooks_by_contract')
			.on('webhooks')
			.column('contract_id')
			.execute();

		await db.schema
			.createTable('events')
			// evt_ and a random part; the same for every webhook that gets it.
			.addColumn('id', 'text', (c) => c.primaryKey())
			.addColumn('contract_id', 'integer', (c) => c.notNull().references('contracts.id'))
			.addColumn('user_id', 'integer', (c) => c.notNull().references('users.id'))
			.addColumn('job_id', 'integer', (c) => c.references('jobs.id'))
			.addColumn('name', 'text', (c) => c.notNull())
			.addColumn('version', 'text', (c) => c.notNull())
			.addColumn('is_test', 'boolean', (c) => c.notNull().defaultTo(false))
			// JSON text, kept as it was made: a replay has the same bytes.
			.addColumn('job', 'text', (c) => c.notNull())
			.addColumn('data', 'text', (c) => c.notNull())
			.addColumn('created_at', 'timestamptz', (c) => c.notNull())
			.execute();

		await db.schema
			.createTable('deliveries')
			.addColumn('id', 'integer', (c) => c.primaryKey().generatedAlwaysAsIdentity())
			.addColumn('webhook_id', 'integer', (c) =>
				c.notNull().references('webhooks.id').onDelete('cascade'),
			)
			.addColumn('event_id', 'text', (c) => c.notNull().references('events.id'))
			.addColumn('status', 'text', (c) =>
				c
					.notNull()
					.check(sql`status in ('pending', 'in-progress', 'retrying', 'delivered', 'dead-letter')`),
			)
			.addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
			.addColumn('replays', 'integer', (c) => c.notNull().defaultTo(0))
			// Set while an attempt is under way; only that attempt may write its result.
			.addColumn('lease_id', 'uuid')
			// When it is due. While an attempt is under way: when the attempt counts as lost.
			.addColumn('next_attempt_at', 'timestamptz')
			.addColumn('delivered_at', 'timestamptz')
			.addColumn('ended_at', 'timestamptz')
			.addColumn('created_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
			.execute();
		await db.schema
			.createIndex('deliveries_by_webhook')
			.on('deliveries')
			.columns(['webhook_id', 'id'])
			.execute();
		await db.schema
			.createIndex('deliveries_by_event')
			.on('deliveries')
			.column('event_id')
			.execute();
		await sql`create index deliveries_unfinished on deliveries (webhook_id, next_attempt_at, id)
			where next_attempt_at is not null`.execute(db);
		await sql`create index deliveries_in_progress on deliveries (webhook_id)
			where status = 'in-progress'`.execute(db);
		await sql`create index deliveries_ended on deliveries (ended_at)
			where ended_at is not null`.execute(db);

		await db.schema
			.createTable('delivery_attempts')
			.addColumn('delivery_id', 'integer', (c) =>
				c.notNull().references('deliveries.id').onDelete('cascade'),
			)
			.addColumn('replay', 'integer', (c) => c.notNull())
			.addColumn('attempt', 'integer', (c) => c.notNull())
			.addColumn('started_at', 'timestamptz', (c) => c.notNull())
			.addColumn('duration_ms', 'integer', (c) => c.notNull())
			.addColumn('status_code', 'integer')
			.addColumn('error', 'text')
			.addColumn('response_body', 'text')
			.addPrimaryKeyConstraint('delivery_attempts_pkey', ['delivery_id', 'replay', 'attempt'])
			.execute();

		await db.schema
			.createTable('projects')
			.addColumn('id', 'integer', (c) => c.primaryKey().generatedAlwaysAsIdentity())
			.addColumn('contract_id', 'integer', (c) => c.notNull().references('contracts.id'))
			.addColumn('name', 'text', (c) => c.notNull())
			.addColumn('parent_folder', 'text')
			// Path below the watched folder, with slashes; empty for that folder itself.
			.addColumn('folder', 'text', (c) => c.notNull())
			.addColumn('created_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
			.addUniqueConstraint('projects_folder', ['contract_id', 'folder'])
			.execute();
		await db.schema
			.alterTable('documents')
			.addColumn('project_id', 'integer', (c) => c.references('projects.id'))
			.execute();
		await sql`create index documents_by_project on documents (project_id, id)
			where project_id is not null`.execute(db);

		// One row for every content that a project took from the watched folder.
		await db.schema
			.createTable('ingested_files')
			.addColumn('project_id', 'integer', (c) => c.notNull().references('projects.id'))
			.addColumn('sha256', 'text', (c) => c.notNull())
			.addColumn('document_id', 'integer', (c) => c.notNull().references('documents.id'))
			.addPrimaryKeyConstraint('ingested_files_pkey', ['project_id', 'sha256'])
			.execute();

		// False for the jobs behind documents of the watched folder, which no client can see.
		await db.schema
			.alterTable('jobs')
			.addColumn('is_visible', 'boolean', (c) => c.notNull().defaultTo(true))
			.execute();

		await db.schema.alterTable('contracts').addColumn('page_allowance', 'integer').execute();
		await db.schema
			.createTable('page_usage')
			.addColumn('contract_id', 'integer', (c) => c.notNull().references('contracts.id'))
			// The month as YYYY-MM, in UTC.
			.addColumn('month', 'text', (c) => c.notNull())
			.addColumn('pages', 'integer', (c) => c.notNull())
			.addPrimaryKeyConstraint('page_usage_pkey', ['contract_id', 'month'])
			.execute();

		await db.schema
			.createTable('fraud_signals')
			.addColumn('id', 'integer', (c) => c.primaryKey().generatedAlwaysAsIdentity())
			.addColumn('document_id', 'integer', (c) => c.notNull().references('documents.id'))
			.addColumn('period', 'text')
			.addColumn('type', 'text', (c) => c.notNull())
			.addColumn('reason_code', 'text', (c) => c.notNull())
			.addColumn('confidence', 'double precision', (c) => c.notNull())
			.addColumn('details', 'text')
			.addColumn('page_number', 'integer')
			.addColumn('bbox', 'jsonb')
			.addColumn('text', 'text')
			.addColumn('metadata', 'jsonb', (c) => c.notNull())
			.addColumn('created_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
			.addColumn('updated_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
			.execute();
		await db.schema
			.createIndex('fraud_signals_by_document')
			.on('fraud_signals')
			.column('document_id')
			.execute();
	},
};
