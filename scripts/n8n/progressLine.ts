const refreshMs = 200;
const quietRefreshMs = 10_000;

/** Shows how a long step goes on: one line that changes, or a line now and then in a log file. */
export class ProgressLine {
	private timer: NodeJS.Timeout | undefined;

	private startedAt = 0;

	private describe: () => string = () => '';

	constructor(private readonly stream: NodeJS.WriteStream = process.stdout) {}

	/** Starts to show what `describe` says, and how long it has taken so far. */
	begin(describe: () => string): void {
		this.end();
		this.describe = describe;
		this.startedAt = Date.now();
		this.show();
		this.timer = setInterval(() => this.show(), this.stream.isTTY ? refreshMs : quietRefreshMs);
	}

	/** Shows the last state once more and goes to the next line. */
	end(): void {
		if (this.timer === undefined) return;
		clearInterval(this.timer);
		this.timer = undefined;
		this.show();
		if (this.stream.isTTY) this.stream.write('\n');
	}

	private show(): void {
		const seconds = Math.round((Date.now() - this.startedAt) / 1000);
		const text = `${this.describe()} · ${seconds} s`;
		if (this.stream.isTTY) {
			this.stream.write(
				`\r\u001b[2K${text.slice(0, Math.max(20, (this.stream.columns ?? 80) - 1))}`,
			);
		} else {
			this.stream.write(`${text}\n`);
		}
	}
}
