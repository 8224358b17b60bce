import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateStatement } from '../test/documents/index.ts';

/**
 * Pages per second of reading and of extraction on a generated statement of 200 pages, beside
 * `pdftotext -bbox` on the same file. Medians; the three take turns, so that all meet the same
 * machine. One core each: the service runs several readings at once in worker threads.
 */
const PAGES = 200;
const RUNS = 7;
/** The first run of each compiles code and is not counted. */
const WARM_UP_RUNS = 1;

const NO_PDFTOTEXT =
	'pdftotext is not installed, so there is nothing to compare with. It is in the Debian package ' +
	'poppler-utils: run "apt-get install poppler-utils" and start the benchmark again.';

function median(values: readonly number[]): number {
	const sorted = [...values].sort((left, right) => left - right);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Milliseconds of one run of `pdftotext -bbox`, with the start of the process. */
function millisecondsOfPdftotext(path: string, output: string): number {
	const start = performance.now();
	const { error, status, stderr } = spawnSync('pdftotext', ['-bbox', path, output], {
		encoding: 'utf8',
	});
	const took = performance.now() - start;
	if (error && 'code' in error && error.code === 'ENOENT') throw new Error(NO_PDFTOTEXT);
	if (error) throw error;
	if (status !== 0) throw new Error(`pdftotext failed with status ${status}: ${stderr}`);
	return took;
}

function report(label: string, milliseconds: number): void {
	const perSecond = ((PAGES / milliseconds) * 1000).toFixed(0);
	process.stdout.write(
		`  ${label.padEnd(34)} ${milliseconds.toFixed(0).padStart(7)} ms ${perSecond.padStart(8)} pages/s\n`,
	);
}

async function main(): Promise<void> {
	// The service is made of ES modules; here only import() loads it as such.
	const { readPdf } = await import('../service/src/reading/pdf/readPdf.ts');
	const { extractStatement } =
		await import('../service/src/extraction/statements/extractStatement.ts');
	const { pdf, truth } = await generateStatement('longLedger', { seed: 1, pages: PAGES });
	const expected = truth.accounts.flatMap((account) => account.transactions).length;
	const folder = mkdtempSync(join(tmpdir(), 'bench-extraction-'));
	try {
		const path = join(folder, 'statement.pdf');
		writeFileSync(path, pdf);
		const reading: number[] = [];
		const extraction: number[] = [];
		const both: number[] = [];
		const pdftotext: number[] = [];
		let words = 0;
		let rows = 0;
		let reconciled = false;
		for (let run = 0; run < WARM_UP_RUNS + RUNS; run++) {
			const compared = millisecondsOfPdftotext(path, join(folder, 'words.html'));
			// A copy each time, because the reader may keep the bytes it is given.
			const bytes = new Uint8Array(pdf);
			const start = performance.now();
			const pages = await readPdf(bytes, { maxPages: PAGES });
			const read = performance.now();
			const statement = extractStatement(pages);
			const end = performance.now();
			words = pages.reduce((total, page) => total + page.words.length, 0);
			rows = statement.accounts.flatMap((account) => account.transactions).length;
			reconciled = statement.accounts.every((account) =>
				account.periods.every((period) => period.isReconciled),
			);
			if (run < WARM_UP_RUNS) continue;
			reading.push(read - start);
			extraction.push(end - read);
			both.push(end - start);
			pdftotext.push(compared);
		}
		const megabytes = (pdf.length / 1e6).toFixed(1);
		process.stdout.write(
			`${PAGES} pages, ${megabytes} MB, ${words} words, ${rows} of ${expected} rows, ` +
				`${reconciled ? 'reconciled' : 'not reconciled'}; median of ${RUNS} runs\n`,
		);
		report('reading alone', median(reading));
		report('extraction alone', median(extraction));
		report('reading and extraction', median(both));
		report('pdftotext -bbox', median(pdftotext));
		const share = median(both) / median(pdftotext);
		process.stdout.write(`  ${share.toFixed(2)} times the time of pdftotext -bbox\n`);
		if (rows !== expected || !reconciled) {
			throw new Error(
				'The rows are not those of the statement, so the numbers above mean nothing.',
			);
		}
	} finally {
		rmSync(folder, { recursive: true });
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
