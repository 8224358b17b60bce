/** Lets many run together, or one alone. Whoever wants to run alone is not overtaken by later ones. */
export class SharedOrAlone {
	#running = 0;
	#aloneRunning = false;
	readonly #waiting: Array<{ alone: boolean; start: () => void }> = [];

	async run<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
		await new Promise<void>((start) => {
			this.#waiting.push({ alone, start });
			this.#startNext();
		});
		try {
			return await work();
		} finally {
			this.#running--;
			this.#aloneRunning = false;
			this.#startNext();
		}
	}

	#startNext(): void {
		for (;;) {
			const next = this.#waiting[0];
			if (next === undefined || this.#aloneRunning) return;
			if (next.alone && this.#running > 0) return;
			this.#waiting.shift();
			this.#running++;
			this.#aloneRunning = next.alone;
			next.start();
		}
	}
}
