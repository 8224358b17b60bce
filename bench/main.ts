import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * `npm run bench` runs every benchmark, each in a process of its own so that none warms up or
 * fills the memory of another. `npm run bench -- mapping` runs one.
 */
const BENCHMARKS = {
	accuracy: 'share of generated statements with every row right, a layout a line',
	fraud: 'tampered statements found and clean ones accused, by kind',
	deliveries: "the service's deliveries per second to a receiver that answers at once",
	extraction: 'pages per second of reading and extraction, beside pdftotext -bbox',
	mapping: "rows per second of the node's mapping, beside JSON.parse",
	trigger: "deliveries per second through the trigger, beside n8n's Webhook node",
	upload: "peak memory of an upload in the real n8n, beside n8n's HTTP Request node",
} as const;

const names = Object.keys(BENCHMARKS) as Array<keyof typeof BENCHMARKS>;
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !names.some((known) => known === name));
if (unknown.length > 0) {
	process.stderr.write(
		`No benchmark named ${unknown.join(', ')}. There are: ${names.join(', ')}.\n`,
	);
	process.exit(2);
}

for (const name of names) {
	if (asked.length > 0 && !asked.includes(name)) continue;
	process.stdout.write(`\n${name}: ${BENCHMARKS[name]}\n`);
	const tsx = require.resolve('tsx/cli');
	const { status } = spawnSync(process.execPath, [tsx, join(__dirname, `${name}.ts`)], {
		stdio: 'inherit',
	});
	if (status !== 0) process.exitCode = 1;
}
