/** A value that an answer has shown, chosen when the request is sent: the first values, then the last. */
export class PoolPick {
	readonly name: string;
	readonly index: number;

	constructor(name: string, index: number) {
		this.name = name;
		this.index = index;
	}

	/** How a counterexample shows it. */
	toString(): string {
		return `<${this.name} ${this.index}>`;
	}
}

type Scalar = string | number;

const KEPT_FOR_EVER = 12;
const KEPT_OF_THE_LAST = 12;
const LONGEST = 4000;

/**
 * What requests can refer to: every id, address and other short value of the answers so far, by the
 * name that a parameter or member for it has (`documentId`, `toolName`, `url`).
 */
export class Pool {
	readonly #first = new Map<string, Scalar[]>();
	readonly #last = new Map<string, Scalar[]>();

	has(name: string): boolean {
		return this.#first.has(name);
	}

	/** The chosen value; `undefined` where there is none. */
	resolve({ name, index }: PoolPick): Scalar | undefined {
		const all = [...(this.#first.get(name) ?? []), ...(this.#last.get(name) ?? [])];
		return all[index % Math.max(1, all.length)];
	}

	add(name: string, value: Scalar): void {
		const first = this.#first.get(name) ?? [];
		const last = this.#last.get(name) ?? [];
		if (first.includes(value) || last.includes(value)) return;
		if (first.length < KEPT_FOR_EVER) first.push(value);
		else last.push(value);
		if (last.length > KEPT_OF_THE_LAST) last.shift();
		this.#first.set(name, first);
		this.#last.set(name, last);
	}

	/** Forgets what has been deleted. */
	remove(name: string, value: Scalar): void {
		for (const map of [this.#first, this.#last]) {
			const values = map.get(name);
			if (values !== undefined) {
				map.set(
					name,
					values.filter((known) => String(known) !== String(value)),
				);
			}
		}
	}

	/**
	 * Takes what an answer shows. An `id` is named after what it belongs to: the member above it, or
	 * `owner` at the top.
	 */
	harvest(value: unknown, owner: string): void {
		if (Array.isArray(value)) {
			// More of one kind say nothing new.
			for (const entry of value.slice(0, 5)) this.harvest(entry, owner);
			return;
		}
		if (typeof value !== 'object' || value === null) return;
		for (const [name, member] of Object.entries(value)) {
			if (typeof member === 'number' || (typeof member === 'string' && member.length <= LONGEST)) {
				this.add(name, member);
				this.add(`${owner}${capitalised(name)}`, member);
			} else {
				this.harvest(member, singular(name));
			}
		}
	}
}

export function capitalised(text: string): string {
	return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** `deliveries` as `delivery`, `jobs` as `job`. */
export function singular(name: string): string {
	if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
	return name.endsWith('s') ? name.slice(0, -1) : name;
}

/** The name in the pool of a path parameter: `id` after the segment before it, any other as it is. */
export function nameOfPathParameter(path: string, parameter: string): string {
	if (parameter !== 'id') return parameter;
	const segments = path.split('/');
	const before = segments[segments.indexOf(`{${parameter}}`) - 1] ?? '';
	return `${singular(before)}Id`;
}

/** Whose `id` an answer has at its top: the schema's name where it has one, else the path's. */
export function ownerOf(path: string, schemaName: string | undefined): string {
	if (schemaName !== undefined) {
		return schemaName.slice(0, 1).toLowerCase() + schemaName.slice(1).replace(/With.*$/, '');
	}
	const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
	return singular(segments.at(-1) ?? '');
}

/** A copy with every pick in its place. What is not in the pool becomes `1`, an id that may be one. */
export function resolved(value: unknown, pool: Pool): unknown {
	if (value instanceof PoolPick) return pool.resolve(value) ?? 1;
	if (Array.isArray(value)) return value.map((entry) => resolved(entry, pool));
	if (typeof value !== 'object' || value === null) return value;
	const copy = Object.create(null) as Record<string, unknown>;
	for (const name of Object.keys(value)) copy[name] = resolved(Reflect.get(value, name), pool);
	return copy;
}
