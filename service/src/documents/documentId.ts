/** Largest value of the database's `integer`, the type of every id. */
export const LARGEST_ID = 2_147_483_647;

/**
 * The number behind an id that came in as integer or string (section 2, IdLike). Null for whatever
 * cannot be the id of anything; such an id is simply not found.
 */
export function numericId(id: string | number): number | null {
	const text = String(id);
	if (!/^[1-9]\d{0,9}$/.test(text)) return null;
	const value = Number(text);
	return value <= LARGEST_ID ? value : null;
}
