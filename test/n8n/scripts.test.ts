import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { describeMissing, missingBuildTools } from '../../scripts/n8n/buildTools.ts';
import { n8nEnvironment } from '../../scripts/n8n/environment.ts';
import { parseFlatted } from '../../scripts/n8n/flattedJson.ts';
import { acquireInstallLock } from '../../scripts/n8n/installLock.ts';
import { requireNode } from '../../scripts/n8n/nodeRuntime.ts';
import { ownerAccount } from '../../scripts/n8n/ownerAccount.ts';
import { OutputTail } from '../../scripts/processes/outputTail.ts';
import { rowsTable, verdictLines } from '../../scripts/start/rowsTable.ts';

describe('what starts n8n', () => {
	test('names the Debian packages of the tools that are missing, and only those', () => {
		const missing = missingBuildTools((command) => command === 'make');
		const text = describeMissing(missing);
		assert.match(text, /apt-get install -y g\+\+ python3$/m);
		assert.deepEqual(
			missingBuildTools(() => true),
			[],
		);
	});

	test('one of several compilers is enough', () => {
		const available = new Set(['clang++', 'gmake', 'python3']);
		assert.deepEqual(
			missingBuildTools((command) => available.has(command)),
			[],
		);
	});

	test('an older Node is refused with a way out', () => {
		assert.throws(() => requireNode('20.20.2'), /needs Node 24.*npm start/s);
		assert.doesNotThrow(() => requireNode('24.0.0'));
	});

	test('an n8n setting in the shell does not reach n8n, a proxy does', () => {
		process.env.DB_TYPE = 'postgresdb';
		process.env.N8N_ENCRYPTION_KEY = 'somebody else';
		process.env.HTTPS_PROXY = 'http://proxy.example.com:3128';
		try {
			const owner = { email: 'a@example.com', password: 'x', passwordHash: 'y' };
			const environment = n8nEnvironment({
				userFolder: '/data/n8n',
				filesFolder: '/data/n8n/files',
				port: 5678,
				brokerPort: 5679,
				owner,
			});
			assert.equal(environment.DB_TYPE, undefined);
			assert.equal(environment.N8N_ENCRYPTION_KEY, undefined);
			assert.equal(environment.HTTPS_PROXY, 'http://proxy.example.com:3128');
			assert.match(environment.NO_PROXY ?? '', /127\.0\.0\.1/);
			assert.equal(environment.N8N_USER_FOLDER, '/data/n8n');
			assert.ok(!Object.values(environment).includes(owner.password));
		} finally {
			delete process.env.DB_TYPE;
			delete process.env.N8N_ENCRYPTION_KEY;
			delete process.env.HTTPS_PROXY;
		}
	});

	test('the install lock holds against a process that runs, not against one that is gone', async () => {
		const folder = await mkdtemp(resolve(tmpdir(), 'document-extraction-lock-'));
		const file = resolve(folder, 'lock');
		try {
			await writeFile(file, String(process.ppid));
			await assert.rejects(acquireInstallLock(file), /is installing n8n at the moment/);
			await writeFile(file, '999999999');
			const release = await acquireInstallLock(file);
			await release();
			await (
				await acquireInstallLock(file)
			)();
		} finally {
			await rm(folder, { recursive: true });
		}
	});

	test('the owner account is made once and damaged ones are replaced', async () => {
		const folder = await mkdtemp(resolve(tmpdir(), 'document-extraction-owner-'));
		const file = resolve(folder, 'n8n/owner.json');
		try {
			const first = await ownerAccount(file);
			assert.deepEqual(await ownerAccount(file), first);
			await writeFile(file, '{"email":');
			const second = await ownerAccount(file);
			assert.notEqual(second.password, first.password);
			assert.match(second.passwordHash, /^\$2/);
		} finally {
			await rm(folder, { recursive: true });
		}
	});
});

describe('what a start prints', () => {
	test('amounts keep their digits, however large', () => {
		const table = rowsTable([
			{
				json: {
					dateIso: '2026-01-31',
					name: 'A',
					amount: -1234567.5,
					balance: '90071992547409931.07',
				},
			},
			{ json: { dateIso: '2026-01-31', name: 'B', amount: 0.1, balance: null } },
		]);
		assert.match(table, /-1,234,567\.50/);
		assert.match(table, /90,071,992,547,409,931\.07/);
		assert.match(table, / 0\.10 /);
	});

	test('a description cannot send control characters to the terminal', () => {
		const escape = String.fromCharCode(27);
		const table = rowsTable([
			{ json: { dateIso: '2026-01-31', name: `${escape}[2JGONE\nNEXT`, amount: 1, balance: 2 } },
		]);
		assert.ok(!table.includes(`${escape}[2J`));
		assert.match(table, /GONE NEXT/);
	});

	test('an account that does not add up shows by how much', () => {
		const line = verdictLines([
			{
				json: {
					account: '1',
					verdict: 'not reconciled',
					difference: '-10.00',
					startBalance: null,
					endBalance: '5',
				},
			},
		]);
		assert.equal(line, 'Account 1: not reconciled (difference -10.00)');
	});

	test('the tail of an output keeps the last lines and no colours', () => {
		const tail = new OutputTail(2);
		const escape = String.fromCharCode(27);
		tail.add(`one\ntw`);
		tail.add(`o\n${escape}[31mthree${escape}[0m\nfou`);
		assert.deepEqual(tail.lines(), ['three', 'fou']);
		assert.equal(tail.lastLine(), 'three');
	});
});

describe("n8n's stored executions", () => {
	test('shared and circular values, numbers as text and empty ones are read', () => {
		const text = '[{"a":"1","b":"1","c":"2","self":"0","n":null,"t":true},{"x":"3"},"7","text"]';
		const value = parseFlatted(text) as Record<string, unknown>;
		assert.deepEqual(value.a, { x: 'text' });
		assert.equal(value.a, value.b);
		assert.equal(value.c, '7');
		assert.equal(value.self, value);
		assert.equal(value.n, null);
		assert.equal(value.t, true);
	});
});
