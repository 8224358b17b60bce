import { Type } from '@fastify/type-provider-typebox';
import type { Static } from '@fastify/type-provider-typebox';
import { numericId } from '../documents/documentId.ts';
import type { DocumentRecord } from '../documents/documents.ts';
import { isProjectOf, projectDocuments } from '../projects/projects.ts';
import { accountOf } from './authentication.ts';
import type { Caller } from './authentication.ts';
import { notFound } from './errors.ts';
import { IdLike, nullable, DocumentSchema } from './schemas.ts';
import type { Services } from './services.ts';

/** Section 8. */
const MOST_DOCUMENTS_A_PAGE = 200;
const DOCUMENTS_A_PAGE = 50;
/** Largest offset that the database takes without rounding. */
const LARGEST_OFFSET = Number.MAX_SAFE_INTEGER;

/** Which documents of a project are wanted. */
export const PageSchema = Type.Object({
	limit: Type.Optional(
		Type.Integer({ minimum: 1, maximum: MOST_DOCUMENTS_A_PAGE, default: DOCUMENTS_A_PAGE }),
	),
	offset: Type.Optional(Type.Integer({ minimum: 0, maximum: LARGEST_OFFSET, default: 0 })),
});

export const ProjectsSchema = Type.Object({
	projects: Type.Array(
		Type.Object({
			id: IdLike,
			name: Type.String(),
			parentFolder: nullable(Type.String()),
			documentCount: Type.Integer(),
			createdAt: Type.String(),
		}),
	),
});

/** One page of the documents of a project. */
export const DocumentsPageSchema = Type.Object({
	documents: Type.Array(DocumentSchema),
	total: Type.Integer(),
	limit: Type.Integer(),
	offset: Type.Integer(),
});

/** One page of the documents of a project of the caller's contract, newest first. Otherwise 404. */
export async function documentsPageOf(
	{ db }: Services,
	request: Caller,
	id: string | number,
	page: Static<typeof PageSchema>,
	field: string | null = null,
): Promise<{ documents: DocumentRecord[]; total: number; limit: number; offset: number }> {
	const projectId = numericId(id);
	const { contractId } = accountOf(request);
	if (projectId === null || !(await isProjectOf(db, contractId, projectId))) {
		throw notFound('project', field);
	}
	const limit = page.limit ?? DOCUMENTS_A_PAGE;
	const offset = page.offset ?? 0;
	const { documents, total } = await projectDocuments(db, projectId, { limit, offset });
	return { documents, total, limit, offset };
}
