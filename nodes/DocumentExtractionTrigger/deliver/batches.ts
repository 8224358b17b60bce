/** Asks about several keys at once; gives those that are new, and records them. */
export type AskAboutKeys = (keys: string[]) => Promise<ReadonlySet<string>>;

interface Waiting {
	key: string;
	ask: AskAboutKeys;
	tell: (isNew: Promise<boolean>) => void;
}

/**
 * Questions about one place, one after the other; what comes meanwhile waits and is asked together.
 * A key that is asked for several times at once is new for the first only. So a store that reads
 * and writes in two steps gives each key once, and many questions cost few writes.
 */
export class Batches {
	private readonly waiting = new Map<string, Waiting[]>();

	/** Whether the key is new at this place. Throws what `ask` throws. */
	async isNew(place: string, key: string, ask: AskAboutKeys): Promise<boolean> {
		return await new Promise<boolean>((tell) => {
			const queue = this.waiting.get(place);
			const waiting = { key, ask, tell };
			if (queue !== undefined) {
				queue.push(waiting);
				return;
			}
			this.waiting.set(place, [waiting]);
			void this.work(place);
		});
	}

	/** Until nobody waits at this place. Never throws: each is told by its own promise. */
	private async work(place: string): Promise<void> {
		for (;;) {
			const batch = this.waiting.get(place);
			if (batch === undefined || batch.length === 0) break;
			this.waiting.set(place, []);
			await this.askTogether(batch);
		}
		this.waiting.delete(place);
	}

	private async askTogether(batch: readonly Waiting[]): Promise<void> {
		const [first] = batch;
		if (first === undefined) return;
		const answer = first.ask([...new Set(batch.map(({ key }) => key))]);
		const given = new Set<string>();
		for (const { key, tell } of batch) {
			const isFirst = !given.has(key);
			given.add(key);
			tell(answer.then((news) => isFirst && news.has(key)));
		}
		await answer.catch(() => {});
	}
}
