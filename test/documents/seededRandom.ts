/** Numbers that look random and are the same for the same seed, on every machine. */
export class SeededRandom {
	private state: number;

	constructor(seed: number | string) {
		// FNV-1a, so that neighbouring seeds give unrelated sequences.
		let hash = 0x811c9dc5;
		for (const character of String(seed)) {
			hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
		}
		this.state = hash >>> 0;
	}

	/** At least 0 and below 1 (mulberry32). */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = this.state;
		mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	}

	/** A whole number from `low` to `high`, both included. */
	between(low: number, high: number): number {
		return low + Math.floor(this.next() * (high - low + 1));
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<T>(choices: readonly T[]): T {
		const choice = choices[Math.floor(this.next() * choices.length)];
		if (choice === undefined)
			throw new Error('Nothing to pick from: the list of choices is empty.');
		return choice;
	}

	digits(count: number): string {
		let text = '';
		for (let index = 0; index < count; index++) text += String(this.between(0, 9));
		return text;
	}

	letters(count: number): string {
		let text = '';
		for (let index = 0; index < count; index++) {
			text += 'ABCDEFGHJKLMNPQRSTUVWXYZ'[this.between(0, 23)];
		}
		return text;
	}
}
