import { openDatabase } from '../src/database/database.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** The passwords of documents as the database of a service that is not running holds them. */
export async function storedPasswords(
	dataDir: string,
	databaseUrl: string | null,
): Promise<Array<{ documentId: number; sealed: string }>> {
	const { db, close } = await openDatabase(dataDir, databaseUrl, SILENT);
	try {
		return await db
			.selectFrom('document_passwords')
			.select(['document_id as documentId', 'sealed'])
			.execute();
	} finally {
		await close();
	}
}
