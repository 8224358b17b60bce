import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { openDatabase } from '../../src/database/database.ts';
import type { Database, JobDocumentStatus } from '../../src/database/schema.ts';
import { DocumentPasswords } from '../../src/documents/documentPasswords.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

describe('passwords of documents', () => {
	let folder: string;
	let db: Kysely<Database>;
	let close: () => Promise<void>;
	let passwords: DocumentPasswords;
	let owner: { contract_id: number; user_id: number };
	let count = 0;
	before(async () => {
		folder = await mkdtemp(join(tmpdir(), 'document-passwords-'));
		({ db, close } = await openDatabase(folder, null, SILENT));
		passwords = new DocumentPasswords(db, new Uint8Array(32).fill(1));
		const contract = await db
			.insertInto('contracts')
			.values({ name: 'First' })
			.returning('id')
			.executeTakeFirstOrThrow();
		const user = await db
			.insertInto('users')
			.values({ contract_id: contract.id, name: 'Owner' })
			.returning('id')
			.executeTakeFirstOrThrow();
		owner = { contract_id: contract.id, user_id: user.id };
	});
	after(async () => {
		await close();
		await rm(folder, { recursive: true });
	});

	async function document(...states: JobDocumentStatus[]): Promise<number> {
		const name = `file-${++count}`;
		const { id } = await db
			.insertInto('documents')
			.values({
				...owner,
				originalname: name,
				mimetype: 'application/pdf',
				s3_key: name,
				stored_file: name,
				status: 'uploaded',
				source: 'api',
			})
			.returning('id')
			.executeTakeFirstOrThrow();
		for (const status of states) {
			const job = await db
				.insertInto('jobs')
				.values({ ...owner, name: null, job_type: 'ExtractData', sub_type: null, status: 'Queued' })
				.returning('id')
				.executeTakeFirstOrThrow();
			await db
				.insertInto('job_documents')
				.values({
					job_id: job.id,
					document_id: id,
					position: 0,
					status,
					attempts: 0,
					queue_message_id: sql<string>`gen_random_uuid()`,
				})
				.execute();
		}
		return id;
	}
	const fileOf = async (id: number): Promise<string> =>
		(
			await db
				.selectFrom('documents')
				.select('stored_file')
				.where('id', '=', id)
				.executeTakeFirstOrThrow()
		).stored_file ?? '';
	const known = async (id: number): Promise<string | null> =>
		await passwords.ofFile(await fileOf(id));
	const sealed = async (id: number): Promise<string> =>
		(
			await db
				.selectFrom('document_passwords')
				.select('sealed')
				.where('document_id', '=', id)
				.executeTakeFirstOrThrow()
		).sealed;

	it('come back as they were, whatever is in them', async () => {
		const id = await document();
		for (const password of ['a', 'Ünïcödé 🐢', ' ', 'x'.repeat(500), '\u0000\n']) {
			await passwords.keep(db, id, password);
			assert.equal(await known(id), password);
		}
		assert.equal(await passwords.ofFile('no such file'), null);
		assert.equal(await passwords.ofFile(await fileOf(await document())), null);
	});

	it('are encrypted, each time differently', async () => {
		const id = await document();
		await passwords.keep(db, id, 'blue elephant');
		const first = await sealed(id);
		await passwords.keep(db, id, 'blue elephant');
		assert.notEqual(await sealed(id), first);
		for (const text of [first, Buffer.from(first, 'base64url').toString('latin1')]) {
			assert.ok(!text.includes('elephant'));
		}
	});

	it('open neither for another document, nor changed, nor with another key', async () => {
		const id = await document();
		await passwords.keep(db, id, 'blue elephant');
		const text = await sealed(id);
		const other = await document();
		await db
			.insertInto('document_passwords')
			.values({ document_id: other, sealed: text })
			.execute();
		assert.equal(await known(other), null);
		const bytes = Buffer.from(text, 'base64url');
		for (const place of [0, 12, 28, bytes.length - 1]) {
			const changed = Buffer.from(bytes);
			changed[place] = (changed[place] ?? 0) ^ 1;
			await db
				.updateTable('document_passwords')
				.set({ sealed: changed.toString('base64url') })
				.where('document_id', '=', id)
				.execute();
			assert.equal(await known(id), null, String(place));
		}
		for (const cut of ['', text.slice(0, 10), text.slice(0, 30)]) {
			await db
				.updateTable('document_passwords')
				.set({ sealed: cut })
				.where('document_id', '=', id)
				.execute();
			assert.equal(await known(id), null, cut);
		}
		await passwords.keep(db, id, 'blue elephant');
		const foreign = new DocumentPasswords(db, new Uint8Array(32).fill(2));
		assert.equal(await foreign.ofFile(await fileOf(id)), null);
	});

	it('are forgotten once no job needs them any more, and not before', async () => {
		const cases: Array<[JobDocumentStatus[], boolean]> = [
			[[], true],
			[['queued'], true],
			[['processing'], true],
			[['extracted', 'queued'], true],
			[['failed', 'processing'], true],
			[['extracted'], false],
			[['failed'], false],
			[['failed', 'extracted'], false],
		];
		for (const forget of [
			async (id: number) => await passwords.forgetUsed(id),
			async () => await passwords.forgetOld(),
		]) {
			for (const [states, stays] of cases) {
				const id = await document(...states);
				const other = await document('queued');
				await passwords.keep(db, id, 'secret');
				await passwords.keep(db, other, 'other');
				await forget(id);
				assert.equal(await known(id), stays ? 'secret' : null, states.join());
				assert.equal(await known(other), 'other');
			}
		}
	});

	it('that no job has used are forgotten after a week', async () => {
		const cases: Array<[number, JobDocumentStatus[], boolean]> = [
			[6, [], true],
			[8, [], false],
			[8, ['queued'], true],
		];
		for (const [days, states, stays] of cases) {
			const id = await document(...states);
			await passwords.keep(db, id, 'secret');
			await sql`update document_passwords set created_at = now() - ${days}::integer * interval '1 day'
				where document_id = ${id}`.execute(db);
			await passwords.forgetOld();
			assert.equal(await known(id), stays ? 'secret' : null, `${days} days ${states.join()}`);
		}
	});
});
