import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import { displayName } from '../documents/displayName.ts';

/**
 * The projects behind the folders of the watched folder: every sub-folder is one, and the folder
 * itself is one for the files that lie directly in it. What was found once is remembered, so that a
 * look at the folder does not ask the database.
 */
export class FolderProjects {
	readonly #db: Kysely<Database>;
	readonly #contractId: number;
	readonly #rootName: string;
	readonly #ids = new Map<string, number>();

	/** @param rootName name of the watched folder */
	constructor(db: Kysely<Database>, contractId: number, rootName: string) {
		this.#db = db;
		this.#contractId = contractId;
		this.#rootName = rootName;
	}

	/**
	 * The id of the project of a folder; it is made where there is none.
	 *
	 * @param folder path below the watched folder, joined with slashes; empty for that folder itself
	 */
	async idOf(folder: string): Promise<number> {
		const known = this.#ids.get(folder);
		if (known !== undefined) return known;
		const { name, parentFolder } = projectOfFolder(folder, this.#rootName);
		const found = await this.#db
			.selectFrom('projects')
			.select(['id', 'name'])
			.where('contract_id', '=', this.#contractId)
			.where('folder', '=', folder)
			.executeTakeFirst();
		if (found !== undefined && found.name === name) {
			this.#ids.set(folder, found.id);
			return found.id;
		}
		const { id } = await this.#db
			.insertInto('projects')
			.values({ contract_id: this.#contractId, name, parent_folder: parentFolder, folder })
			// The watched folder itself may have another name than at the last start.
			.onConflict((conflict) => conflict.columns(['contract_id', 'folder']).doUpdateSet({ name }))
			.returning('id')
			.executeTakeFirstOrThrow();
		this.#ids.set(folder, id);
		return id;
	}
}

/** Pure: name and parent folder of the project of a folder. */
export function projectOfFolder(
	folder: string,
	rootName: string,
): { name: string; parentFolder: string | null } {
	const parts = folder.split('/').map((part) => displayName(part));
	const name = parts.pop() ?? '';
	if (folder === '') return { name: displayName(rootName) || 'Watched folder', parentFolder: null };
	return { name: name || '?', parentFolder: parts.length === 0 ? null : parts.join('/') };
}
