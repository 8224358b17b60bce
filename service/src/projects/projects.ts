import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import { documentRecord, selectDocuments } from '../documents/documents.ts';
import type { DocumentRecord } from '../documents/documents.ts';

/** What the interface shows of a project (section 2.11 and docs/interface-choices.md, "Projects"). */
export interface ProjectRecord {
	id: number;
	name: string;
	/** Path of the folders above, joined with slashes; null at the top. */
	parentFolder: string | null;
	documentCount: number;
	createdAt: string;
}

/** All projects of the contract, by parent folder and name. */
export async function projectsOf(
	db: Kysely<Database>,
	contractId: number,
): Promise<ProjectRecord[]> {
	const rows = await db
		.selectFrom('projects as p')
		.select(['p.id', 'p.name', 'p.parent_folder', 'p.created_at'])
		.select((eb) =>
			eb
				.selectFrom('documents as d')
				.whereRef('d.project_id', '=', 'p.id')
				.select(sql<number>`count(*)::integer`.as('count'))
				.as('document_count'),
		)
		.where('p.contract_id', '=', contractId)
		// By bytes, so that the order does not depend on the language of the database server.
		.orderBy(sql`coalesce(p.parent_folder, '') collate "C"`)
		.orderBy(sql`p.name collate "C"`)
		.orderBy('p.id')
		.execute();
	return rows.map((row) => ({
		id: row.id,
		name: row.name,
		parentFolder: row.parent_folder,
		documentCount: row.document_count ?? 0,
		createdAt: row.created_at.toISOString(),
	}));
}

/** False for a project of another contract as for one that is not there. */
export async function isProjectOf(
	db: Kysely<Database>,
	contractId: number,
	projectId: number,
): Promise<boolean> {
	const row = await db
		.selectFrom('projects')
		.select('id')
		.where('id', '=', projectId)
		.where('contract_id', '=', contractId)
		.executeTakeFirst();
	return row !== undefined;
}

/**
 * One page of a project's documents, newest first. The order is that of the ids, which never changes:
 * pages overlap or skip only where documents arrive between two requests.
 */
export async function projectDocuments(
	db: Kysely<Database>,
	projectId: number,
	page: { limit: number; offset: number },
): Promise<{ documents: DocumentRecord[]; total: number }> {
	const rows = await selectDocuments(db)
		.where('d.project_id', '=', projectId)
		.orderBy('d.id', 'desc')
		.limit(page.limit)
		.offset(page.offset)
		.execute();
	const counted = await db
		.selectFrom('documents')
		.where('project_id', '=', projectId)
		.select(sql<number>`count(*)::integer`.as('count'))
		.executeTakeFirstOrThrow();
	return { documents: rows.map(documentRecord), total: counted.count };
}
