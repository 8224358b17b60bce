const LONGEST_MS = 24 * 60 * 60_000;

/**
 * What was created under which idempotency key, for as long as a retry of the same execution may
 * come. A service that does not know the `Idempotency-Key` header would make a second document and
 * a second job; n8n repeats a node within the process, so this remembers for it.
 */
export class Memory<Value> {
	private readonly entries = new Map<string, { value: Value; until: number }>();

	constructor(
		private readonly size: number,
		private readonly now: () => number = Date.now,
	) {}

	/** Undefined without a key, for a key that is not known, and after a day. */
	get(key: string | undefined): Value | undefined {
		const entry = key === undefined ? undefined : this.entries.get(key);
		return entry !== undefined && entry.until > this.now() ? entry.value : undefined;
	}

	/** Forgets the oldest when it is full. Does nothing without a key. */
	set(key: string | undefined, value: Value): void {
		if (key === undefined) return;
		this.entries.delete(key);
		this.entries.set(key, { value, until: this.now() + LONGEST_MS });
		if (this.entries.size <= this.size) return;
		const [oldest] = this.entries.keys();
		if (oldest !== undefined) this.entries.delete(oldest);
	}
}
