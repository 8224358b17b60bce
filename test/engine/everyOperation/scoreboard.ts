import { nameOf, type Offer } from './offered';

export const MODES = ['success', 'continue', 'error output', 'stop'] as const;
export type Mode = (typeof MODES)[number];

/** Which operation was executed in which way, and how it ended. */
export class Scoreboard {
	private readonly runs = new Map<string, { passed: number; failed: number }>();

	/** Runs a test of an operation and keeps its end. */
	async score(offer: Offer, mode: Mode, test: () => Promise<void>): Promise<void> {
		const key = `${nameOf(offer)} ${mode}`;
		const count = this.runs.get(key) ?? { passed: 0, failed: 0 };
		this.runs.set(key, count);
		try {
			await test();
			count.passed++;
		} catch (error) {
			count.failed++;
			throw error;
		}
	}

	private cell(offer: Offer, mode: Mode): string {
		const count = this.runs.get(`${nameOf(offer)} ${mode}`);
		if (count === undefined) return 'not run';
		return count.failed === 0 ? `pass (${count.passed})` : `FAIL (${count.failed})`;
	}

	/** A table with a line for each operation: how many executions of each way passed or failed. */
	table(offers: Offer[]): string {
		const lines = [
			['operation', 'authentication', ...MODES],
			...offers.map((offer) => [
				`${offer.resource}: ${offer.operation}`,
				offer.authentication,
				...MODES.map((mode) => this.cell(offer, mode)),
			]),
		];
		const widths = lines[0]!.map((_cell, column) =>
			Math.max(...lines.map((line) => line[column]!.length)),
		);
		return lines
			.map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)).join('  '))
			.map((line) => `${line.trimEnd()}\n`)
			.join('');
	}
}
