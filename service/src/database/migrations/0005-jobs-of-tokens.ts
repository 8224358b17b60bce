import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A tool reaches only the jobs that its access token has created (section 4.5). */
export const jobsOfTokens: Migration = {
	async up(db: Kysely<unknown>): Promise<void> {
		await db.schema
			.alterTable('jobs')
			.addColumn('access_token_id', 'integer', (c) => c.references('access_tokens.id'))
			.execute();
	},
};
