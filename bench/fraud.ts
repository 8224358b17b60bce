import { parseArgs } from 'node:util';
import type { KindTally } from '../test/fraud/calibration.ts';

/**
 * How many tampered statements the fraud analysis finds, and how many clean ones it accuses, by kind.
 * A statement counts as accused when its risk is above low, or when one of its signals has a
 * confidence of 0.5 or more. `tsx bench/fraud.ts --count 42 --from 300 --show` names what it got wrong.
 */
const { values } = parseArgs({
	options: {
		count: { type: 'string', default: '200' },
		from: { type: 'string', default: '1' },
		show: { type: 'boolean', default: false },
	},
});

function report(title: string, kinds: ReadonlyMap<string, KindTally>, show: boolean): KindTally {
	const all: KindTally = { total: 0, accused: 0, refused: 0, wrong: [], reasons: new Map() };
	process.stdout.write(`  ${title}\n`);
	for (const [kind, { total, accused, refused, wrong, reasons }] of kinds) {
		all.total += total;
		all.accused += accused;
		all.refused += refused;
		const why = [...reasons].map(([reason, count]) => `${reason} ${count}`).join(', ');
		const unread = refused > 0 ? `, ${refused} not readable as statements` : '';
		process.stdout.write(
			`    ${kind.padEnd(26)} ${String(accused).padStart(3)} of ${String(total).padStart(3)}${unread}${why ? `   ${why}` : ''}\n`,
		);
		if (show) for (const name of wrong) process.stdout.write(`        ${name}\n`);
	}
	return all;
}

async function main(): Promise<void> {
	// The service and the generators are ES modules; here only import() loads them as such.
	const { tally } = await import('../test/fraud/calibration.ts');
	const { cleanStatements } = await import('../test/fraud/cleanStatements.ts');
	const { tamperedStatements } = await import('../test/fraud/tamperedStatements.ts');
	const [count, from] = [Number(values.count), Number(values.from)];
	const tampered = report(
		'tampered statements that are found, and by which reason first',
		await tally(tamperedStatements(count, from), true),
		values.show,
	);
	const clean = report(
		'clean statements that are accused',
		await tally(cleanStatements(count, from), false),
		values.show,
	);
	const percent = (part: number, whole: number) => ((100 * part) / whole).toFixed(1);
	process.stdout.write(
		`  found ${tampered.accused} of ${tampered.total} tampered (${percent(tampered.accused, tampered.total)} %), ` +
			`accused ${clean.accused} of ${clean.total} clean (${percent(clean.accused, clean.total)} %)\n`,
	);
	if (tampered.accused < 0.95 * tampered.total || clean.accused >= 0.01 * clean.total + 1e-9)
		process.exitCode = 1;
}

main().catch((error: unknown) => {
	process.stderr.write(
		`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
	);
	process.exitCode = 1;
});
