import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateStatement, layoutNames } from './index.ts';

const usage = `Writes a generated statement and the truth about it.
  tsx test/documents/write.ts <layout> [--out folder] [--seed 1] [--transactions 40] [--pages 3] [--difference 10.00]
Layouts: ${layoutNames.join(', ')}, all`;

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			out: { type: 'string', default: '.tmp/statements' },
			seed: { type: 'string', default: '1' },
			transactions: { type: 'string' },
			pages: { type: 'string' },
			difference: { type: 'string' },
		},
	});
	const [layout] = positionals;
	if (layout === undefined) throw new Error(usage);
	await mkdir(values.out, { recursive: true });
	for (const name of layout === 'all' ? layoutNames : [layout]) {
		const { pdf, truth } = await generateStatement(name, {
			seed: wholeNumber('seed', values.seed),
			...(values.transactions !== undefined && {
				transactions: wholeNumber('transactions', values.transactions),
			}),
			...(values.pages !== undefined && { pages: wholeNumber('pages', values.pages) }),
			...(values.difference !== undefined && { difference: values.difference }),
		});
		const path = join(values.out, `${name}-${values.seed}`);
		await writeFile(`${path}.pdf`, pdf);
		await writeFile(`${path}.truth.json`, `${JSON.stringify(truth, null, '\t')}\n`);
		console.log(`${path}.pdf  ${truth.pageCount} ${truth.pageCount === 1 ? 'page' : 'pages'}`);
	}
}

function wholeNumber(name: string, text: string): number {
	if (!/^\d{1,9}$/.test(text))
		throw new Error(`--${name} has to be a whole number, not "${text}".`);
	return Number(text);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
