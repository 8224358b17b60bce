import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { differences } from '../../../test/documents/differences.ts';
import { generateStatement } from '../../../test/documents/index.ts';
import { Client, errorOf, member } from '../client.ts';
import { accountsOfGrouped } from '../groupedAccounts.ts';
import { newService } from '../runningService.ts';
import type { RunningService } from '../runningService.ts';
import { arrived, documentsOf, projectsOf, severalLooks, WatchedFolder } from '../watchedFolder.ts';
import type { Start } from './start.ts';

/** Runs `body` with a service that watches a folder, and removes both. */
async function watching(
	start: Start,
	{ env }: { env?: Record<string, string> },
	body: (parts: {
		service: RunningService;
		client: Client;
		folder: WatchedFolder;
	}) => Promise<void>,
): Promise<void> {
	const folder = await WatchedFolder.make();
	const service = await start({ env: { ...folder.env, ...env } });
	try {
		await body({ service, client: new Client(service), folder });
	} finally {
		await service.remove();
		await folder.remove();
	}
}

async function statementPdf(seed: number): Promise<Buffer> {
	return (await generateStatement('usChecking', { seed, transactions: 6 })).pdf;
}

/** docs/watched-folder.md. */
export function watchedFolderSuite(start: Start): void {
	describe('the watched folder', () => {
		it('makes documents of files and projects of folders, and extracts them', async () => {
			await watching(start, {}, async ({ client, folder }) => {
				const { pdf, truth } = await generateStatement('usChecking', { seed: 3, transactions: 12 });
				const path = await folder.write('2024/Smith/march.pdf', pdf);
				await folder.write('top.pdf', await statementPdf(4));
				await mkdir(join(folder.path, 'Empty'));
				const before = await stat(path, { bigint: true });
				const documents = await arrived(client, 2);
				await severalLooks();

				const rootName = folder.path.split('/').at(-1);
				assert.deepEqual(
					(await projectsOf(client)).map(({ name, parentFolder, documentCount }) => [
						parentFolder,
						name,
						documentCount,
					]),
					[
						[null, '2024', 0],
						[null, 'Empty', 0],
						[null, rootName, 1],
						['2024', 'Smith', 1],
					],
				);
				const document = documents.find(({ originalname }) => originalname === 'march.pdf');
				assert.ok(document);
				assert.deepEqual(
					[document.project.name, document.project.parentFolder, document.source],
					['Smith', '2024', 'folder'],
				);
				assert.deepEqual(
					[document.status, document.size, document.mimetype, document.isReconciled],
					['extracted', pdf.length, 'application/pdf', true],
				);
				const one = await client.agent('GET', `/documents/${document.id}`);
				assert.deepEqual(one.body, document);
				const data = await client.agent('GET', `/documents/${document.id}/data`);
				assert.deepEqual(differences(truth, accountsOfGrouped(data.text, document.id)), []);

				// No job of it can be reached, on either surface.
				for (let id = 1; id <= 5; id++) {
					assert.equal(errorOf(await client.agent('GET', `/jobs/${id}`)), '404 not_found');
					assert.equal(errorOf(await client.agent('GET', `/jobs/${id}/data`)), '404 not_found');
					assert.equal(errorOf(await client.legacy('GET', `/job/${id}`)), '404 not_found');
				}
				// It can be extracted again by a job that a client asks for.
				const job = await client.ended(await client.createJob([document.id]));
				assert.equal(member(job, 'status'), 'Succeeded', job.text);

				// A file that is still written is taken when it is whole, and only then.
				const slow = await generateStatement('usChecking', { seed: 9, transactions: 60 });
				const slowPath = await folder.write('slow.pdf', slow.pdf.subarray(0, 1000));
				const step = Math.ceil((slow.pdf.length - 1000) / 8);
				for (let at = 1000, turn = 0; at < slow.pdf.length; at += step, turn++) {
					// Some pauses are longer than the one between two looks.
					await sleep(turn % 2 === 0 ? 20 : 350);
					await appendFile(slowPath, slow.pdf.subarray(at, at + step));
				}
				await arrived(client, 3);
				await severalLooks();
				assert.deepEqual(
					(await documentsOf(client)).map(({ originalname, size, status }) => [
						originalname,
						size,
						status,
					]),
					[
						['slow.pdf', slow.pdf.length, 'extracted'],
						['top.pdf', (await statementPdf(4)).length, 'extracted'],
						['march.pdf', pdf.length, 'extracted'],
					],
				);

				const after = await stat(path, { bigint: true });
				assert.deepEqual([after.ino, after.mtimeNs], [before.ino, before.mtimeNs]);
				assert.ok((await readFile(path)).equals(pdf));
			});
		});

		it('takes a content once in a project, and a changed file as a new document', async () => {
			await watching(start, {}, async ({ service, client, folder }) => {
				const [first, second, third] = [
					await statementPdf(1),
					await statementPdf(2),
					await statementPdf(3),
				];
				await folder.write('a/one.pdf', first);
				await arrived(client, 1);
				await folder.write('a/copy of one.pdf', first);
				await folder.write('b/one.pdf', first);
				await arrived(client, 2);
				await folder.rename('b/one.pdf', 'b/renamed.pdf');
				await folder.write('a/one.pdf', second);
				await arrived(client, 3);
				await severalLooks();
				await service.stop();
				await folder.write('a/while it was down.pdf', third);
				await service.start();
				await arrived(client, 4);
				await severalLooks();
				await service.kill();
				await service.start();
				await severalLooks();
				assert.deepEqual(
					(await documentsOf(client)).map(({ originalname, project, size }) => [
						project.name,
						originalname,
						size,
					]),
					[
						['a', 'while it was down.pdf', third.length],
						['a', 'one.pdf', second.length],
						['a', 'one.pdf', first.length],
						['b', 'one.pdf', first.length],
					],
				);
			});
		});

		it('takes what is a document by content or by name, and says why it ignores the rest', async () => {
			const env = { MAX_UPLOAD_BYTES: '50000' };
			await watching(start, { env }, async ({ service, client, folder }) => {
				const pdf = await statementPdf(1);
				await folder.write('content/statement.bin', pdf);
				await folder.write('name/letter.pdf', Buffer.from('This is a letter. %%EOF'));
				const large = [Buffer.from('%PDF-1.7'), Buffer.alloc(60_000), Buffer.from('%%EOF')];
				await folder.write('name/large.pdf', Buffer.concat(large));
				await folder.write('.hidden/a.pdf', pdf);
				await folder.write('ignored/.hidden.pdf', pdf);
				await folder.write('ignored/~$lock.pdf', pdf);
				await folder.write('ignored/download.pdf.crdownload', pdf);
				await folder.write('ignored/download.pdf.part', pdf);
				await folder.write('ignored/copy.tmp', pdf);
				const outside = join(service.dataDir, 'outside');
				await mkdir(join(outside, 'sub'), { recursive: true });
				await writeFile(join(outside, 'sub', 'a.pdf'), await statementPdf(2));
				await symlink(join(outside, 'sub', 'a.pdf'), join(folder.path, 'ignored', 'link.pdf'));
				await symlink(outside, join(folder.path, 'linked'));
				const badName = Buffer.concat([
					Buffer.from(join(folder.path, 'ignored', 'name-')),
					Buffer.from([0xff, 0xfe]),
					Buffer.from('.pdf'),
				]);
				await writeFile(badName, pdf);

				await arrived(client, 2);
				await severalLooks();
				const documents = await documentsOf(client);
				assert.deepEqual(
					documents.map(({ originalname, status, failureReason }) => [
						originalname,
						status,
						failureReason?.code ?? null,
					]),
					[
						['statement.bin', 'extracted', null],
						['letter.pdf', 'failed', 'type_mismatch'],
					],
				);
				assert.deepEqual(
					(await projectsOf(client))
						.map(({ name }) => name)
						.filter((name) => /link|hid/.test(name)),
					[],
				);
				assert.equal(service.output.split('are not followed').length - 1, 2);
				assert.equal(service.output.split('Rename it').length - 1, 1);
				assert.match(service.output, /larger than 50000 bytes.*MAX_UPLOAD_BYTES/);
				// A download that is done.
				await folder.rename('ignored/download.pdf.part', 'ignored/download.pdf');
				await arrived(client, 3);
			});
		});

		it('waits for a folder that is not there, also when it goes away and comes back', async () => {
			await watching(start, {}, async ({ service, client, folder }) => {
				await folder.write('a.pdf', await statementPdf(1));
				await arrived(client, 1);
				await service.stop();
				await folder.remove();
				await service.start();
				await severalLooks();
				assert.match(service.output, /watched folder does not exist\. Create it/);
				assert.equal(service.output.split('does not exist. Create it').length - 1, 1);
				await folder.write('a.pdf', await statementPdf(1));
				await folder.write('b.pdf', await statementPdf(2));
				await arrived(client, 2);
				await rm(folder.path, { recursive: true });
				await severalLooks();
				await folder.write('c.pdf', await statementPdf(3));
				assert.equal((await arrived(client, 3)).length, 3);
			});
		});
	});
}

const FILES_A_KILL = 9;

/** Killing the process at any moment loses no file of the watched folder, and takes none twice. */
export function watchedFolderKillsSuite(start: Start, { kills }: { kills: number }): void {
	describe(`${kills} kills while files arrive in the watched folder`, () => {
		it('loses no file and takes none twice', async (t) => {
			const folder = await WatchedFolder.make();
			const service = await start({ env: folder.env });
			const client = new Client(service);
			const contents = await Promise.all([1, 2, 3].map((seed) => statementPdf(seed)));
			let written = 0;
			const expected = new Set<string>();
			const write = async (): Promise<void> => {
				const number = written++;
				const content = contents[number % contents.length] ?? Buffer.alloc(0);
				const project = `p${Math.floor(number / contents.length)}`;
				expected.add(`${project} ${content.length}`);
				await folder.write(`${project}/${number}.pdf`, content);
				// Twice under two names: still one document.
				if (number % 4 === 0) await folder.write(`${project}/copy ${number}.pdf`, content);
			};
			try {
				for (let kill = 0; kill < kills; kill++) {
					// Some arrive before the kill, some while the process is down or starts.
					const writing = (async () => {
						for (let count = 0; count < FILES_A_KILL; count++) {
							await write();
							await sleep(Math.random() * 300);
						}
					})();
					await sleep(300 + Math.random() * 1200);
					await service.kill();
					await service.start();
					await writing;
				}
				assert.equal(new Set(contents.map((content) => content.length)).size, contents.length);
				const documents = await arrived(client, expected.size);
				await severalLooks();
				t.diagnostic(`${written} contents, ${documents.length} documents, ${kills} kills`);
				const taken = (await documentsOf(client)).map(
					({ project, size }) => `${project.name} ${size}`,
				);
				assert.deepEqual(taken.toSorted(), [...expected].toSorted());
				assert.ok(documents.every(({ status }) => status === 'extracted'));
			} finally {
				await service.remove();
				await folder.remove();
			}
		});
	});
}

/** On a database server several processes may watch the same folder. */
export function watchedFolderProcessesSuite(start: Start): void {
	describe('two processes that watch one folder', () => {
		it('take each file once', async () => {
			const folder = await WatchedFolder.make();
			const first = await start({ env: folder.env });
			const second = await newService({
				dataDir: first.dataDir,
				env: { ...folder.env, DATABASE_URL: first.databaseUrl ?? '' },
			});
			try {
				await second.start();
				const expected: string[] = [];
				for (let number = 0; number < 60; number++) {
					const project = `p${number % 5}`;
					const content = Buffer.from(`%PDF-1.7 ${'.'.repeat(number)} %%EOF`);
					await folder.write(`${project}/${number}.pdf`, content);
					expected.push(`${project} ${content.length}`);
					if (number % 6 === 0) await sleep(150);
				}
				await arrived(new Client(first), expected.length);
				await severalLooks();
				const documents = await documentsOf(new Client(first));
				assert.deepEqual(
					documents.map(({ project, size }) => `${project.name} ${size}`).toSorted(),
					expected.toSorted(),
				);
				// Both had a part in it, or they did not meet.
				const took = /was taken from the watched folder/g;
				const counts = [first, second].map(({ output }) => output.match(took)?.length ?? 0);
				assert.equal(
					counts.reduce((sum, count) => sum + count, 0),
					expected.length,
				);
				assert.ok(
					counts.every((count) => count > 0),
					counts.join(' and '),
				);
			} finally {
				await second.kill();
				await first.remove();
				await folder.remove();
			}
		});
	});
}
