/**
 * Reads the form in which n8n stores the data of an execution: a JSON list in which every text in
 * a list or an object is the index of the value that stands there.
 */
export const parseFlatted = (text: string): unknown => {
	const values = JSON.parse(text) as unknown[];
	const revived = new Map<number, unknown>();

	const revive = (reference: unknown): unknown => {
		if (typeof reference !== 'string') return reference;
		const index = Number(reference);
		const value = values[index];
		if (typeof value !== 'object' || value === null) return value;
		if (revived.has(index)) return revived.get(index);
		const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
		revived.set(index, copy);
		for (const [key, inner] of Object.entries(value)) {
			(copy as Record<string, unknown>)[key] = revive(inner);
		}
		return copy;
	};

	return revive('0');
};
