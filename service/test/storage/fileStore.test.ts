import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { BodyTooLargeError, FileStore, IncompleteBodyError } from '../../src/storage/fileStore.ts';

describe('the storage of files', () => {
	let folder: string;
	let store: FileStore;
	before(async () => {
		folder = await mkdtemp(join(tmpdir(), 'file-store-'));
		store = new FileStore(folder);
		await store.prepare(true);
	});
	after(() => rm(folder, { recursive: true }));

	const arriving = async (): Promise<string[]> => await readdir(join(folder, 'storage-arriving'));
	const pieces = (count: number): Readable =>
		Readable.from(
			Array.from({ length: count }, (_, index) => Buffer.alloc(1000, String(index % 10))),
		);

	it('takes bytes of a length that nobody announced, and names them afterwards', async () => {
		const arrived = await store.arrive(pieces(50), null, 50_000);
		const bytes = await buffer(pieces(50));
		assert.equal(arrived.size, 50_000);
		assert.equal(arrived.etag, createHash('md5').update(bytes).digest('hex'));
		const file = store.named('documents/1/a.pdf', arrived);
		await store.keep(file);
		assert.deepEqual(await arriving(), []);
		assert.ok((await readFile(store.pathOf(file.name))).equals(bytes));
		assert.equal(store.nameOf(store.pathOf(file.name)), file.name);
		const opened = await store.open(file.name);
		assert.equal(opened?.size, 50_000);
		assert.ok((await buffer(opened?.bytes ?? Readable.from([]))).equals(bytes));
		assert.equal(await store.open('documents/1/a.pdf/other'), null);
	});

	it('keeps nothing of what is too large, too short, too long or broken off', async () => {
		await assert.rejects(store.arrive(pieces(51), null, 50_000), BodyTooLargeError);
		await assert.rejects(store.arrive(pieces(49), 50_000, 60_000), IncompleteBodyError);
		await assert.rejects(store.arrive(pieces(51), 50_000, 60_000), IncompleteBodyError);
		const broken = async function* (): AsyncGenerator<Buffer> {
			yield Buffer.alloc(1000);
			throw new IncompleteBodyError();
		};
		await assert.rejects(store.arrive(Readable.from(broken()), null, 5000), IncompleteBodyError);
		const gone = pieces(10);
		gone.destroy();
		await assert.rejects(store.arrive(gone, null, 50_000), IncompleteBodyError);
		assert.deepEqual(await arriving(), []);
	});

	it('passes on the fault of whoever gives the bytes', async () => {
		class ElsewhereError extends Error {}
		const failing = async function* (): AsyncGenerator<Buffer> {
			yield Buffer.alloc(1000);
			throw new ElsewhereError();
		};
		await assert.rejects(
			store.receive('key', Readable.from(failing()), 2000, 5000),
			ElsewhereError,
		);
		assert.deepEqual(await arriving(), []);
	});

	it('forgets what is discarded, and leaves its folder for no name', async () => {
		const arrived = await store.arrive(pieces(1), 1000, 1000);
		await store.discard(arrived);
		assert.deepEqual(await arriving(), []);
		assert.throws(() => store.pathOf('../master.key'));
	});
});
