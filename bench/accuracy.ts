import { parseArgs } from 'node:util';
import { differences } from '../test/documents/differences.ts';
import { generateStatement, layoutNames } from '../test/documents/index.ts';
import type { LayoutOptions } from '../test/documents/index.ts';

/**
 * How many generated statements come out with every row, sign, date, balance and verdict right.
 * `tsx bench/accuracy.ts --layout ukCurrent --from 1 --to 50 --transactions 12 --show 5` says what is
 * wrong with one layout.
 */
const { values } = parseArgs({
	options: {
		layout: { type: 'string' },
		from: { type: 'string', default: '1' },
		to: { type: 'string', default: '20' },
		transactions: { type: 'string' },
		pages: { type: 'string' },
		show: { type: 'string', default: '1' },
	},
});

interface Tally {
	documents: number;
	right: number;
	rows: number;
	/** By kind of difference: how often, and the first ones in full. */
	kinds: Map<string, string[]>;
}

async function differencesOf(
	layout: string,
	options: LayoutOptions,
	tally: Tally,
): Promise<string[]> {
	// The service is made of ES modules; here only import() loads it as such.
	const { readPdf } = await import('../service/src/reading/pdf/readPdf.ts');
	const { extractStatement } =
		await import('../service/src/extraction/statements/extractStatement.ts');
	const { UnreadableDocumentError } = await import('../service/src/extraction/unreadable.ts');
	const { pdf, truth } = await generateStatement(layout, options);
	const printed = truth.accounts.flatMap((account) => account.transactions).length;
	tally.rows += printed;
	try {
		const pages = await readPdf(new Uint8Array(pdf), { maxPages: truth.pageCount });
		return differences(truth, extractStatement(pages).accounts);
	} catch (error) {
		if (!(error instanceof UnreadableDocumentError)) throw error;
		// A month without rows may be refused for that reason, and for no other.
		if (printed === 0 && error.code === 'no_transactions_found') return [];
		return [`refused as ${error.code}`];
	}
}

async function main(): Promise<void> {
	const names = values.layout === undefined ? layoutNames : values.layout.split(',');
	let documents = 0;
	let right = 0;
	for (const name of names) {
		const tally: Tally = { documents: 0, right: 0, rows: 0, kinds: new Map() };
		for (let seed = Number(values.from); seed <= Number(values.to); seed++) {
			const pages = values.pages ?? (name === 'longLedger' ? '5' : undefined);
			const options: LayoutOptions = {
				seed,
				...(values.transactions !== undefined && { transactions: Number(values.transactions) }),
				...(values.transactions === undefined && pages !== undefined && { pages: Number(pages) }),
			};
			const found = await differencesOf(name, options, tally);
			tally.documents++;
			if (found.length === 0) tally.right++;
			for (const difference of found) {
				const kind = difference
					.replace(/^account \S+/, 'account')
					.replace(/(:|"|\d).*/s, '')
					.trim();
				const seen = tally.kinds.get(kind) ?? [];
				tally.kinds.set(kind, [...seen, `seed ${seed}: ${difference}`]);
			}
		}
		documents += tally.documents;
		right += tally.right;
		process.stdout.write(
			`${name.padEnd(18)} ${tally.right} of ${tally.documents} all right, ${tally.rows} rows\n`,
		);
		for (const seen of tally.kinds.values()) {
			process.stdout.write(`    ${seen.length} times\n`);
			for (const text of seen.slice(0, Number(values.show)))
				process.stdout.write(`      ${text}\n`);
		}
	}
	process.stdout.write(`${right} of ${documents} statements all right\n`);
	if (right !== documents) process.exitCode = 1;
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
