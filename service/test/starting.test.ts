import assert from 'node:assert/strict';
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import { JWT_LIFETIME_SECONDS } from '../src/accounts/jwt.ts';
import { Client, member, request } from './client.ts';
import { freePort, newService, startService } from './runningService.ts';
import type { Credentials, RunningService } from './runningService.ts';
import { addSecondContract } from './secondContract.ts';

describe('credentials of the first start', () => {
	let service: RunningService;
	let first: Credentials;
	before(async () => {
		service = await startService();
		first = service.credentials;
	});
	after(() => service.remove());
	const file = (): string => join(service.dataDir, 'credentials.json');

	it('work, are readable by their owner alone, and name the address', async () => {
		assert.equal(first.baseUrl, `${service.site}/api/v1`);
		assert.match(first.accessToken, /^dex_pat_[A-Za-z0-9_-]{43}$/);
		const { iss, sub, exp, iat, contract } = decodeJwt(first.jwt);
		assert.deepEqual(
			{ iss, sub, contract },
			{
				iss: 'document-extraction-service',
				sub: '1',
				contract: 1,
			},
		);
		assert.equal(Number(exp) - Number(iat), JWT_LIFETIME_SECONDS);
		for (const name of ['credentials.json', 'master.key']) {
			assert.equal((await stat(join(service.dataDir, name))).mode & 0o777, 0o600, name);
		}
	});

	it('cannot be had by a second process on the same folder, which says so', async () => {
		const second = await newService({ dataDir: service.dataDir });
		second.spawn();
		assert.equal(await second.exit(), 1);
		assert.match(second.output, /already running on the folder/);
		assert.doesNotMatch(second.output, /\n\s+at /);
		assert.equal((await request(`${service.site}/healthz`)).status, 200);
	});

	it('stay the same after a kill, which leaves no lock, and follow another port', async () => {
		await service.kill();
		const port = await freePort();
		const moved = await startService({ dataDir: service.dataDir, port });
		assert.deepEqual(moved.credentials, {
			...first,
			baseUrl: `http://127.0.0.1:${port}/api/v1`,
		});
		assert.equal(await moved.stop(), 0);
	});

	it('get a new JWT when the old one is about to end, and a new file when it is damaged', async () => {
		const almostOver = Date.now() - (JWT_LIFETIME_SECONDS - 3600) * 1000;
		const { jwt } = await addSecondContract(service.dataDir, null, almostOver);
		await writeFile(file(), JSON.stringify({ ...first, jwt }));
		await service.start();
		assert.equal(service.credentials.accessToken, first.accessToken);
		assert.notEqual(service.credentials.jwt, jwt);
		assert.equal((await new Client(service).legacy('GET', '/job/1')).status, 404);
		await service.stop();

		await writeFile(file(), '{"accessToken":');
		await service.start();
		assert.notEqual(service.credentials.accessToken, first.accessToken);
		const client = new Client(service);
		assert.equal((await client.agent('GET', '/webhooks/events')).status, 200);
		// The lost file may have been copied elsewhere before: its token still works.
		const old = await client.agent('GET', '/webhooks/events', undefined, {
			authorization: `Bearer ${first.accessToken}`,
		});
		assert.equal(old.status, 200);
	});

	it('says of a document whose file somebody removed that it has to be uploaded again', async () => {
		const client = new Client(service);
		const id = await client.upload(Buffer.from('%PDF-'));
		await rm(join(service.dataDir, 'storage', 'documents'), { recursive: true });
		const job = await client.ended(await client.createJob([id]));
		assert.equal(member(job, 'failureReason', 'code'), 'file_missing');
	});

	it('removes what interrupted uploads left', async () => {
		await service.stop();
		const folder = join(service.dataDir, 'storage-arriving');
		await writeFile(join(folder, 'left-over'), 'half');
		await service.start();
		assert.deepEqual(await readdir(folder), []);
		assert.doesNotMatch(await readFile(file(), 'utf8'), /undefined|null/);
	});
});

describe('a start that cannot be', () => {
	const failing = async (
		env: Record<string, string>,
		port?: number,
	): Promise<{ code: unknown; output: string }> => {
		const service = await newService({ env, ...(port === undefined ? {} : { port }) });
		try {
			service.spawn();
			return { code: await service.exit(), output: service.output };
		} finally {
			await service.remove();
		}
	};

	it('says that the port is in use, and how to choose another', async () => {
		const server = createServer();
		const port = await freePort();
		await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
		try {
			const { code, output } = await failing({}, port);
			assert.equal(code, 1);
			assert.match(output, new RegExp(`Port ${port} .*in use.*PORT=`));
			assert.doesNotMatch(output, /\n\s+at /);
		} finally {
			server.close();
		}
	});

	it('names every setting that is wrong, without secrets', async () => {
		const { code, output } = await failing({
			MAX_PAGES: '0',
			MAX_UPLOAD_BYTES: '12MB',
			PUBLIC_URL: 'https://example.com/api/v1',
			DATABASE_URL: 'mysql://root:geheim@host/db',
			LOG_LEVEL: 'loud',
			MASTER_KEY: 'geheim',
		});
		assert.equal(code, 1);
		for (const name of [
			'MAX_PAGES',
			'MAX_UPLOAD_BYTES',
			'PUBLIC_URL',
			'DATABASE_URL',
			'LOG_LEVEL',
			'MASTER_KEY',
		]) {
			assert.match(output, new RegExp(`^${name} must`, 'm'));
		}
		assert.doesNotMatch(output, /geheim|\n\s+at /);
	});

	it('says which database does not answer, without its password', async () => {
		const port = await freePort();
		const { code, output } = await failing({
			DATABASE_URL: `postgres://user:geheim@127.0.0.1:${port}/books`,
		});
		assert.equal(code, 1);
		assert.match(output, new RegExp(`books at 127.0.0.1:${port} does not accept a connection`));
		assert.doesNotMatch(output, /geheim/);
	});

	it('says that the folder cannot be written', async () => {
		const { code, output } = await failing({ DATA_DIR: '/proc/extraction/data' });
		assert.equal(code, 1);
		assert.match(output, /The folder \/proc\/extraction\/data cannot be written/);
	});
});

describe('an address of its own', () => {
	it('is used for uploads and in the credentials', async () => {
		const service = await startService({ env: { PUBLIC_URL: 'https://extract.example.com/' } });
		try {
			assert.equal(service.credentials.baseUrl, 'https://extract.example.com/api/v1');
			const { url } = await new Client(service).uploadUrl();
			assert.match(url, /^https:\/\/extract\.example\.com\/storage\/documents\//);
		} finally {
			await service.remove();
		}
	});
});
