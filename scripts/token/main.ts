import { resolve } from 'node:path';
import { PlainError } from '../processes/plainError.ts';
import { projectFolder } from '../projectFolder.ts';
import { OwnedTokens } from './ownedTokens.ts';
import type { ListedToken } from './ownedTokens.ts';

const usage = `Manages the access tokens of the local service, while it runs.

npm run token -- list             shows all of them; the tokens themselves are shown nowhere
npm run token -- create <name>    makes one and prints it, this once
npm run token -- revoke <id>      ends one at once; what was made with it stays

DATA_DIR says where the service keeps its data (./.data unless it is set).
To get the new token alone: npm run --silent token -- create <name>`;

/** What a program may read. */
const print = (text: string): void => void process.stdout.write(`${text}\n`);
/** What a person reads. */
const say = (text: string): void => void process.stderr.write(`${text}\n`);

function listing(tokens: ListedToken[]): string {
	const rows = tokens.map(({ id, name, createdAt, revokedAt }) => [
		String(id),
		createdAt.slice(0, 16).replace('T', ' '),
		revokedAt === null ? 'valid' : `revoked ${revokedAt.slice(0, 16).replace('T', ' ')}`,
		name,
	]);
	const lines = [['ID', 'Created (UTC)', 'State', 'Name'], ...rows];
	const widths = [0, 1, 2].map((column) =>
		Math.max(...lines.map((line) => line[column]?.length ?? 0)),
	);
	return lines
		.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
		.join('\n');
}

async function run([command, ...words]: string[]): Promise<void> {
	const argument = words.join(' ').trim();
	const known = { list: argument === '', create: argument !== '', revoke: argument !== '' };
	if (
		command === undefined ||
		!Object.entries(known).some(([name, ok]) => name === command && ok)
	) {
		throw new PlainError(usage);
	}
	if (command === 'revoke' && !/^\d+$/.test(argument)) {
		throw new PlainError(
			`${argument} is no id of an access token. npm run token -- list shows the ids.`,
		);
	}
	const tokens = await OwnedTokens.of(
		resolve(projectFolder, process.env.DATA_DIR?.trim() || '.data'),
	);
	if (command === 'list') {
		print(listing(await tokens.list()));
	} else if (command === 'create') {
		const { id, token } = await tokens.create(argument);
		say(`Access token ${id}, "${argument}". It is shown this once, so keep it now:`);
		print(token);
	} else {
		await tokens.revoke(argument);
		say(`Access token ${argument} is revoked. From now on it is answered with 401.`);
	}
}

run(process.argv.slice(2)).catch((error: unknown) => {
	say(error instanceof PlainError ? error.message : String(error));
	process.exitCode = 1;
});
