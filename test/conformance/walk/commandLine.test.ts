import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort, startService } from '../../../service/test/runningService.ts';
import type { RunningService } from '../../../service/test/runningService.ts';
import { openStage, UsageError } from './commandLine.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

async function conformance(
	args: string[],
	env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
	const child = spawn(process.execPath, [MAIN, ...args], {
		env: { PATH: process.env['PATH'], ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (piece: Buffer) => (output += piece.toString()));
	}
	const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
	return { code, output };
}

describe('the command', () => {
	let service: RunningService;
	let given: Record<string, string>;

	before(async () => {
		service = await startService({ env: { LOG_LEVEL: 'warn' } });
		const { baseUrl, accessToken, jwt } = service.credentials;
		given = {
			CONFORMANCE_BASE_URL: baseUrl,
			CONFORMANCE_TOKEN: accessToken,
			CONFORMANCE_JWT: jwt,
		};
	});

	after(async () => {
		await service?.remove();
	});

	it('walks another service, and says what it cannot try there', async () => {
		const port = String(await freePort());
		const { code, output } = await conformance(
			['--only', '2.10', '--only', '2.11', '--only', '3 Failed', '--only', '3 OutOfCredits'],
			{
				...given,
				CONFORMANCE_PORT: port,
				CONFORMANCE_RECEIVER_URL: `http://127.0.0.1:${port}`,
			},
		);
		assert.match(output, /^2\.10 secretShownOnce +pass /m);
		assert.match(output, /^3 Failed +pass /m);
		assert.match(output, /^3 OutOfCredits +not tried +needs a contract whose page allowance/m);
		assert.match(output, /^2\.11 source +not tried +needs a project with documents/m);
		assert.match(output, /18 rows: 10 pass, 0 fail, 8 not tried/);
		assert.equal(code, 0, output);
	});

	it('fails rows that need a receiver where none can be reached, and prints no credential', async () => {
		const { code, output } = await conformance(['--only', '2.10', '--only', '5'], given);
		assert.match(output, /^2\.10 id +fail +not tried: needs --receiver-url/m);
		assert.match(output, /^5 4 +pass /m);
		assert.equal(code, 1);
		for (const secret of [given['CONFORMANCE_TOKEN'], given['CONFORMANCE_JWT']]) {
			assert.ok(secret !== undefined && !output.includes(secret));
		}
	});

	it('fails every row of a service that does not answer', async () => {
		const nobody = `http://127.0.0.1:${await freePort()}/api/v1`;
		const { code, output } = await conformance(['--only', '4.1'], {
			...given,
			CONFORMANCE_BASE_URL: nobody,
		});
		assert.match(output, /10 rows: 10 fail/);
		assert.match(output, /ECONNREFUSED/);
		assert.equal(code, 1);
	});

	it('says what a call lacks', async () => {
		const baseUrl = 'https://extraction.example/api/v1';
		for (const [args, words] of [
			[['--base-url', baseUrl], /needs both credentials/],
			[['--base-url', 'extraction.example', '--token', 'a', '--jwt', 'b'], /must be an address/],
			[['--token', 'a'], /no --base-url/],
			[['--base-url', baseUrl, '--token', 'a', '--jwt', 'b', '--port', 'x'], /--port must be/],
			[['--unknown'], /Usage/],
			[['--help'], /CONFORMANCE_TOKEN/],
		] as const) {
			await assert.rejects(openStage([...args], {}), (error) => {
				assert.ok(error instanceof UsageError);
				assert.match(error.message, words);
				return true;
			});
		}
		const { code } = await conformance(['--base-url', baseUrl], {});
		assert.equal(code, 2);
	});
});
