import assert from 'node:assert/strict';
import { appendFile, link, mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Owner } from '../../src/accounts/accessTokens.ts';
import { openDatabase } from '../../src/database/database.ts';
import type { OpenDatabase } from '../../src/database/database.ts';
import { FolderWatcher } from '../../src/ingestion/folderWatcher.ts';
import { ExtractionQueue } from '../../src/queue/extractionQueue.ts';
import { FileStore } from '../../src/storage/fileStore.ts';

const QUIET_MS = 500;

describe('looks at the watched folder', () => {
	let dataDir: string;
	let folder: string;
	let database: OpenDatabase;
	let queue: ExtractionQueue;
	let store: FileStore;
	let account: Owner;
	let messages: string[];
	const record = (_details: unknown, text?: string): void => {
		messages.push(text ?? '');
	};
	const log = { debug() {}, info() {}, warn: record, error: record };

	before(async () => {
		dataDir = await mkdtemp(join(tmpdir(), 'watcher-data-'));
		database = await openDatabase(dataDir, null, log);
		queue = new ExtractionQueue({
			db: database.db,
			embedded: database.embedded,
			databaseUrl: null,
			concurrency: 1,
			expireInSeconds: 60,
			log,
		});
		await queue.start();
		store = new FileStore(dataDir);
		await store.prepare(true);
		const contract = await database.db
			.insertInto('contracts')
			.values({ name: 'Test' })
			.returning('id')
			.executeTakeFirstOrThrow();
		const user = await database.db
			.insertInto('users')
			.values({ contract_id: contract.id, name: 'Test' })
			.returning('id')
			.executeTakeFirstOrThrow();
		account = { contractId: contract.id, userId: user.id };
	});
	beforeEach(async () => {
		messages = [];
		folder = await mkdtemp(join(tmpdir(), 'watcher-folder-'));
		await database.db.deleteFrom('ingested_files').execute();
		await database.db.deleteFrom('job_documents').execute();
		await database.db.deleteFrom('documents').execute();
	});
	after(async () => {
		await queue.stop(1000);
		await database.close();
		await rm(dataDir, { recursive: true, force: true });
		await rm(folder, { recursive: true, force: true });
	});

	const watcher = (): FolderWatcher =>
		new FolderWatcher({
			db: database.db,
			queue,
			store,
			account,
			maxUploadBytes: 1_000_000,
			folder,
			dataDir,
			intervalMs: 50,
			quietMs: QUIET_MS,
			log,
		});
	const taken = async (): Promise<string[]> => {
		const rows = await database.db
			.selectFrom('documents')
			.select('originalname')
			.orderBy('id')
			.execute();
		return rows.map((row) => row.originalname);
	};
	const file = (name: string): string => join(folder, name);

	it('takes a file at the second look that sees it the same, oldest first', async () => {
		const looking = watcher();
		await writeFile(file('new.pdf'), '%PDF-1.4 new %%EOF');
		await writeFile(file('old.pdf'), '%PDF-1.4 old %%EOF');
		await utimes(file('old.pdf'), new Date(), new Date(Date.now() - 3_600_000));
		await looking.look();
		assert.deepEqual(await taken(), []);
		await writeFile(file('changing.pdf'), '%PDF-1.4 1 %%EOF');
		await looking.look();
		assert.deepEqual(await taken(), ['old.pdf', 'new.pdf']);
		await appendFile(file('changing.pdf'), ' 2 %%EOF');
		await looking.look();
		assert.deepEqual(await taken(), ['old.pdf', 'new.pdf']);
		await looking.look();
		assert.deepEqual(await taken(), ['old.pdf', 'new.pdf', 'changing.pdf']);
		assert.deepEqual(messages, []);
	});

	it('waits for the end of a file, but not for ever', async () => {
		const looking = watcher();
		await writeFile(file('cut off.pdf'), '%PDF-1.4 and then nothing');
		await writeFile(file('scan.tiff'), 'II*\u0000scan');
		await looking.look();
		await looking.look();
		await looking.look();
		assert.deepEqual(await taken(), []);
		await sleep(QUIET_MS);
		await looking.look();
		assert.deepEqual((await taken()).toSorted(), ['cut off.pdf', 'scan.tiff']);
	});

	it('takes a content that has replaced another of the same size and time', async () => {
		const looking = watcher();
		const time = new Date(Date.now() - 60_000);
		await writeFile(file('a.pdf'), '%PDF-1.4 one %%EOF');
		await utimes(file('a.pdf'), time, time);
		await looking.look();
		await looking.look();
		await writeFile(file('.b'), '%PDF-1.4 two %%EOF');
		await utimes(file('.b'), time, time);
		await rename(file('.b'), file('a.pdf'));
		await looking.look();
		await looking.look();
		assert.deepEqual(await taken(), ['a.pdf', 'a.pdf']);
	});

	it('says once why a file is not taken, and takes it when that changes', async () => {
		const looking = watcher();
		await writeFile(file('empty.pdf'), '');
		await writeFile(file('letter.docx'), 'PK and so on');
		await looking.look();
		await looking.look();
		assert.deepEqual(messages, []);
		await sleep(QUIET_MS);
		for (let look = 0; look < 4; look++) await looking.look();
		assert.equal(messages.length, 2, messages.join('\n'));
		assert.match(messages.toSorted().join('\n'), /is empty.*\n.*no PDF, PNG, JPEG or TIFF/);
		await writeFile(file('empty.pdf'), '%PDF-1.4 no longer %%EOF');
		await looking.look();
		await looking.look();
		assert.deepEqual(await taken(), ['empty.pdf']);
		assert.equal(messages.length, 2);
	});

	it('never looks into the folder of the service itself', async () => {
		const outer = await mkdtemp(join(tmpdir(), 'watcher-outer-'));
		const inner = join(outer, 'data');
		await mkdir(join(inner, 'storage'), { recursive: true });
		await writeFile(join(inner, 'storage', 'a.pdf'), '%PDF-1.4 stored %%EOF');
		await writeFile(join(outer, 'b.pdf'), '%PDF-1.4 mine %%EOF');
		const looking = new FolderWatcher({
			db: database.db,
			queue,
			store,
			account,
			maxUploadBytes: 1000,
			folder: outer,
			dataDir: inner,
			intervalMs: 50,
			log,
		});
		await looking.look();
		await looking.look();
		assert.deepEqual(await taken(), ['b.pdf']);
		await rm(outer, { recursive: true });
	});

	it('stays out of the way with thousands of known files', async (t) => {
		const looking = watcher();
		await writeFile(file('0.pdf'), '%PDF-1.4 the same in all %%EOF');
		for (let number = 1; number < 3000; number++) {
			// Under other names in one project: all of them are read, and known after that.
			await link(file('0.pdf'), file(`${number}.pdf`));
		}
		await looking.look();
		const delay = monitorEventLoopDelay({ resolution: 5 });
		delay.enable();
		await looking.look();
		const first = delay.max / 1e6;
		assert.equal((await taken()).length, 1);
		delay.reset();
		const begun = performance.now();
		for (let look = 0; look < 5; look++) await looking.look();
		const each = (performance.now() - begun) / 5;
		delay.disable();
		t.diagnostic(
			`a look at 3000 known files: ${each.toFixed(0)} ms; longest wait of others: ` +
				`${first.toFixed(0)} ms while they are read, ${(delay.max / 1e6).toFixed(0)} ms later`,
		);
		assert.equal((await taken()).length, 1);
		// A generous limit: the machine may be busy. Reading them all again would take seconds.
		assert.ok(each < 1000);
	});
});
