const KEPT = 10_000;
const KEPT_MS = 24 * 60 * 60_000;

/** Of the first delivery of an event: whether n8n took it. Said once; later calls change nothing. */
export type Settle = (taken: boolean) => void;

interface Entry {
	taken: Promise<boolean>;
	until: number;
}

/**
 * The events that this process has received, so that a repeated delivery starts no execution. Lives
 * in memory, for a day and for the newest events only: what it forgets, and what another process
 * has received, is found out in the execution (see runOnce.ts).
 */
export class SeenEvents {
	private readonly entries = new Map<string, Entry>();

	constructor(
		private readonly size: number = KEPT,
		private readonly now: () => number = Date.now,
	) {}

	/**
	 * Undefined where the event has been taken. A function where this delivery is the first: call it
	 * when it is known whether n8n took the delivery. Until then other deliveries of the event wait
	 * here; if it was not taken, one of them becomes the first.
	 */
	async claim(key: string): Promise<Settle | undefined> {
		for (;;) {
			const entry = this.entries.get(key);
			if (entry === undefined || entry.until <= this.now()) return this.enter(key);
			if (await entry.taken) return undefined;
		}
	}

	private enter(key: string): Settle {
		let say: Settle = () => {};
		const taken = new Promise<boolean>((resolve) => (say = resolve));
		const entry = { taken, until: this.now() + KEPT_MS };
		this.entries.delete(key);
		this.entries.set(key, entry);
		if (this.entries.size > this.size) {
			const [oldest] = this.entries.keys();
			if (oldest !== undefined) this.entries.delete(oldest);
		}
		return (wasTaken) => {
			// Forgotten first: who waited looks again as soon as this is said.
			if (!wasTaken && this.entries.get(key) === entry) this.entries.delete(key);
			say(wasTaken);
		};
	}
}
