const colourCodes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** Keeps the last lines that a process printed, to show them when it goes down. */
export class OutputTail {
	private readonly kept: string[] = [];

	private unfinished = '';

	constructor(private readonly limit = 40) {}

	add(chunk: string): void {
		const lines = (this.unfinished + chunk).split(/\r\n|\r|\n/);
		this.unfinished = lines.pop() ?? '';
		for (const line of lines) {
			const text = line.replace(colourCodes, '').trimEnd();
			if (text !== '') this.kept.push(text);
		}
		this.kept.splice(0, Math.max(0, this.kept.length - this.limit));
	}

	/** The last line that is complete, or an empty text. */
	lastLine(): string {
		return this.kept.at(-1) ?? '';
	}

	/** The last `count` lines, oldest first, the unfinished one included. */
	lines(count = this.limit): string[] {
		const all = this.unfinished.trim() === '' ? this.kept : [...this.kept, this.unfinished];
		return all.slice(-count);
	}
}
