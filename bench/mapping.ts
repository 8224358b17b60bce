import { flatRowsToItems, groupedDataToItems } from '../nodes/shared/extraction';

/**
 * Rows per second from JSON text to transaction items, beside a bare `JSON.parse` of the same
 * text. The median of several runs, the two taking turns so that both meet the same machine.
 */
const ROWS = 100_000;
const ACCOUNTS = 20;
const RUNS = 9;

function transaction(index: number): Record<string, unknown> {
	const day = String(1 + (index % 28)).padStart(2, '0');
	const cents = ((index * 7919) % 200_000) - 100_000;
	return {
		date: `202401${day}120000`,
		amount: cents / 100,
		memo: `POS PURCHASE 0042 CORNER BAKERY STORE ${index} AMSTERDAM NL`,
		name: 'Corner Bakery',
		payee: 'Corner Bakery',
		checkNumber: '',
		balance: (cents + 500_000) / 100,
		category: 'Groceries',
		fitId: `a1b2c3d4e5f6${String(index).padStart(12, '0')}`,
		descriptionLines: [`POS PURCHASE 0042 CORNER BAKERY STORE ${index}`, 'AMSTERDAM NL'],
		pageNumber: 1 + Math.floor(index / 44),
	};
}

function groupedText(): string {
	const account = (number: number): unknown => ({
		bankMode: {
			transactions: Array.from({ length: ROWS / ACCOUNTS }, (_, row) =>
				transaction(number * (ROWS / ACCOUNTS) + row),
			),
		},
		metadata: [
			{ name: 'startDate', value: '2024-01-01', period: '0' },
			{ name: 'endDate', value: '2024-01-31', period: '0' },
			{ name: 'startBalance', value: '5000.00', period: '0' },
			{ name: 'endBalance', value: '5125.00', period: '0' },
		],
	});
	const accounts = Array.from({ length: ACCOUNTS }, (_, number) => [
		`4400${String(number).padStart(6, '0')}`,
		account(number),
	]);
	return JSON.stringify({ '101': { ...Object.fromEntries(accounts), metadata: [] } });
}

function flatText(): string {
	const transactions = Array.from({ length: ROWS }, (_, index) => ({
		documentId: 101,
		account: '4400000001',
		period: '0',
		rowNumber: index + 1,
		isTransaction: true,
		...transaction(index),
	}));
	return JSON.stringify({ documentId: 101, count: ROWS, transactions });
}

function millisecondsOf(run: () => number): number {
	const start = performance.now();
	const rows = run();
	const took = performance.now() - start;
	if (rows !== ROWS) throw new Error(`Expected ${ROWS} rows, got ${rows}.`);
	return took;
}

function median(values: number[]): number {
	const sorted = [...values].sort((left, right) => left - right);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function report(label: string, milliseconds: number): void {
	const perSecond = Math.round(ROWS / (milliseconds / 1000)).toLocaleString('en-US');
	process.stdout.write(
		`  ${label.padEnd(44)} ${milliseconds.toFixed(0).padStart(6)} ms ${perSecond.padStart(12)} rows/s\n`,
	);
}

function compare(
	title: string,
	text: string,
	map: (text: string) => number,
	items = 'transaction items',
): void {
	const bare: number[] = [];
	const mapped: number[] = [];
	let parsed: unknown;
	for (let run = 0; run < RUNS; run++) {
		bare.push(
			millisecondsOf(() => {
				parsed = JSON.parse(text);
				return parsed === null ? 0 : ROWS;
			}),
		);
		parsed = undefined;
		mapped.push(millisecondsOf(() => map(text)));
	}
	const megabytes = (text.length / 1e6).toFixed(1);
	process.stdout.write(`${title}: ${ROWS.toLocaleString('en-US')} rows, ${megabytes} MB of JSON\n`);
	report('JSON.parse alone', median(bare));
	report(`parse and map to ${items}`, median(mapped));
	const share = median(mapped) / median(bare);
	process.stdout.write(`  ${share.toFixed(2)} times the time of JSON.parse\n`);
}

const grouped = groupedText();
compare('Grouped data', grouped, (text) => groupedDataToItems({ text }, { pairedItem: 0 }).length);
// One number that a double cannot hold makes the whole text go through the closer look.
const lossy = grouped.replace('"amount":', '"amount":12345678901234567.89,"was":');
compare(
	'Grouped data with a number beyond a double',
	lossy,
	(text) => groupedDataToItems({ text }, { pairedItem: 0 }).length,
);
compare('Flat rows', flatText(), (text) => flatRowsToItems({ text }, { pairedItem: 0 }).length);
compare(
	'Grouped data',
	grouped,
	(text) =>
		groupedDataToItems({ text }, { output: 'accounts', pairedItem: 0 }).length * (ROWS / ACCOUNTS),
	'account items with their verdicts',
);
process.stdout.write(
	'Limit of transaction items: three new objects for each row, their collection, and the exact sums of the verdict.\n' +
		'Limit of account items: the exact sums; nothing is copied.\n',
);
